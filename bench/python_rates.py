#!/usr/bin/env python3
"""What Python costs: rates of the package beside the program's, and of what `sightline bench` does
not ask: thick rays, all hits, fields of view. One thread, by processor time, which a busy machine
disturbs less. Beside other packages: bench/python/compare.py.

  bench/python_rates.py [--program build/release/sightline] [--rounds 7]
"""

import argparse
import json
import statistics
import subprocess
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


def rate(name, amount, of, call, rounds):
    row(name, f"{amount / seconds(call, rounds) / 1e6:.2f}", f"million {of} a second")


def one_ray():
    caster = sl.Caster(sl.standard_scene("city", 1000), "cpu")
    origin, direction = np.float32([1, 2, 3]), np.float32([1, 0, 0])
    n = 100_000
    begin = time.process_time()
    for _ in range(n):
        caster.closest_hit(origin, direction)
    row("a call of one ray", f"{(time.process_time() - begin) / n * 1e6:.2f}", "microseconds")


def beside_the_program(program, rounds, scene, caster, kind, shapes):
    """1e6 random rays from and to NumPy, in turn with the program's bench over the same scene."""
    rays = sl.standard_rays(scene, "incoherent", 1_000_000)
    ratios = []
    for _ in range(3):
        command = [program, "bench", "--scene", kind, "--shapes", str(shapes), "--count", "1000000",
                   "--threads", "1", "--rays", "incoherent", "--lanes", "auto", "--json", "-",
                   "-q"]  # fmt: skip
        report = json.loads(subprocess.run(command, capture_output=True, check=True).stdout)
        theirs = report["rows"][0]["mrays_per_s"] * 1e6
        ours = 1e6 / seconds(lambda: caster.closest_hit(*rays, normals=False), rounds)
        ratios.append(theirs / ours)
    row(f"1e6 rays, {kind} of {shapes}: time over C++", f"{statistics.median(ratios):.3f}", "")


def thick_rays(rounds, scene, caster, where):
    """Rays of radius 0 are the thin rays of closest_hit, and take their time."""
    rays = sl.standard_rays(scene, "incoherent", 65536)
    for radius in (0, 0.1):
        rate(f"rays of radius {radius}, {where}", 65536, "rays",
             lambda r=radius: caster.closest_hit(*rays, radius=r, normals=False), rounds)  # fmt: skip


def fields(rounds, scene, caster, where):
    """Sight within cones of 60 degrees, a sixth of the pairs or less; the rate is of all pairs."""
    eyes, ahead = sl.standard_rays(scene, "los", 512)
    looking = sl.Fields(ahead, 30)
    rate(f"fields of view, {where}", 512 * 512, "pairs",
         lambda: caster.visibility(eyes, eyes, fields=looking), rounds)  # fmt: skip


def all_hits(rounds):
    """Rays along a row of spheres, all of which they hit: equal rates of rows of any length say
    that the cost grows with the hits alone."""
    for spheres in (250, 1_000, 4_000, 16_000):
        scene, n = sl.Scene(), 4_000_000 // spheres
        scene.add_spheres(np.arange(spheres)[:, None] * [0.25, 0, 0], 1)
        origins = np.arange(n)[:, None] * [0, 0.5 / n, 0] - [10, 0, 0]
        caster = sl.Caster(scene, "cpu", threads=1)
        rate(f"all hits, a row of {spheres} spheres", n * spheres, "hits",
             lambda c=caster, o=origins: c.all_hits(o, [1, 0, 0]), rounds)  # fmt: skip


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--program", default=sl.program())
    parser.add_argument("--rounds", type=int, default=7)
    arguments = parser.parse_args()
    one_ray()
    for kind, shapes in (("city", 1000), ("city", 100_000), ("cloud", 100_000)):
        scene = sl.standard_scene(kind, shapes)
        caster = sl.Caster(scene, "cpu", threads=1)
        beside_the_program(arguments.program, arguments.rounds, scene, caster, kind, shapes)
        thick_rays(arguments.rounds, scene, caster, f"{kind} of {shapes}")
        fields(arguments.rounds, scene, caster, f"{kind} of {shapes}")
    all_hits(arguments.rounds)


if __name__ == "__main__":
    main()
