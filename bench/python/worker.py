"""One contestant in a process of its own.

    bench/python/worker.py NAME FOLDER THREADS CLOCK

CLOCK is cpu or wall. The folder holds ``shapes.npz`` and ``rays-SET.npz``; written are ``answers-SET.npz`` and
``report.json``. So a crash or a conflict of two runtimes ends one contestant, not the comparison.
"""

from __future__ import annotations

import json
import os
import statistics
import sys
import time
from pathlib import Path

import numpy as np
from contestants import CONTESTANTS, Contestant
from shapes import load
from table import differing

RUNS = 5
LONGEST = 2.0  # seconds of one timed run: of slower contestants fewer rays are timed


def measure(contestant: Contestant, o: np.ndarray, d: np.ndarray, clock):
    """The answers to all rays, and the rate and repeatability as a dict."""

    def run(origins, directions):
        prepared = contestant.prepare(origins, directions)
        start = time.perf_counter()
        raw = contestant.cast(prepared)
        seconds = time.perf_counter() - start
        return contestant.read(raw), seconds

    run(o[:64], d[:64])  # loads and compiles what is loaded late
    answers, seconds = run(o, d)
    n = len(o)
    if seconds > LONGEST:
        n = max(64, min(n, int(n * LONGEST / seconds)))
    subset = [a[:n] for a in answers]
    prepared = contestant.prepare(o[:n], d[:n])
    contestant.cast(prepared)
    times = []
    for _ in range(RUNS):
        start = clock()
        contestant.cast(prepared)
        times.append(clock() - start)
    again, _ = run(o[:n], d[:n])
    order = np.random.default_rng(n).permutation(n)
    shuffled, _ = run(o[:n][order], d[:n][order])
    back = np.argsort(order)
    return answers, {
        "rays_per_second": n / statistics.median(times),
        "timed_rays": n,
        "seconds": times,
        "again_differ": differing(subset, again),
        "shuffled_differ": differing(subset, [a[back] for a in shuffled]),
    }


def main(name: str, folder: Path, threads: int, clock: str) -> None:
    if threads == 1 and hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    clocks = {"cpu": time.process_time, "wall": time.perf_counter}
    contestant = CONTESTANTS[name]()
    start = time.perf_counter()
    refused = contestant.build(load(folder / "shapes.npz"), threads)
    report = {"refused": refused, "build_seconds": time.perf_counter() - start, "sets": {}}
    for path in sorted(folder.glob("rays-*.npz")):
        which = path.stem.removeprefix("rays-")
        with np.load(path) as rays:
            o, d = rays["origins"], rays["directions"]
        (hit, t, ids), report["sets"][which] = measure(contestant, o, d, clocks[clock])
        np.savez(folder / f"answers-{which}.npz", hit=hit, t=t, id=ids)
    report["version"] = contestant.version()
    (folder / "report.json").write_text(json.dumps(report))


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]), int(sys.argv[3]), sys.argv[4])
