#!/bin/sh
# Makes build/python-env, a virtual environment with what the Python package is built and tested
# with: the group `tests` of pyproject.toml. Prints the path of its python; says why there is none,
# and ends with 77, where the packages cannot be had.
set -eu
cd "$(dirname "$0")/.."

env=$PWD/build/python-env
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
    "$env/bin/pip" install -q --group tests >&2 || no "the packages cannot be had"
  echo "$wanted" >"$stamp"
fi
echo "$env/bin/python"
