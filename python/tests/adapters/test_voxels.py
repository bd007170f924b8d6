"""from_3dmap: unit boxes where the cells are, the real maps by count, and what is refused."""

import gzip

import numpy as np
import pytest
from support import peak_of

import sightline as sl


def test_filled_cells_are_unit_boxes_in_file_order():
    text = "voxel 4 3 2\r\n3 2 1\n\n0 1 0\n3 2 1\n1\t0 1"
    for source in (text, text.encode(), gzip.compress(text.encode())):
        voxels = sl.from_3dmap(source)
        assert voxels.size == (4, 3, 2)
        assert voxels.repeated == 1
        assert voxels.scene.metadata == {"unit": "voxel", "up": "z", "voxels.size": "4 3 2"}
        boxes = voxels.scene.shapes("aabb")
        cells = np.float32([[3, 2, 1], [0, 1, 0], [1, 0, 1]])
        np.testing.assert_array_equal(boxes["min"], cells)
        np.testing.assert_array_equal(boxes["max"], cells + 1)
        assert boxes["label"].tolist() == [(1 * 3 + 2) * 4 + 3, 4, 13]
        assert len(voxels.scene) == 3


def test_the_largest_map_has_exact_corners_and_labels():
    side, last = 2**20, 2**20 - 1
    voxels = sl.from_3dmap(f"voxel {side} {side} {side}\n{last} {last} {last}\n")
    boxes = voxels.scene.shapes("aabb")
    np.testing.assert_array_equal(boxes["max"], [[side] * 3])
    assert boxes["label"].tolist() == [2**60 - 1]
    assert len(sl.from_3dmap("voxel 0 0 0\n").scene) == 0


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "line 1: the first word of a voxel map is 'voxel'"),
        ("voxels 1 1 1\n", "line 1: the first word of a voxel map is 'voxel'"),
        ("voxel 1 1\n", "line 1: the depth is '', not an integer of 0 to 1048576"),
        ("voxel 1 1 1 1\n", "line 1: there is something behind the three numbers"),
        ("voxel 1 1 2000000\n", "line 1: the depth is '2000000', not an integer"),
        ("voxel 4 4 4\n1 2\n", "line 2: z is ''"),
        ("voxel 4 4 4\n1 2 3 4\n", "line 2: there is something behind"),
        ("voxel 4 4 4\n\n1 -2 3\n", "line 3: y is '-2'"),
        ("voxel 4 4 4\n1 2.5 3\n", "line 2: y is '2.5'"),
        ("voxel 4 4 4\n1 1_0 3\n", "line 2: y is '1_0'"),
        ("voxel 4 4 4\n1 " + "1" * 5000 + " 3\n", "line 2: y is '111111111111111111111111...'"),
        ("voxel 4 4 4\n4 2 3\n", "line 2: x is 4 in a map of 4"),
    ],
)
def test_bad_lines_are_refused_by_number_and_reason(text, words):
    with pytest.raises(sl.BadInputError) as caught:
        sl.from_3dmap(text)
    assert str(caught.value).startswith(f"the text: {words}")


def test_memory_is_counted_before_it_is_taken():
    text = "voxel 4 4 4\n" + "1 2 3\n" * 50_000
    assert sl.from_3dmap(text).repeated == 49_999
    with pytest.raises(sl.OutOfMemoryError, match=" cells the import takes about"):
        sl.from_3dmap(text, max_memory=5_000_000)
    with pytest.raises(sl.OutOfMemoryError, match="its text has more than 250,000 bytes"):
        sl.from_3dmap(gzip.compress(text.encode()), max_memory=1_000_000)


@pytest.mark.parametrize(("name", "cells"), [("A2", 122818), ("Complex", 46298)])
def test_real_maps_have_every_cell(data, name, cells):
    voxels = sl.from_3dmap(data / f"voxels/{name}.3dmap")
    assert voxels.repeated == 0
    boxes = voxels.scene.shapes("aabb")
    assert len(voxels.scene) == len(boxes["min"]) == cells
    np.testing.assert_array_equal(boxes["max"], boxes["min"] + 1)


def test_lines_of_sight_are_those_of_integers(data):
    """Between voxels' centres of a map, against an exact traversal; the file has
    x0,y0,z0,x1,y1,z1,state below a comment and a heading."""
    caster = sl.Caster(sl.from_3dmap(data / "voxels/A2.3dmap").scene, "cpu")
    grazes = 0
    for name in ("voxel-los-A2.csv", "voxel-los-near-A2.csv"):
        rows = np.loadtxt(data.parent / "oracles" / name, str, delimiter=",", skiprows=2)
        assert len(rows) == 10_000
        points, state = np.float32(rows[:, :6]) + np.float32(0.5), rows[:, 6]
        seen = caster.visibility_pairs(points[:, :3], points[:, 3:])
        known = state != "graze"
        np.testing.assert_array_equal(seen[known], state[known] == "clear")
        assert set(state) == {"clear", "blocked", "graze"}
        # Touching is a hit, and half-integers of this size are exact in float32.
        assert not seen[~known].any()
        grazes += int((~known).sum())
    assert grazes > 0


@pytest.mark.parametrize("begin", ["voxel 1 1 1 ", "voxel 1 1 1\n"])
def test_a_long_line_takes_no_memory_for_each_word(begin):
    text = begin.encode() + b"00 " * 1_000_000
    assert peak_of(sl.BadInputError, sl.from_3dmap, text) < 8 * len(text)
