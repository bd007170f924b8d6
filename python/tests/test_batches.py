"""Batches: rays and points of shape [h,w,3] are answered in their shape, with the bits that the
same rows as [n,3] get."""

import numpy as np
import pytest

import sightline as sl
from support import same_bits

H, W = 5, 8


@pytest.fixture(scope="module")
def batch(rays):
    """The same 40 rays as [n,3] and as [h,w,3]."""
    flat = tuple(np.ascontiguousarray(a[: H * W]) for a in rays)
    return flat, tuple(a.reshape(H, W, 3) for a in flat)


def of(result, *names):
    return [getattr(result, name) for name in names]


def is_batch(shaped, flat):
    """Whether these are the flat answers in the shape [h,w,...]."""
    assert shaped.shape == (H, W, *flat.shape[1:])
    return same_bits(shaped.reshape(flat.shape), flat)


def test_hits_have_the_shape_of_the_rays(caster, batch):
    flat, shaped = batch
    names = ("t", "id", "flags", "normal", "points", "kind", "hit")
    one, both = caster.closest_hit(*flat), caster.closest_hit(*shaped)
    for name, a, b in zip(names, of(both, *names), of(one, *names), strict=True):
        assert is_batch(a, b), name
    assert one.hits and len(both) == H * W and repr(both) == repr(one)


def test_every_query_of_rays_takes_batches(caster, batch):
    flat, shaped = batch
    for radius in (None, 0.5, np.linspace(0, 1, H * W)):
        thick = None if radius is None else np.broadcast_to(radius, H * W).reshape(H, W)
        assert is_batch(caster.any_hit(*shaped, radius=thick), caster.any_hit(*flat, radius=radius))
    assert same_bits(caster.any_hit(*shaped, packed=True), caster.any_hit(*flat, packed=True))
    assert is_batch(caster.count_hits(*shaped), caster.count_hits(*flat))
    one, both = caster.all_hits(*flat), caster.all_hits(*shaped)
    assert is_batch(both.count, one.count) and is_batch(both.flags, one.flags)
    assert same_bits(both.id, one.id) and same_bits(both.offsets, one.offsets)


def test_numbers_masks_and_exclusions_of_batches(caster, batch):
    flat, shaped = batch
    hits = caster.closest_hit(*flat)
    t_max = np.where(np.arange(H * W) % 2, 1e9, hits.t / 2).astype(np.float32)
    mask = np.where(np.arange(H * W) % 3, 0xFFFFFFFF, 0)
    two = np.stack([hits.id, np.roll(hits.id, 1)], axis=1)
    for exclude in (hits.id, two):
        one = caster.closest_hit(*flat, t_max=t_max, mask=mask, exclude=exclude)
        both = caster.closest_hit(
            *shaped,
            t_max=t_max.reshape(H, W),
            mask=mask.reshape(H, W),
            exclude=exclude.reshape(H, W, *exclude.shape[1:]),
        )
        assert is_batch(both.t, one.t) and is_batch(both.id, one.id)
    for_all = caster.closest_hit(*shaped, exclude=[hits.id[:2].tolist()])
    assert is_batch(for_all.id, caster.closest_hit(*flat, exclude=[hits.id[:2].tolist()]).id)
    # [h,2] of rays [h,2] is one a ray; [1,2] of rays [1,2] too.
    for rows in (3, 1):
        pairs = [a[: rows * 2].reshape(rows, 2, 3) for a in flat]
        ids = hits.id[: rows * 2].reshape(rows, 2)
        without = caster.closest_hit(*pairs, exclude=ids)
        each = caster.closest_hit(*(a[: rows * 2] for a in flat), exclude=ids.ravel())
        assert same_bits(without.id.ravel(), each.id)


def test_one_origin_is_for_all_directions(caster, batch):
    (origins, directions), (_, shaped) = batch
    each = np.tile(origins[0], (H * W, 1))
    assert is_batch(caster.closest_hit(origins[0], shaped).t, caster.closest_hit(each, directions).t)
    assert is_batch(caster.any_hit(shaped, [0, 0, 1]), caster.any_hit(directions, [0, 0, 1]))
    assert caster.closest_hit(origins[0], directions[0]).t.shape == (1,)


