"""Plots: the artists hold the shapes, the shares and the depths that were asked for."""

import sys

import numpy as np
import pytest

import sightline as sl

matplotlib = pytest.importorskip("matplotlib")
matplotlib.use("Agg")
import matplotlib.pyplot as plt  # noqa: E402


@pytest.fixture(autouse=True)
def drawn():
    """Whatever a test plots is also drawn, which is where matplotlib looks at much of it."""
    yield
    try:
        for number in plt.get_fignums():
            plt.figure(number).canvas.draw()
    finally:
        plt.close("all")


@pytest.fixture
def town():
    """A wall between west and east, and one shape of each other kind."""
    scene = sl.Scene()
    scene.add_aabbs([4, -1, 0], [5, 1, 3])
    half = np.sqrt(0.5)
    scene.add_obbs([0, 0, 1], [2, 1, 0.5], [0, 0, np.sin(np.pi / 8), np.cos(np.pi / 8)])
    scene.add_spheres([0, 6, 2], 1.5)
    scene.add_capsules([[8, 0, 0], [8, 5, 1]], [[8, 0, 4], [8 + 3 * half, 5 + 3 * half, 1]], 0.5)
    scene.add_planes([0, 0, 1], 0)
    scene.metadata = {"unit": "m", "up": "z"}
    return scene


def footprints(ax):
    """Corners of the shapes' footprints by the heights of their tops."""
    drawn = ax.collections[0]
    return {float(top): path.vertices for top, path in zip(drawn.get_array(), drawn.get_paths())}


def test_a_scene_is_its_footprints_the_highest_last(town):
    ax = sl.plot.scene(town)
    shapes = footprints(ax)
    assert ax.collections[0].get_array().tolist() == [1.5, 1.5, 3, 3.5, 4.5]  # not the plane
    assert {tuple(c) for c in shapes[3]} == {(4, -1), (5, -1), (5, 1), (4, 1)}
    around = np.hypot(*(shapes[3.5] - [0, 6]).T)
    assert np.allclose(around, 1.5) and np.allclose(np.ptp(shapes[3.5], 0), 3)
    assert np.allclose(np.hypot(*(shapes[4.5] - [8, 0]).T), 0.5)  # a capsule on end
    assert (ax.get_xlabel(), ax.get_ylabel(), ax.get_aspect()) == ("x [m]", "y [m]", 1)
    assert ax.child_axes[0].get_ylabel() == "top of the shape [m]"
    assert ax.dataLim.x0 == pytest.approx(-1.5 * 2**0.5)  # the turned box reaches furthest


def test_a_height_leaves_the_shapes_that_reach_it(town):
    assert list(footprints(sl.plot.scene(town, z=3.25))) == [3.5, 4.5]
    assert list(footprints(sl.plot.scene(town, z=0.25))) == [3, 4.5]
    assert list(footprints(sl.plot.scene(town, z=9))) == []


@pytest.mark.parametrize("up", ["z", "y"])
def test_the_footprint_of_a_turned_box_is_its_shadow(up):
    """Of a turned box the hull of its corners."""
    from scipy.spatial import ConvexHull
    from scipy.spatial.transform import Rotation

    rng = np.random.default_rng(4)
    turns = Rotation.random(50, rng)
    center, half = rng.normal(size=(50, 3)), rng.uniform(0.1, 2, (50, 3))
    scene = sl.Scene()
    scene.add_obbs(center, half, turns.as_quat())
    scene.metadata = {"up": up}
    ax = sl.plot.scene(scene)
    across, height = ([0, 1], 2) if up == "z" else ([0, 2], 1)
    signs = np.stack(np.meshgrid(*[[-1, 1]] * 3), -1).reshape(-1, 3)
    corners = np.stack([center[i] + turns[i].apply(signs * half[i]) for i in range(50)])
    order = np.argsort(corners[:, :, height].max(1))
    drawn = ax.collections[0]
    assert np.allclose(drawn.get_array(), corners[order, :, height].max(1), atol=1e-5)
    for path, box in zip(drawn.get_paths(), corners[order][:, :, across]):
        hull, shown = ConvexHull(box), ConvexHull(path.vertices)
        assert shown.volume == pytest.approx(hull.volume, abs=1e-4)
        assert len(path.vertices) >= 6
        assert np.all(hull.equations @ np.c_[path.vertices, np.ones(len(path.vertices))].T < 1e-4)
    assert ax.yaxis_inverted() == (up == "y") and ax.get_ylabel() == "xyz"[across[1]]


def test_a_lying_capsule_is_what_lies_within_its_radius(town):
    half = np.sqrt(0.5)
    corners = sl.plot.scene(town, z=0.75).collections[0].get_paths()
    lying = next(p.vertices for p in corners if np.all(p.vertices > [7, 4]))
    along = (lying - [8, 5]) @ [half, half]
    aside = (lying - [8, 5]) @ [-half, half]
    beyond = along - np.clip(along, 0, 3)
    assert np.allclose(np.hypot(beyond, aside), 0.5, atol=1e-5)
    assert np.isclose(along.min(), -0.5) and np.isclose(along.max(), 3.5)


