#!/usr/bin/env python3
"""What Python costs, and what it gains: rates of the package beside the program's, MuJoCo's and
trimesh's, each pair side by side in one process or in turn.

  bench/python_rates.py [--program build/release/sightline] [--rounds 7]

Needs sightline, and mujoco, trimesh and embreex for their rows. Rates of one thread are by
processor time, which a busy machine disturbs less; those of all threads by the clock on the wall.
"""

import argparse
import json
import statistics
import subprocess
import time

import numpy as np

import sightline as sl


def seconds(call, rounds, clock=time.process_time):
    """The median time of a call; warm."""
    call()
    times = []
    for _ in range(rounds):
        begin = clock()
        call()
        times.append(clock() - begin)
    return statistics.median(times)


def row(name, value, of):
    print(f"{name:64} {value:>10} {of}")


def beside_the_program(program, rounds):
    """1e6 random rays from and to NumPy, in turn with the program's bench over the same scene."""
    for kind, shapes in (("city", 1000), ("city", 100_000), ("cloud", 100_000)):
        scene = sl.standard_scene(kind, shapes)
        rays = sl.standard_rays(scene, "incoherent", 1_000_000)
        caster = sl.Caster(scene, "cpu", threads=1)
        ratios = []
        for _ in range(3):
            command = [program, "bench", "--scene", kind, "--shapes", str(shapes), "--count",
                       "1000000", "--threads", "1", "--rays", "incoherent", "--lanes", "auto",
                       "--json", "-", "-q"]  # fmt: skip
            report = json.loads(subprocess.run(command, capture_output=True, check=True).stdout)
            theirs = report["rows"][0]["mrays_per_s"] * 1e6
            ours = 1e6 / seconds(lambda: caster.closest_hit(*rays, normals=False), rounds)
            ratios.append(theirs / ours)
        row(f"1e6 rays, {kind} of {shapes}: time over C++", f"{statistics.median(ratios):.3f}", "")


def beside(name, theirs, ask, scene, rounds, words):
    """Rows of our rate over theirs, who use one thread: of one thread, and of all."""
    for threads, clock in ((1, time.process_time), (0, time.perf_counter)):
        caster = sl.Caster(scene, "cpu", threads=threads)
        ratio = seconds(theirs, 3, clock) / seconds(lambda: ask(caster), rounds, clock)
        row(f"{name}, {'one thread' if threads else 'all threads'}", f"{ratio:.1f}", f"x {words}")


def one_ray():
    caster = sl.Caster(sl.standard_scene("city", 1000), "cpu")
    origin, direction = np.float32([1, 2, 3]), np.float32([1, 0, 0])
    n = 100_000
    begin = time.process_time()
    for _ in range(n):
        caster.closest_hit(origin, direction)
    row("a call of one ray", f"{(time.process_time() - begin) / n * 1e6:.2f}", "microseconds")


def beside_mujoco(rounds):
    import mujoco

    rng = np.random.default_rng(0)
    geoms = "".join(
        f'<geom type="{kind}" size="{a} {b} {c}" pos="{x} {y} {z}"/>'
        for kind, (a, b, c), (x, y, z) in zip(
            rng.choice(["sphere", "capsule", "box"], 1000),
            rng.uniform(0.1, 0.5, (1000, 3)),
            rng.uniform(-20, 20, (1000, 3)),
            strict=True,
        )
    )
    model = mujoco.MjModel.from_xml_string(f"<mujoco><worldbody>{geoms}</worldbody></mujoco>")
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    scene = sl.from_mujoco(model, data).scene
    n = 100_000
    eye = np.zeros(3)
    directions = rng.normal(size=(n, 3)).astype(np.float32)
    wide = directions.astype(float).ravel()
    geom, t = np.zeros(n, np.int32), np.zeros(n)

    def theirs():
        mujoco.mj_multiRay(model, data, eye, wide, None, 1, -1, geom, t, None, n, mujoco.mjMAXVAL)

    def ours(caster):
        return caster.closest_hit(eye, directions, inside="surface", normals=False)

    theirs()
    same = np.mean((geom >= 0) == ours(sl.Caster(scene)).hit)
    beside("random rays, 1,000 geoms: rate over mj_multiRay", theirs, ours, scene, rounds,
           f"({same:.4%} agree that they hit)")  # fmt: skip


def beside_trimesh(rounds):
    import trimesh
    from trimesh.ray.ray_pyembree import RayMeshIntersector

    rng = np.random.default_rng(0)
    boxes = 100_000
    low = rng.uniform(0, 1000, (boxes, 3)).astype(np.float32)
    high = low + rng.uniform(0.5, 5, (boxes, 3)).astype(np.float32)
    scene = sl.Scene()
    scene.add_aabbs(low, high)
    cube = trimesh.creation.box(bounds=[[0, 0, 0], [1, 1, 1]])
    corners = low[:, None] + cube.vertices[None] * (high - low)[:, None]
    faces = cube.faces[None] + 8 * np.arange(boxes)[:, None, None]
    mesh = trimesh.Trimesh(corners.reshape(-1, 3), faces.reshape(-1, 3), process=False)
    other = RayMeshIntersector(mesh)
    origins, directions = sl.standard_rays(scene, "incoherent", 200_000)

    def theirs():
        return other.intersects_first(origins, directions)

    def ours(caster):
        return caster.closest_hit(origins, directions, normals=False)

    same = np.mean(theirs() // 12 == ours(sl.Caster(scene)).id.view(np.int32))
    beside("random rays, 1e5 boxes: rate over trimesh with embreex", theirs, ours, scene, rounds,
           f"({same:.3%} find the same box)")  # fmt: skip


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--program", default=sl.program())
    parser.add_argument("--rounds", type=int, default=7)
    arguments = parser.parse_args()
    one_ray()
    beside_the_program(arguments.program, arguments.rounds)
    for compare in (beside_mujoco, beside_trimesh):
        try:
            compare(arguments.rounds)
        except ImportError as missing:
            row(compare.__name__, "left out", f"({missing})")


if __name__ == "__main__":
    main()
