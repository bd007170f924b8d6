#!/bin/sh
# A long parity run: 1e9 (ray, policy) pairs by default, reference against tree, on all cores.
#
#   tests/long_parity.sh [PAIRS [SEED [MOST_SHAPES]]]
#
# Appends its line to tests/long_parity.results.jsonl, which is committed; exit code 1 when
# anything differs. The pairs may be had in several runs with seeds of their own.
set -eu
cd "$(dirname "$0")/.."
cmake --preset release > /dev/null
cmake --build build/release --target long_parity
status=0
line=$(build/release/tests/long_parity "${1:-1000000000}" "${2:-1}" "${3:-100}") || status=$?
case $status in 0 | 1) ;; *) exit "$status" ;; esac
compiler=$(sed -n 's/^CMAKE_CXX_COMPILER:[A-Z]*=//p' build/release/CMakeCache.txt)
printf '{"compiler": "%s", "commit": "%s", "result": %s}\n' \
  "$("$compiler" --version | head -n 1)" "$(git rev-parse --short HEAD)" "$line" |
  tee -a tests/long_parity.results.jsonl
exit "$status"
