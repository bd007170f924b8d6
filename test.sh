#!/bin/bash
# Installs what is missing, builds build/release and passes the tests. The first time it takes
# twenty minutes on two cores, half of them for the build; what demo.sh built is used.
#   SIGHTLINE_CMAKE_ARGS   further arguments for cmake
#   SIGHTLINE_TEST_SCALE   a factor on the work of the large tests; 0.3 unless set, 1 is all of it
set -euo pipefail
cd "$(dirname "$0")"

step() { printf '\n== %s\n' "$*"; }

step "Setting up"
scripts/setup.sh --tests
jobs=$(nproc)
# Without its packages the Python package is not tested, and the result says so.
if python=$(scripts/python_env.sh); then
  python="-DSIGHTLINE_PYTHON=ON -DPython_EXECUTABLE=$python"
else
  python="-DSIGHTLINE_PYTHON=OFF"
fi

step "Building the program and its tests, in build/release"
# shellcheck disable=SC2086  # one word per argument
scripts/configure.sh -DSIGHTLINE_TESTS=ON $python ${SIGHTLINE_CMAKE_ARGS:-}
cmake --build --preset release -j "$jobs"
echo "built in $SECONDS s"

# The tests of the import want real maps; without them they are skipped, and say so below.
if wad=$(scripts/freedoom.sh); then export SIGHTLINE_WAD=$wad; fi

export SIGHTLINE_TEST_SCALE=${SIGHTLINE_TEST_SCALE:-0.3}
step "Testing: large tests do $SIGHTLINE_TEST_SCALE of their work (SIGHTLINE_TEST_SCALE=1: all)"
log=build/release/tests.log
status=0
ctest --test-dir build/release --output-on-failure -j "$jobs" --timeout 1200 \
  --test-output-size-passed 10000000 </dev/null 2>&1 | tee "$log" || status=$?

# CTest counts binaries; what GoogleTest counted, and left out, stands in its log.
details=build/release/Testing/Temporary/LastTest.log
passed=$(sed -n 's/^\[  PASSED  \] \([0-9]*\) test.*/\1/p' "$details" |
  awk '{ n += $1 } END { print n + 0 }')
step "Result, after $SECONDS s"
sed -n 's/^\[  SKIPPED \] \([A-Za-z0-9_/]*\.[A-Za-z0-9_/]*\).*/skipped: \1/p' "$details" | sort -u |
  awk '/\/cuda[_a-z]*$/ { n++; next } { print }
    END { if (n) print "skipped: " n " test cases on a cuda device, as there is none" }'
echo "$passed test cases passed in all binaries together"
grep 'tests passed' "$log"
exit "$status"
