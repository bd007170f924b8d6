#!/bin/sh
# Breaks the code on purpose, one named edit at a time, and checks that the tests notice.
#
#   tests/mutate.sh                 every edit of tests/mutations/*.txt
#   tests/mutate.sh --rotate N      N of them, others every day (or by SIGHTLINE_ROTATION), but none
#                                   of compiled kernels. With --seconds S none begins after S seconds.
#   tests/mutate.sh --only NAME     those whose name is this pattern; may be given several times
#   tests/mutate.sh --list          their names
#   tests/mutate.sh --ptx BUILD     those of compiled kernels, on the tests of this build, which has
#                                   SIGHTLINE_PTX, rather than on one of its own
#
# Works on a copy of the tree. Exit code 1 when an edit survives that is not known to, does not apply
# or does not compile; without nvcc, edits of compiled kernels are skipped, and said to be.
exec python3 "$(dirname "$0")/mutations/mutate.py" "$@"
