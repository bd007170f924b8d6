"""Scenes: shapes in and out, attributes, files."""

import ast
import warnings
from pathlib import Path

import numpy as np
import pytest

import sightline as sl
from support import same_bits


def columns(n, seed=0):
    """Legal columns of n shapes of each kind, by the names of their fields."""
    draw = np.random.default_rng(seed).uniform
    at, other = draw(-9, 9, (2, n, 3)).astype(np.float32)
    size = draw(0, 2, (n, 3)).astype(np.float32)
    turn = draw(-1, 1, (n, 4))
    turn = (turn / np.linalg.norm(turn, axis=1, keepdims=True)).astype(np.float32)
    normal = (at / np.linalg.norm(at.astype(float), axis=1, keepdims=True)).astype(np.float32)
    return {
        "aabb": {"min": at, "max": at + size},
        "obb": {"center": at, "half_extents": size, "rotation": turn},
        "sphere": {"center": at, "radius": size[:, 0].copy()},
        "capsule": {"a": at, "b": other, "radius": size[:, 1].copy()},
        "cylinder": {"a": at, "b": other, "radius": size[:, 1].copy()},
        "triangle": {"a": at, "b": other, "c": at + size},
        "plane": {"normal": normal, "offset": size[:, 2].copy()},
    }


@pytest.mark.parametrize("kind", sl.KINDS)
def test_shapes_come_back_as_they_were_given(kind):
    scene = sl.Scene()
    given = columns(20)[kind]
    label = np.arange(2**64 - 20, 2**64, dtype=np.uint64)
    add = getattr(scene, f"add_{kind}s")
    assert add(*given.values(), mask=np.arange(20), group=3, label=label) == 0
    shapes = scene.shapes(kind)
    for name, column in given.items():
        assert same_bits(shapes[name], column), name
    assert same_bits(shapes["mask"], np.arange(20, dtype=np.uint32))
    assert set(shapes["group"]) == {3} and same_bits(shapes["label"], label)
    assert add(*(c[:2] for c in given.values())) == 20
    assert scene.count(kind) == len(scene) == 22
    assert scene.shapes(kind)["mask"][-1] == 0xFFFFFFFF
    moved = columns(5, seed=1)[kind]
    getattr(scene, f"set_{kind}s")(7, *moved.values())
    after = scene.shapes(kind)
    for name, column in moved.items():
        assert same_bits(after[name][7:12], column), name
    assert same_bits(after["label"][:20], label)
    scene.remove(kind, [0, 1, 21])
    assert scene.count(kind) == 19 and same_bits(scene.shapes(kind)["label"][:18], label[2:])


