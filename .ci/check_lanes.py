#!/usr/bin/env python3
"""Checks that code for one instruction set can never run where another was chosen.

  .ci/check_lanes.py [BUILD]      BUILD (build/release) holds the objects of trace_*.cpp
  .ci/check_lanes.py --self-test  shows that the check can fail

A function that several objects define (a weak symbol) is taken from any one of them by the linker.
If that one was compiled for AVX-512, processors without it stop at an illegal instruction. So every
weak symbol of such an object must be of its own instruction set's namespace (N_AVX3 ...), which
appears in its name, and no two objects of one library may share it. Exit code 1 when one does not,
or when there are no objects to look at.
"""

import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
WEAK = re.compile(r"^[0-9a-f]* +[WVu] (.+)$")
NAMESPACE = re.compile(r"\b(N_[A-Z0-9_]+)::")
PATTERNS = ("trace_*.cpp.o", "lane_probe_*.cpp.o")


def weak_symbols(listing):
    """Names of the weak symbols in what `nm -C --defined-only` prints."""
    return [match[1] for match in map(WEAK.match, listing.splitlines()) if match]


def problems_of(listings):
    """Sentences about objects, whose listings are given by name, of one library."""
    problems, owner = [], {}
    for name, listing in sorted(listings.items()):
        symbols = weak_symbols(listing)
        spaces = sorted({space for symbol in symbols for space in NAMESPACE.findall(symbol)})
        if len(spaces) != 1:
            problems.append(f"{name}: code of {', '.join(spaces) or 'no'} instruction set")
            continue
        problems += [f"{name}: {symbol} is of no instruction set" for symbol in symbols
                     if not NAMESPACE.search(symbol)]
        if spaces[0] in owner:
            problems.append(f"{name}: {spaces[0]} is {owner[spaces[0]]}'s as well")
        owner[spaces[0]] = name
    return problems


def self_test():
    avx3 = "0000 T sightline::tracer()\n0000 W sightline::N_AVX3::run(int)\n"
    avx2 = "0000 W sightline::N_AVX2::run(int)\n"
    lanes = "0000 W sightline::contains<sightline::N_AVX3::Lanes<16> >(int)\n"
    stray = "0000 W std::vector<int>::push_back(int)\n"
    assert not problems_of({"a.o": avx3 + lanes, "b.o": avx2})
    assert problems_of({"a.o": avx3 + stray, "b.o": avx2})
    assert problems_of({"a.o": avx3 + stray.replace(" W ", " u ")})
    assert problems_of({"a.o": avx3, "b.o": avx3})
    assert problems_of({"a.o": avx3 + avx2})
    assert problems_of({"a.o": "0000 T sightline::tracer()\n"})
    print("lanes: the check can fail")


def listings_of(build, pattern):
    """By folder, then by name: what nm prints of each object."""
    folders = {}
    for path in build.rglob(pattern):
        done = subprocess.run(["nm", "-C", "--defined-only", str(path)], check=True, text=True,
                              capture_output=True)
        folders.setdefault(path.parent, {})[path.name] = done.stdout
    return folders


def main():
    if "--self-test" in sys.argv:
        self_test()
        return 0
    build = ROOT / (sys.argv[1] if len(sys.argv) > 1 else "build/release")
    problems, looked = [], []
    for pattern in PATTERNS:
        for folder, listings in listings_of(build, pattern).items():
            looked += listings.values()
            problems += [f"{folder.relative_to(build)}/{line}" for line in problems_of(listings)]
    print("\n".join(problems[:50]))
    symbols = sum(len(weak_symbols(listing)) for listing in looked)
    print(f"lanes: {len(looked)} objects, {symbols} weak symbols, {len(problems)} problems")
    return 1 if problems or not looked else 0


if __name__ == "__main__":
    sys.exit(main())
