#!/usr/bin/env python3
"""Command lines of the program, on the interpreter and on the cpu: the files are the same.

  tests/ptx/program.py build/release/tests/sightline_on_ptx
"""

import json
import pathlib
import random
import struct
import subprocess
import sys
import tempfile


def write_rows(path, rows):
    """An array [n,3] of floats, as NumPy writes it."""
    header = f"{{'descr': '<f4', 'fortran_order': False, 'shape': ({len(rows)}, 3), }}"
    header += " " * ((-len(header) - 11) % 64) + "\n"
    flat = [value for row in rows for value in row]
    path.write_bytes(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode() +
                     struct.pack(f"<{len(flat)}f", *flat))


COMMANDS = [
    "cast mixed.st --rays rays.st",
    "cast mixed.st --rays rays.st --normals --inside surface",
    "cast mixed.st --rays rays.st --query any",
    "cast mixed.st --rays rays.st --query count",
    "cast mixed.st --rays rays.st --query all --t-out",
    "cast mixed.st --rays rays.st --radius 0.3",
    "visibility mixed.st --from points.npy",
    "visibility mixed.st --from points.npy --to others.npy --inside ignore",
    "overlap mixed.st --with cloud.st --query all",
    "overlap mixed.st --with cloud.st",
    "distance mixed.st --points points.npy --k 3",
    "distance mixed.st --points points.npy --to others.npy",
    "sweep mixed.st --capsules balls.json --directions ways.npy",
]


def main():
    program = pathlib.Path(sys.argv[1]).resolve()
    dice = random.Random(3)

    def points(count, size):
        return [[dice.uniform(-size, size) for _ in range(3)] for _ in range(count)]

    wrong = 0
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)

        def run(words):
            subprocess.run([program, *words, "-q"], cwd=folder, check=True)

        run("gen mixed --shapes 200 -o mixed.st --rays incoherent --count 400 --rays-out rays.st".split())
        run("gen cloud --shapes 60 -o cloud.st".split())
        balls = [{"center": place, "radius": 0.4} for place in points(60, 20)]
        (folder / "balls.json").write_text(json.dumps({"sphere": balls}))
        write_rows(folder / "points.npy", points(40, 20))
        write_rows(folder / "others.npy", points(40, 20))
        write_rows(folder / "ways.npy", points(60, 3))
        for number, command in enumerate(COMMANDS):
            for device in ("cpu", "cuda"):
                run([*command.split(), "--device", device, "-o", f"{number}.{device}"])
            same = (folder / f"{number}.cpu").read_bytes() == (folder / f"{number}.cuda").read_bytes()
            print(f"{'same' if same else 'DIFFERS'}: {command}", flush=True)
            wrong += not same
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
