#!/usr/bin/env python3
"""Ray casters beside sightline, on your scene and on hard rays: rate, right answers, repeatability.

    bench/python/compare.py [--scene FILE] >tables.md
    bench/python/compare.py --closed-mesh FOLDER >leaks.md

The second form counts the rays from inside a closed mesh that miss it. FOLDER is what the program
mesh_leaks of the tests has saved.

docs/performance/compare.md says how to read the tables.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from dataclasses import asdict
from pathlib import Path

import exact
import numpy as np
import oracle
import rays
import shapes
import sightline
import table
from contestants import CONTESTANTS, mesh_reach

RAYS_SCORED = 20_000  # of a set, at most: the oracle decides some thousands of pairs a second
COLUMNS = ("origins", "directions")
PAIRS = 3e8  # rays times shapes whose balls are tested, at most, per set


def options(argv: list[str] | None = None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--scene", type=Path, help="a scene file; default: a city of 1,000 shapes")
    parser.add_argument("--closed-mesh", type=Path, metavar="FOLDER", help="count leaks instead")
    parser.add_argument("--rays", type=int, default=100_000, help="rays a set (100000)")
    parser.add_argument("--only", help="names, with commas: " + ",".join(CONTESTANTS))
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--threads", type=int, default=len(os.sched_getaffinity(0)),
                        help="threads of 'all' (the cores of this process)")  # fmt: skip
    parser.add_argument("--timeout", type=float, default=900, help="seconds a contestant may take")
    parser.add_argument(
        "--clock", choices=("cpu", "wall"), default="wall",
        help="of rates on one core: processor time, which other programs do not lengthen, or wall",
    )  # fmt: skip
    parser.add_argument(
        "--stored-axes", action="store_true",
        help="the truth of an OBB is that of its axes rounded to binary32, as docs/reference/contract.md "
        "has it, not of the exact rotation by its quaternion",
    )  # fmt: skip
    parser.add_argument("--json", type=Path, help="write everything here")
    chosen = parser.parse_args(argv)
    if chosen.rays < 64:
        parser.error(f"--rays {chosen.rays}: at least 64")
    if chosen.threads < 1:
        parser.error(f"--threads {chosen.threads}: at least 1")
    chosen.names = chosen.only.split(",") if chosen.only else list(CONTESTANTS)
    for name in chosen.names:
        if name not in CONTESTANTS:
            parser.error(f"--only: no contestant {name}; there are {', '.join(CONTESTANTS)}")
    return chosen


def run_worker(name: str, folder: Path, threads: int, timeout: float, clock: str = "wall"):
    """Runs one contestant over the folder; returns the reason if it failed."""
    variables = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")
    worker = str(Path(__file__).with_name("worker.py"))
    try:
        done = subprocess.run(
            [sys.executable, worker, name, str(folder), str(threads), clock],
            env={**os.environ, **dict.fromkeys(variables, str(threads))},
            capture_output=True, text=True, timeout=timeout, check=False,
        )  # fmt: skip
    except subprocess.TimeoutExpired:
        return f"stopped after {timeout:g} s"
    if done.returncode < 0:
        return f"its process died of signal {-done.returncode}"
    if done.returncode:
        lines = [line.strip() for line in done.stderr.splitlines() if line.strip()]
        return lines[-1][:200] if lines else f"its process ended with code {done.returncode}"
    return None


def compare(name: str, folder: Path, sets: list[str], chosen: argparse.Namespace) -> dict:
    """One contestant's entry: versions, rates and answers, or the reason why there are none."""
    contestant = CONTESTANTS[name]()
    if missing := contestant.missing():
        return {"reason": f"not installed: pip install {' '.join(missing)}"}
    if reason := run_worker(name, folder, 1, chosen.timeout, chosen.clock):
        return {"reason": reason}
    one = json.loads((folder / "report.json").read_text())
    entry = {**one, "shapes_as": contestant.shapes_as, "answers": _answers(folder, sets)}
    for at in entry["sets"].values():
        at["one_core"] = at.pop("rays_per_second")
    if contestant.parallel and chosen.threads > 1:
        if reason := run_worker(name, folder, chosen.threads, chosen.timeout):
            return {"reason": f"on {chosen.threads} threads: {reason}"}
        many = json.loads((folder / "report.json").read_text())["sets"]
        again = _answers(folder, sets)
        for s, at in entry["sets"].items():
            at["all"] = many[s]["rays_per_second"]
            at["again_differ"] += many[s]["again_differ"]
            at["shuffled_differ"] += many[s]["shuffled_differ"]
            at["threads_differ"] = table.differing(entry["answers"][s], again[s])
    return entry


def _answers(folder: Path, sets: list[str]) -> dict:
    answers = {}
    for which in sets:
        with np.load(folder / f"answers-{which}.npz") as a:
            answers[which] = a["hit"], a["t"], a["id"]
    return answers


