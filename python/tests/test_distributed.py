"""Bands over a Dask cluster: the single process's bytes, whatever becomes of the workers."""

import contextlib
import os
import signal
import time

import numpy as np
import pytest

import sightline as sl
from sightline.cluster import answer
from support import same_bits

distributed = pytest.importorskip("distributed")

COUNTS = ("visible", "bad_viewpoints", "bad_targets", "touching_viewpoints", "touching_targets")


@contextlib.contextmanager
def cluster(**options):
    with distributed.LocalCluster(dashboard_address=":0", **options) as workers:
        with distributed.Client(workers) as client:
            yield client


@pytest.fixture(scope="module")
def client():
    """Two worker processes of one thread each."""
    with cluster(n_workers=2, threads_per_worker=1) as client:
        yield client


@pytest.fixture(scope="module")
def inproc():
    """A worker of two threads in this process."""
    with cluster(n_workers=1, threads_per_worker=2, processes=False) as client:
        yield client


@pytest.fixture(params=["client", "inproc"])
def each(request):
    return request.getfixturevalue(request.param)


def same_sight(seen, expected):
    return same_bits(seen.bits, expected.bits) and all(
        getattr(seen, name) == getattr(expected, name) for name in COUNTS
    )


@pytest.fixture(scope="module")
def masked(eyes):
    n = len(eyes)
    return sl.Points(eyes, mask=np.arange(n) % 4, exclude=np.arange(n), exclude_group=7)


@pytest.fixture(scope="module")
def eyes(scene):
    low, high = scene.bounds
    points = np.random.default_rng(1).uniform(low, high, (700, 3)).astype(np.float32)
    points[[17, 650]] = np.nan
    return points


def test_visibility_has_the_bytes_of_one_process(each, scene, caster, eyes, masked, tmp_path):
    visibility = sl.distributed.visibility
    ahead = np.random.default_rng(2).normal(size=(700, 3))
    fields = sl.Fields(ahead, np.linspace(1, 180, 700), 50, "sector")
    alone = caster.visibility(eyes)
    for rows in (None, 1, 100, 640):
        assert same_sight(visibility(each, scene, eyes, rows=rows), alone)
    assert same_sight(
        visibility(each, scene, masked, range=30, rows=128), caster.visibility(masked, range=30)
    )
    out = np.memmap(tmp_path / "bits", np.uint64, "w+", shape=(700, 2))
    seen = visibility(each, scene, masked, eyes[:99].astype(float), fields=fields, rows=64, out=out)
    expected = caster.visibility(masked, eyes[:99], fields=fields)
    assert seen.bits is out and same_sight(seen, expected)
    assert same_bits(seen.unpack(), expected.unpack())
    assert same_bits(seen.counts(), expected.counts())
    assert same_sight(
        visibility(each, scene, eyes, fields=fields, margin=0.1, inside="ignore"),
        caster.visibility(eyes, fields=fields, margin=0.1, inside="ignore"),
    )


def test_rays_and_exposure_have_the_bytes_of_one_process(
    each, scene, caster, rays, eyes, masked, tmp_path
):
    closest_hit, exposure = sl.distributed.closest_hit, sl.distributed.exposure
    file = tmp_path / "scene.safetensors"
    scene.save(file)
    options = {"t_max": np.linspace(1, 90, 3000), "mask": 5, "exclude": [[3, 9]] * 3000}
    hits, expected = closest_hit(each, file, *rays, **options), caster.closest_hit(*rays, **options)
    for name in ("t", "id", "flags", "normal", "hit"):
        assert same_bits(getattr(hits, name), getattr(expected, name))
    assert (hits.hits, hits.bad_rays) == (expected.hits, expected.bad_rays)
    out = {"id": np.empty(3000, np.uint32)}
    hits = closest_hit(each, scene, rays[0], [0, 0, 1], radius=0.5, rows=700, out=out)
    assert hits.t is None and same_bits(
        out["id"], caster.closest_hit(rays[0], [0, 0, 1], radius=0.5).id
    )
    fields = sl.Fields([1, 0, 0], 60)
    counts = exposure(each, scene, masked, eyes[:300], fields=fields, rows=77)
    assert same_bits(counts, caster.exposure(masked, eyes[:300], fields=fields))
    assert len(exposure(each, scene, eyes, eyes[:0])) == 0


