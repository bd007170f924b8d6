#!/bin/sh
# Installs what the build needs, as Debian packages, where something is missing.
#   scripts/setup.sh          what demo.sh needs
#   scripts/setup.sh --tests  also what test.sh needs
#   scripts/setup.sh --ci     also the tools of the checks, and what the bench is held against
set -eu

packages="g++ cmake ninja-build libtbb-dev libhwy-dev libcli11-dev libfmt-dev nlohmann-json3-dev
  libxxhash-dev libcairo2-dev zlib1g-dev"
if [ "${1:-}" != "" ]; then
  packages="$packages libgtest-dev libbenchmark-dev libthrust-dev librecast-dev python3-dev
    python3-venv"
fi
if [ "${1:-}" = --ci ]; then
  packages="$packages clang libclang-rt-dev clang-format clang-tidy libomp-dev libembree-dev
    libbullet-dev libfcl-dev valgrind doxygen python3-numpy libopenmpi-dev openmpi-bin procps
    pkg-config chromium firefox-esr xvfb node-typescript"
fi

if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then
  echo "setup: this system has no apt-get; please install a C++20 compiler, CMake 3.25 or newer," \
    "Ninja, oneTBB, Highway, CLI11, fmt, nlohmann-json, xxHash, Cairo, zlib," \
    "GoogleTest, Google Benchmark and Thrust's headers, then build with: cmake --preset release &&" \
    "cmake --build --preset release" >&2
  exit 2
fi

missing=""
for package in $packages; do
  status=$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null || true)
  [ "$status" = installed ] || missing="$missing $package"
done
[ -n "$missing" ] || exit 0

as_root=""
if [ "$(id -u)" != 0 ]; then
  if ! command -v sudo >/dev/null; then
    echo "setup: not root and there is no sudo; as root, run: apt-get install$missing" >&2
    exit 2
  fi
  as_root="sudo"
fi

echo "setup: installing$missing"
apt() {
  $as_root env DEBIAN_FRONTEND=noninteractive apt-get -q -o Dpkg::Use-Pty=0 "$@" </dev/null
}
# The lists are fetched only where the packages at hand do not suffice: a fresh machine has none,
# and a stale one names versions that are gone.
# shellcheck disable=SC2086  # one word per package
apt install -y --no-install-recommends $missing >/dev/null 2>&1 || {
  apt update >/dev/null
  apt install -y --no-install-recommends $missing >/dev/null
}
