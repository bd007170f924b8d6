#!/bin/bash
# Kills long jobs at random moments, lets each go on until it is done, and compares the bytes with
# those of a run that nothing ended: jobs in one run, and in shards that are killed, moved to another
# folder, gone on with there and merged by runs that are killed, too.
#   tests/kills.sh [KILLS] [PROGRAM]      200 kills of build/release/sightline by default
set -u
kills=${1:-200}
program=$(realpath "${2:-build/release/sightline}")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1

"$program" gen city --shapes 20000 -q -o city.st --rays incoherent --count 8000000 --rays-out rays.st || exit 1
"$program" gen city --shapes 20000 -q -o city.st --rays incoherent --count 400000 --rays-out few.st || exit 1
python3 - <<'PYTHON' || exit 1
import json, random, struct
random.seed(1)
boxes = [{"min": [x, y, 1], "max": [x + 5, y + 5, 3]} for x in range(0, 200, 5) for y in range(0, 200, 5)]
json.dump({"up": "z", "areas": boxes}, open("areas.json", "w"))
for name, n in (("eyes.npy", 14000), ("points.npy", 1000000), ("few.npy", 600), ("spots.npy", 100000)):
    head = "{'descr': '<f4', 'fortran_order': False, 'shape': (%d, 3), }" % n
    head += " " * (63 - (10 + len(head)) % 64) + "\n"
    with open(name, "wb") as file:
        file.write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(head)) + head.encode())
        for _ in range(n):
            file.write(struct.pack("<3f", random.random() * 200, random.random() * 200, 1.7))
PYTHON

names=(visibility cast rows distance areas exposure probes cover)
visibility=(visibility city.st --from eyes.npy)
cast=(cast city.st --rays rays.st --normals)
rows=(cast city.st --rays few.st --query all)
distance=(distance city.st --points points.npy --k 4)
areas=(areas city.st --areas areas.json --samples 8)
exposure=(exposure city.st --from few.npy --to spots.npy)
probes=(probes city.st --points few.npy --grid 128)
cover=(cover city.st --points spots.npy --at 1.7 --directions 8)
done_kills=0 wrong=0 false=0 taken=0 whole=0 ends=0 shards=0
for name in "${names[@]}"; do
  declare -n job=$name
  begin=$(date +%s%N)
  "$program" "${job[@]}" -o "$name.expected" -q 2>/dev/null || exit 1
  declare "once_$name=$(((($(date +%s%N) - begin)) / 1000000))"
done
mkdir here there

# Runs the program, which is killed at a random moment of at most a second, or stopped.
run_killed() {
  local signals=(KILL KILL KILL TERM) process
  "$program" "$@" -q 2>/dev/null &
  process=$!
  sleep "$(printf '0.%03d' $((RANDOM % 1000 * (once > 1500 ? 1500 : once) / 1500)))"
  if kill -"${signals[RANDOM % 4]}" $process 2>/dev/null; then done_kills=$((done_kills + 1)); fi
  wait $process 2>/dev/null
}
# Whatever has the name is whole, and nobody takes what is not for a result, whatever its name.
judge() {
  local left
  if [ -e out ] && ! cmp -s out "$name.expected"; then false=$((false + 1)); fi
  for left in out.partial here/*.partial there/*.partial; do
    cp "$left" renamed 2>/dev/null || continue
    cmp -s renamed "$name.expected" && continue
    "$program" verify renamed city.st -q 2>/dev/null
    if [ $? != 3 ]; then taken=$((taken + 1)); fi
  done
}
in_one_run() {
  local every=(1 0.1 0)
  until run_killed "${job[@]}" -o out --keep-every "${every[RANDOM % 3]}"; do
    judge
    if [ -e out ] || [ $((RANDOM % 8)) = 0 ]; then break; fi
  done
  "$program" "${job[@]}" -o out -q 2>/dev/null
}
in_shards() {
  local every=(1 0.1 0) counts=(1 2 3 8) n i from to
  n=${counts[RANDOM % 4]}
  for i in $(seq 0 $((n - 1)) | shuf); do
    from=here to=there
    until run_killed "${job[@]}" -o $from/out --shard "$i/$n" --keep-every "${every[RANDOM % 3]}"; do
      judge
      if [ $((RANDOM % 3)) = 0 ]; then
        mv $from/out.shard-"$i"-of-"$n"* $to/ 2>/dev/null
        to=$from from=$([ $from = here ] && echo there || echo here)
      fi
      if [ $((RANDOM % 8)) = 0 ]; then break; fi
    done
    # Once more, also where it is done.
    if [ ! -e $from/out.shard-"$i"-of-"$n" ] || [ $((RANDOM % 4)) = 0 ]; then
      "$program" "${job[@]}" -o $from/out --shard "$i/$n" -q 2>/dev/null || return 1
    fi
    mv $from/out.shard-"$i"-of-"$n" out.shard-"$i"-of-"$n"
    shards=$((shards + 1))
  done
  until run_killed merge -o out; do
    judge
    if [ -e out ] || [ $((RANDOM % 8)) = 0 ]; then break; fi
  done
  rm -f out
  "$program" merge -o out -q 2>/dev/null
}

while [ $done_kills -lt "$kills" ]; do
  for name in "${names[@]}"; do
    declare -n job=$name once=once_$name
    for way in in_one_run in_shards; do
      $way
      status=$?
      ends=$((ends + 1))
      if [ $status = 0 ] && cmp -s out "$name.expected" && [ ! -e out.partial ] && [ ! -e out.journal ]; then
        whole=$((whole + 1))
      else
        wrong=$((wrong + 1))
      fi
      rm -rf out out.* here/* there/*
    done
  done
done
echo "$done_kills kills, $ends ends, $shards shards: $whole byte-identical, $wrong not; $false times a result had its name that was not whole, $taken times a partial file was taken for one"
[ $wrong = 0 ] && [ $false = 0 ] && [ $taken = 0 ]