def test_bands_of_killed_workers_are_answered_again(client, scene, caster, eyes):
    """Both are killed at once, so that scene and targets are lost, too."""
    pids = client.run(os.getpid)

    def kill(done, total):
        while pids:
            os.kill(pids.popitem()[1], signal.SIGKILL)

    seen = sl.distributed.visibility(client, scene, eyes, eyes, rows=20, progress=kill)
    assert not pids and same_sight(seen, caster.visibility(eyes, eyes))
    client.wait_for_workers(2)


def test_a_changed_scene_or_version_is_refused(client, scene, eyes, monkeypatch):
    with monkeypatch.context() as patched:
        patched.setattr("sightline.cluster._hash", lambda data: "0" * 64)
        with pytest.raises(sl.BadInputError, match=r"got has the hash \w{16}, .* sent 0{16}$"):
            sl.distributed.visibility(client, scene, eyes)
    monkeypatch.setattr(sl._core, "ANSWERS_VERSION", 0)
    with pytest.raises(sl.BadInputError, match=r"answers of version \d+, the client's of .* 0$"):
        sl.distributed.visibility(client, scene, eyes)


def test_two_tasks_for_each_core_are_under_way(client, scene, eyes, monkeypatch):
    client.wait_for_workers(2)
    most, told = [], []
    submit = client.submit

    def count(function, *arguments, **options):
        if function is answer:
            most.append(len(most) + 1 - len(told))
        return submit(function, *arguments, **options)

    monkeypatch.setattr(client, "submit", count)
    sl.distributed.visibility(client, scene, eyes, eyes, rows=20,
                              progress=lambda done, total: told.append((done, total)))  # fmt: skip
    assert len(most) == len(told) == 35 and 2 <= max(most) <= 4
    assert told == sorted(told) and told[-1] == (490_000, 490_000)


@pytest.mark.parametrize("how", [KeyboardInterrupt, RuntimeError])
def test_what_is_left_is_cancelled(client, scene, eyes, how):
    def stop(*_):
        if how is KeyboardInterrupt:
            signal.raise_signal(signal.SIGINT)
        raise how

    with pytest.raises(how):
        sl.distributed.visibility(client, scene, eyes, rows=64, progress=stop)
    until = time.monotonic() + 10
    while any(client.processing().values()) and time.monotonic() < until:
        time.sleep(0.05)
    assert not any(client.processing().values())


def test_wrong_arguments_are_found_before_anything_is_sent(client, scene, eyes, rays, monkeypatch):
    monkeypatch.setattr(client, "submit", None)
    visibility, closest_hit = sl.distributed.visibility, sl.distributed.closest_hit
    with pytest.raises(sl.UsageError, match="inside"):
        visibility(client, scene, eyes, inside="out")
    with pytest.raises(sl.UsageError, match="margin"):
        visibility(client, scene, eyes, eyes, margin=0.7)
    with pytest.raises(sl.UsageError, match="mask has 3 elements, position has 700"):
        visibility(client, scene, sl.Points(eyes, mask=[1, 2, 3]))
    with pytest.raises(sl.UsageError, match=r"out is uint64 \[700, 10\], not uint64 \[700, 11\]"):
        visibility(client, scene, eyes, out=np.empty((700, 10), np.uint64))
    with pytest.raises(sl.UsageError, match="fields is no Fields"):
        visibility(client, scene, eyes, fields=60)
    with pytest.raises(sl.UsageError, match="directions has 2 elements, origins has 3000"):
        closest_hit(client, scene, rays[0], rays[1][:2])
    with pytest.raises(sl.UsageError, match='out has the name "kind"'):
        closest_hit(client, scene, *rays, out={"kind": None})
    with pytest.raises(sl.UsageError, match=r"origins has the shape \[2, 5, 3\]: bands are cut from \[n,3\]"):
        sl.distributed.closest_hit(client, scene, rays[0][:10].reshape(2, 5, 3), [0, 0, 1])
