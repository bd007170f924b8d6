"""Threads, signals, memory."""

import os
import signal
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

import sightline as sl
from support import same_bits, scaled


def test_many_threads_ask_one_caster(caster, rays):
    expected = caster.closest_hit(*rays)

    def ask(_):
        hits = caster.closest_hit(*rays)
        return same_bits(hits.t, expected.t) and same_bits(hits.id, expected.id)

    with ThreadPoolExecutor(8) as pool:
        assert all(pool.map(ask, range(scaled(200, 24))))


def test_an_update_waits_for_queries():
    """Each answer is of one of the two scenes, never of a mixture."""
    near, far = sl.Scene(), sl.Scene()
    n = 400
    at = np.zeros((n, 3), np.float32)
    at[:, 1] = np.arange(n) * 4
    near.add_spheres(at + [10, 0, 0], 1)
    far.add_spheres(at + [20, 0, 0], 1)
    caster = sl.Caster(near, "cpu")
    over = threading.Event()
    seen = []

    def ask():
        while not over.is_set():
            seen.append(np.unique(caster.closest_hit(at, [1, 0, 0], normals=False).t))

    threads = [threading.Thread(target=ask) for _ in range(3)]
    for thread in threads:
        thread.start()
    updates, until = 0, time.monotonic() + 60
    while (updates < scaled(300, 50) or len(seen) <= 10) and time.monotonic() < until:
        caster.update(far if updates % 2 == 0 else near)
        updates += 1
    over.set()
    for thread in threads:
        thread.join()
    assert {tuple(t) for t in seen} <= {(9.0,), (19.0,)} and len(seen) > 10


def test_one_call_is_of_one_scene():
    """Also a call in several parts, while updates wait and come on between calls."""
    near, far = sl.Scene(), sl.Scene()
    near.add_spheres([10, 0, 0], 1)
    far.add_spheres([20, 0, 0], 1)
    caster = sl.Caster(near, "cpu")
    origins = np.broadcast_to(np.zeros((1, 3), np.float32), (9_000_000, 3))
    begun = threading.Event()

    def update():
        begun.wait()
        caster.update(far)

    thread = threading.Thread(target=update)
    thread.start()
    begun.set()
    seen = [np.unique(caster.closest_hit(origins, [1, 0, 0], normals=False).t) for _ in range(2)]
    thread.join()
    assert {tuple(t) for t in seen} <= {(9.0,), (19.0,)}
    assert caster.closest_hit([0, 0, 0], [1, 0, 0]).t[0] == 19


def test_an_update_comes_on_among_steady_queries(scene, rays):
    caster = sl.Caster(scene, "cpu", threads=1)
    over = threading.Event()

    def ask():
        while not over.is_set():
            caster.any_hit(*rays)

    threads = [threading.Thread(target=ask) for _ in range(4)]
    for thread in threads:
        thread.start()
    begin = time.monotonic()
    for _ in range(5):
        caster.update(scene)
    took = time.monotonic() - begin
    over.set()
    for thread in threads:
        thread.join()
    assert took < 20


def test_callbacks_may_ask_and_may_not_update(scene, caster, eyes):
    with pytest.raises(sl.UsageError, match="not updated in a callback"):
        caster.visibility(eyes, eyes, progress=lambda *_: caster.update(scene))
    with pytest.raises(sl.UsageError, match="not updated in a callback"):
        caster.bake_navigation(cell=2, progress=lambda *_: caster.update(scene))
    asked = []
    caster.visibility(eyes, eyes, progress=lambda *_: asked.append(caster.any_hit(eyes, [1, 0, 0])))
    assert asked


def test_the_lock_is_released(scene, rays):
    caster = sl.Caster(scene, "reference")
    origins, directions = (np.repeat(a, 20, axis=0) for a in rays)
    counted = 0
    done = threading.Event()

    def cast():
        caster.any_hit(origins, directions)
        done.set()

    thread = threading.Thread(target=cast)
    thread.start()
    while not done.is_set():
        counted += 1
        time.sleep(0)
    thread.join()
    assert counted > 10


def test_ctrl_c_ends_a_long_call():
    code = """
import signal
import numpy as np, sightline as sl
signal.signal(signal.SIGINT, signal.default_int_handler)  # also where it is ignored, as by nohup
scene = sl.standard_scene("city", 2000)
caster = sl.Caster(scene, "cpu", threads=1)
low, high = scene.bounds
points = np.random.default_rng(0).uniform(low, high, (200000, 3))
print("begun", flush=True)
try:
    caster.visibility(points, points[:100000])
except KeyboardInterrupt:
    print("stopped", flush=True)
"""
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True) as child:
        assert child.stdout.readline() == "begun\n"
        time.sleep(0.5)
        child.send_signal(signal.SIGINT)
        assert child.stdout.readline() == "stopped\n"


def test_progress_is_told_and_may_end_a_call(caster, eyes):
    told = []
    many = np.tile(eyes, (30, 1))
    caster.visibility(many, many, progress=lambda done, total: told.append((done, total)))
    assert told[-1] == (6000, 6000) and len(told) > 1

    def stop(*_):
        raise RuntimeError("enough")

    with pytest.raises(RuntimeError, match="enough"):
        caster.visibility(many, many, progress=stop)
    with pytest.raises(RuntimeError, match="enough"):
        caster.bake_navigation(cell=1, progress=stop)


def resident():
    """This process's memory in bytes."""
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="reads /proc")
def test_nothing_leaks(caster):
    origins = np.zeros((50, 3), np.float32)
    double = origins.astype(float)

    def call():
        hits = caster.closest_hit(origins, [1, 0, 0])
        hits.t, hits.id, hits.normal, hits.points, hits.kind  # noqa: B018
        caster.any_hit(double, [1, 0, 0])
        caster.all_hits(origins, [1, 0, 0])
        caster.nearest(origins)
        caster.visibility(origins).unpack()
        with pytest.raises(sl.UsageError):
            caster.any_hit(origins, [1, 0])

    for _ in range(200):
        call()
    before = resident()
    calls = scaled(100_000 // 6, 500)
    for _ in range(calls):
        call()
    # An array of 50 numbers kept by each call would be 200 bytes.
    assert resident() - before < 2_000_000 + 20 * calls
