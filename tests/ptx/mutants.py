#!/usr/bin/env python3
"""Mutants of the compiled kernels: without the barriers, the fence or the mask of one source line.

  tests/ptx/mutants.py build/release    a table: which runs on the interpreter notice

Nothing is compiled: the interpreter leaves them out (SIGHTLINE_PTX_WITHOUT). Exit code 1
when a run fails that leaves nothing out; a mutant that survives is no failure here.
"""

import argparse
import os
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
CALL = re.compile(r"\b(team_?\.sync\(\)|__threadfence\(\)|__(?:ballot|shfl\w*)_sync)")
# By the kernels' file: the tree's builder or the search.
BUILDER = ("test_tree_launchers_on_ptx", "*BuildTheHostsTrees*")
SEARCH = ("test_launchers_on_ptx", "*ClosestAndAnyHit*")
BLOCKS = ("test_launchers_on_ptx", "*Visibility/brute_force*:*ClosestAndAnyHit/b*")
STRIPS = ("test_launchers_on_ptx", "*Visibility/wide*")
MASKS = ("test_launchers_on_ptx", "*ClosestAndAnyHit*:*Visibility*")
TESTS = {"hploc.cuh": BUILDER, "team.cuh": BUILDER, "wide_search.cuh": SEARCH, "search.cuh": BLOCKS,
         "sight_strip.cuh": STRIPS}
RUNS = {"by chance": {"SIGHTLINE_PTX_SEED": "7"},
        "weak": {"SIGHTLINE_PTX_SEED": "7", "SIGHTLINE_PTX_WEAK": "1"},
        "races": {"SIGHTLINE_PTX_RACES": "1"}}


def test_of(place, call):
    return MASKS if call.endswith("_sync") else TESTS.get(place.split(":")[0])


def places():
    for path in sorted((ROOT / "kernels").glob("*.cuh")):
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            call = CALL.search(line.split("//")[0])
            if call:
                yield f"{path.name}:{number}", call[1]


def verdict(build, test, changed, seconds):
    """How a test ends: passed, failed, race, hung."""
    environment = {**os.environ, "SIGHTLINE_TEST_SCALE": "0.02", **changed}
    try:
        done = subprocess.run([pathlib.Path(build, "tests", test[0]), f"--gtest_filter={test[1]}"],
                              env=environment, timeout=seconds, text=True, errors="replace",
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
    except subprocess.TimeoutExpired:
        return "hung"
    if "ptx: a race" in done.stdout or "ptx: shared memory is read" in done.stdout:
        return "race"
    return "passed" if done.returncode == 0 else "failed"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("build")
    parser.add_argument("--seconds", type=int, default=150, help="after which a run hangs")
    parser.add_argument("--runs", nargs="+", choices=RUNS, default=list(RUNS))
    parser.add_argument("--only", default="", help="places that hold this text")
    arguments = parser.parse_args()
    runs = [RUNS[name] for name in arguments.runs]
    print("| without | " + " | ".join(arguments.runs) + " |\n|---" + "|---" * len(runs) + "|")
    for test in sorted({*TESTS.values(), MASKS}):
        whole = [verdict(arguments.build, test, changed, 10 * arguments.seconds) for changed in runs]
        print(f"| nothing, {test[0]} | " + " | ".join(whole) + " |", flush=True)
        if set(whole) != {"passed"}:
            sys.exit(1)
    for place, call in places():
        test = test_of(place, call)
        if arguments.only not in place or test is None:
            continue
        found = [verdict(arguments.build, test, {**changed, "SIGHTLINE_PTX_WITHOUT": place},
                         arguments.seconds)
                 for changed in runs]
        print(f"| `{call}`, {place} | " + " | ".join(found) + " |", flush=True)


if __name__ == "__main__":
    main()
