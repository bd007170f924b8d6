#!/usr/bin/env python3
"""A simulation of the queue of shards: workers that take parts, fail and go on, one file system
that all write to, and the merge. docs/scale.md says what comes of it.

  bench/queue_model.py                      tables for 1e12 to 1e15 segments, with the inputs below
  bench/queue_model.py --measure PROGRAM    small runs of this build of sightline on this machine,
                                            beside what the simulation says of them; exit code 1
                                            where one is off by more than 15 %
  bench/queue_model.py --self-test          the simulation against closed forms

Times are seconds. Runs are measured on the clock of the CPU (user and system time of the busiest
worker, and of the merge), so that neighbours on a shared machine do not count; wall times are given
beside.
"""

import argparse
import collections
import dataclasses
import heapq
import itertools
import json
import math
import os
import pathlib
import queue
import random
import signal
import statistics
import subprocess
import sys
import tempfile
import threading
import time

INF = math.inf


@dataclasses.dataclass
class Job:
    work: list  # seconds of each part
    workers: int = 1
    start: float = 0  # before a part, and again when it goes on: process, scene, tree
    queue: float = 0  # to hand out a part, one after the other
    interval: float = INF  # of work between two records; INF: a failure loses all of a part
    sync: float = 0  # of a record
    bytes: float = 0  # of all parts in the file system, which all share
    bandwidth: float = INF  # of the file system, bytes a second
    file: float = 0  # latency of a file
    merge: float = 0  # of the merge, by one process
    mtbf: float = INF  # of a worker
    restart: float = 0  # until a worker that failed is back


@dataclasses.dataclass
class Ran:
    total: float = 0
    work: float = 0  # seconds of workers
    lost: float = 0  # that were worked twice, restarts and starts after them included
    failures: int = 0
    queue: float = 0  # seconds in which the queue, the file system, the merge were busy
    files: float = 0
    merge: float = 0


