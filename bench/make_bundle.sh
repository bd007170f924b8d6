#!/bin/bash
# Makes an archive for a machine that has a GPU, Python and a C library, and nothing else: the tests
# and measurements that need the GPU, with the libraries they need, and a level: Freedoom's E1M5 with
# its viewpoints at three grids. Where scripts/freedoom.sh has no WAD it says NO LEVEL, and the
# level's measurements are SKIPPED there.
#
#   bench/make_bundle.sh [--build BUILD] [OUT]
#
# OUT (build/sightline-bundle) and OUT.tar.xz are replaced. BUILD is a finished build with the cache
# variables of the preset `bundle`; without it that preset is built, in build/bundle, for sm_90.
# There: see gpu_acceptance.py. The archive must stay below 60 MB.
set -euo pipefail
cd "$(dirname "$0")/.."

build=
out=build/sightline-bundle
while [ $# -gt 0 ]; do
  case $1 in
    --build) build=$2 && shift 2 ;;
    -*) echo "usage: bench/make_bundle.sh [--build BUILD] [OUT]" >&2 && exit 2 ;;
    *) out=$1 && shift ;;
  esac
done
largest_archive=60000000
programs=(bench/sightline_bench tests/backend_parity tests/test_{cuda_on_gpu,launchers,tree_launchers})

if [ -z "$build" ]; then
  build=build/bundle
  # shellcheck disable=SC2086  # one word per argument
  cmake --preset bundle ${SIGHTLINE_CMAKE_ARGS:-}
  cmake --build --preset bundle -j "$(nproc)" --target sightline_cli "${programs[@]##*/}"
fi

rm -rf "$out" "$out".tar.*
mkdir -p "$out"/{bin,lib,lib-newer}
for program in "${programs[@]}"; do
  strip -o "$out/bin/${program##*/}" "$build/$program"
  # shellcheck disable=SC2016  # the loader expands it
  readelf -d "$build/$program" | grep -q 'RPATH.*\[.*$ORIGIN/../lib' || {
    echo "make_bundle: $program does not look for libraries in \$ORIGIN/../lib" >&2
    exit 1
  }
done

# The libraries beside them, but for those of glibc, which belong to the machine. The compiler's own
# are a reserve for machines whose are older: gpu_acceptance.py turns to them.
ldd "$out"/bin/* | awk '$2 == "=>" && $3 ~ /^\// { print $3 }' | sort -u | while read -r library; do
  case $(basename "$library") in
    libc.so* | libm.so* | libdl.so* | libpthread.so* | librt.so* | libmvec.so* | ld-linux*) ;;
    libstdc++.so* | libgcc_s.so* | libgomp.so*) cp -L "$library" "$out/lib-newer/" ;;
    *) cp -L "$library" "$out/lib/" ;;
  esac
done
cp bench/gpu_acceptance.py bench/acceptance_plan.py "$out/"

# What sightline_bench takes of E1M5: acceptance_plan.py names the files.
make_level() {
  local wad grid
  wad=$(scripts/freedoom.sh) && mkdir "$out/level" || return 1
  for grid in 64 32 16; do
    "$build/sightline" import "$wad" --map E1M5 --grid $grid --quiet \
      -o "$out/level/level.safetensors" --points-out "$out/level/points_$grid.npy" || return 1
  done
}
level="with the level E1M5"
make_level || {
  rm -rf "$out/level"
  level="NO LEVEL"
  echo "make_bundle: NO LEVEL: E1M5 could not be made, so its measurements will be SKIPPED" >&2
}
rivals="cuBQL beside"
grep -q "cubql:median" "$out/bin/sightline_bench" || {
  rivals="NO CUBQL"
  echo "make_bundle: NO CUBQL: scripts/rivals.sh fetches it, and this build is without it" >&2
}

{
  echo "sightline $(git describe --always --dirty), built $(date -u +%F), $level, $rivals"
  c++ --version | sed -n 1p
  nvcc --version | tail -n 2 | head -n 1
  ldd --version | sed -n 1p
  sed -n 's/^\(CMAKE_CUDA_ARCHITECTURES\|CMAKE_BUILD_TYPE\):[A-Z]*=/\1 /p' "$build/CMakeCache.txt"
  (cd "$out" && find . -type f -print0 | sort -z | xargs -0 sha256sum)
} >"$out.manifest"
mv "$out.manifest" "$out/MANIFEST"

# The programs have much in common, so what counts is how far back xz looks; more effort than this
# takes four times as long for a tenth of the bytes. Python unpacks it.
tar -C "$(dirname "$out")" -c "$(basename "$out")" |
  xz -T1 --lzma2=preset=1,dict=64MiB >"$out.part"
bytes=$(stat -c %s "$out.part")
mv "$out.part" "$out.tar.xz"
echo "$out.tar.xz: $bytes bytes"
[ "$bytes" -lt $largest_archive ] || {
  echo "make_bundle: more than $largest_archive bytes" >&2
  exit 1
}
