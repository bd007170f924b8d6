"""Rotated boxes from quaternions in either order, matrices and poses: the same boxes, rounded once,
and what the readers of files refuse is refused."""

import json
import warnings

import numpy as np
import pytest

import sightline as sl
from support import same_bits

spatial = pytest.importorskip("scipy.spatial.transform")

N = 60


@pytest.fixture(scope="module")
def turns():
    """Rotations near all of the cases of a quaternion's largest part, half turns among them."""
    some = spatial.Rotation.random(N - 4, random_state=5).as_quat()
    half = [[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]]
    return spatial.Rotation.from_quat(np.concatenate([half, some]))


def added(*args, **kwargs):
    scene = sl.Scene()
    assert scene.add_obbs(*args, **kwargs) == 0
    return scene.shapes("obb")


def places(n=N):
    draw = np.random.default_rng(9).uniform
    return draw(-9, 9, (n, 3)), draw(0, 2, (n, 3))


def test_both_orders_of_quaternions(turns):
    centers, half = places()
    quaternions = turns.as_quat()  # x, y, z, w
    expected = added(centers, half, quaternions)
    assert same_bits(expected["rotation"], quaternions.astype(np.float32))
    for w_first in (np.roll(quaternions, 1, axis=1), np.roll(quaternions, 1, axis=1).tolist()):
        again = added(centers, half, w_first, order="wxyz")
        assert same_bits(again["rotation"], expected["rotation"])
    one = added(centers, half, [0, 0.6, 0, 0.8], order="wxyz")
    assert (one["rotation"] == np.float32([0.6, 0, 0.8, 0])).all()
    with pytest.raises(sl.UsageError, match="order is 'zyxw', not one of xyzw, wxyz"):
        added(centers, half, quaternions, order="zyxw")


def test_matrices_become_the_quaternions_that_the_reader_of_files_makes(turns, tmp_path):
    centers, half = places()
    matrices = turns.as_matrix()
    got = added(centers, half, matrices)["rotation"]
    boxes = [
        {"center": c.tolist(), "half_extents": h.tolist(), "matrix": m.tolist()}
        for c, h, m in zip(centers, half, matrices, strict=True)
    ]
    (tmp_path / "boxes.json").write_text(json.dumps({"obb": boxes}))
    assert same_bits(got, sl.Scene.load(tmp_path / "boxes.json").shapes("obb")["rotation"])
    # Rounded once: next to the quaternion in binary64, whose sign does not matter.
    exact = turns.as_quat()
    exact *= np.sign(np.einsum("ni,ni->n", exact, got))[:, None]
    assert (np.abs(got - exact) <= np.spacing(np.abs(got)) / 2 + 1e-15).all()
    assert same_bits(added(centers, half, matrices[7])["rotation"], np.tile(got[7], (N, 1)))
    fortran = np.asfortranarray(matrices)
    assert same_bits(added(centers, half, fortran)["rotation"], got)
    whole = added([0, 0, 0], [1, 1, 1], np.array([[0, -1, 0], [1, 0, 0], [0, 0, 1]]))
    assert (whole["rotation"] == np.float32([0, 0, 0.5**0.5, 0.5**0.5])).all()


def test_poses_say_where_boxes_are(turns):
    centers, half = places()
    poses = np.tile(np.eye(4), (N, 1, 1))
    poses[:, :3, :3], poses[:, :3, 3] = turns.as_matrix(), centers
    expected = added(centers, half, turns.as_matrix())
    for got in (added(half_extents=half, poses=poses), added(None, half, poses=poses)):
        for name, column in expected.items():
            assert same_bits(got[name], column), name
    scene = sl.Scene()
    scene.add_obbs(half_extents=[1, 2, 3], poses=poses[3])
    scene.set_obbs(0, half_extents=half[:1], poses=poses[5:6])
    assert same_bits(scene.shapes("obb")["center"], expected["center"][5:6])
    assert same_bits(scene.shapes("obb")["rotation"], expected["rotation"][5:6])
    scene.set_obbs(0, centers[:1], half[:1], np.roll(turns[8].as_quat(), 1), order="wxyz")
    assert same_bits(scene.shapes("obb")["rotation"], np.float32(turns[8].as_quat())[None])
    grid = added(half_extents=half.reshape(6, 10, 3), poses=poses.reshape(6, 10, 4, 4))
    assert same_bits(grid["center"], expected["center"])