def test_ids_go_kind_by_kind():
    scene = sl.Scene()
    for kind, given in reversed(columns(4).items()):
        getattr(scene, f"add_{kind}s")(*given.values())
    assert [scene.id(kind, 0) for kind in sl.KINDS] == [0, 4, 8, 12, 16, 20, 24]
    assert scene.kinds(np.arange(24)).tolist() == [i // 4 for i in range(24)]
    assert scene.kinds([sl.NONE]).tolist() == [255]
    with pytest.raises(sl.UsageError):
        scene.id("sphere", 4)
    with pytest.raises(sl.UsageError, match="kind is 'cube', not one of aabb"):
        scene.count("cube")


def test_meshes_are_triangles():
    corners = np.array([[0, 0, 0], [4, 0, 0], [4, 4, 0], [0, 4, 1]], np.float32)
    faces = np.array([[0, 1, 2], [0, 2, 3]])
    scene = sl.Scene()
    scene.add_triangles([9, 0, 0], [9, 1, 0], [9, 0, 1])
    assert scene.add_mesh(corners, faces, label=[7, 8], group=3) == 1
    assert scene.add_mesh(corners - [0, 0, 5], faces.astype(np.uint8)) == 3
    shapes = scene.shapes("triangle")
    assert same_bits(np.stack([shapes[k][1:3] for k in "abc"], 1), corners[faces])
    assert shapes["label"].tolist() == [0, 7, 8, 0, 0]
    assert scene.mesh_of(range(5)).tolist() == [sl.NONE, 0, 0, 1, 1]
    assert scene.face_of([4, 3, sl.NONE, 0]).tolist() == [1, 0, sl.NONE, sl.NONE]
    caster = sl.Caster(scene, "cpu")
    down = caster.closest_hit([[1, 0.5, 9], [3, 1, 9]], [0, 0, -1])
    assert down.t.tolist() == [9, 9] and scene.mesh_of(down.id).tolist() == [0, 0]
    assert {sl.KINDS[kind] for kind in down.kind} == {"triangle"} and down.flags.tolist() == [1, 1]
    below = [1, 0.5, -9], [0, 0, 1]
    assert caster.closest_hit(*below).flags.tolist() == [17]
    for side, hits in (("both", 2), ("front", 0), ("back", 2)):
        assert caster.count_hits(*below, side=side).tolist() == [hits]
        assert caster.all_hits(*below, side=side).hits == hits
        assert caster.any_hit(*below, side=side).tolist() == [hits > 0]
        assert caster.closest_hit(*below, side=side).hits == min(hits, 1)
    with pytest.raises(sl.UsageError, match="side is 'left', not one of both, front, back"):
        caster.any_hit(*below, side="left")
    weights = scene.corner_weights(down.id, [[1, 0.5, 9], [3, 1, 9]], [0, 0, -1])
    assert weights.tolist() == [[0.125, 0.125], [0.5, 0.25]]
    assert scene.corner_weights([sl.NONE], [0, 0, 0], [1, 0, 0]).tolist() == [[0, 0]]
    scene.set_mesh(1, corners + [0, 0, 2], faces)
    caster.update(scene, "refit")
    assert caster.closest_hit([3, 1, 9], [0, 0, -1]).t[0] == 7
    scene.remove("triangle", [0, 2])
    assert scene.mesh_of(range(3)).tolist() == [0, 1, 1]
    assert scene.face_of(range(3)).tolist() == [0, 0, 1]


def test_solids_enclose_points():
    corners = np.array([[0, 0, 0], [4, 0, 0], [0, 4, 0], [0, 0, 4]], np.float32)
    faces = np.array([[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]])
    scene = sl.Scene()
    assert scene.add_solid(corners, faces, mask=2) == 0
    assert scene.add_hull(np.concatenate([corners, [[1, 1, 1]]]), mask=4, label=9) == 4
    assert scene.count("triangle") == 8 and scene.shapes("triangle")["label"][7] == 9
    for name in ("cpu", "reference"):
        caster = sl.Caster(scene, name)
        points = [[[1, 1, 1], [3, 3, 3]]]
        assert caster.winding(points).tolist() == [[2, 0]]
        assert caster.winding(sl.Points(points, mask=4)).tolist() == [[1, 0]]
        assert caster.winding([1, 1, 1]).dtype == np.int32
    with pytest.raises(sl.BadInputError, match=r"open at the edge from \(0, 0, 0\) to"):
        scene.add_solid(corners, faces[:3])
    with pytest.raises(sl.BadInputError, match="span no volume"):
        scene.add_hull(corners[:3])
    assert len(scene) == 8


@pytest.mark.parametrize(
    "faces, error, words",
    [
        ([[0, 1, 2], [0, 1, 3]], sl.BadInputError, "face 1 names vertex 3 of 3, which count from 0"),
        ([[0, 1, 2, 0]], sl.UsageError, r"faces has the shape \[1,4\], not \[n,3\] or \[3\]"),
        ([[0, 1, -1]], sl.UsageError, "faces"),
    ],
)
def test_faces_that_are_none_are_refused(faces, error, words):
    scene = sl.Scene()
    with pytest.raises(error, match=words):
        scene.add_mesh(np.eye(3), faces)
    assert len(scene) == 0


def test_what_knows_no_triangles_says_so():
    scene = sl.Scene()
    scene.add_triangles([0, 0, 0], [1, 0, 0], [0, 1, 0])
    caster = sl.Caster(scene, "cpu")
    assert caster.nearest([0.25, 0.25, 1]).distance[0] == 1
    assert caster.closest_hit([0.25, 0.25, 1], [0, 0, -1], radius=0.5).t[0] == 0.5


def test_triangles_overlap_and_are_asked():
    scene = sl.Scene()
    scene.add_triangles([0, 0, 0], [4, 0, 0], [0, 4, 0])
    asked = sl.Scene()
    asked.add_spheres([[1, 1, 0.5], [1, 1, 2]], 0.5)
    asked.add_triangles([[1, 1, -1], [9, 9, 9]], [[1, 1, 1], [9, 8, 9]], [[2, 2, 1], [8, 9, 9]])
    for name in ("cpu", "reference"):
        counts = sl.Caster(scene, name).overlap_count(asked)
        assert np.asarray(counts).tolist() == [1, 0, 1, 0]


def test_nothing_of_a_refused_call_is_added():
    scene = sl.Scene()
    with pytest.raises(sl.BadInputError, match="sphere 1 .*radius is negative"):
        scene.add_spheres(np.zeros((3, 3)), [1, -1, 1])
    with pytest.raises(sl.UsageError, match="radii has 2 elements, centers has 3"):
        scene.add_spheres(np.zeros((3, 3)), [1, 2])
    with pytest.raises(sl.UsageError, match="mask has 2 elements, centers has 3"):
        scene.add_spheres(np.zeros((3, 3)), 1, mask=[1, 2])
    assert len(scene) == 0 and scene.bounds is None
    with pytest.raises(sl.UsageError):
        scene.set_spheres(0, np.zeros((1, 3)), 1)


def test_files(tmp_path, scene):
    scene = scene.copy()
    scene.metadata = {"unit": "cm", "up": "y"}
    for name in (str(tmp_path / "a.safetensors"), tmp_path / "b.safetensors"):
        scene.save(name)
        again = sl.Scene.load(name)
        assert again.hash == scene.hash and len(again) == len(scene)
        assert again.metadata["unit"] == "cm" and again.metadata["up"] == "y"
    with pytest.raises(sl.FileError, match="none.safetensors: cannot be opened"):
        sl.Scene.load(tmp_path / "none.safetensors")
    (tmp_path / "bad.json").write_text('{"sphere": [{"center": [0, 0, 0], "radius": -1}]}')
    with pytest.raises(sl.BadInputError, match="bad.json.*sphere 0"):
        sl.Scene.load(tmp_path / "bad.json")
    with pytest.raises(OSError):
        scene.save(tmp_path / "no such folder" / "a.safetensors")


def test_copies_are_their_own(scene):
    copy = scene.copy()
    copy.add_spheres([0, 0, 0], 1)
    assert len(copy) == len(scene) + 1 and copy.hash != scene.hash
    caster = sl.Caster(copy, "cpu")
    copy.add_spheres([0, 0, 0], 1)
    assert len(caster) == len(scene) + 1 == len(caster.scene)


def test_moving_shapes():
    scene = sl.Scene()
    scene.add_spheres([[5, 0, 0], [0, 5, 0]], 1)
    caster = sl.Caster(scene, "cpu")
    for how in ("auto", "refit", "rebuild"):
        for x in (4.0, 6.0):
            scene.set_spheres(0, [[x, 0, 0]], 1)
            caster.update(scene, how)
            assert caster.closest_hit([0, 0, 0], [1, 0, 0]).t[0] == x - 1
    scene.add_spheres([-5, 0, 0], 1)
    with pytest.raises(sl.UsageError):
        caster.update(scene, "refit")
    assert len(caster) == 2
    caster.update(scene)
    assert caster.closest_hit([0, 0, 0], [-1, 0, 0]).id[0] == 2


def test_casters_say_what_they_are(scene):
    caster = sl.Caster(scene, "cpu", threads=1)
    assert caster.device == "cpu" and "1 thread" in repr(caster) and caster.memory_bytes > 0
    assert sl.Caster(scene, "reference").device == "reference"
    assert len(sl.Caster(caster, "cpu")) == len(scene)  # what has a scene
    with pytest.raises(sl.UsageError, match="scene is no Scene, but of type str"):
        sl.Caster("scene.safetensors")
    for word in ("gpu", "cuda:", "cuda:x", "cuda:99999"):
        with pytest.raises(sl.UsageError, match="device is"):
            sl.Caster(scene, word)
    if not sl.cuda_devices():
        with pytest.raises(sl.DeviceError, match="there is no CUDA device to use"):
            sl.Caster(scene, "cuda")
        assert sl.Caster(scene).device == "cpu"


def test_standard_scenes_are_the_same_everywhere():
    assert sl.standard_scene("city", 100, 7).hash == sl.standard_scene("city", 100, 7).hash
    assert len(sl.standard_scene("cloud", 12)) == 12
    with pytest.raises(sl.UsageError, match="kind is 'town'"):
        sl.standard_scene("town", 5)
    with pytest.raises(sl.UsageError, match="1 to 2147483648 shapes, not 0"):
        sl.standard_scene("city", 0)


def test_the_package_lists_what_it_has():
    for name in sl.__all__:
        if name not in ("plot", "from_mujoco", "from_trimesh", "to_trimesh", "from_urdf",
                        "from_usd", "to_pyvista"):  # fmt: skip
            assert getattr(sl, name) is not None
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        sl.nothing  # noqa: B018


def test_an_empty_godot_scene_is_said(tmp_path):
    path = tmp_path / "a.tscn"
    root = '[gd_scene format=3]\n[node name="Root" type="Node3D"]\n'
    path.write_text(root)
    with pytest.warns(UserWarning, match="^1 node and no shape that is taken: the scene is empty$"):
        assert len(sl.from_godot(path)) == 0


def test_modules_do_not_leak():
    assert {"Scene", "bake", "plot", "from_usd", "__version__"} <= set(dir(sl))
    assert {name for name in dir(sl) if not name.startswith("__")} == set(sl.__all__)
    for name in ("metadata", "import_module", "typing"):
        assert not hasattr(sl, name)


def test_type_checkers_see_what_is_loaded_when_it_is_used():
    block = next(
        node
        for node in ast.parse(Path(sl.__file__).read_text()).body
        if isinstance(node, ast.If) and ast.unparse(node.test).endswith("TYPE_CHECKING")
    )
    seen = {(line.module, name.name) for line in block.body for name in line.names}
    assert all(name.name == name.asname for line in block.body for name in line.names)
    expected = {(f"adapters.{module}", name) for name, module in sl._adapters.items()}
    assert seen == expected | {(None, name) for name in sl._modules}


@pytest.mark.parametrize(
    ("flat", "name", "text", "words"),
    [
        (False, "far.csv", "kind,x,y,z,radius\nsphere,5000000.3,5e6,0,0.4\nsphere,5000000.3,5e6,9,3\n",
         "far.csv: .*1 %"),
        (False, "turned.json", '{"obb": [{"center": [0, 0, 0], "half_extents": [1, 1, 1], '
         '"rotation": [0, 0, 0, 2]}]}', "turned.json: 1 rotation"),
        (True, "far.json", '{"dimensions": 2, "circle": [{"center": [5000000.3, 5e6], "radius": 0.4}]}',
         "far.json: .*1 %"),
    ],
)  # fmt: skip
def test_what_a_reader_changes_is_a_warning(tmp_path, flat, name, text, words):
    (tmp_path / name).write_text(text)
    of = sl.FlatScene if flat else sl.Scene
    with pytest.warns(UserWarning, match=words) as warned:
        assert len(of.load(tmp_path / name)) > 0
    assert len(warned) == 1
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(UserWarning, match=words):
            of.load(tmp_path / name)
        (tmp_path / name).write_text(text.replace("5000000.3", "5").replace("5e6", "5").replace("2]", "1]"))
        of.load(tmp_path / name)
