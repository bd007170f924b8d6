#!/bin/bash
# The proof of sightline on the GPU of this machine: tests, parity with the CPU, sanitizers, rates.
#
#   ./gpu_acceptance.sh [--out DIR] [--seconds N] [--pairs N] [--plan]
#
# Runs from the unpacked folder of bench/make_bundle.sh, without a network, for at most N seconds
# (475). Every step has its share of them, and what one leaves goes to those after it; --plan prints
# the shares and runs nothing. All output goes to DIR (./acceptance) and, after every step anew, to DIR.tar.gz, so that a
# run cut short leaves what it had. SIGHTLINE_TEST_SCALE (0.25) is the work of the large tests.
# Exit code: 0 all passed; 1 something failed, differs or found no time; 2 usage; 3 there is no GPU,
# everything else passed, and what needs one was skipped.
set -u
here=$(cd "$(dirname "$0")" && pwd) || exit 2
out=acceptance
budget=475
pairs=1000000000
plan_only=no
while [ $# -gt 0 ]; do
  case $1 in
    --out) out=${2:?} && shift 2 ;;
    --seconds) budget=${2:?} && shift 2 ;;
    --pairs) pairs=${2:?} && shift 2 ;;
    --plan) plan_only=yes && shift ;;
    *) echo "usage: gpu_acceptance.sh [--out DIR] [--seconds N] [--pairs N] [--plan]" >&2 && exit 2 ;;
  esac
done

# Steps in their order, and their shares.
steps=(machine start device program tests parity sanitizers rates)
shares=(10 10 20 45 90 85 60 155)
# share_of STEP: of the seconds that are left, as its share is to those of the steps to come.
share_of() {
  local i rest=0 own=
  for i in "${!steps[@]}"; do
    [ "${steps[i]}" = "$1" ] && own=${shares[i]}
    [ -z "$own" ] || rest=$((rest + shares[i]))
  done
  echo $(((budget - SECONDS) * own / rest))
}
plan() {
  local i sum=0 all=0 seconds
  for i in "${shares[@]}"; do all=$((all + i)); done
  for i in "${!steps[@]}"; do
    seconds=$((budget * shares[i] / all))
    sum=$((sum + seconds))
    printf '%-12s %4d s\n' "${steps[i]}" $seconds
    [ "${steps[i]}" != rates ] || [ ! -x "$here/bin/gpu_rates" ] ||
      LD_LIBRARY_PATH=${LD_LIBRARY_PATH-} "$here/bin/gpu_rates" --plan \
        --seconds $((seconds - rates_reserve)) | sed 's/^/   /'
  done
  printf '%-12s %4d s\n' together $sum
  [ "$sum" -le "$budget" ] && [ "$sum" -le 480 ]
}
# Of the step of rates, for what it ends with.
rates_reserve=15
if [ $plan_only = yes ]; then
  plan
  exit
fi
rm -rf "$out"
mkdir -p "$out" || exit 2
out=$(cd "$out" && pwd)

export SIGHTLINE_TEST_SCALE=${SIGHTLINE_TEST_SCALE:-0.25}
export SIGHTLINE_SOURCE_DIR=$here/data
bin=$here/bin
cores=$(nproc)
failures=0
skipped=0
PATH=$PATH:/usr/local/cuda/bin

step_end=$budget
left() { echo $((step_end - SECONDS > 1 ? step_end - SECONDS : 1)); }
# within SECONDS COMMAND...: cut off after so many seconds, or when the step's share is spent.
within() {
  local limit=$1
  shift
  [ "$limit" -le "$(left)" ] || limit=$(left)
  timeout -k 5 "$limit" "$@"
}
archive() { tar -C "$(dirname "$out")" -czf "$out.tar.gz" "$(basename "$out")"; }
# step NAME COMMAND...: a line of the summary; 0 passed, 3 skipped, all else failed.
step() {
  local name=$1 start=$SECONDS status=0 word
  shift
  step_end=$((SECONDS + $(share_of "$name")))
  printf '== %s\n' "$name"
  "$@" >"$out/$name.txt" 2>&1 || status=$?
  case $status in
    0) word=passed ;;
    3) word=SKIPPED && skipped=$((skipped + 1)) ;;
    124 | 137) word="CUT SHORT" && failures=$((failures + 1)) ;;
    *) word="FAILED ($status)" && failures=$((failures + 1)) ;;
  esac
  printf '%-12s %-12s %4d s\n' "$name" "$word" $((SECONDS - start)) | tee -a "$out/summary.txt"
  tail -n 12 "$out/$name.txt" | sed 's/^/   /'
  archive
  return $status
}