def test_batches_in_other_memory(caster, batch):
    flat, (origins, directions) = batch
    expected = caster.closest_hit(*flat).t
    wide = np.zeros((H, W, 5), np.float32)
    wide[:, :, 1:4] = origins
    padded = np.zeros((H, W + 3, 3), np.float32)
    padded[:, :W] = origins
    other = {
        "part of wider rows": wide[:, :, 1:4],
        "part of longer lines": padded[:, :W],
        "Fortran": np.asfortranarray(origins),
        "transposed": np.ascontiguousarray(origins.transpose(1, 0, 2)).transpose(1, 0, 2),
        "backwards": np.ascontiguousarray(origins[::-1, ::-1])[::-1, ::-1],
        "float64": origins.astype(np.float64),
        "lists": origins.tolist(),
    }
    for name, again in other.items():
        assert is_batch(caster.closest_hit(again, directions).t, expected), name
    steps = np.arange(H * W).reshape(H, W)
    whole = caster.closest_hit(np.zeros((H, W, 3), int), np.asfortranarray(directions), t_max=steps)
    zeros = np.zeros((H * W, 3), np.float32)
    assert is_batch(whole.t, caster.closest_hit(zeros, flat[1], t_max=steps.ravel()).t)


def test_integers_are_rounded_as_float64_is(caster, batch):
    large = 2**24 + 1  # no float32
    origins = np.array([[large, -large, 7], [2**40, 3, -5]])
    directions = [[-1, 1, 0], [0, 0, 1]]
    for kind in (np.int64, np.float64):
        hits = caster.closest_hit(origins.astype(kind), np.array(directions, kind))
        rounded = caster.closest_hit(origins.astype(np.float32), np.float32(directions))
        assert same_bits(hits.t, rounded.t) and same_bits(hits.flags, rounded.flags)


def test_out_has_the_shape_of_the_batch(caster, batch):
    flat, shaped = batch
    out = {"t": np.zeros((H, W), np.float32), "normal": np.zeros((H, W, 3), np.float32)}
    hits = caster.closest_hit(*shaped, out=out)
    expected = caster.closest_hit(*flat)
    assert hits.t is out["t"] and is_batch(hits.t, expected.t)
    assert is_batch(out["normal"], expected.normal) and is_batch(hits.points, expected.points)
    for wrong in (np.zeros(H * W, np.float32), np.zeros((W, H), np.float32),
                  np.zeros((W, H), np.float32).T):  # fmt: skip
        with pytest.raises(sl.UsageError, match=r'out\["t"\] is not a contiguous.* \[5,8\]'):
            caster.closest_hit(*shaped, out={"t": wrong})


def test_batches_that_differ_are_refused(caster):
    for other in (np.ones((W, H, 3)), np.ones((H * W, 3))):
        shape = ",".join(map(str, other.shape[:-1]))
        with pytest.raises(sl.UsageError, match=rf"directions has \[{shape}\] elements, origins has"):
            caster.closest_hit(np.zeros((H, W, 3)), other)
    with pytest.raises(sl.UsageError, match=r"t_max has \[40\] elements, origins has \[5,8\]"):
        caster.closest_hit(np.zeros((H, W, 3)), [0, 0, 1], t_max=np.ones(H * W))
    with pytest.raises(sl.UsageError, match=r"origins has the shape \[1,1,1,1,1,1,1,3\]"):
        caster.closest_hit(np.zeros((1, 1, 1, 1, 1, 1, 1, 3)), [0, 0, 1])
    six = np.zeros((1, 1, 1, 1, 1, 1, 3))
    assert caster.nearest(six, k=2).point.shape == (1, 1, 1, 1, 1, 1, 2, 3)
    with pytest.raises(sl.UsageError, match="6 sides and targets of 6 make a matrix of more than 8"):
        caster.visibility(six, six)


