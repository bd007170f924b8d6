#!/bin/sh
# Breaks the code on purpose, one named edit at a time, and checks that the tests notice.
#
#   tests/mutate.sh                 every edit of tests/mutations/*.txt
#   tests/mutate.sh --rotate N      N of them, others every day (or by SIGHTLINE_ROTATION)
#   tests/mutate.sh --only NAME     one of them; may be given several times
#   tests/mutate.sh --list          their names
#   tests/mutate.sh --results FILE  also writes the table of results
#
# Works on a copy of the tree. Exit code 1 when an edit survives, does not apply or does not compile.
exec python3 "$(dirname "$0")/mutations/mutate.py" "$@"