def simulate(job, draw):
    """Runs a job once; draw() is a number of the exponential distribution of mean 1."""
    ran = Ran(merge=job.merge)
    todo = collections.deque((work, False) for work in job.work)
    order = itertools.count()  # of what happens at the same time
    events = [(0.0, next(order), "free", None) for _ in range(job.workers)]
    queue_free = files_free = 0.0
    idle = 0  # workers that found no part
    write = job.bytes / max(1, len(job.work)) / job.bandwidth + job.file

    def at(when, what, part=None):
        heapq.heappush(events, (when, next(order), what, part))

    while events:
        now, _, what, part = heapq.heappop(events)
        if what == "whole":  # a part is worked out: its file is written, after those before it
            files_free = max(now, files_free) + write
            ran.files += write
            ran.total = max(ran.total, files_free)
            at(files_free, "free")
        elif what == "failed":
            todo.append(part)
            if idle:
                idle -= 1
                at(now, "free")
        elif not todo:
            idle += 1
        else:
            work, again = todo.popleft()
            begin = queue_free = max(now, queue_free) + job.queue
            ran.queue += job.queue
            ran.lost += job.start if again else 0
            records = math.ceil(work / job.interval - 1e-9)
            needs = job.start + work + records * job.sync
            fails = draw() * job.mtbf if job.mtbf < INF else INF
            if fails >= needs:
                ran.work += work
                at(begin + needs, "whole")
                continue
            kept = 0.0
            if job.interval < INF:
                worked = max(0.0, fails - job.start)
                kept = min(work, worked // (job.interval + job.sync) * job.interval)
            ran.work += kept
            ran.lost += fails - min(fails, job.start) - kept + job.restart
            ran.failures += 1
            at(begin + fails, "failed", (work - kept, True))
            at(begin + fails + job.restart, "free")
    ran.total += job.merge
    return ran


def mean(job, runs, seed=1):
    """The mean of several runs, each field."""
    rng = random.Random(seed)
    each = [dataclasses.astuple(simulate(job, lambda: rng.expovariate(1))) for _ in range(runs)]
    return Ran(*(statistics.fmean(column) for column in zip(*each)))


def self_test():
    """The simulation against closed forms; raises AssertionError."""

    def near(a, b, within=1e-9):
        return abs(a - b) <= within * abs(b)

    def total(**fields):
        return mean(Job(**fields), 1).total

    # No failures, even parts: n t / w; a part more takes a round more.
    assert near(total(work=[3.0] * 60, workers=12), 60 * 3 / 12)
    assert near(total(work=[3.0] * 61, workers=12), 60 * 3 / 12 + 3)
    # One worker: the sum of everything.
    one = dict(work=[1.0, 2, 3], start=0.5, queue=0.25, bytes=600, bandwidth=100, file=0.1, merge=7)
    assert near(total(**one), 6 + 3 * (0.5 + 0.25 + 2 + 0.1) + 7)
    assert near(total(**one, interval=0.5, sync=0.01), 6 + 3 * 2.85 + 7 + 12 * 0.01)
    # A slow queue, a slow file system: the last part waits for all before it.
    assert near(total(work=[1.0] * 100, workers=50, queue=0.5), 100 * 0.5 + 1)
    assert near(total(work=[1.0] * 100, workers=100, bytes=1e4, bandwidth=10), 1 + 1000)
    assert near(total(work=[10.0, 1, 1], workers=2, file=0.5), 10.5)
    # Failures: an interval t with a record of d is through at a rate of e^-(t+d)/M, so that a part
    # takes T/t (M + R) (e^((t+d)/M) - 1), which Daly (2006) has with failures in restarts, too.
    m, restart, d, work = 1000.0, 60.0, 5.0, 200_000.0

    def daly(t, m):
        return work / t * (m + restart) * math.expm1((t + d) / m)

    def failing(t):
        return mean(Job([work], interval=t, sync=d, mtbf=m, restart=restart), 60).total

    young = math.sqrt(2 * d * m)
    totals = {t: failing(t) for t in (young / 5, young, young * 5)}
    for t, simulated in totals.items():
        assert near(simulated, daly(t, m), 0.02), (t, simulated, daly(t, m))
        assert not near(simulated, daly(t, m / 1.5), 0.02), "the comparison cannot fail"
    assert min(totals, key=totals.get) == young
    # All of a part is lost: the same with one interval. Many workers: all work is done.
    lossy = mean(Job([500.0] * 64, mtbf=m, restart=restart), 60)
    assert near(lossy.total, 64 * (m + restart) * math.expm1(500 / m), 0.03)
    many = mean(Job([50.0] * 640, workers=16, mtbf=m, restart=restart, start=2.0), 20)
    assert near(many.work, 640 * 50) and many.failures > 10
    assert near(many.total * 16, many.work + many.lost + 640 * 2, 0.1)
    print("queue_model: all closed forms hold")


# Small runs.

POINTS, SHAPES, KEEP = 8000, 20000, 0.2
RUNS = [  # workers, shards, mean time to a kill
    (1, 2, INF), (1, 4, INF), (1, 8, INF), (2, 2, INF), (2, 8, INF), (2, 16, INF),
    (1, 4, 1.0), (2, 8, 1.0), (2, 16, 0.5),
]  # fmt: skip


def write_points(path, count, seed=1):
    import numpy as np  # of --measure alone

    rng = np.random.default_rng(seed)
    np.save(path, np.float32(rng.random((count, 3)) * [600, 600, 0] + [0, 0, 1.7]))


class Runs:
    """Runs of the program in a folder, on the clock of the CPU."""

    def __init__(self, program, folder):
        self.program, self.folder = str(pathlib.Path(program).resolve()), pathlib.Path(folder)
        self.call("gen", "city", "--shapes", str(SHAPES), "-o", "city.st")
        write_points(self.folder / "eyes.npy", POINTS)
        write_points(self.folder / "few.npy", 64)

    def call(self, *words, until=INF):
        """(cpu seconds, whether it ended by itself); killed when it had `until` cpu seconds."""
        process = subprocess.Popen(
            [self.program, *words, "-q"], cwd=self.folder, stderr=subprocess.DEVNULL
        )
        tick = os.sysconf("SC_CLK_TCK")
        while until < INF:
            with open(f"/proc/{process.pid}/stat") as file:
                fields = file.read().rpartition(")")[2].split()
            if fields[0] == "Z":
                break
            if (int(fields[11]) + int(fields[12])) / tick >= until:
                process.send_signal(signal.SIGKILL)
                break
            time.sleep(0.005)
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode not in (0, -signal.SIGKILL):
            raise SystemExit(f"{' '.join(words)} ended with {process.returncode}")
        return used.ru_utime + used.ru_stime, process.returncode == 0

    def shard(self, i, n, points="eyes.npy", until=INF):
        return self.call("visibility", "city.st", "--from", points, "-o", "out", "--threads", "1",
                         "--shard", f"{i}/{n}", "--keep-every", str(KEEP),
                         "--json", f"{i}.json", until=until)  # fmt: skip

    def job(self, workers, n, mtbf=INF, seed=1, points="eyes.npy"):
        """Shards by workers, and their merge: cpu seconds of the busiest worker, of all workers,
        of the merge; wall seconds; cells of each shard."""
        rng, parts = random.Random(seed), queue.Queue()
        for i in range(n):
            parts.put(i)
        left, used, broken = [n], [0.0] * workers, []
        lock = threading.Lock()

        def work(worker):
            while left[0] and not broken:
                try:
                    i = parts.get(timeout=0.01)
                except queue.Empty:
                    continue
                with lock:
                    until = rng.expovariate(1) * mtbf if mtbf < INF else INF
                try:
                    seconds, whole = self.shard(i, n, points, until)
                except BaseException as error:
                    broken.append(error)
                    raise
                used[worker] += seconds
                if whole:
                    with lock:
                        left[0] -= 1
                else:
                    parts.put(i)

        begin = time.monotonic()
        threads = [threading.Thread(target=work, args=[w]) for w in range(workers)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        if broken:
            raise broken[0]
        merge, _ = self.call("merge", "-o", "out")
        wall = time.monotonic() - begin
        reports = [json.loads((self.folder / f"{i}.json").read_text()) for i in range(n)]
        for file in self.folder.glob("out*"):
            file.unlink()
        return max(used), sum(used), merge, wall, [r["shard"]["cells"] for r in reports]


def measure(program, turns):
    """Calibrates and measures, in turns; returns whether all rows are within 15 %."""
    with tempfile.TemporaryDirectory() as folder:
        runs, medians = Runs(program, folder), statistics.median
        start, few, many, pair, merges, measured = [], [], [], [], [], collections.defaultdict(list)
        for _ in range(turns):
            start.append(runs.job(1, 1, points="few.npy")[1])
            one, sixteen, two = runs.job(1, 1), runs.job(1, 16), runs.job(2, 4)
            few.append(one[1]), many.append(sixteen[1]), pair.append(two[1])
            merges.append(sixteen[2])
            for run in RUNS:
                measured[run].append(runs.job(*run))
    start, merge = medians(start), medians(merges)
    ends = medians(few) - start, medians(many) - 16 * start

    def work(n):  # cpu seconds of n shards: their tiles are smaller
        return ends[0] * (ends[1] / ends[0]) ** (math.log2(n) / 4)

    together = (medians(pair) - 4 * start) / work(4)
    segments = POINTS * (POINTS + 1) / 2
    rates = [segments / end / 1e6 for end in ends]
    print(f"calibrated: start {start:.3f} s a part, {rates[0]:.1f} million segments a second and "
          f"core in 1 shard, {rates[1]:.1f} in 16, {together:.2f} times the seconds when two work, "
          f"merge {merge:.3f} s\n")  # fmt: skip
    print("| workers | shards | killed after | cpu s measured | simulated | ratio | wall s |")
    print("|---|---|---|---|---|---|---|")
    good = True
    for run, each in measured.items():
        workers, n, mtbf = run
        cells = each[0][4]
        seconds = work(n) * (together if workers > 1 else 1)
        job = Job([seconds * c / sum(cells) for c in cells], workers, start=start, merge=merge,
                  interval=KEEP, mtbf=mtbf)  # fmt: skip
        rng = random.Random(1)
        simulated = simulate(job, lambda: rng.expovariate(1)).total
        got = medians(e[0] + e[2] for e in each)
        good = good and abs(simulated / got - 1) <= 0.15
        killed = "never" if mtbf == INF else f"{mtbf:g} s"
        print(f"| {workers} | {n} | {killed} | {got:.2f} | {simulated:.2f} | "
              f"{simulated / got:.2f} | {medians(e[3] for e in each):.1f} |")  # fmt: skip
    return good


# Tables.


@dataclasses.dataclass
class Worker:
    name: str
    rate: float  # segments a second
    price: float  # an hour


CORE = 11e6  # segments a second of one core, visibility in a city of 20,000 boxes: --measure
CPU = Worker("64 cores", 64 * 0.9 * CORE, 3.0)  # assumed: 0.9 of 64 times a core
GPU = Worker("one H200", 5.4e9, 4.0)  # PREDICTED; measured since: 4.9e9 (docs/gpu.md)
PIECE = 1.7e-6  # seconds of the merge for a piece of a row: 0.4 s for 50 MB in tiles of 2048
COPY = 2e9  # assumed: bytes a second of the merge beside that
SHARED = 5e9  # assumed: bytes a second of the file system
ASSUMED = dict(start=2.0, queue=1e-3, interval=50.0, sync=0.1, file=5e-3, restart=120.0)
HOURS = 3600.0
MTBF = 2000 * HOURS  # assumed, of a worker


def planned(worker, workers, segments, stored, matrix=False, each=None, mtbf=MTBF, **other):
    """A job of `each` parts a worker, uneven by a tenth; without `each` up to 32, where a part is
    at least ten starts long. stored: bytes of the result; of a matrix shards hold half of them."""
    least = segments / worker.rate / workers / (10 * ASSUMED["start"])
    rng, n = random.Random(2), (each or max(1, min(32, int(least)))) * workers
    merge = stored / COPY
    if matrix:  # 32 tiles a shard on and above the diagonal, with sides of 64 to 16384
        side = math.sqrt(stored * 8) / math.sqrt(2 * 32 * n)
        merge += stored * 8 / min(16384, max(64, 2 ** int(math.log2(side)))) * PIECE
    work = [segments / worker.rate / n * rng.uniform(0.9, 1.1) for _ in range(n)]
    fields = {**ASSUMED, "bandwidth": SHARED, "merge": merge, **other}
    return Job(work, workers, bytes=stored * (0.5 if matrix else 1), mtbf=mtbf, **fields)


def duration(seconds):
    for unit, size in (("d", 24 * HOURS), ("h", HOURS), ("min", 60.0)):
        if seconds >= 2 * size:
            return f"{seconds / size:.3g} {unit}"
    return f"{seconds:.3g} s"


def amount(count):
    for unit, size in (("TB", 1e12), ("GB", 1e9), ("MB", 1e6)):
        if count >= size:
            return f"{count / size:.3g} {unit}"
    return f"{count:.3g} B"


def money(price):
    return f"{price:,.0f}" if price >= 10 else f"{price:.2f}"


def binds(job, ran):
    parts = {
        "work": ran.work / job.workers,
        "starts": job.start * len(job.work) / job.workers,
        "queue": ran.queue,
        "file system": ran.files,
        "merge": ran.merge,
        "failures": ran.lost / job.workers,
    }
    return max(parts, key=parts.get)


def tables():
    pairs = [1e12, 1e13, 1e14, 1e15]
    for title, stored, share in (
        ("Exposure counts of 1e6 viewpoints: 4 bytes a target", lambda s: 4 * s / 1e6, 1),
        ("A set against itself: bits of all pairs, half of them computed", lambda s: s / 8, 0.5),
    ):
        print(f"\n{title}\n\n| pairs | workers | {CPU.name} | bytes | parts/s | binds | $ "
              f"| {GPU.name} (predicted) | parts/s | binds | $ |")  # fmt: skip
        print("|---|---|---|---|---|---|---|---|---|---|---|")
        for s, w in itertools.product(pairs, (1, 10, 100, 1000)):
            row = []
            for worker in (CPU, GPU):
                job = planned(worker, w, s * share, stored(s), share < 1)
                ran = mean(job, 3 if w < 1000 else 1)
                # The merge is paid for on one machine.
                paid = (ran.total - ran.merge) * w + ran.merge
                row.append([duration(ran.total), f"{len(job.work) / ran.total:.2g}",
                            binds(job, ran), money(paid / HOURS * worker.price)])  # fmt: skip
            (t, q, b, c), other = row
            moved = stored(s) * (1 + 2 * share)  # shards are written and read, the result written
            print(f"| 1e{math.log10(s):.0f} | {w} | " + " | ".join(
                [t, amount(moved), q, b, c, *other]) + " |")  # fmt: skip
    print("\n1e15 pairs as counts, 1,000 x 64 cores: parts a worker, and what failures cost\n")
    print("| parts a worker | seconds a part | mean time to failure | kept: total, lost "
          "| not kept: total, lost |\n|---|---|---|---|---|")  # fmt: skip
    for each, hours in itertools.product((1, 8, 32, 256), (2000, 24)):
        cells = []
        for interval in (ASSUMED["interval"], INF):
            job = planned(CPU, 1000, 1e15, 4e9, False, each, hours * HOURS, interval=interval)
            ran = mean(job, 1)
            cells.append(f"{duration(ran.total)}, {ran.lost / (ran.total * 1000):.2%}")
        print(f"| {each} | {statistics.fmean(job.work):,.0f} | {hours} h | {' | '.join(cells)} |")


def main():
    words = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    words.add_argument("--measure", metavar="PROGRAM")
    words.add_argument("--turns", type=int, default=3, help="of --measure; rows are medians")
    words.add_argument("--self-test", action="store_true")
    asked = words.parse_args()
    if asked.self_test:
        return self_test()
    if asked.measure:
        return 0 if measure(asked.measure, asked.turns) else 1
    return tables()


if __name__ == "__main__":
    sys.exit(main())
