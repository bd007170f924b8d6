#!/usr/bin/env python3
"""What Python costs: a call of one ray, and rates of the package beside the program's. One thread,
by processor time, which a busy machine disturbs less. Beside other packages: bench/python/compare.py.

  bench/python_rates.py [--program build/release/sightline] [--rounds 7]
"""

import argparse
import json
import statistics
import subprocess
import tempfile
import time

import numpy as np

import sightline as sl


def seconds(call, rounds):
    """The median time of a call; warm."""
    call()
    times = []
    for _ in range(rounds):
        begin = time.process_time()
        call()
        times.append(time.process_time() - begin)
    return statistics.median(times)


def row(name, value, of):
    print(f"{name:64} {value:>10} {of}")


def one_ray():
    caster = sl.Caster(sl.standard_scene("city", 1000), "cpu")
    origin, direction = np.float32([1, 2, 3]), np.float32([1, 0, 0])
    n = 100_000
    begin = time.process_time()
    for _ in range(n):
        caster.closest_hit(origin, direction)
    row("a call of one ray", f"{(time.process_time() - begin) / n * 1e6:.2f}", "microseconds")


def beside_the_program(program, rounds, kind, shapes):
    """1e6 random rays from and to NumPy, in turn with the program's bench over the same scene."""
    scene = sl.standard_scene(kind, shapes)
    caster, rays = sl.Caster(scene, "cpu", threads=1), sl.standard_rays(scene, "incoherent", 10**6)
    ratios = []
    with tempfile.TemporaryDirectory() as folder:
        files = f"{folder}/scene.st", f"{folder}/rays.st"
        subprocess.run([program, "gen", kind, "--shapes", str(shapes), "-o", files[0], "--rays",
                        "incoherent", "--count", "1000000", "--rays-out", files[1], "-q"],
                       check=True)
        for _ in range(3):
            command = [program, "bench", *files, "--threads", "1", "--device", "cpu", "--json", "-",
                       "-q"]
            report = json.loads(subprocess.run(command, capture_output=True, check=True).stdout)
            theirs = report["rows"][0]["mrays_per_s"] * 1e6
            ours = 1e6 / seconds(lambda: caster.closest_hit(*rays, normals=False), rounds)
            ratios.append(theirs / ours)
    row(f"1e6 rays, {kind} of {shapes}: time over C++", f"{statistics.median(ratios):.3f}", "")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--program", default=sl.program())
    parser.add_argument("--rounds", type=int, default=7)
    arguments = parser.parse_args()
    one_ray()
    for kind, shapes in (("city", 1000), ("city", 100_000), ("cloud", 100_000)):
        beside_the_program(arguments.program, arguments.rounds, kind, shapes)


if __name__ == "__main__":
    main()
