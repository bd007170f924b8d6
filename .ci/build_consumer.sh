#!/bin/bash
# Builds tests/consumer on an install, by CMake and by pkg-config, and runs what every install has.
#   .ci/build_consumer.sh CONSUMER PREFIX BUILD
set -euo pipefail
consumer=$1
prefix=$2
build=$3

echo "== A project that knows the install alone, by CMake"
cmake -S "$consumer" -B "$build" -G Ninja -DCMAKE_PREFIX_PATH="$prefix" \
  -DCMAKE_BUILD_TYPE=Release -DCMAKE_CXX_FLAGS="-Wall -Wextra -Werror" \
  -DCMAKE_DISABLE_FIND_PACKAGE_CUDAToolkit=ON
sed -n 's/.*"command": "\(.*\(library\|headers_only\).cpp\)",$/\1/p' "$build/compile_commands.json"
! grep '"command".* -ff.*library.cpp' "$build/compile_commands.json" ||
  { echo "the library gives flags to those who link it" >&2 && exit 1; }
cmake --build "$build"
"$build/headers_only"
"$build/library"
"$build/migration"
"$build/answers"
"$build/answers_fast"

echo "== The same by pkg-config"
PKG_CONFIG_PATH=$(dirname "$(find "$prefix" -name sightline.pc)")
export PKG_CONFIG_PATH
echo "flags: $(pkg-config --cflags --libs sightline)"
# shellcheck disable=SC2046  # one word per flag
g++ -std=c++20 "$consumer/library.cpp" -o "$build/by_pkg_config" \
  $(pkg-config --cflags --libs sightline)
LD_LIBRARY_PATH=$(pkg-config --variable=libdir sightline) "$build/by_pkg_config"