def asked(entry: dict, truth: oracle.Truth, scene: shapes.Shapes, o, d) -> np.ndarray:
    """Rays whose truth is a shape that the contestant holds; a plane of triangles has an end."""
    known = ~np.isin(truth.id, entry["refused"])
    if entry["shapes_as"] == "triangles" and shapes.count(scene, "plane"):
        on_plane = truth.id >= shapes.first_id(scene, "plane")
        with np.errstate(invalid="ignore", over="ignore"):
            place = np.abs(o.astype(np.float64) + truth.t[:, None] * d).max(axis=1)
        known &= ~(on_plane & (place > mesh_reach(scene) / 2))
    return known


def run_scene(name: str, scene: shapes.Shapes, kinds, chosen: argparse.Namespace) -> dict:
    n = chosen.rays
    scored = int(min(n, RAYS_SCORED, max(1000, PAIRS // max(1, shapes.total(scene)))))
    cast = {k: rays.make(k, scene, n, chosen.seed) for k in kinds}
    sample = np.unique(np.linspace(0, n - 1, scored).astype(np.int64))
    counts = ((shapes.count(scene, kind), kind) for kind in shapes.FIELDS)
    result = {"name": name, "words": ", ".join(f"{c:,} {kind}s" for c, kind in counts if c),
              "rays_each": n, "rays": {}, "contestants": {}}  # fmt: skip
    truths = {}
    for kind, (o, d) in cast.items():
        truths[kind] = t = oracle.truth(scene, o[sample], d[sample], chosen.stored_axes)
        states = np.bincount(t.state, minlength=3).tolist()
        result["rays"][kind] = {
            "scored": len(sample), "misses": states[exact.MISS], "touches": states[exact.TOUCH],
            "hits": states[exact.HIT],
        }  # fmt: skip
        print(f"oracle  {name}, {kind} rays: done", file=sys.stderr, flush=True)
    for contestant in chosen.names:
        with tempfile.TemporaryDirectory(prefix="sightline-compare-") as folder:
            shapes.save(Path(folder) / "shapes.npz", scene)
            for kind, (o, d) in cast.items():
                np.savez(Path(folder) / f"rays-{kind}.npz", origins=o, directions=d)
            entry = compare(contestant, Path(folder), list(kinds), chosen)
        for kind, answers in entry.pop("answers", {}).items():
            o, d = (a[sample] for a in cast[kind])
            known, own = asked(entry, truths[kind], scene, o, d), [a[sample] for a in answers]
            counted = table.score(scene, o, truths[kind], own, known)
            entry["sets"][kind]["score"] = asdict(counted)
        result["contestants"][contestant] = entry
        said = entry.get("reason", "done")
        print(f"cast    {name}, {contestant}: {said}", file=sys.stderr, flush=True)
    return result


def run_closed_mesh(chosen: argparse.Namespace) -> dict:
    """Entries of all that take a mesh: kinds of rays with their number and the number of misses."""
    names = {p.name.removesuffix(" origins.npy") for p in chosen.closed_mesh.glob("* origins.npy")}
    result = {}
    with tempfile.TemporaryDirectory(prefix="sightline-leaks-") as name:
        folder = Path(name)
        mesh = {k: np.load(chosen.closed_mesh / f"{k}.npy") for k in ("vertices", "faces")}
        np.savez(folder / "shapes.npz", **mesh)
        for kind in names:
            rays_of = {k: np.load(chosen.closed_mesh / f"{kind} {k}.npy") for k in COLUMNS}
            np.savez(folder / f"rays-{kind}.npz", **rays_of)
        for contestant in chosen.names:
            if not CONTESTANTS[contestant].takes_meshes:
                continue
            entry = compare(contestant, folder, sorted(names), chosen)
            for kind, (hit, _, _) in entry.pop("answers", {}).items():
                entry["sets"][kind] |= {"rays": len(hit), "leaks": int((~hit).sum())}
            result[contestant] = entry
            said = entry.get("reason", "done")
            print(f"cast    closed mesh, {contestant}: {said}", file=sys.stderr, flush=True)
    return {"triangles": len(mesh["faces"]), "contestants": result}


def main(argv: list[str] | None = None) -> int:
    chosen = options(argv)
    if chosen.closed_mesh:
        report = run_closed_mesh(chosen)
        if chosen.json:
            chosen.json.write_text(json.dumps(report, indent=1))
        print(table.render_leaks(report), end="")
        return 0
    report = {"rays": chosen.rays, "seed": chosen.seed, "clock": chosen.clock,
              "threads": chosen.threads, "stored_axes": chosen.stored_axes}  # fmt: skip
    try:
        if chosen.scene:
            own, name = sightline.Scene.load(str(chosen.scene)), chosen.scene.name
        else:
            own = sightline.standard_scene("city", 1000, chosen.seed)
            name = "city of 1,000 shapes"
        own = shapes.from_scene(own)
        if not shapes.total(own):
            raise ValueError(f"{chosen.scene}: the scene is empty, nothing to compare")
        report["scenes"] = [run_scene(name, own, rays.KINDS, chosen)]
    except (sightline.Error, ValueError) as error:
        print(error, file=sys.stderr)
        return 2
    hard = shapes.hard_scene(chosen.seed)
    report["scenes"].append(run_scene("hard shapes", hard, ["adversarial"], chosen))
    if chosen.json:
        chosen.json.write_text(json.dumps(report, indent=1))
    print(table.render(report), end="")
    return 0


if __name__ == "__main__":
    sys.exit(main())