@pytest.mark.parametrize("up", ["z", "y"])
def test_the_footprint_of_a_cylinder_is_the_shadow_of_its_ends(up):
    from scipy.spatial import ConvexHull

    rng = np.random.default_rng(5)
    a, b, radius = rng.normal(size=(50, 3)), rng.normal(size=(50, 3)), rng.uniform(0.1, 2, 50)
    b[0] = a[0] + [0, 0, 1]
    b[1] = a[1] + [1, 0, 0]
    scene = sl.Scene()
    scene.add_cylinders(a, b, radius)
    scene.metadata = {"up": up}
    across, height = ([0, 1], 2) if up == "z" else ([0, 2], 1)
    n = (b - a) / np.linalg.norm(b - a, axis=1, keepdims=True)
    x = np.cross(n, np.where(np.abs(n[:, :1]) < 0.8, [1, 0, 0], [0, 1, 0]))
    x /= np.linalg.norm(x, axis=1, keepdims=True)
    y, angle = np.cross(n, x), np.linspace(0, 2 * np.pi, 721)[:-1, None]
    drawn = sl.plot.scene(scene).collections[0]
    rims = np.stack([
        np.concatenate([end + r * (np.cos(angle) * u + np.sin(angle) * v) for end in (p, q)])
        for p, q, r, u, v in zip(a, b, radius, x, y)
    ])  # fmt: skip
    top = rims[:, :, height].max(1)
    order = np.argsort(top)
    assert np.allclose(drawn.get_array(), top[order], atol=1e-4)
    for path, rim in zip(drawn.get_paths(), rims[order][:, :, across]):
        hull, shown = ConvexHull(rim), ConvexHull(path.vertices)
        assert 0.97 * hull.volume <= shown.volume <= hull.volume * (1 + 1e-4)
        assert np.all(hull.equations @ np.c_[path.vertices, np.ones(len(path.vertices))].T < 1e-3)


@pytest.fixture
def sight(town):
    rng = np.random.default_rng(2)
    points = np.c_[rng.uniform(-5, 10, (70, 2)), np.full(70, 1.6)].astype(np.float32)
    points[5] = np.nan
    return sl.Caster(town, "cpu"), points


def test_visibility_is_the_share_of_the_others(sight):
    caster, points = sight
    v = caster.visibility(points)
    bar = sl.plot.visibility(caster, v, points)
    seen = v.unpack()
    np.fill_diagonal(seen, False)
    dots = bar.collections[1]
    assert np.array_equal(dots.get_array(), seen.sum(1) / 69) and 0 < seen.sum() < 69 * 69
    good = np.arange(70) != 5
    assert np.array_equal(np.asarray(dots.get_offsets())[good], points[good, :2])
    assert bar.child_axes[0].get_ylabel() == "share of the other points seen"


def test_visibility_of_targets_and_of_one_viewpoint(sight, town):
    caster, points = sight
    v = caster.visibility(points[:3], points)
    dots = sl.plot.visibility(town, v, sl.Points(points[:3]), targets=points).collections[1]
    assert np.array_equal(dots.get_array(), v.counts() / 70)
    ax = sl.plot.visibility(town, v, points[:3], viewpoint=2, targets=points)
    assert np.array_equal(ax.collections[1].get_array(), v.unpack()[2])
    assert np.array_equal(np.ravel(ax.lines[0].get_data()), points[2, :2])
    count = v.counts()[2]
    labels = [text.get_text() for text in ax.get_legend().get_texts()]
    assert labels == ["viewpoint", f"seen ({count})", f"not seen ({70 - count})"]


def test_exposure_colours_are_the_counts(sight):
    caster, points = sight
    counts = caster.exposure(points[:9], points)
    ax = plt.subplots()[1]
    assert sl.plot.exposure(caster, points, counts, ax=ax) is ax
    assert np.array_equal(ax.collections[1].get_array(), counts) and counts.max() > counts.min()


def test_batches_are_drawn_as_their_rows_are(sight):
    caster, points = sight
    grid = points.reshape(7, 10, 3)
    for viewpoint in (None, 3):
        many, one = (
            sl.plot.visibility(caster, caster.visibility(p), p, viewpoint).collections[1].get_array()
            for p in (grid, points)
        )
        assert np.array_equal(many, one) and len(one) == 70
    counts = caster.exposure(points[:9], grid)
    dots = sl.plot.exposure(caster, grid, counts).collections[1].get_array()
    assert np.array_equal(dots, counts.ravel())


def test_points_and_answers_must_be_as_many(sight, town):
    caster, points = sight
    v = caster.visibility(points[:3], points)
    for call, words in [
        (lambda: sl.plot.visibility(town, v, points), "points has 70 rows, but there are 3 view"),
        (lambda: sl.plot.visibility(town, v, points[:3]), "targets has 3 rows, but there are 70"),
        (lambda: sl.plot.exposure(town, points[1:], range(70)), "points has 69 rows"),
        (lambda: sl.plot.areas(town, [points[:3]], [[0, 1]]), r"classes is \[1, 2\], but"),
        (lambda: sl.plot.depth(caster.closest_hit(points, [0, 0, 1]), (7, 9)), "70 hits"),
        (lambda: sl.plot.depth(caster.closest_hit(points, [0, 0, 1])), r"shape \[70\], not \[h,w\]"),
    ]:
        with pytest.raises(sl.UsageError, match=words):
            call()
    assert not plt.get_fignums()  # a refused call leaves no empty figure behind


