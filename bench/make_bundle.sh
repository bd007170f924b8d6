#!/bin/bash
# Makes a folder, and an archive of it, for a machine that has a GPU and nothing else: the tests and
# measurements with the libraries they need, scenes, and the sources with what builds them offline.
#
#   bench/make_bundle.sh [--build BUILD] [OUT]
#
# OUT (build/sightline-bundle) and OUT.tar.xz are replaced. BUILD is a finished build with the cache
# variables of the preset `bundle`; without it that preset is built, in build/bundle, for sm_90.
# There: unpack, and run ./gpu_acceptance.sh. The archive must stay below 50 MB.
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
largest_archive=50000000

if [ -z "$build" ]; then
  build=build/bundle
  # shellcheck disable=SC2086  # one word per argument
  cmake --preset bundle ${SIGHTLINE_CMAKE_ARGS:-}
  cmake --build --preset bundle -j "$(nproc)"
fi

rm -rf "$out" "$out.tar.xz"
mkdir -p "$out"/{bin,lib,lib-newer,scenes,data/tests/cases,deps}

# Every test by its name and command, as CTest knows them, but those of rivals, of scripts and of
# interpreted PTX; and the programs.
ctest --test-dir "$build" -LE 'rivals|script|ptx' --show-only=json-v1 | python3 -c '
import json, os, sys
for test in json.load(sys.stdin)["tests"]:
    program, *arguments = test["command"]
    print(test["name"], os.path.relpath(program, sys.argv[1]), *arguments)
' "$build" >"$out/commands"
{
  cut -d' ' -f2 "$out/commands"
  printf '%s\n' sightline tests/sightline_on_standin tests/gpu_parity bench/gpu_rates \
    bench/sightline_bench
} | sort -u | while read -r program; do
  strip -o "$out/bin/$(basename "$program")" "$build/$program"
done
# shellcheck disable=SC2162  # no backslashes here
while read name program arguments; do
  echo "$name $(basename "$program") $arguments"
done <"$out/commands" >"$out/tests.txt"
rm "$out/commands"

# The libraries beside them, but for those of glibc, which belong to the machine. The compiler's own
# are a reserve for machines whose are older: gpu_acceptance.sh turns to them.
ldd "$out"/bin/* | awk '$2 == "=>" && $3 ~ /^\// { print $3 }' | sort -u | while read -r library; do
  case $(basename "$library") in
    libc.so* | libm.so* | libdl.so* | libpthread.so* | librt.so* | libmvec.so* | ld-linux*) ;;
    libstdc++.so* | libgcc_s.so* | libgomp.so*) cp -L "$library" "$out/lib-newer/" ;;
    *) cp -L "$library" "$out/lib/" ;;
  esac
done
for program in "$out"/bin/*; do
  # shellcheck disable=SC2016  # the loader expands it
  readelf -d "$program" | grep -q 'RPATH.*\[.*$ORIGIN/../lib' || {
    echo "make_bundle: $program does not look for libraries in \$ORIGIN/../lib" >&2
    exit 1
  }
done

for kind in city cloud mixed; do
  for shapes in 1000 10000 100000; do
    "$build/sightline" gen "$kind" --shapes $shapes -q -o "$out/scenes/$kind-$shapes.sightline"
  done
done
# Viewpoints over all of them: [500, 3] f32.
python3 -c '
import array, random, sys
random.seed(1)
values = [random.uniform(0, 100) if axis < 2 else random.uniform(0, 40)
          for _ in range(500) for axis in range(3)]
header = repr({"descr": "<f4", "fortran_order": False, "shape": (500, 3)}).ljust(117) + "\n"
with open(sys.argv[1], "wb") as file:
    file.write(b"\x93NUMPY\x01\x00" + len(header).to_bytes(2, "little") + header.encode())
    array.array("f", values).tofile(file)
' "$out/scenes/points.npy"
cp -r tests/cases/data "$out/data/tests/cases/"
cp bench/gpu_acceptance.sh "$out/"

# The sources as they are, and what Debian's packages give to build them.
git ls-files -z | tar --null -T - --ignore-failed-read -czf "$out/src.tar.gz"
for package in libtbb-dev libtbb12 libtbbmalloc2 libtbbbind-2-5 libhwy-dev libcli11-dev libfmt-dev \
  libfmt9 nlohmann-json3-dev libxxhash-dev \
  libgtest-dev libbenchmark-dev libbenchmark1debian libthrust-dev; do
  dpkg -L "$package" || exit 1
done | grep -E '^(/usr/include|(/usr)?/lib|/usr/share/(cmake|pkgconfig)|/usr/src/googletest)/' |
  while read -r path; do
    [ -d "$path" ] || echo "$path"
  done | tar -T - -c --transform='s,^/lib/,/usr/lib/,' -P --transform='s,^/*,,' |
  tar -x -C "$out/deps"
# Apart from the others: as an include directory it would hide the toolkit's own Thrust from nvcc.
mkdir "$out/deps/thrust"
mv "$out/deps/usr/include/thrust" "$out/deps/thrust/"

{
  echo "sightline $(git describe --always --dirty), built $(date -u +%F)"
  c++ --version | sed -n 1p
  nvcc --version | tail -n 2 | head -n 1
  ldd --version | sed -n 1p
  sed -n 's/^\(CMAKE_CUDA_ARCHITECTURES\|CMAKE_BUILD_TYPE\):[A-Z]*=/\1 /p' "$build/CMakeCache.txt"
  (cd "$out" && find bin lib lib-newer scenes data ./*.* -type f -print0 | sort -z |
    xargs -0 sha256sum)
} >"$out.manifest"
mv "$out.manifest" "$out/MANIFEST"

# The programs have much in common, so what counts is how far back xz looks; more effort than this
# takes four times as long for a tenth of the bytes, and threads would cut the archive into blocks
# that know nothing of each other, at twice the bytes.
tar -C "$(dirname "$out")" -c "$(basename "$out")" |
  xz -T1 --lzma2=preset=1,dict=64MiB >"$out.tar.xz"
bytes=$(stat -c %s "$out.tar.xz")
echo "$out.tar.xz: $bytes bytes, $(wc -l <"$out/tests.txt") tests"
[ "$bytes" -lt $largest_archive ] || {
  echo "make_bundle: more than $largest_archive bytes" >&2
  exit 1
}
