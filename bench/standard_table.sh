#!/bin/bash
# Ours against Embree over the standard scenes and real ones: tables for people, rows for plots.
#   bench/standard_table.sh [--out FOLDER] [--data FOLDER] [--count N] [--clock cpu|wall]
#                           [--lanes LANES,...]
# Builds build/release with the benchmarks. Without --out the results go to build/bench-results.
# --data holds doom/, molecules/ and voxels/ (default ../shared/data); what it lacks is left out, and
# said. PYTHON (default python3) has the package sightline, which reads molecules and voxel maps;
# without it they are left out, too. One thread, and rows for all lanes that the processor has,
# unless --lanes names some. About 20 minutes for each of the lanes with the default of 1,048,576
# rays; a quiet machine gives better figures, and --clock wall asks for one.
set -euo pipefail
cd "$(dirname "$0")/.."

out=build/bench-results data=../shared/data count=1048576 clock=cpu lanes=avx2,portable
grep -q -w avx512vl /proc/cpuinfo && lanes=avx512,$lanes
while [ $# -gt 0 ]; do
  case $1 in
    --out) out=$2 ;;
    --data) data=$2 ;;
    --count) count=$2 ;;
    --clock) clock=$2 ;;
    --lanes) lanes=$2 ;;
    *) echo "standard_table: unknown option $1" >&2 && exit 2 ;;
  esac
  shift 2
done

build=${SIGHTLINE_BUILD:-build/release}
if [ -z "${SIGHTLINE_BUILD:-}" ]; then
  # shellcheck disable=SC2086  # one word per argument
  cmake --preset release -DSIGHTLINE_BENCH=ON -DSIGHTLINE_LANES=all ${SIGHTLINE_CMAKE_ARGS:-}
  cmake --build --preset release -j "$(nproc)" --target sightline_cli sightline_bench duel_rays
fi
mkdir -p "$out" build/bench-scenes
{
  date -u +%Y-%m-%dT%H:%M:%SZ
  git rev-parse HEAD 2>/dev/null || echo "no revision"
  lscpu | grep -E 'Model name|^CPU\(s\)|L[123]|Flags' | sed 's/  */ /g'
  echo "load: $(cut -d' ' -f1-3 /proc/loadavg)"
} >"$out/machine.txt"

# table NAME OPTION...: one run, its table and its rows.
table() {
  local name=$1
  shift
  echo "== $name: duel_rays $*"
  "$build/bench/duel_rays" "$@" --threads 1 --against embree --lanes "$lanes" --count "$count" \
    --clock "$clock" --json "$out/$name.json" | tee "$out/$name.txt"
}

table standard --scene city,cloud,mixed --shapes 1000,100000,1000000
# How the time of a ray grows with the scene.
"$build/bench/sightline_bench" --smallest=10000 --largest=10000000 --count="$count" \
  --clock="$clock" --benchmark_out="$out/growth.json" --benchmark_repetitions=5 \
  --benchmark_report_aggregates_only=true --benchmark_filter="^(closest/(city|cloud)/[0-9]+/\
incoherent|any/(city|cloud)/[0-9]+/los)/(${lanes//,/|})/threads:1/" | tee "$out/growth.txt"

scenes=""
# scene NAME FILE COMMAND...: imported once; the command gets FILE and the scene to write.
scene() {
  local file=build/bench-scenes/$1.sightline source=$2
  shift 2
  if [ ! -r "$source" ]; then
    echo "standard_table: $source is not here; left out" >&2
    return
  fi
  if [ ! -s "$file" ] && ! "$@" "$source" "$file"; then
    echo "standard_table: $source could not be imported; left out" >&2
    return
  fi
  scenes=${scenes:+$scenes,}$file
}
by_program() { "$build/sightline" import "${@: -2:1}" "${@:1:$#-2}" -o "${@: -1}" -q; }
by_python() {
  "${PYTHON:-python3}" -c "import sys, sightline as sl; $1.scene.save(sys.argv[2])" "$2" "$3"
}
wad=$data/doom/freedoom1-e1e2-maps.wad
[ -r "$wad" ] || wad=$(scripts/freedoom.sh || echo "$wad")
# The walls as drawn: the figures before 0.1.0 closed them are of these.
scene E1M5 "$wad" by_program --map E1M5 --drawn-walls
scene 1IHM "$data/molecules/1IHM.pdb" by_python 'sl.from_pdb(sys.argv[1], copies="all")'
scene A2 "$data/voxels/A2.3dmap" by_python 'sl.from_3dmap(sys.argv[1])'
[ -z "$scenes" ] || table real --scene "$scenes"