@pytest.mark.parametrize(
    ("change", "kind", "words"),
    [
        (lambda m: m * 1.01, "rotations", r"rotations\[4\] is no rotation: it scales, shears or"),
        (lambda m: m @ np.diag([1, 1, -1]), "rotations", "no rotation: it scales, shears or mirrors"),
        (lambda m: m @ [[1, 0.01, 0], [0, 1, 0], [0, 0, 1]], "rotations", "scales, shears or"),
        (lambda m: m * np.nan, "rotations", "obb 4 is refused: a value is NaN"),
        (lambda m: m * 2, "poses", r"poses\[4\] is no rotation"),
    ],
)
def test_what_is_no_rotation_is_refused(turns, change, kind, words):
    centers, half = places()
    matrices = turns.as_matrix()
    matrices[4] = change(matrices[4])
    given = {"centers": centers, "rotations": matrices}
    if kind == "poses":
        given = {"poses": np.tile(np.eye(4), (N, 1, 1))}
        given["poses"][:, :3, :3] = matrices
    scene = sl.Scene()
    with pytest.raises(sl.BadInputError, match=words):
        scene.add_obbs(half_extents=half, **given)
    assert len(scene) == 0


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"centers": [0, 0, 0], "poses": np.eye(4)}, "centers and rotations are too much"),
        ({"rotations": np.eye(3), "poses": np.eye(4)}, "centers and rotations are too much"),
        ({"centers": [0, 0, 0]}, "rotations are missing: boxes take centers and rotations, or poses"),
        ({"rotations": np.eye(3)}, "centers are missing"),
        ({}, "centers and rotations are missing"),
        ({"centers": [0, 0, 0], "rotations": np.eye(3), "half_extents": None}, "half_extents are missing"),
        ({"poses": np.eye(4), "order": "wxyz"}, "order is that of quaternions, and poses are"),
        ({"centers": [0, 0, 0], "rotations": np.eye(3), "order": "wxyz"}, "and rotations are matrices"),
        ({"poses": np.eye(3)}, r"poses has the shape \[3,3\], not \[n,4,4\] or \[4,4\]"),
        ({"poses": np.zeros((3, 4))}, r"poses has the shape \[3,4\], not"),
        ({"centers": [0, 0, 0], "rotations": np.ones((2, 3))}, r"\[2,3\], not \[n,3,3\] or \[3,3\]"),
        ({"centers": [0, 0, 0], "rotations": np.ones((5, 2))}, r"\[5,2\], not \[n,4\] or \[4\]"),
        ({"centers": np.zeros((2, 3)), "rotations": np.tile(np.eye(3), (3, 1, 1))},
         "rotations has 3 elements, centers has 2"),
        ({"centers": [0, 0, 0], "rotations": "none"}, "rotations has elements of type <U4"),
    ],
)  # fmt: skip
def test_what_makes_no_sense_is_refused(given, words):
    with pytest.raises(sl.UsageError, match=words):
        sl.Scene().add_obbs(**{"half_extents": [1, 1, 1], **given})


@pytest.mark.parametrize("order", [None, "xyzw"])
def test_poses_as_rotations_are_no_quaternions(turns, order):
    order = {} if order is None else {"order": order}
    centers, half = places(8)
    pose = np.eye(4)
    pose[:3, :3], moved = turns.as_matrix()[9], pose.copy()
    moved[:3, 3] = 1, 2, 3
    scaled = np.diag([2.0, 2, 2, 1])
    words = "rotations hold the matrix of a pose, .* or four quaternions: give poses="
    for given in (np.eye(4), np.eye(4).tolist(), np.eye(4, dtype=int), pose, moved, scaled):
        for n in (4, 1, 7):
            with pytest.raises(sl.UsageError, match=words):
                sl.Scene().add_obbs(centers[:n], half[:n], given, **order)
    stack = np.stack([turns.as_quat()[10:14], moved])
    with pytest.raises(sl.UsageError, match=words):
        sl.Scene().add_obbs(centers.reshape(2, 4, 3), half.reshape(2, 4, 3), stack, **order)
    scene = sl.Scene()
    scene.add_obbs(centers[:4], half[:4], turns.as_quat()[10:14])
    with pytest.raises(sl.UsageError, match=words):
        scene.set_obbs(0, centers[:4], half[:4], moved, **order)


def test_four_unit_quaternions_are_taken(turns):
    centers, half = places(4)
    identity = np.array([0, 0, 0, 1.0])
    quaternions = np.concatenate([turns.as_quat()[10:13], [identity]])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        got = added(centers, half, quaternions)["rotation"]
        assert same_bits(got, quaternions.astype(np.float32))
        # The order says that they are quaternions: four half turns, the last about z.
        axes = added(centers, half, np.eye(4), order="wxyz")["rotation"]
    assert (axes == np.float32([[0, 0, 0, 1], [1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0]])).all()


def test_poses_of_row_vectors_are_refused():
    pose = np.eye(4)
    pose[3, :3] = 1, 2, 3
    with pytest.raises(sl.BadInputError, match="poses has the last row 1 2 3 1, not 0 0 0 1: "):
        sl.Scene().add_obbs(half_extents=[1, 1, 1], poses=pose)


def test_rotations_that_are_no_unit_ones_are_made_so_as_files_are_read(turns, tmp_path):
    centers, half = places()
    quaternions = turns.as_quat()
    exact = quaternions.copy()
    quaternions[[3, 8]] *= [[3], [0.5]]
    with pytest.warns(UserWarning, match=r"^2 rotations were normalised, the first that of rotations\[3\]$"):
        got = added(centers, half, quaternions)["rotation"]
    assert np.abs(got - exact).max() < 1e-7 and same_bits(got[9:], exact[9:].astype(np.float32))
    boxes = [
        {"center": c, "half_extents": h, "rotation": q}
        for c, h, q in zip(centers.tolist(), half.tolist(), quaternions.tolist(), strict=True)
    ]
    (tmp_path / "boxes.json").write_text(json.dumps({"obb": boxes}))
    assert same_bits(got, sl.Scene.load(tmp_path / "boxes.json").shapes("obb")["rotation"])
    with pytest.warns(UserWarning, match="^1 rotation was normalised, the first that of rotations$"):
        one = added(centers, half, [2, 0, 0, 0], order="wxyz")["rotation"]
    assert (one == [0, 0, 0, 1]).all()
    with pytest.raises(sl.BadInputError, match=r"rotations\[1\] has no length"):
        added(centers[:2], half[:2], [[0, 0, 0, 1], [0, 0, 0, 0]])
    near = np.eye(3) + [[0, 5e-4, 0], [0, 0, 0], [0, 0, 0]]
    with pytest.warns(UserWarning, match="1 rotation was normalised"):
        added(centers, half, near)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        added(centers, half, exact)
        added(centers, half, turns.as_matrix().astype(np.float32))
