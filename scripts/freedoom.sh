#!/bin/sh
# Prints the path of Freedoom's first WAD, fetching it from Debian's archive if need be.
#   scripts/freedoom.sh [FOLDER]   keeps it in FOLDER (default build/freedoom)
# SIGHTLINE_WAD names a WAD to use instead.
set -eu

if [ -n "${SIGHTLINE_WAD:-}" ]; then
  if [ ! -r "$SIGHTLINE_WAD" ]; then
    echo "freedoom: SIGHTLINE_WAD names $SIGHTLINE_WAD, which cannot be read" >&2
    exit 2
  fi
  echo "$SIGHTLINE_WAD"
  exit 0
fi

folder=${1:-$(dirname "$0")/../build/freedoom}
mkdir -p "$folder"
folder=$(cd "$folder" && pwd)
wad=$folder/freedoom1.wad

fetch() {
  # The package depends on a game engine, so it is unpacked, not installed.
  work=$(mktemp -d)
  trap 'rm -rf "$work"' EXIT
  chmod 755 "$work"
  cd "$work"
  apt-get -q download freedoom >&2 2>/dev/null || {
    if [ "$(id -u)" = 0 ]; then apt-get -q update; else sudo apt-get -q update; fi >/dev/null
    apt-get -q download freedoom >&2
  }
  dpkg -x freedoom_*.deb unpacked
  cp "$(find unpacked -name freedoom1.wad | head -n 1)" "$wad.partial"
  mv "$wad.partial" "$wad"
}

if [ ! -s "$wad" ] && ! (fetch); then
  echo "freedoom: the package 'freedoom' could not be fetched from Debian's archive;" \
    "set SIGHTLINE_WAD to a freedoom1.wad that is already here" >&2
  exit 2
fi
echo "$wad"
