"""python -m sightline.compare: ray casters beside sightline, on your scene and on hard rays."""

from __future__ import annotations

import argparse
import json
import os
import platform
import subprocess
import sys
import tempfile
from dataclasses import asdict
from pathlib import Path

import numpy as np

from . import exact, oracle, rays, shapes, table
from .contestants import CONTESTANTS, Contestant, mesh_reach

PAIRS = 3e8  # rays times shapes that the oracle looks at, at most, per set


def options(argv: list[str] | None = None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m sightline.compare", description=__doc__)
    parser.add_argument("--scene", type=Path, help="a scene file; default: a city of 1,000 shapes")
    parser.add_argument("--rays", type=int, default=100_000, help="rays a set (100000)")
    parser.add_argument("--only", help="names, with commas: " + ",".join(CONTESTANTS))
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--threads", type=int, help="threads of 'all' (the cores of this process)")
    parser.add_argument("--timeout", type=float, default=900, help="seconds a contestant may take")
    parser.add_argument(
        "--clock", choices=("cpu", "wall"), default="wall",
        help="of rates on one core: processor time, which other programs do not lengthen, or wall",
    )  # fmt: skip
    parser.add_argument(
        "--device", choices=("cpu", "cuda"), default="cpu",
        help="cuda: those that can, on the first GPU, with rays and answers in its memory",
    )  # fmt: skip
    parser.add_argument(
        "--stored-axes", action="store_true",
        help="the truth of an OBB is that of its axes rounded to binary32, as docs/contract.md "
        "has it, not of the exact rotation by its quaternion",
    )  # fmt: skip
    parser.add_argument("--json", type=Path, help="write everything here")
    parser.add_argument("--markdown", type=Path, help="write the tables here")
    chosen = parser.parse_args(argv)
    if chosen.rays < 64:
        parser.error(f"--rays {chosen.rays}: at least 64")
    if chosen.device == "cuda" and chosen.clock == "cpu":
        parser.error("--clock cpu: a GPU takes no processor time, so --clock wall")
    names = chosen.only.split(",") if chosen.only else list(CONTESTANTS)
    for name in names:
        if name not in CONTESTANTS:
            parser.error(f"--only: no contestant {name}; there are {', '.join(CONTESTANTS)}")
    chosen.names = names
    if chosen.threads is None:
        affinity = getattr(os, "sched_getaffinity", None)
        chosen.threads = len(affinity(0)) if affinity else os.cpu_count() or 1
    if chosen.threads < 1:
        parser.error(f"--threads {chosen.threads}: at least 1")
    return chosen


def run_worker(
    name: str, folder: Path, threads: int, timeout: float, clock: str = "wall", device: str = "cpu"
) -> str | None:
    """Runs one contestant over the folder; returns the reason if it failed."""
    environment = dict(os.environ)
    for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
        environment[variable] = str(threads)
    command = [sys.executable, "-m", f"{__package__}.worker", name]
    command += [str(folder), str(threads), clock, device]
    try:
        done = subprocess.run(
            command, env=environment, capture_output=True, text=True, timeout=timeout, check=False
        )
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
    contestant: Contestant = CONTESTANTS[name](chosen.device)
    if reason := getattr(contestant, "reason", None):
        return {"reason": reason}
    if chosen.device not in contestant.devices:
        return {"reason": f"it has no device {chosen.device}"}
    if missing := contestant.missing():
        return {"reason": f"not installed: pip install {' '.join(missing)}"}
    if reason := run_worker(name, folder, 1, chosen.timeout, chosen.clock, chosen.device):
        return {"reason": reason}
    one = json.loads((folder / "report.json").read_text())
    first = {s: _answers(folder, s) for s in sets}
    entry = {
        "version": one["version"], "shapes_as": contestant.shapes_as, "note": contestant.note,
        "refused": one["refused"], "build_seconds": one["build_seconds"], "answers": first,
        "sets": {s: {"one_core": one["sets"][s].pop("rays_per_second"), **one["sets"][s]}
                 for s in sets},
    }  # fmt: skip
    if contestant.parallel and chosen.threads > 1 and chosen.device == "cpu":
        if reason := run_worker(name, folder, chosen.threads, chosen.timeout):
            return {"reason": f"on {chosen.threads} threads: {reason}"}
        many = json.loads((folder / "report.json").read_text())
        for s in sets:
            at = entry["sets"][s]
            at["all"] = many["sets"][s]["rays_per_second"]
            at["again_differ"] += many["sets"][s]["again_differ"]
            at["shuffled_differ"] += many["sets"][s]["shuffled_differ"]
            at["threads_differ"] = table.differing(first[s], _answers(folder, s))
    return entry


def _answers(folder: Path, which: str):
    with np.load(folder / f"answers-{which}.npz") as a:
        return a["hit"], a["t"], a["id"]


def asked(entry: dict, truth: oracle.Truth, scene: shapes.Shapes, o, d) -> np.ndarray:
    """Rays whose truth is a shape that the contestant holds; a plane of triangles has an end."""
    known = ~np.isin(truth.id, entry["refused"])
    if entry["shapes_as"] == "triangles" and shapes.count(scene, "plane"):
        on_plane = truth.id >= shapes.first_id(scene, "plane")
        with np.errstate(invalid="ignore", over="ignore"):
            place = np.abs(o.astype(np.float64) + truth.t[:, None] * d).max(axis=1)
        known &= ~(on_plane & (place > mesh_reach(scene) / 2))
    return known


def run_scene(
    name: str, words: str, scene: shapes.Shapes, kinds, chosen: argparse.Namespace
) -> dict:
    n = chosen.rays
    scored = int(min(n, max(1000, PAIRS // max(1, shapes.total(scene)))))
    cast = {k: rays.make(k, scene, n, chosen.seed) for k in kinds}
    sample = np.unique(np.linspace(0, n - 1, scored).astype(np.int64))
    result = {"name": name, "words": words, "rays_each": n, "rays": {}, "contestants": {}}
    truths = {}
    for kind, (o, d) in cast.items():
        truths[kind] = t = oracle.truth(scene, o[sample], d[sample], chosen.stored_axes)
        states = np.bincount(t.state, minlength=3)
        result["rays"][kind] = {
            "scored": len(sample), "misses": int(states[exact.MISS]),
            "touches": int(states[exact.TOUCH]), "hits": int(states[exact.HIT]),
            "pairs": t.pairs, "exact_pairs": t.exact_pairs,
        }  # fmt: skip
        print(f"oracle  {name}, {kind} rays: done", file=sys.stderr, flush=True)
    for contestant in chosen.names:
        with tempfile.TemporaryDirectory(prefix="sightline-compare-") as folder:
            shapes.save(Path(folder) / "shapes.npz", scene)
            for kind, (o, d) in cast.items():
                np.savez(Path(folder) / f"rays-{kind}.npz", origins=o, directions=d)
            entry = compare(contestant, Path(folder), list(kinds), chosen)
        answers = entry.pop("answers", {})
        for kind, (hit, t, ids) in answers.items():
            o, d = (a[sample] for a in cast[kind])
            known = asked(entry, truths[kind], scene, o, d)
            counted = table.score(
                scene, o, d, truths[kind], (hit[sample], t[sample], ids[sample]), known,
                chosen.stored_axes,
            )  # fmt: skip
            entry["sets"][kind]["score"] = asdict(counted)
        result["contestants"][contestant] = entry
        print(f"cast    {name}, {contestant}: {entry.get('reason', 'done')}", file=sys.stderr,
              flush=True)  # fmt: skip
    return result


def words_of(scene: shapes.Shapes) -> str:
    names = {"aabb": "AABB", "obb": "OBB"}
    counts = {k: shapes.count(scene, k) for k in shapes.FIELDS}
    return ", ".join(
        f"{n:,} {names.get(k, k)}{'' if n == 1 else 's'}" for k, n in counts.items() if n
    )


def machine() -> dict:
    model = platform.processor() or platform.machine()
    cpus = Path("/proc/cpuinfo")
    if cpus.exists():
        lines = [x for x in cpus.read_text().splitlines() if x.startswith("model name")]
        model = lines[0].split(":", 1)[1].strip() if lines else model
    load = os.getloadavg() if hasattr(os, "getloadavg") else None
    return {"cpu": model, "cores": os.cpu_count(), "system": platform.platform(),
            "python": platform.python_version(), "numpy": np.__version__,
            "load_at_start": load}  # fmt: skip


def main(argv: list[str] | None = None) -> int:
    chosen = options(argv)
    import sightline

    try:
        if chosen.scene:
            own, name = sightline.Scene.load(str(chosen.scene)), chosen.scene.name
        else:
            own = sightline.standard_scene("city", 1000, chosen.seed)
            name = "city of 1,000 shapes"
    except sightline.Error as error:
        print(error, file=sys.stderr)
        return 2
    own = shapes.from_scene(own)
    if not shapes.total(own):
        print(f"{chosen.scene}: the scene is empty, nothing to compare", file=sys.stderr)
        return 2
    report = {
        "machine": machine(), "rays": chosen.rays, "seed": chosen.seed, "clock": chosen.clock,
        "device": chosen.device, "threads": chosen.threads, "stored_axes": chosen.stored_axes, "scenes": [],
    }  # fmt: skip
    try:
        report["scenes"].append(run_scene(name, words_of(own), own, rays.KINDS, chosen))
    except rays.NoOrigins as error:
        print(f"{chosen.scene}: {error}", file=sys.stderr)
        return 2
    hard = shapes.hard_scene(chosen.seed)
    report["scenes"].append(run_scene("hard shapes", words_of(hard), hard, ["adversarial"], chosen))
    if chosen.json:
        chosen.json.write_text(json.dumps(report, indent=1))
    if chosen.markdown:
        chosen.markdown.write_text(table.render(report, markdown=True))
    print(table.render(report, markdown=False))
    return 0


if __name__ == "__main__":
    sys.exit(main())
