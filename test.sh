#!/bin/bash
# Installs what is missing, builds build/release and passes the tests.
#   SIGHTLINE_CMAKE_ARGS   further arguments for cmake
#   SIGHTLINE_TEST_SCALE   a factor on the work of the large tests
set -euo pipefail
cd "$(dirname "$0")"

scripts/setup.sh
jobs=$(nproc)
# shellcheck disable=SC2086  # one word per argument
cmake --preset release -DSIGHTLINE_TESTS=ON ${SIGHTLINE_CMAKE_ARGS:-}
cmake --build --preset release -j "$jobs"

# The tests of the import want real maps; without them they are skipped, and say so below.
if wad=$(scripts/freedoom.sh); then export SIGHTLINE_WAD=$wad; fi

log=build/release/tests.log
status=0
ctest --test-dir build/release --output-on-failure -j "$jobs" --test-output-size-passed 10000000 \
  </dev/null 2>&1 | tee "$log" || status=$?

# CTest counts binaries; what GoogleTest counted, and left out, stands in its log.
passed=$(sed -n 's/^\[  PASSED  \] \([0-9]*\) test.*/\1/p' build/release/Testing/Temporary/LastTest.log |
  awk '{ n += $1 } END { print n + 0 }')
echo
sed -n 's/^\[  SKIPPED \] \([A-Za-z0-9_/]*\.[A-Za-z0-9_/]*\).*/skipped: \1/p' \
  build/release/Testing/Temporary/LastTest.log | sort -u
echo "$passed test cases passed in all binaries together"
grep 'tests passed' "$log"
exit "$status"
