#!/bin/bash
# Installs a build into a temporary prefix, then builds and runs a project that knows only that.
#   .ci/check_install.sh [BUILD]   (default build/release)
set -euo pipefail
cd "$(dirname "$0")/.."
build=${1:-build/release}

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cmake --install "$build" --prefix "$work/prefix" >/dev/null
# The source tree moves out of reach: an include path into it would hide a missing header.
cp -r tests/consumer "$work/consumer"
if grep -rn "$PWD" "$work/prefix" --include='*.cmake'; then
  echo "install: the package names the source tree" >&2
  exit 1
fi
cmake -S "$work/consumer" -B "$work/build" -G Ninja -DCMAKE_PREFIX_PATH="$work/prefix" \
  -DCMAKE_BUILD_TYPE=Release -DCMAKE_CXX_FLAGS="-Wall -Wextra -Werror" \
  -DCMAKE_DISABLE_FIND_PACKAGE_CUDAToolkit=ON
cmake --build "$work/build"
"$work/build/headers_only"
"$work/build/library"
"$work/build/files" "$work"
"$work/prefix/bin/sightline" --version
"$work/prefix/bin/sightline" cast "$work/scene.st" --rays "$work/rays.st" -o "$work/hits.st"
