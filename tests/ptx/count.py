#!/usr/bin/env python3
"""Warp instructions a ray, executed as nvcc compiled them to PTX, as the table of docs/notes.

  ninja -C build/release ptx_count_steps
  tests/ptx/count.py build/release            the table of docs/notes/2026-11-gpu.md
  tests/ptx/count.py build/release --lines 20 also the lines that most of them are of
  tests/ptx/count.py build/release --matrices [--scene FILE POINTS]
                                              a pair of a visibility matrix, and with --segments
                                              the same pairs as rays of any hit

Set-up, node steps and leaf steps are told apart by the lines of kernels/traverse/wide_search.cuh that an
instruction was inlined through. How often a step is entered is what its first instruction was
executed, and has to be what the emulation of tests/standin counts. Predicted are the rays a second
of an H200 that issues three quarters of what it can, were these its own instructions.
"""

import argparse
import collections
import os
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
SEARCH = ROOT / "kernels/traverse/wide_search.cuh"
ROWS = [("city", 100000, "los"), ("cloud", 100000, "los"), ("city", 100000, "incoherent"),
        ("cloud", 100000, "incoherent"), ("mixed", 10000, "incoherent"),
        ("city", 1000000, "los"), ("cloud", 1000000, "los"),
        ("city", 1000000, "incoherent"), ("cloud", 1000000, "incoherent")]
# Of an H200: multiprocessors, warp instructions a cycle, cycles a second; the share that is reached.
ISSUED = 132 * 4 * 1.9e9 * 0.75
MATRICES = [("city", 100000), ("cloud", 100000), ("mixed", 10000)]
# Where a part begins: what the line that calls it says.
PARTS = {"node": "visit_node(walk_[lane]", "leaf": "test_leaf(walk_[lane]",
         "set-up": "start(w, k",
         "answer": "finish(w)", "end": "count_batch(team, job",
         "around": "put_target_box(job, k)"}


def lines_of_parts():
    """(file, line) -> part."""
    lines = {}
    for file in (SEARCH, ROOT / "kernels/queries/cast_batch.cuh", ROOT / "kernels/queries/sight.cu"):
        for number, text in enumerate(file.read_text(encoding="utf-8").splitlines(), 1):
            for part, call in PARTS.items():
                if call in text:
                    lines[(file.name, number)] = part
    return lines


def part_of(place, lines):
    for caller in place.split("<"):
        file, _, line = caller.rpartition(":")
        part = lines.get((os.path.basename(file), int(line)))
        if part:
            return part
    return "loop"  # functions of their own, too


def measure(program, row, rays, call):
    """Rays, emulated node and leaf steps, rays of a batch; executed and entered by part, moves under
    "moves"; executed by line."""
    scene, shapes, kind = row
    with tempfile.TemporaryDirectory() as folder:
        counts = pathlib.Path(folder, "counts")
        command = [program, scene, str(shapes), kind, str(rays), str(call)]
        done = subprocess.run(command, env={**os.environ, "SIGHTLINE_PTX_COUNTS": str(counts)},
                              stdout=subprocess.PIPE, text=True, check=True)
        table = counts.read_text(encoding="utf-8").splitlines()[1:]
    lines = lines_of_parts()
    executed, entered = collections.Counter(), collections.defaultdict(set)
    by_line = collections.Counter()
    for entry in table:
        kernel, _, _, total, first, moves, place = entry.split("\t")
        part = "boxes" if "BoxJob" in kernel else part_of(place, lines)
        executed["moves"] += int(moves)
        executed[part] += int(total)
        entered[part].add(int(first))
        by_line[(part, place.split("<")[0].removeprefix(str(ROOT) + "/"))] += int(total)
    return [int(word) for word in done.stdout.split()], executed, entered, by_line


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("build")
    parser.add_argument("--rays", type=int, default=16384)
    parser.add_argument("--call", type=int, default=1 << 21,
                        help="in batches as a call of so many rays has them")
    parser.add_argument("--lines", type=int, default=0)
    parser.add_argument("--only", help="rows whose name holds this")
    parser.add_argument("--matrices", action="store_true", help="matrices of 10,000 points instead")
    parser.add_argument("--segments", action="store_true", help="their pairs as rays")
    parser.add_argument("--scene", nargs=2, metavar=("FILE", "POINTS"),
                        help="the matrix of this scene, too")
    arguments = parser.parse_args()
    rows = ROWS
    if arguments.matrices:
        scenes = MATRICES + ([tuple(arguments.scene)] if arguments.scene else [])
        rows = [(*scene, "segments" if arguments.segments else "matrix") for scene in scenes]
        arguments.rays, arguments.call = 4 * arguments.rays, 100_000_000
    program = pathlib.Path(arguments.build, "tests/ptx_count_steps")
    if not program.exists():
        sys.exit(f"there is no {program}: ninja -C {arguments.build} ptx_count_steps")
    print("| scene, rays | a batch | a ray | predicted, G/s | node steps a ray | a node step | leaf steps a ray | a leaf step "
          "| set-up and answer | loop | boxes | moves |")
    print("|---|---|---|---|---|---|---|---|---|---|---|---|")
    for row in rows:
        name = f"{pathlib.Path(row[0]).stem} " + (f"{row[1]:.0e}".replace("e+0", "e") if type(row[1]) is int else "")
        if arguments.only and arguments.only not in f"{name}, {row[2]}":
            continue
        (rays, nodes, leaves, batch), executed, entered, by_line = measure(
            program, row, arguments.rays, arguments.call)
        # Lanes that learn the same target's blocker at once do so in another order there.
        most_off = 0.03 if row[2] == "matrix" else 0
        for part, steps in (("node", nodes), ("leaf", leaves)):
            if min(abs(n - steps) for n in entered[part]) > most_off * steps:
                sys.exit(f"{row}: no {part} step is entered {steps} times, "
                         "as in the emulation")
        print(f"| {name.strip()}, {row[2]} | {batch} "
              f"| {(sum(executed.values()) - executed['moves']) / rays:.0f} "
              f"| {ISSUED * rays / (sum(executed.values()) - executed['moves']) / 1e9:.1f} "
              f"| {nodes / rays:.2f} | {executed['node'] / nodes:.0f} "
              f"| {leaves / rays:.3f} | {executed['leaf'] / max(leaves, 1):.0f} "
              f"| {(executed['set-up'] + executed['answer'] + executed['end']) / rays:.1f} | {executed['loop'] / rays:.1f} "
              f"| {(executed['boxes'] + executed['around']) / rays:.1f} "
              f"| {executed['moves'] / rays:.0f} |", flush=True)
        for (part, place), count in by_line.most_common(arguments.lines):
            print(f"    {count / rays:8.2f} {part:6} {place}")


if __name__ == "__main__":
    main()
