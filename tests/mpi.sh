#!/bin/bash
# Jobs under mpirun: with 1, 2 and 4 ranks, over shared memory and over TCP, with ranks and launchers
# killed and jobs gone on with by another number of ranks; the bytes are those of one run.
#   tests/mpi.sh [KILLS] [PROGRAM]      20 kills of build/release/sightline, built with SIGHTLINE_MPI
set -u
kills=${1:-20}
program=$(realpath "${2:-build/release/sightline}")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
# Root and more ranks than cores are for tests; ranks do not keep to a core each.
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1
export OMPI_MCA_hwloc_base_binding_policy=none OMPI_MCA_btl_base_warn_component_unused=0

"$program" gen city --shapes 2000 -q -o city.st --rays incoherent --count 400000 --rays-out rays.st || exit 1
python3 - <<'PYTHON' || exit 1
import random, struct
random.seed(1)
for name, n in (("eyes.npy", 6000), ("spots.npy", 30000)):
    head = "{'descr': '<f4', 'fortran_order': False, 'shape': (%d, 3), }" % n
    head += " " * (63 - (10 + len(head)) % 64) + "\n"
    with open(name, "wb") as file:
        file.write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(head)) + head.encode())
        for _ in range(n):
            file.write(struct.pack("<3f", random.random() * 200, random.random() * 200, 1.7))
PYTHON
names=(visibility cast rows cover)
visibility=(visibility city.st --from eyes.npy)
cast=(cast city.st --rays rays.st --normals)
rows=(cast city.st --rays rays.st --query all)
cover=(cover city.st --points spots.npy --at 1.7 --direction-count 8)
wrong=0 runs=0 done_kills=0 false=0
run_ranks() { mpirun -n "$1" --mca btl "$2" "$program" "${job[@]}" -o out --threads 1 --mpi 12 -q; }
judge() {
  runs=$((runs + 1))
  if ! cmp -s out "$name.expected" || compgen -G 'out.*' >/dev/null; then
    echo "$name: another file or shards are left after $1" >&2
    wrong=$((wrong + 1))
  fi
  rm -f out out.*
}
for name in "${names[@]}"; do
  declare -n job=$name
  "$program" "${job[@]}" -o "$name.expected" -q 2>/dev/null || exit 1
  for ranks in 1 2 4; do
    for way in vader,self tcp,self; do
      run_ranks $ranks $way 2>/dev/null
      judge "$ranks ranks over $way"
    done
  done
done
# Other inputs of one rank.
sed 's/x/x/' eyes.npy > moved.npy; printf '\x01' | dd of=moved.npy bs=1 seek=200 conv=notrunc 2>/dev/null
mpirun -n 1 "$program" visibility city.st --from eyes.npy -o out --mpi 4 -q : \
  -n 1 "$program" visibility city.st --from moved.npy -o out --mpi 4 -q 2>said
if [ $? != 3 ] || ! grep -q 'other inputs or parameters than rank 0' said || [ -e out ]; then
  echo "a rank of another job was not refused" >&2
  wrong=$((wrong + 1))
fi
rm -f out out.*
while [ $done_kills -lt "$kills" ]; do
  for name in "${names[@]}"; do
    declare -n job=$name
    status=1
    while [ $status != 0 ]; do
      ranks=$((RANDOM % 4 + 1))
      run_ranks $ranks vader,self 2>/dev/null &
      launcher=$!
      sleep "$((RANDOM % 2)).$((RANDOM % 10))"
      # A rank, or what has started them.
      victims=($(pgrep -P "$(pgrep -P $launcher mpirun)" sightline 2>/dev/null) $launcher)
      victim=${victims[RANDOM % ${#victims[@]}]}
      if [ "$victim" = $launcher ]; then victim=$(pgrep -P $launcher mpirun); fi
      if [ -n "$victim" ] && kill -KILL "$victim" 2>/dev/null; then done_kills=$((done_kills + 1)); fi
      wait $launcher 2>/dev/null
      status=$?
      if [ -e out ] && ! cmp -s out "$name.expected"; then false=$((false + 1)); fi
      if [ -e out ] || [ $((RANDOM % 6)) = 0 ]; then break; fi
    done
    sleep 0.3  # ranks of a launcher that was killed end by themselves
    run_ranks $((RANDOM % 4 + 1)) vader,self 2>/dev/null
    judge "kills"
  done
done
echo "$runs jobs under mpirun, $done_kills kills: $wrong not byte-identical; $false times a result had its name that was not whole"
[ $wrong = 0 ] && [ $false = 0 ]
