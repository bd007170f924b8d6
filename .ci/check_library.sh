#!/bin/bash
# Builds the library alone, shared, below another project; with nothing found but oneTBB and
# Highway. Then installs that, and builds and runs the project of tests/consumer on it.
#   .ci/check_library.sh
set -euo pipefail
cd "$(dirname "$0")/.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() { echo "library: $*" >&2 && exit 1; }

nothing_else=()
for package in fmt nlohmann_json CLI11 GTest benchmark; do
  nothing_else+=("-DCMAKE_DISABLE_FIND_PACKAGE_$package=ON")
done
cmake -S . -B "$work/refused" -G Ninja -DSIGHTLINE_PROGRAM=ON -DSIGHTLINE_FILES=OFF \
  >"$work/said" 2>&1 && fail "a program without files is not refused"
grep "needs SIGHTLINE_FILES=ON" "$work/said"
cmake -S . -B "$work/alone" -G Ninja -DSIGHTLINE_FILES=OFF -DSIGHTLINE_CUDA=OFF \
  "${nothing_else[@]}" >"$work/said" || fail "$(cat "$work/said")"
ninja -C "$work/alone" -n sightline_installed | tail -n 1

# A build for this machine's processor says so: when it is configured, installed and run.
cmake -S . -B "$work/native" -G Ninja -DSIGHTLINE_TESTS=OFF -DSIGHTLINE_LANES=native \
  -DSIGHTLINE_CUDA=OFF >"$work/said"
grep -- "-DSIGHTLINE_LANES=all for every" "$work/said"
grep "message(WARNING" "$work/native/cmake_install.cmake"
ninja -C "$work/native" -t commands sightline_cli |
  grep -c 'SIGHTLINE_BUILT_FOR="\\"built [^"]*every processor' || fail "the program does not say so"

start=$SECONDS
cmake -S tests/consumer/below -B "$work/build" -G Ninja -DSIGHTLINE_SOURCE="$PWD" \
  -DCMAKE_BUILD_TYPE=Release -DBUILD_SHARED_LIBS=ON -DSIGHTLINE_INSTALL=ON "${nothing_else[@]}"
cmake --build "$work/build" -j "$(nproc)"
echo "built in $((SECONDS - start)) s"
ninja -C "$work/build" -t deps >"$work/headers"
! grep -E "/(fmt|nlohmann|CLI)/|xxhash" "$work/headers" || fail "these are read"
"$work/build/headers_only"
"$work/build/library"
"$work/build/answers"

cmake --build "$work/build" --target sightline_installed
cmake --install "$work/build" --prefix "$work/prefix" >/dev/null
(cd "$work/prefix" && find . -name '*.so*' -printf '%P %l\n' && find . -name '*.pc' -o -name 'sightline*.cmake')
[ ! -e "$work/prefix/include/sightline/files.hpp" ] || fail "the header of the files is installed"
cp -r tests/consumer "$work/consumer"
.ci/build_consumer.sh "$work/consumer" "$work/prefix" "$work/consumer_build"
echo "== The check of answers can fail: the arithmetic, compiled by fast flags, comes first"
find "$work/build/sightline" -name '*.o' -print0 | xargs -0 ar rc "$work/libstatic.a"
g++ -std=c++20 -O0 -ffast-math -U__FAST_MATH__ -fkeep-inline-functions -march=x86-64-v3 \
  -include sightline/geometry/geometry.hpp -I"$work/prefix/include" "$work/consumer/answers.cpp" \
  "$work/libstatic.a" -ltbb -o "$work/planted"
"$work/planted" && fail "other arithmetic gives the same answers"

readelf -d "$work/consumer_build/library" | grep "libsightline.so.0.3" || fail "no SOVERSION"
# Who asks for the files is told why they are not there.
echo 'cmake_minimum_required(VERSION 3.25)
project(asks LANGUAGES CXX)
find_package(sightline CONFIG REQUIRED COMPONENTS files)' >"$work/consumer/CMakeLists.txt"
cmake -S "$work/consumer" -B "$work/asks" -G Ninja -DCMAKE_PREFIX_PATH="$work/prefix" \
  >"$work/said" 2>&1 && fail "the files are found"
grep "SIGHTLINE_FILES=OFF" "$work/said"
