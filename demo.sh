#!/bin/bash
# From nothing to the visibility of a real level: installs what is missing, builds, imports
# Freedoom's E1M5, bakes every viewpoint against every other, makes a page that shows it and checks a
# sample. The first time it takes about three minutes on two cores, nearly all of them for the build.
#   SIGHTLINE_WAD   a freedoom1.wad that is already here
set -euo pipefail
cd "$(dirname "$0")"

# Names a step, after how long the last one took.
since=0
step() {
  [ $SECONDS = "$since" ] || echo "($((SECONDS - since)) s)"
  since=$SECONDS
  printf '\n== %s\n' "$*"
}

step "Setting up"
scripts/setup.sh

step "Building the program and the libraries, in build/release: about three minutes on two cores"
# The code of other processors' vectors would take a quarter of the time; the build says that it is
# for processors like this one.
program_alone=
[ -e build/release/CMakeCache.txt ] ||
  program_alone="-DSIGHTLINE_TESTS=OFF -DSIGHTLINE_LANES=native"
# shellcheck disable=SC2086  # one word per argument
scripts/configure.sh $program_alone
# With the libraries for C++, of the same objects, so that all is there for `cmake --install`.
cmake --build --preset release --target sightline_installed -j "$(nproc)"
sightline=build/release/sightline
"$sightline" --version

step "Fetching Freedoom's maps"
wad=$(scripts/freedoom.sh)
echo "$wad"

out=demo-out
rm -rf "$out"
mkdir -p "$out"
scene=$out/e1m5.safetensors
points=$out/e1m5-viewpoints.npy
result=$out/e1m5-visibility.safetensors
picture=$out/e1m5.png
page=$out/e1m5.html

step "Importing E1M5 with a 64-unit grid"
"$sightline" import "$wad" --map E1M5 --grid 64 -o "$scene" --points-out "$points"
"$sightline" info "$scene" 2>&1 | tee "$out/info.txt"

step "Baking who sees whom"
"$sightline" visibility "$scene" --from "$points" -o "$result" --picture "$picture" 2>&1 |
  tee "$out/visibility.txt"

step "Making a page that shows it in 3D"
"$sightline" view "$scene" "$points" "$result" -o "$page" --title "E1M5 of Freedoom"

step "Verifying 20,000 pairs against the reference"
status=0
"$sightline" verify "$result" --scene "$scene" --from "$points" --sample 20000 \
  >"$out/verify.txt" 2>&1 || status=$?
cat "$out/verify.txt"

{
  echo "Line of sight over E1M5 of Freedoom, $("$sightline" --version 2>&1 | head -n 1)"
  echo
  echo "The scene";      sed 's/^/  /' "$out/info.txt"
  echo "The visibility"; sed 's/^/  /' "$out/visibility.txt"
  echo "The check";      sed 's/^/  /' "$out/verify.txt"
  echo
  echo "Files, in $PWD:"
  echo "  $page  the map in 3D, for any browser: click a point to see what it sees"
  echo "  $picture  the map coloured by how many viewpoints see each place, walls drawn"
  echo "  $result  the matrix: bits [V, ceil(V/64)] u64, see docs/reference/formats.md"
  echo "  $scene  the walls"
  echo "  $points  the viewpoints, [V, 3] float32"
  echo "  $out/report.txt  this report"
} >"$out/report.txt"
rm "$out/info.txt" "$out/visibility.txt" "$out/verify.txt"

step "Report"
cat "$out/report.txt"
exit "$status"