@pytest.mark.parametrize("up", ["z", "y"])
def test_navigation_shows_the_highest_walkable_floor(up):
    """A block on a ground, too high to climb: two regions, grey along the block's edge."""
    order = [0, 1, 2] if up == "z" else [0, 2, 1]
    scene = sl.Scene()
    scene.add_aabbs(np.array([[0, 0, -1], [4, 2, 0]])[:, order],
                    np.array([[20, 10, 0], [10, 8, 3]])[:, order])  # fmt: skip
    scene.metadata = {"up": up, "unit": "m"}
    nav = sl.Caster(scene, "cpu").bake_navigation(cell=0.5, up=up, jump=2, drop=5)
    ax = sl.plot.navigation(nav, scene)
    image = ax.images[0]
    shown = image.get_array()
    assert shown.shape == (nav.depth, nav.width) == (20, 40) and not shown.mask.any()
    assert np.allclose(image.get_extent(), [0, 20, 0, 10], atol=1e-5)
    columns = nav.columns()
    x, y = nav.positions()[:, order[:2]].T
    top = np.full(shown.shape, -1)
    for i in np.flatnonzero(columns["region"] != sl.NONE):
        top[int(y[i] / 0.5), int(x[i] / 0.5)] = columns["region"][i]
    assert np.array_equal(shown, top) and set(top.ravel()) == {-1, 0, 1}
    assert shown[10, 14] != shown[2, 14] and shown[4, 14] == -1
    rgba = image.to_rgba(np.array([-1, 0, 1]))
    assert len(np.unique(rgba, axis=0)) == 3
    jumps = ax.collections[0].get_segments()
    assert len(jumps) == len(columns["jump.from"]) > 0
    assert np.array_equal(jumps[0][0], columns["jump.from"][0, order[:2]])
    assert len(ax.collections[1].get_paths()) == 2 and ax.yaxis_inverted() == (up == "y")
    assert sl.plot.navigation(nav).get_xlabel() == "x"


def test_areas_are_coloured_by_class(town):
    corners = [np.array([[x, 2, 0], [x + 2, 2, 0], [x, 4, 0]]) for x in range(0, 12, 3)]
    classes = np.array([[2, 1, 0, 0], [1, 2, 1, 0], [0, 1, 2, 1], [0, 0, 1, 2]], np.uint8)
    ax = sl.plot.areas(town, corners, classes, of=1)
    filled, _, own = ax.collections
    assert np.array_equal(filled.get_array(), classes[1])
    assert np.array_equal(filled.get_paths()[3].vertices[:3], corners[3][:, :2])
    assert np.array_equal(own.get_paths()[0].vertices[:3], corners[1][:, :2])
    labels = [text.get_text() for text in ax.get_legend().get_texts()]
    assert labels == ["area 1, which looks", "fully seen (1)", "partly seen (2)", "hidden (1)"]


def test_a_depth_picture_is_t_row_by_row(town):
    directions = [[0, 0, -9], [1, 0, -9], [0, 0, 1], [0, 6, -9], [0, 1, 9], [3, 0, -9]]
    hits = sl.Caster(town, "cpu").closest_hit([0, 0, 30], directions)
    ax = sl.plot.depth(hits, (2, 3), unit="m")
    shown = ax.images[0].get_array()
    assert shown.mask.tolist() == [[False, False, True], [False, True, False]]
    assert np.array_equal(shown.filled(np.inf), hits.t.reshape(2, 3))
    batch = sl.Caster(town, "cpu").closest_hit([0, 0, 30], np.reshape(directions, (2, 3, 3)))
    again = sl.plot.depth(batch).images[0].get_array()
    assert np.array_equal(again.filled(np.inf), shown.filled(np.inf))
    assert ax.child_axes[0].get_ylabel() == "depth [m]"


def test_nothing_is_drawn_of_nothing():
    empty = sl.Scene()
    assert len(sl.plot.scene(empty).collections[0].get_paths()) == 0
    none = np.empty((0, 3), np.float32)
    v = sl.Caster(empty, "cpu").visibility(none)
    assert len(sl.plot.visibility(empty, v, none).collections[1].get_array()) == 0


def test_many_shapes_are_one_artist():
    ax = sl.plot.scene(sl.standard_scene("city", 20000, 1))
    assert len(ax.collections) == 1 and len(ax.collections[0].get_paths()) == 20000


def test_without_matplotlib_one_sentence_says_how_to_get_it(town, monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib.pyplot", None)
    with pytest.raises(ImportError, match="sightline.plot.scene needs .*: pip install matplotlib"):
        sl.plot.scene(town)