def test_points_in_batches(caster, eyes):
    flat = eyes[: H * W]
    points = flat.reshape(H, W, 3)
    near, one = caster.nearest(points, k=2), caster.nearest(flat, k=2)
    for name in ("distance", "id", "point", "direction"):
        assert is_batch(getattr(near, name), getattr(one, name)), name
    assert repr(near) == repr(one) == "Nearest(40 points, k = 2)"
    ends, flat_ends = points[::-1, ::-1], flat[::-1]
    clear, one = caster.clearance(points, ends, k=3), caster.clearance(flat, flat_ends, k=3)
    for name in ("distance", "id", "t", "on_segment", "on_shape"):
        assert is_batch(getattr(clear, name), getattr(one, name)), name
    assert is_batch(caster.probes(points, 2), caster.probes(flat, 2))
    cover, one = caster.cover(points), caster.cover(flat)
    for name in ("height", "facing", "distance", "crouch", "stand", "left", "right"):
        assert is_batch(getattr(cover, name), getattr(one, name)), name
    assert repr(cover) == repr(one)


def test_sight_in_batches(caster, eyes):
    flat = eyes[: H * W]
    points, others = flat.reshape(H, W, 3), eyes[60:66].reshape(2, 3, 3)
    seen, one = caster.visibility(points, others), caster.visibility(flat, eyes[60:66])
    assert same_bits(seen.bits, one.bits) and seen.shape == (H, W, 2, 3) and one.shape == (40, 6)
    assert same_bits(seen.unpack().reshape(40, 6), one.unpack()) and one.visible
    assert seen.unpack().shape == seen.shape and is_batch(seen.counts(), one.counts())
    assert caster.visibility(points).shape == (H, W, H, W)
    pairs = caster.visibility_pairs(points, points[::-1])
    assert is_batch(pairs, caster.visibility_pairs(flat, points[::-1].reshape(-1, 3)))
    assert is_batch(caster.exposure(points), caster.exposure(flat))
    assert is_batch(caster.exposure(eyes, points), caster.exposure(eyes, flat))
    looks = sl.Fields(np.ones((H, W, 3)), np.linspace(10, 90, H * W).reshape(H, W))
    each = sl.Fields(np.ones((H * W, 3)), np.linspace(10, 90, H * W))
    seen, one = (caster.visibility(p, eyes, fields=f) for p, f in ((points, looks), (flat, each)))
    assert same_bits(seen.bits, one.bits) and seen.shape == (H, W, 200) and one.visible
    masks = np.arange(H * W, dtype=np.uint32)
    seen = caster.visibility(sl.Points(points, mask=masks.reshape(H, W)), eyes)
    assert same_bits(seen.bits, caster.visibility(sl.Points(flat, mask=masks), eyes).bits)


def test_shapes_in_batches(caster, scene, batch):
    _, (origins, directions) = batch
    hits = caster.closest_hit(origins, directions)
    assert is_batch(scene.kinds(hits.id), scene.kinds(hits.id.ravel()))
    grid, one = sl.Scene(), sl.Scene()
    grid.add_spheres(origins, np.ones((H, W)))
    one.add_spheres(origins.reshape(-1, 3), 1)
    assert grid.hash == one.hash
    swept = caster.sweep(grid, directions)
    assert is_batch(swept.t, caster.sweep(one, directions.reshape(-1, 3)).t)
    assert caster.sweep(grid, [1, 0, 0]).t.shape == (H * W,)
    with pytest.raises(sl.UsageError, match=r"corners is not \[n,3\]"):
        sl.Areas().add(np.zeros((2, 2, 3)), 1)


def test_flat_queries_in_batches():
    flat = sl.FlatScene()
    flat.add_circles([[0, 0], [3, 1]], 1)
    caster = sl.FlatCaster(flat, "cpu")
    a = np.random.default_rng(8).uniform(-4, 4, (H, W, 2))
    b = a[::-1]
    rows = a.reshape(-1, 2), b.reshape(-1, 2)
    hits, one = caster.cast(a, b), caster.cast(*rows)
    for name in ("t", "id", "flags"):
        assert is_batch(getattr(hits, name), getattr(one, name)), name
    assert is_batch(caster.overlap_any(a, 0.5), caster.overlap_any(rows[0], 0.5))
    assert is_batch(caster.overlap_count(a, 0.5), caster.overlap_count(rows[0], 0.5))
    with pytest.raises(sl.UsageError, match=r"corners is not \[n,2\]"):
        flat.add_polygon(np.zeros((2, 2, 2)))
