#!/bin/bash
# Installs a build into a temporary prefix. Builds and runs a project that knows only that, by CMake
# and by pkg-config. Configures one that takes the sources in by add_subdirectory.
#   .ci/check_install.sh [BUILD]   (default build/release)
set -euo pipefail
cd "$(dirname "$0")/.."
build=$(realpath "${1:-build/release}")

work=$(mktemp -d)
hidden=""
trap '[ ! -e "$work/hidden" ] || mv "$work/hidden" "$hidden"; rm -rf "$work"' EXIT
fail() { echo "install: $*" >&2 && exit 1; }

echo "== The interface of the library holds no arithmetic"
.ci/check_api.py "$build/libsightline.a"

echo "== What demo.sh builds is what is installed; where a part of it is missing, nothing is"
target=$(sed -n 's/^cmake --build --preset release --target \([a-z_]*\) .*/\1/p' demo.sh)
mapfile -t parts < <(sed -n \
  's/.*file(INSTALL .* TYPE \(STATIC_LIBRARY\|EXECUTABLE\) FILES "\([^"]*\)".*/\2/p' \
  "$build/cmake_install.cmake")
[ ${#parts[@]} = 3 ] || fail "the library, the files and the program are not all installed"
ninja -C "$build" -t query "$target" | sed 's/^ *//' >"$work/inputs"
for part in "${parts[@]}"; do
  grep -qxF "${part#"$build"/}" "$work/inputs" || fail "demo.sh does not build $part"
  hidden=$part
  mv "$part" "$work/hidden"
  status=0
  cmake --install "$build" --prefix "$work/half" >"$work/said" 2>&1 || status=$?
  mv "$work/hidden" "$part"
  if [ $status = 0 ] || [ -e "$work/half" ] || ! grep -q "Nothing is installed" "$work/said"; then
    fail "without $part something is installed"
  fi
done

cmake --install "$build" --prefix "$work/prefix" >/dev/null
# The source tree moves out of reach: an include path into it would hide a missing header.
cp -r tests/consumer "$work/consumer"
! grep -rn "$PWD" "$work/prefix" --include='*.cmake' --include='*.pc' ||
  fail "the package names the source tree"
.ci/build_consumer.sh "$work/consumer" "$work/prefix" "$work/build"
"$work/build/headers_only"
"$work/build/files" "$work"

echo "== The examples, by CMake"
cp -r examples "$work/examples"
cmake -S "$work/examples" -B "$work/built" -G Ninja -DCMAKE_PREFIX_PATH="$work/prefix" \
  -DCMAKE_BUILD_TYPE=Release -DCMAKE_CXX_FLAGS="-Wall -Wextra -Werror"
cmake --build "$work/built"
for example in closest_hit visibility robot_collision nav_and_cover; do
  "$work/built/$example" || fail "the example $example fails"
done
"$work/prefix/bin/sightline" --version
"$work/prefix/bin/sightline" cast "$work/scene.st" --rays "$work/rays.st" -o "$work/hits.st"

echo "== Below another project: what it has chosen stays"
for type in "" Debug; do
  cmake -S tests/consumer/below -B "$work/below" -G Ninja -DSIGHTLINE_SOURCE="$PWD" \
    -DCMAKE_BUILD_TYPE="$type" >"$work/said" || fail "$(cat "$work/said")"
  grep -e "sightline::" -e "build type" "$work/said"
done
grep '"command".*library.cpp' "$work/below/compile_commands.json"
! grep -q . <(sed -n 's/.*file(INSTALL.*/&/p' "$work/below/sightline/cmake_install.cmake") ||
  fail "the parent's install installs sightline"
