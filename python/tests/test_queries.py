"""Every query: the same bits as the program gives, from the same files, and as the reference."""

import json
import re
import subprocess

import numpy as np
import pytest

import sightline as sl
from support import read_tensors, same_bits


@pytest.fixture(scope="module")
def ask(tmp_path_factory, scene):
    """Runs a verb of the program; returns the tensors of its result."""
    folder = tmp_path_factory.mktemp("files")
    scene.save(folder / "scene.safetensors")

    def run(verb, *words, **arrays):
        result = f"{verb}_result.st"  # a result of another kind is not replaced
        command = [sl.program(), verb, "scene.safetensors", *map(str, words), "-o", result, "-q"]
        for name, array in arrays.items():
            np.save(folder / f"{name}.npy", array)
            command += ["--" + name.rstrip("_").replace("_", "-"), f"{name}.npy"]
        subprocess.run([*command, "--restart"][: None if verb not in ("nav", "pvs") else -1],
                       cwd=folder, check=True)  # fmt: skip
        return read_tensors(folder / result)

    run.folder = folder
    return run


@pytest.mark.parametrize("inside", ["solid", "surface", "ignore"])
def test_closest_hit(ask, caster, rays, inside):
    hits = caster.closest_hit(*rays, inside=inside)
    file = ask("cast", "--normals", "--inside", inside, origins=rays[0], directions=rays[1])
    for name in ("t", "id", "flags", "normal"):
        assert same_bits(getattr(hits, name), file[name]), name
    assert 0 < hits.hits < len(hits)
    assert hits.hits == (hits.flags & 1).sum() == hits.hit.sum()


def test_hits_say_kinds_and_points(caster, scene, rays):
    hits = caster.closest_hit(*rays)
    kinds = scene.kinds(hits.id)
    every = set(range(len(sl.KINDS))) - {sl.KINDS.index(kind) for kind in ("cylinder", "triangle")}
    assert same_bits(hits.kind, kinds) and set(kinds) - {255} == every
    at = rays[0].astype(float) + hits.t[:, None].astype(float) * rays[1]
    at[~hits.hit] = np.nan
    assert np.array_equal(hits.points, at.astype(np.float32), equal_nan=True)


def test_any_hit_is_whether_closest_hit_hits(ask, caster, rays):
    any_hit = caster.any_hit(*rays)
    assert np.array_equal(any_hit, caster.closest_hit(*rays, normals=False).hit)
    file = ask("cast", "--query", "any", origins=rays[0], directions=rays[1])
    assert same_bits(caster.any_hit(*rays, packed=True), file["blocked"])


def test_thick_rays(ask, caster, rays):
    radius = np.random.default_rng(2).uniform(0, 1, len(rays[0])).astype(np.float32)
    hits = caster.closest_hit(*rays, radius=radius)
    file = ask("cast", origins=rays[0], directions=rays[1], radius=radius)
    assert same_bits(hits.t, file["t"]) and same_bits(hits.id, file["id"])
    assert np.array_equal(caster.any_hit(*rays, radius=radius), hits.hit)


def test_all_hits(ask, caster, rays):
    rows = caster.all_hits(*rays, t_out=True)
    file = ask("cast", "--query", "all", "--t-out", origins=rays[0], directions=rays[1])
    for name in ("offsets", "id", "t", "t_out"):
        assert same_bits(getattr(rows, name), file[name]), name
    assert np.array_equal(rows.count, np.diff(rows.offsets.astype(np.int64)))
    assert same_bits(rows.count, caster.count_hits(*rays))
    first = caster.all_hits(*rays, first=1)
    hits = caster.closest_hit(*rays)
    assert np.array_equal(first.id, hits.id[hits.hit])


def test_csr(caster, scene, rays):
    pytest.importorskip("scipy")
    rows = caster.all_hits(*rays)
    matrix = rows.csr(len(scene))
    assert matrix.shape == (len(rays[0]), len(scene)) and matrix.nnz == len(rows.id)
    with pytest.raises(sl.UsageError, match="but there is a hit of id"):
        rows.csr(3)


