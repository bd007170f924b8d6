#!/bin/sh
# Makes a virtual environment with a group of pyproject.toml's packages: `tests`, with which the Python
# package is built and tested, in build/python-env, or GROUP in build/python-env-GROUP. Prints the path
# of its python; says why there is none, and ends with 77, where the packages cannot be had.
#   scripts/python_env.sh [GROUP]
set -eu
cd "$(dirname "$0")/.."

group=${1:-tests}
env=$PWD/build/python-env
[ "$group" = tests ] || env=$env-$group
stamp=$env/made-from
wanted=$(sed -n '/^\[dependency-groups\]/,/^\[/p' pyproject.toml)
no() {
  echo "python: $1" >&2
  exit 77
}

if [ "$(cat "$stamp" 2>/dev/null)" != "$wanted" ]; then
  rm -rf "$env"
  mkdir -p build
  python3 -c 'import sys; sys.exit(sys.version_info < (3, 10))' 2>/dev/null ||
    no "there is no python3 of 3.10 or newer"
  python3 -m venv "$env" >&2 || no "python3 has no venv"
  # From 25.1 on pip knows groups.
  "$env/bin/pip" install -q --disable-pip-version-check 'pip>=25.1' >&2 &&
    "$env/bin/pip" install -q --group "$group" >&2 || no "the packages cannot be had"
  echo "$wanted" >"$stamp"
fi
echo "$env/bin/python"
