#!/usr/bin/env python3
"""Counts the instructions of rows of duel_rays, ours and the rival's best mode, by callgrind.

  bench/count_rows.py BUILD ROWS.json [--count N] [--ghz F] [SCENE-SHAPES-RAYS ...]

BUILD is a build with rivals, ROWS.json the --json of its duel_rays; all rows, or those named,
such as city-1000-los. Prints instructions a ray, and cycles a ray and instructions a cycle as the
rates of ROWS.json say for a clock of F GHz. Lanes of AVX2, ours and the rival's, which is as far as
valgrind goes: modes of packets of 16 must be measured by SIGHTLINE_EMBREE_ISA=avx2. Left out are
matrices, and lines of sight in scenes of files, since to draw these asks any hit too. About a minute
a row.
"""

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile

CALLS = {"closest": ("ClosestHitsOf<sightline::RaysView>", "closest_hit"),
         "any": ("AnyHitsOf<sightline::RaysView>", "any_hit")}
STANDARD = ("city", "cloud", "mixed")


def name_of(row):
    return f"{os.path.basename(row['scene'])}-{row['shapes']}-{row['rays']}"


def rays_of_rival(count):
    """How many rays duel_rays gives to a lone mode: heats until one has all rays, then one pair."""
    heats = [min(count, max(count // part, 1 << 14)) for part in (64, 8, 1)]
    return sum(heats[:heats.index(count) + 1]) + count


def inputs(build, row, rays, folder):
    """Scene and rays as options: as files, since to draw rays asks the same queries."""
    if row["scene"] not in STANDARD:
        return ["--scene", row["scene"], "--shapes", row["shapes"], "--rays", row["rays"],
                "--count", rays]
    scene, file = f"{folder}/scene.st", f"{folder}/rays.st"
    subprocess.run([f"{build}/sightline", "gen", row["scene"], "--shapes", str(row["shapes"]), "-o", scene,
                    "--rays", row["rays"], "--count", str(rays), "--rays-out", file, "-q"],
                   check=True)
    return ["--scene", scene, "--rays", file, "--query", row["query"]]


def count(build, row, rays):
    """Instructions a ray: ours, the rival's."""
    ours, theirs = CALLS[row["query"]]
    # The first restart would leave valgrind (bench/rivals/huge_pages.cpp).
    environment = {**os.environ, "GLIBC_TUNABLES": "glibc.malloc.hugetlb=1"}
    with tempfile.TemporaryDirectory() as folder:
        out = f"{folder}/out"
        words = [f"{build}/bench/duel_rays", *inputs(build, row, rays, folder), "--lanes", "avx2",
                 "--threads", 1, "--pairs", 1, "--against",
                 "embree4" if "Embree 4" in row["rival"] else "embree", "--mode",
                 row["rival_mode"]]
        done = subprocess.run(
            ["valgrind", "--tool=callgrind", f"--callgrind-out-file={out}",
             f"--toggle-collect=sightline::detail::answer_query(*{ours.split('<')[0]}*)",
             f"--toggle-collect=sightline::rivals::BlockScene::{theirs}(*)", *map(str, words)],
            text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, env=environment)
        if done.returncode != 0:
            sys.exit(f"{' '.join(map(str, words))}:\n{done.stdout[-2000:]}")
        listing = subprocess.run(["callgrind_annotate", "--inclusive=yes", "--threshold=100", out],
                                 text=True, check=True, stdout=subprocess.PIPE).stdout
    number = {}
    for line in listing.splitlines():
        found = re.match(r"\s*([\d,]+) .*?(sightline::detail::answer_query\(.*" + re.escape(ours) +
                         r"|sightline::rivals::BlockScene::" + theirs + r"\()", line)
        if found:
            key = "ours" if "answer_query(" in found[2] else "theirs"
            number[key] = max(number.get(key, 0), int(found[1].replace(",", "")))
    return number["ours"] / (2 * rays), number["theirs"] / rays_of_rival(rays)


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build")
    parser.add_argument("rows")
    parser.add_argument("names", nargs="*")
    parser.add_argument("--count", type=int, default=1 << 19)
    parser.add_argument("--ghz", type=float, default=3.6)
    a = parser.parse_intermixed_args()  # names come behind options, too
    with open(a.rows, encoding="utf-8") as file:
        rows = json.load(file)["rows"]
    print(f"{'row':<28} {'query':<10} {'instructions':>16} {'cycles':>14} {'a cycle':>12}  mode")
    best = {}
    for row in rows:
        key = (name_of(row), row["query"])
        if key not in best or row["rival_mrays_per_s"] > best[key]["rival_mrays_per_s"]:
            best[key] = row
    for (name, query), row in best.items():
        if a.names and name not in a.names or row["rays"] == "matrix":
            continue
        if query == "any" and row["scene"] not in STANDARD:
            continue
        ours, theirs = count(a.build, row, a.count)
        cycles = [a.ghz * 1e3 / row[key] for key in ("mrays_per_s", "rival_mrays_per_s")]
        print(f"{name:<28} {query:<10} {ours:7.0f} {theirs:8.0f} {cycles[0]:6.0f} {cycles[1]:7.0f}"
              f" {ours / cycles[0]:5.1f} {theirs / cycles[1]:6.1f}  {row['rival_mode']}", flush=True)


if __name__ == "__main__":
    main()