def test_parts_of_a_call_join_to_one_answer(caster, rays, eyes):
    """Calls of more than 2^22 rays or 2^25 pairs are answered in parts."""
    times = 2**22 // len(rays[0]) + 5
    many = [np.tile(a, (times, 1)) for a in rays]
    one, all_rays = caster.closest_hit(*rays), caster.closest_hit(*many)
    for name in ("t", "id", "flags"):
        assert same_bits(getattr(all_rays, name), np.tile(getattr(one, name), times)), name
    assert all_rays.hits == times * one.hits
    assert same_bits(caster.any_hit(*many), np.tile(one.hit, times))
    seen, points = caster.visibility(eyes), np.tile(eyes, (30, 1))
    both = caster.visibility(points, points)
    assert same_bits(both.unpack(), np.tile(seen.unpack(), (30, 30)))
    assert both.visible == 900 * seen.visible and both.bad_targets == 30
    assert np.array_equal(caster.exposure(points), np.tile(caster.exposure(eyes) * 30, 30))


def test_masks_and_exclusions(caster, scene, rays):
    hits = caster.closest_hit(*rays)
    without = caster.closest_hit(*rays, exclude=hits.id)
    assert not np.any((without.id == hits.id) & hits.hit)
    two = np.stack([hits.id, without.id], axis=1)
    third = caster.closest_hit(*rays, exclude=two)
    pair = np.unique(hits.id[hits.hit])[:2]
    both = caster.closest_hit(*rays, exclude=[pair.tolist()])
    each = np.tile(pair, (len(rays[0]), 1))
    assert same_bits(both.id, caster.closest_hit(*rays, exclude=each).id)
    assert not np.isin(both.id, pair).any()
    rows = caster.all_hits(*rays, first=3)
    some = np.flatnonzero(rows.count >= 3)
    assert len(some) and np.array_equal(third.id[some], rows.id[rows.offsets[some] + 2])
    plane = scene.id("plane", 0)
    down = caster.closest_hit(rays[0], [0, 0, -1], mask=2)
    assert (down.id == plane).any()
    assert not (caster.closest_hit(rays[0], [0, 0, -1], mask=2, exclude_group=7).id == plane).any()


def test_visibility(ask, caster, eyes):
    seen = caster.visibility(eyes)
    assert same_bits(seen.bits, ask("visibility", from_=eyes)["bits"])
    assert seen.shape == (200, 200) and seen.bad_viewpoints == 1
    matrix = seen.unpack()
    assert seen.visible == matrix.sum() == seen.counts().sum()
    assert np.array_equal(matrix, matrix.T) and not matrix[17].any()
    half = caster.visibility(eyes[:50], eyes)
    assert np.array_equal(half.unpack(), matrix[:50])
    pairs = caster.visibility_pairs(eyes, eyes[::-1])
    assert np.array_equal(pairs, matrix[np.arange(200), np.arange(200)[::-1]])
    assert np.array_equal(caster.exposure(eyes), matrix.sum(axis=0))
    assert same_bits(caster.exposure(eyes), ask("exposure", from_=eyes, to=eyes)["count"])


def test_visibility_by_fields_masks_and_range(ask, caster, eyes):
    ahead = np.float32([1, 0.5, 0])
    fields = sl.Fields(ahead, 60, 40)
    seen = caster.visibility(eyes, eyes, fields=fields)
    file = ask("visibility", "--half-angle", 60, "--view-range", 40, from_=eyes,
               view_directions=ahead[None])  # fmt: skip
    assert same_bits(seen.bits, file["bits"])
    assert 0 < seen.visible < caster.visibility(eyes, range=40).visible
    blind = caster.visibility(sl.Points(eyes, mask=0))
    good = ~np.isnan(eyes[:, 0])
    assert blind.visible == good.sum() ** 2
    for angles in ([1, 2, 3], [1]):
        with pytest.raises(sl.UsageError, match="half_angle has . elements, viewpoints has 200"):
            caster.visibility(eyes, fields=sl.Fields(ahead, angles))
    around = np.float32([[1, 0, 0], [-1, 0, 0], [0, 1, 0]])
    eye = eyes[np.argmax(caster.visibility(eyes).counts())]
    one = caster.visibility(eye, eyes, fields=sl.Fields(around, 60))
    each = caster.visibility(np.tile(eye, (3, 1)), eyes, fields=sl.Fields(around, 60))
    assert one.shape == (3, 200) and same_bits(one.bits, each.bits) and one.visible
    assert np.array_equal(caster.exposure(eye, eyes, fields=sl.Fields(around, 60)),
                          each.unpack().sum(axis=0))  # fmt: skip
    with pytest.raises(sl.UsageError, match=r"half_angle\[1\] is"):
        sl.Fields(ahead, [1, 181])


