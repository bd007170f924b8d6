#!/usr/bin/env python3
"""Counts the instructions of the cpu backend's answers on small fixed jobs, and compares.

  .ci/check_instructions.py BUILD           BUILD holds the program `sightline`
  .ci/check_instructions.py BUILD --write   writes the counts to bench/instructions.txt

Unlike a rate, a count is the same on a busy machine. One thread and lanes of AVX2, which is as far
as valgrind goes; scene, tree and files are not counted. Exit code 1 when a row is further than 5%
from the table's: more is a loss, less is a gain that the table should keep; 77 where the table is of
another compiler.
"""

import array
import concurrent.futures
import os
import pathlib
import random
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
TABLE = ROOT / "bench" / "instructions.txt"
MARGIN = 0.05
SCENES = [(kind, shapes) for kind in ("city", "cloud") for shapes in (1000, 10000)]
JOBS = {"coherent": "closest", "incoherent": "closest", "los": "any", "points": "visibility"}
RAYS = 16384
POINTS = 128
COLLECTED = re.compile(r"Collected : (\d+)")


def run(*words):
    done = subprocess.run([str(w) for w in words], text=True, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT)
    if done.returncode != 0:
        sys.exit(f"{' '.join(map(str, words))}:\n{done.stdout[-2000:]}")
    return done.stdout


def write_points(path, side):
    """Points [POINTS, 3] f32 at eye height, or anywhere in a cube."""
    numbers = random.Random(1)
    values = array.array("f", [numbers.uniform(0, side) for _ in range(2 * POINTS)])
    rows = array.array("f")
    for i in range(POINTS):
        rows.extend((values[2 * i], values[2 * i + 1], numbers.uniform(1, 2.5)))
    header = repr({"descr": "<f4", "fortran_order": False, "shape": (POINTS, 3)}).ljust(117) + "\n"
    path.write_bytes(b"\x93NUMPY\x01\x00" + len(header).to_bytes(2, "little") + header.encode() +
                     rows.tobytes())


def count(program, folder, kind, shapes, job):
    """Instructions within the call of the library."""
    query = JOBS[job]
    scene = folder / f"{kind}-{shapes}.st"
    if query == "visibility":
        what = ("visibility", scene, "--from", folder / "points.npy")
    else:
        what = ("cast", scene, "--rays", folder / f"{kind}-{shapes}-{job}.st", "--query", query)
    name = {"closest": "closest_hit", "any": "any_hit", "visibility": "visibility"}[query]
    # The whole signature: the names of lambdas in the function begin like it.
    call = f"sightline::CastReport sightline::Caster::{name}<void>(*CastOptions const&) const"
    if name == "visibility":
        call = "sightline::Caster::visibility(*VisibilityOptions const&) const"
    output = run("valgrind", "--tool=callgrind", f"--toggle-collect={call}",
                 "--callgrind-out-file=/dev/null", program, *what, "-o",
                 folder / f"{kind}-{shapes}-{job}-out.st", "--device", "cpu", "--threads", 1,
                 "--lanes", "avx2", "-q")
    if not (instructions := int(COLLECTED.search(output)[1])):
        sys.exit(f"instructions: the program calls no {call}")
    return instructions


def measure(program):
    rows = [(kind, shapes, job) for kind, shapes in SCENES for job in JOBS]
    with tempfile.TemporaryDirectory() as temporary, \
         concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        folder = pathlib.Path(temporary)
        write_points(folder / "points.npy", 100)
        for kind, shapes in SCENES:
            scene = folder / f"{kind}-{shapes}.st"
            for job in (j for j in JOBS if j != "points"):
                run(program, "gen", kind, "--shapes", shapes, "-o", scene, "--rays", job,
                    "--count", RAYS, "--rays-out", folder / f"{kind}-{shapes}-{job}.st", "-q")
        counts = pool.map(lambda row: count(program, folder, *row), rows)
        return {" ".join(map(str, row)): n for row, n in zip(rows, counts)}


def compiler_of(build):
    """Name and major version: another makes other instructions."""
    cache = (build / "CMakeCache.txt").read_text()
    compiler = re.search(r"^CMAKE_CXX_COMPILER:\w+=(.*)$", cache, re.M)[1]
    text = run(compiler, "-dM", "-E", "-x", "c++", "/dev/null")
    define = dict(re.findall(r"^#define (__GNUC__|__clang_major__) (\d+)$", text, re.M))
    return f"clang {define['__clang_major__']}" if "__clang_major__" in define \
        else f"g++ {define['__GNUC__']}"


def problems_of(expected, counts):
    """Sentences about rows that are not as expected."""
    problems = [f"{row}: not in the table" for row in counts if row not in expected]
    problems += [f"{row}: in the table alone" for row in expected if row not in counts]
    for row in (r for r in counts if r in expected):
        change = counts[row] / expected[row] - 1
        if abs(change) > MARGIN:
            word = "grew" if change > 0 else "shrank, which the table should keep (--write)"
            problems.append(f"{row}: {expected[row]} -> {counts[row]} instructions, "
                            f"{change:+.1%}: {word}")
    return problems


def read_table(text):
    """The compiler, and the counts by row."""
    lines = [line for line in text.splitlines() if line and not line.startswith("#")]
    return lines[0], {line.rsplit(" ", 1)[0]: int(line.rsplit(" ", 1)[1]) for line in lines[1:]}


def main():
    build = ROOT / sys.argv[1]
    compiler = compiler_of(build)
    if "--write" not in sys.argv:
        made_with, expected = read_table(TABLE.read_text())
        if made_with != compiler:
            print(f"SKIPPED: the table is of {made_with}, this build of {compiler}")
            return 77
    counts = measure(build / "sightline")
    if "--write" in sys.argv:
        TABLE.write_text("# Instructions of the cpu backend's answers, by .ci/check_instructions.py"
                         f": {RAYS} rays or {POINTS} x {POINTS}\n# points, one thread, lanes of "
                         "AVX2; the compiler, then scene, shapes, rays, count.\n" + compiler +
                         "\n" + "".join(f"{row} {n}\n" for row, n in counts.items()))
        return 0
    problems = problems_of(expected, counts)
    print("\n".join(problems + [f"instructions: {len(counts)} rows, {len(problems)} problems"]))
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