machine() {
  date -u
  sed -n 1,8p "$here/MANIFEST"
  uname -srm
  sed -n 's/^PRETTY_NAME=//p' /etc/os-release
  ldd --version | sed -n 1p
  lscpu | grep -E '^(Model name|CPU\(s\)|Thread|Core|Socket|L[123]|NUMA node\(s\))'
  free -g | sed -n 2p
  within 30 nvidia-smi
  within 30 nvidia-smi --query-gpu=name,uuid,driver_version,memory.total,clocks.max.sm,clocks.max.mem,power.limit \
    --format=csv
  command -v nvcc && nvcc --version
  command -v compute-sanitizer && compute-sanitizer --version
  return 0
}

# Whether the programs start here; else with the newer libraries of the compiler that are packed;
# else what this machine's nvcc and CMake build from the sources.
start() {
  local drivers=${LD_LIBRARY_PATH-}
  starts && return 0
  export LD_LIBRARY_PATH=$here/lib-newer${drivers:+:$drivers}
  echo "the programs do not start: trying with $LD_LIBRARY_PATH"
  starts && return 0
  export LD_LIBRARY_PATH=$drivers
  echo "building from the sources"
  from_source
}
starts() { "$bin/sightline" --version && ! ldd "$bin"/* 2>&1 | grep 'not found'; }
# What a GPU can show, first things first, for at most two thirds of the time: the whole takes few
# cores longer than that. What is not built is not run, and tests() lists it.
source_targets="sightline_cli gpu_parity test_cuda_on_gpu test_launchers gpu_rates test_caster
  test_tree_launchers"
architecture() {
  local found
  found=$(within 30 nvidia-smi --query-gpu=compute_cap --format=csv,noheader 2>/dev/null |
    sed -n '1s/^\([0-9]*\)\.\([0-9]\)$/\1\2/p')
  echo "${found:-${SIGHTLINE_ARCHITECTURES:-90}}"
}
from_source() {
  local work=$here/from-source generator=() target program built end=$((SECONDS + budget * 2 / 3))
  step_end=$end
  mkdir -p "$work/src" && tar -xzf "$here/src.tar.gz" -C "$work/src" || return 1
  command -v ninja >/dev/null && generator=(-G Ninja)
  within $((budget * 2 / 3)) cmake -S "$work/src" -B "$work/build" "${generator[@]}" \
    -DCMAKE_BUILD_TYPE=Release -DCMAKE_PREFIX_PATH="$here/deps/usr" \
    -DCMAKE_LIBRARY_PATH="$here/lib" -DSIGHTLINE_CUDA=ON -DSIGHTLINE_TESTS=ON \
    -DSIGHTLINE_BENCH=ON -DTHRUST_INCLUDE_DIR="$here/deps/thrust" \
    -DCMAKE_CUDA_ARCHITECTURES="$(architecture)" || return 1
  # For the tests on the CPU; nvcc finds the toolkit's own before this.
  export CPLUS_INCLUDE_PATH=$here/deps/thrust
  bin=$work/bin
  mkdir -p "$bin"
  for target in $source_targets; do
    [ $SECONDS -lt $end ] &&
      within $((end - SECONDS)) cmake --build "$work/build" --target "$target" -j "$cores"
    program=${target%_cli}
    built=$(find "$work/build" -name "$program" -type f -perm -u+x ! -path '*/CMakeFiles/*')
    if [ -n "$built" ]; then mv "$built" "$bin/"; else echo "NOT BUILT: $program"; fi
  done
  "$bin/sightline" --version && [ -x "$bin/gpu_parity" ]
}

# Whether the device answers; a GPU that the driver lists but we cannot use is a failure.
device() {
  within 60 "$bin/sightline" info
  within 60 "$bin/gpu_parity" --pairs 1 --largest 1 --threads 1
  local status=$?
  [ $status = 3 ] && nvidia-smi -L 2>/dev/null | grep -q '^GPU' && return 1
  return $status
}

# one_test NAME PROGRAM ARGUMENTS...
one_test() {
  local name=$1 program=$2 status=0
  shift 2
  export SIGHTLINE_PROGRAM=$bin/sightline SIGHTLINE_PROGRAM_ON_STANDIN=$bin/sightline_on_standin
  export GTEST_OUTPUT=json:$out/tests/$name.json
  (cd "$out/tests" && within 100 "$bin/$program" "$@" >"$name.log" 2>&1 </dev/null) || status=$?
  echo "$status $name $(sed -n 's/^\[  PASSED  \] \([0-9]*\) tests*\./\1 passed/p' "$out/tests/$name.log")" \
    "$(grep -c '^\[  SKIPPED \].*ms)$' "$out/tests/$name.log") skipped" >>"$out/tests/results"
}
# Many cases start the program, and every start makes a context: four processes share those.
tests() {
  local name program arguments shards shard started=0 absent=()
  mkdir -p "$out/tests"
  # shellcheck disable=SC2162,SC2086  # words of plain letters
  while read name program arguments; do
    [ -x "$bin/$program" ] || { absent+=("$name") && continue; }
    shards=1
    [ "$name" = test_cli ] && shards=4
    for ((shard = 0; shard < shards; ++shard)); do
      while [ "$(jobs -rp | wc -l)" -ge $((cores > 4 ? (cores + 1) / 2 : 2)) ]; do wait -n; done
      GTEST_TOTAL_SHARDS=$shards GTEST_SHARD_INDEX=$shard \
        one_test "$name.$shard" "$program" $arguments &
      started=$((started + 1))
    done
  done <"$here/tests.txt"
  wait
  sort -k2 "$out/tests/results"
  echo "skipped cases:"
  cat "$out"/tests/*.log | sed -n 's/^\[  SKIPPED \] \([A-Za-z0-9_/]*\.[A-Za-z0-9_/]*\).*/  \1/p' |
    sort -u
  if [ "$(wc -l <"$out/tests/results")" -ne $started ] ||
    grep -v '^0 ' "$out/tests/results"; then
    grep -h -A 8 -E 'Failure$|^\[  FAILED' "$out"/tests/*.log | head -n 60
    return 1
  fi
  echo "all $(($(wc -l <"$here/tests.txt") - ${#absent[@]})) tests passed that were built"
  [ ${#absent[@]} = 0 ] || echo "NOT BUILT here, so not run: ${absent[*]}"
}

# The program over the packed scenes: here its generator makes the same bytes, a sample of the cpu's
# results is what brute force says, and the files that the GPU gives are the cpu's to the byte.
program() {
  local scene status=0
  work=$out/program
  mkdir -p "$work"
  for scene in "$here"/scenes/*.sightline; do
    one_scene "$scene" "$(basename "$scene" .sightline)" || status=1
  done
  rm -r "$work"
  [ $status = 0 ] || return 1
  [ $has_gpu = yes ] && return 0
  echo "only the cpu: there is no GPU here that can be used"
  return 3
}
# one_scene SCENE KIND-SHAPES
one_scene() {
  local made=$work/made.sightline rays=$work/rays.sightline
  within 60 "$bin/sightline" gen "${2%-*}" --shapes "${2#*-}" -q -o "$made" \
    --rays incoherent --count 20000 --rays-out "$rays" --device cpu &&
    cmp "$made" "$1" &&
    on_each_device "$2 closest" "$1" --rays "$rays" -- cast --rays "$rays" &&
    on_each_device "$2 any" "$1" --rays "$rays" -- cast --rays "$rays" --query any &&
    on_each_device "$2 visibility" "$1" --from "$here/scenes/points.npy" -- \
      visibility --from "$here/scenes/points.npy"
}
# on_each_device WHAT SCENE INPUTS 2 -- VERB OPTIONS...
on_each_device() {
  local what=$1 scene=$2 inputs=("$3" "$4") verb=$6 device devices=(cpu) done_on=cpu
  shift 6
  [ $has_gpu = yes ] && devices+=(cuda) && done_on="cpu, cuda: the same bytes"
  for device in "${devices[@]}"; do
    within 60 "$bin/sightline" "$verb" "$scene" "$@" --device "$device" -q \
      -o "$work/$device.sightline" || return 1
    cmp "$work/$device.sightline" "$work/cpu.sightline" || return 1
  done
  within 60 "$bin/sightline" verify "$work/cpu.sightline" --scene "$scene" "${inputs[@]}" \
    --sample 1000 -q && echo "$what: $done_on, as brute force"
}

parity() {
  local limit
  limit=$(($(left) > 20 ? $(left) - 15 : 5))
  within $((limit + 15)) "$bin/gpu_parity" --pairs "$pairs" --seconds $limit
}

# Each tool over a short parity run; all at once, since none keeps the GPU busy.
sanitize() {
  local tool=$1 status=0 log=$out/sanitizer-$1.log options=()
  # A chunk comes back in one copy, with the unwritten gaps between its arrays: for initcheck only
  # what kernels read counts.
  [ "$tool" = initcheck ] && options=(--check-api-memory-access no)
  within 100 compute-sanitizer --tool "$tool" "${options[@]}" --error-exitcode 9 "$bin/gpu_parity" \
    --pairs 3000000 --largest 1000 --seconds 40 --threads 2 >"$log" 2>&1 || status=$?
  # Fewer pairs than asked for will do; but the program's code then hides the tool's.
  [ $status = 4 ] && grep -qE 'SUMMARY: 0 (errors|hazards)' "$log" && status=0
  grep -q 'Device not supported' "$log" && status=3 # as on some virtual machines
  tail -n 2 "$log"
  echo "$tool: $status"
  return $status
}
sanitizers() {
  command -v compute-sanitizer >/dev/null || {
    echo "there is no compute-sanitizer on this machine"
    return 3
  }
  local tool status=0 process processes=()
  for tool in memcheck racecheck initcheck synccheck; do
    sanitize $tool &
    processes+=($!)
  done
  for process in "${processes[@]}"; do
    wait "$process"
    case $? in
      0) ;;
      3) [ $status = 1 ] || status=3 ;;
      *) status=1 ;;
    esac
  done
  return $status
}

rates() {
  local limit
  limit=$(($(left) > 2 * rates_reserve ? $(left) - rates_reserve : 10))
  within $((limit + rates_reserve)) "$bin/gpu_rates" --cpu --seconds $limit --json "$out/rates.jsonl"
}

no_gpu() { echo "there is no GPU here that can be used" && return 3; }

step machine machine
step start start || { echo "the programs cannot be had here" && exit 1; }
has_gpu=no
step device device
if [ $? != 3 ]; then has_gpu=yes; else shares=(10 10 20 160 270 1 1 1); fi  # the rest is skipped
step program program
step tests tests
for name in parity sanitizers rates; do
  if [ $has_gpu = yes ]; then step $name $name; else step $name no_gpu; fi
done
printf '%d s in all; %d steps failed, %d skipped; %s\n' $SECONDS $failures $skipped "$out.tar.gz" |
  tee -a "$out/summary.txt"
archive
[ $failures = 0 ] || exit 1
[ $has_gpu = yes ] || exit 3
exit 0