def test_nearest_and_clearance(ask, caster, eyes):
    near = caster.nearest(eyes, k=3, range=30)
    file = ask("distance", "--k", 3, "--range", 30, points=eyes)
    for name in ("distance", "id", "point", "direction"):
        assert same_bits(getattr(near, name), file[name]), name
    assert near.bad_points == 1
    clear = caster.clearance(eyes, eyes[::-1], k=2)
    file = ask("distance", "--k", 2, points=eyes, to=np.ascontiguousarray(eyes[::-1]))
    for name in ("distance", "id", "t", "on_shape"):
        assert same_bits(getattr(clear, name), file[name]), name
    found = clear.id != sl.NONE
    apart = np.linalg.norm(clear.on_segment - clear.on_shape.astype(float), axis=2)
    assert found.any() and np.allclose(apart[found], clear.distance[found], atol=1e-3)
    bare = caster.nearest(eyes, places=False)
    assert bare.point is None and np.array_equal(bare.id[:, 0], caster.nearest(eyes).id[:, 0])
    with pytest.raises(sl.UsageError, match="k is 0"):
        caster.nearest(eyes, k=0)


def agents():
    scene = sl.Scene()
    at = np.random.default_rng(4).uniform(-20, 20, (60, 3))
    scene.add_spheres(at, 1.5)
    scene.add_capsules(at, at + [0, 0, 2], 0.5)
    return scene


def test_overlaps(ask, caster):
    moving = agents()
    moving.save(ask.folder / "agents.st")
    rows = caster.overlap_all(moving)
    file = ask("overlap", "--with", "agents.st", "--query", "all")
    assert same_bits(rows.offsets, file["offsets"]) and same_bits(rows.id, file["id"])
    counts = np.diff(rows.offsets.astype(np.int64))
    assert np.array_equal(caster.overlap_count(moving), counts) and counts.any()
    assert np.array_equal(caster.overlap_any(moving), counts > 0)
    assert np.array_equal(caster.overlap_any(moving, 60), counts[60:] > 0)
    bodies = caster.overlap_any(moving, body=5)
    assert np.array_equal(bodies, (counts > 0).reshape(-1, 5).any(axis=1))
    file = ask("overlap", "--with", "agents.st", "--body", "5")
    assert same_bits(caster.overlap_any(moving, body=5, packed=True), file["bits"])
    for wrong in [{"count": 100}, {"body": 7}, {"body": 0}]:
        with pytest.raises(sl.UsageError):
            caster.overlap_any(moving, 100, **wrong)


def test_sweep(ask, caster):
    moving = agents()
    moving.save(ask.folder / "agents.st")
    steps = np.random.default_rng(6).normal(size=(120, 3)).astype(np.float32)
    hits = caster.sweep(moving, steps, t_max=9)
    file = ask("sweep", "--capsules", "agents.st", "--t-max", 9, "--normals", directions=steps)
    for name in ("t", "id", "flags", "normal"):
        assert same_bits(getattr(hits, name), file[name]), name
    with pytest.raises(sl.UsageError, match="3 elements for 120"):
        caster.sweep(moving, steps[:3])
    with pytest.raises(sl.UsageError, match="no points"):
        hits.points  # noqa: B018


def boxes(scene):
    """Four floors over the scene, as areas and as the file of areas that the program reads."""
    low, high = scene.bounds
    areas, rows = sl.Areas(), []
    for x in np.linspace(low[0], high[0], 5)[:-1]:
        w = (high[0] - low[0]) / 4
        corners = np.float32([[x, low[1], high[2]], [x + w, low[1], high[2]],
                              [x + w, high[1], high[2]], [x, high[1], high[2]]])  # fmt: skip
        areas.add(corners, 5)
        rows.append({"corners": corners.tolist(), "height": 5})
    return areas, rows


