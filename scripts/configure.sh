#!/bin/sh
# Configures build/release. Where a GPU is seen it gets CUDA, for that GPU alone; elsewhere no CUDA.
# A folder that was configured before keeps what was chosen for it.
#   scripts/configure.sh [ARGUMENTS OF CMAKE]
set -eu
cd "$(dirname "$0")/.."

chosen() { sed -n "s/^$1:[A-Z]*=//p" build/release/CMakeCache.txt 2>/dev/null; }
gpu_is_seen() { [ -e /dev/nvidia0 ] || nvidia-smi -L 2>/dev/null | grep -q '^GPU'; }

anew="rm -r build/release && cmake --preset release -DSIGHTLINE_CUDA=ON"
if echo "$*" | grep -q SIGHTLINE_CUDA=; then
  echo "SIGHTLINE_CUDA as asked for"
elif [ -n "$(chosen SIGHTLINE_CUDA)" ]; then
  echo "build/release was configured before and keeps what was chosen:" \
    "SIGHTLINE_CUDA=$(chosen SIGHTLINE_CUDA)"
elif ! gpu_is_seen; then
  set -- -DSIGHTLINE_CUDA=OFF "$@"
  echo "No NVIDIA GPU is seen here, so the build is without CUDA and minutes shorter. To have the" \
    "kernels all the same, for every architecture: $anew"
elif ! command -v "${CUDACXX:-nvcc}" >/dev/null; then
  set -- -DSIGHTLINE_CUDA=OFF "$@"
  echo "A GPU is seen here, but no nvcc, so the build is without CUDA. With the CUDA toolkit" \
    "installed and nvcc in PATH: $anew -DCMAKE_CUDA_ARCHITECTURES=native"
else
  set -- -DSIGHTLINE_CUDA=ON -DCMAKE_CUDA_ARCHITECTURES=native "$@"
  echo "A GPU is seen here: the build has CUDA, for this GPU's architecture alone"
fi
exec cmake --preset release "$@"
