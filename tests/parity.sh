#!/bin/sh
# A long run of tests/parity on the cpu: 1e9 pairs by default, trees against brute force, on all
# cores.
#
#   tests/parity.sh [PAIRS [SEED]]
#
# Appends its line to tests/parity/results.jsonl, which is committed; exit code 1 when anything
# differs. The pairs may be had in several runs with seeds of their own.
set -eu
cd "$(dirname "$0")/.."
cmake --preset release > /dev/null
cmake --build build/release --target backend_parity
status=0
line=$(build/release/tests/backend_parity --device cpu --pairs "${1:-1e9}" --seed "${2:-1}" \
  --largest 10000) || status=$?
case $status in 0 | 1) ;; *) exit "$status" ;; esac
compiler=$(sed -n 's/^CMAKE_CXX_COMPILER:[A-Z]*=//p' build/release/CMakeCache.txt)
printf '{"compiler": "%s", "commit": "%s", "result": %s}\n' \
  "$("$compiler" --version | head -n 1)" "$(git rev-parse --short HEAD)" "$line" |
  tee -a tests/parity/results.jsonl
exit "$status"