def test_areas_and_pvs(ask, caster, scene):
    areas, rows = boxes(scene)
    (ask.folder / "areas.json").write_text(json.dumps({"areas": rows}))
    counts, samples = caster.areas(areas, samples=32)
    file = ask("areas", "--areas", "areas.json", "--samples", 32)
    assert same_bits(counts, file["visible"])
    assert len(areas) == 4 and samples.max() <= 32
    classes = caster.pvs(areas, samples=32)
    pairs = samples[:, None].astype(int) * samples
    expected = np.where(counts == 0, 0, np.where(counts == pairs, 2, 1))
    assert np.array_equal(classes, expected)


def test_probes(ask, caster, eyes):
    distance = caster.probes(eyes[:20], 6)
    assert same_bits(distance, ask("probes", "--grid", 6, points=eyes[:20])["distance"])
    directions = sl.octahedral_directions(6)
    hits = caster.closest_hit(np.repeat(eyes[:20], 36, axis=0), np.tile(directions, (20, 1)))
    assert np.array_equal(distance.ravel(), hits.t)


def test_cover(ask, caster, eyes):
    found = caster.cover(eyes, reach=4, view=6)
    file = ask("cover", "--reach", 4, "--view", 6, points=eyes)
    for name in ("height", "facing", "distance", "crouch", "stand", "left", "right"):
        assert same_bits(getattr(found, name), file[name]), name
    assert found.height.any()


def test_navigation(ask, caster, scene, tmp_path):
    told = []
    nav = caster.bake_navigation(cell=1, cell_height=0.5, jump=4,
                                 progress=lambda *a: told.append(a))  # fmt: skip
    file = ask("nav", "--cell", 1, "--cell-height", 0.5, "--jump", 4)
    columns = nav.columns()
    assert len(nav) > 100 and told and told[-1][1] == told[-1][2]
    for name, column in columns.items():
        assert same_bits(column, file[name]), name
    nav.save(tmp_path / "nav.st")
    again = sl.NavMap.load(tmp_path / "nav.st").columns()
    assert all(same_bits(column, again[name]) for name, column in columns.items())
    assert np.array_equal(nav.positions()[:, 2], columns["top"])
    with pytest.raises(ValueError, match="read-only"):
        columns["top"][0] = 1
    places = caster.cover_places(nav)
    assert same_bits(places.position, nav.positions()[places.span])


def test_flat(tmp_path):
    flat = sl.FlatScene()
    flat.add_circles([[0, 0], [10, 0]], [1, 2])
    flat.add_capsules([0, 5], [3, 5], 0.5)
    flat.add_sectors([-9, 0], [1, 0], 45, 3)
    flat.add_polygon([[20, 0], [22, 0], [21, 2]])
    flat.add_aabbs([-3, -9], [3, -8])
    flat.add_obbs([30, 0], [2, 1], 90)
    assert len(flat) == 7
    flat.save(tmp_path / "flat.st")
    assert len(sl.FlatScene.load(tmp_path / "flat.st")) == 7
    caster = sl.FlatCaster(flat, "cpu")
    hits = caster.cast([-20, 0], [40, 0])
    assert hits.id[0] == 3 and hits.t[0] == np.float32(11 / 60) and hits.flags[0] == 1
    where = np.float32([[0, 1.5], [30, 2], [30, 2.5], [50, 50]])
    assert caster.overlap_any(where, 0.5).tolist() == [True, True, True, False]
    assert caster.overlap_any(where, 0.25).tolist() == [False, True, False, False]
    rows = caster.overlap_all(where, 0.5)
    assert np.array_equal(caster.overlap_count(where, 0.5), np.diff(rows.offsets.astype(int)))
    with pytest.raises(sl.UsageError, match=r"half_angles\[0\] is 200.* not from 0 to 180"):
        flat.add_sectors([0, 0], [1, 0], 200, 1)
    with pytest.raises(sl.BadInputError):
        flat.add_circles([[0, 0], [1, 1]], [1, -1])
    assert len(flat) == 7  # none of a refused call is added


def test_reference_lanes_and_threads_agree(scene, caster, rays, eyes):
    hits, seen = caster.closest_hit(*rays), caster.visibility(eyes)
    for options in ({"device": "reference"}, {"lanes": "portable"}, {"threads": 1}):
        try:
            other = sl.Caster(scene, **{"device": "cpu", **options})
        except sl.UsageError:  # a build for one processor has only its own lanes
            assert "lanes" in options
            continue
        again = other.closest_hit(*rays)
        assert same_bits(again.t, hits.t) and same_bits(again.id, hits.id)
        assert same_bits(again.normal, hits.normal)
        assert same_bits(other.visibility(eyes).bits, seen.bits)


