#!/usr/bin/env python3
"""Mutants of the compiled kernels: without the barriers or the fence of one source line each.

  tests/ptx/mutants.py build/release    a table: which runs on the interpreter notice

Nothing is compiled: the interpreter leaves the instructions out (SIGHTLINE_PTX_WITHOUT). Exit code 1
when a run fails that leaves nothing out; a mutant that survives is no failure here.
"""

import argparse
import os
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
CALL = re.compile(r"\b(team_?\.sync\(\)|__threadfence\(\))")
TESTS = [("test_tree_launchers_on_ptx", "*HPloc*:*Hploc*:*Build*:*Tree*"),
         ("test_launchers_on_ptx", "*ClosestAndAny*:*Visib*:*Counts*:*Reference*")]
RUNS = {"in step": {}, "by chance": {"SIGHTLINE_PTX_SEED": "7"},
        "weak": {"SIGHTLINE_PTX_SEED": "7", "SIGHTLINE_PTX_WEAK": "1"},
        "races": {"SIGHTLINE_PTX_RACES": "1"}}


def places():
    for path in sorted((ROOT / "kernels").glob("*.cuh")):
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            call = CALL.search(line.split("//")[0])
            if call:
                yield f"{path.name}:{number}", call[1]


def verdict(build, changed, filters, seconds):
    """How the tests end: passed, failed, race, hung."""
    environment = {**os.environ, "SIGHTLINE_TEST_SCALE": "0.02", **changed}
    for (test, _), chosen in zip(TESTS, filters):
        try:
            done = subprocess.run([pathlib.Path(build, "tests", test), f"--gtest_filter={chosen}"],
                                  env=environment, timeout=seconds, text=True, errors="replace",
                                  stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
        except subprocess.TimeoutExpired:
            return "hung"
        if "ptx: a race" in done.stdout or "ptx: shared memory is read" in done.stdout:
            return "race"
        if done.returncode != 0:
            return "failed"
    return "passed"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("build")
    parser.add_argument("--filters", nargs=2, default=[chosen for _, chosen in TESTS])
    parser.add_argument("--seconds", type=int, default=120, help="after which a run hangs")
    parser.add_argument("--only", default="", help="places that hold this text")
    arguments = parser.parse_args()
    print("| without | " + " | ".join(RUNS) + " |\n|---" + "|---" * len(RUNS) + "|")
    whole = [verdict(arguments.build, changed, arguments.filters, arguments.seconds) for changed in RUNS.values()]
    print("| nothing | " + " | ".join(whole) + " |", flush=True)
    if set(whole) != {"passed"}:
        sys.exit(1)
    for place, call in places():
        if arguments.only not in place:
            continue
        found = [verdict(arguments.build, {**changed, "SIGHTLINE_PTX_WITHOUT": place}, arguments.filters,
                         arguments.seconds) for changed in RUNS.values()]
        print(f"| `{call}`, {place} | " + " | ".join(found) + " |", flush=True)


if __name__ == "__main__":
    main()