def test_what_results_say_of_themselves(caster, rays, eyes):
    n, m = len(rays[0]), len(eyes)
    hits, rows = caster.closest_hit(*rays), caster.all_hits(*rays)
    assert repr(hits) == f"Hits({hits.hits} of {n})"
    assert repr(rows) == f"HitRows({rows.hits} hits of {n} rays)"
    assert repr(caster.nearest(eyes, k=2)) == f"Nearest({m} points, k = 2)"
    assert repr(caster.clearance(eyes, eyes)) == f"Clearance({m} segments, k = 1)"
    assert repr(caster.cover(eyes)) == f"Cover({m} points)"
    over = caster.overlap_all(caster.scene, count=3)
    assert repr(over) == f"OverlapRows({len(over.id)} overlaps of 3 shapes)"
    flat = sl.FlatScene()
    flat.add_circles([[0, 0]], 1)
    two = sl.FlatCaster(flat)
    assert repr(flat) == "FlatScene(1 shape)" and repr(two) == f"FlatCaster({two.description})"
    assert repr(two.cast([[-5, 0], [9, 9]], [[5, 0], [8, 9]])) == "FlatHits(1 of 2)"
    assert repr(two.overlap_all([[0, 0]], 1)) == "FlatRows(1 overlap of 1 circle)"
    one = sl.Scene()
    one.add_aabbs([0, 0, 0], [1, 1, 1])
    assert repr(one) == "Scene(1 shape, aabb 1)"
    alone = sl.Caster(one)
    assert repr(alone.nearest([9, 9, 9])) == "Nearest(1 point, k = 1)"
    assert repr(alone.cover([9, 9, 9])) == "Cover(1 point)"
    assert repr(alone.overlap_all(one)) == "OverlapRows(1 overlap of 1 shape)"
    assert repr(alone.all_hits([9, 0.5, 0.5], [-1, 0, 0])) == "HitRows(1 hit of 1 ray)"


def test_results_are_arrays_or_say_which_of_theirs_to_take(caster, rays, eyes):
    seen = caster.visibility(eyes, eyes[:70])
    far = sl.distributed.Visibility(seen.bits, (len(eyes), 70))
    for matrix in (seen, far):
        with pytest.raises(ValueError, match="^a Visibility holds bits: its matrix of bools is a copy"):
            matrix.__array__(copy=False)
        for copy in (True, None):
            assert (matrix.__array__(copy=copy) == seen.unpack()).all()
        if np.lib.NumpyVersion(np.__version__) >= "2.0.0":
            with pytest.raises(ValueError, match="is a copy"):
                np.asarray(matrix, copy=False)
            assert np.array(matrix, copy=True).dtype == bool
    assert same_bits(np.asarray(seen), seen.unpack()) and np.asarray(seen, int).sum() == seen.visible
    flat = sl.FlatScene()
    flat.add_circles([[0, 0]], 1)
    two = sl.FlatCaster(flat)
    nav = caster.bake_navigation(cell=1.0, range=4)
    for result in (
        caster.closest_hit(*rays),
        caster.all_hits(*rays),
        caster.overlap_all(caster.scene, count=3),
        caster.nearest(eyes),
        caster.clearance(eyes, eyes),
        caster.cover(eyes),
        caster.cover_places(nav),
        nav,
        two.cast([[-5, 0]], [[5, 0]]),
        two.overlap_all([[0, 0]], 1),
        sl.Points(eyes),
        sl.distributed.Hits(),
    ):
        name = type(result).__name__
        with pytest.raises(sl.UsageError, match=rf"^a {name} is no array: take ") as error:
            np.asarray(result)
        fields = re.findall(r"\.(\w+)", str(error.value))
        assert fields and all(hasattr(type(result), field) for field in fields), fields
    with pytest.raises(sl.UsageError, match=r"^origins: a Hits is no array: take .t, .id"):
        caster.closest_hit(caster.closest_hit(*rays), [0, 0, 1])
