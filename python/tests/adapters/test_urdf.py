"""from_urdf against yourdfpy's own collision scene, and by hand."""

import numpy as np
import pytest

import sightline as sl
from sightline.adapters.common import rotations

yourdfpy = pytest.importorskip("yourdfpy")

ARM = """<robot name="arm">
<link name="base"><collision><geometry><box size="2 2 0.5"/></geometry></collision></link>
<joint name="turn" type="revolute"><parent link="base"/><child link="upper"/>
<origin xyz="0 0 1"/><axis xyz="0 0 1"/><limit effort="1" velocity="1" lower="-3" upper="3"/></joint>
<link name="upper">
<collision><origin xyz="2 0 0"/><geometry><sphere radius="0.5"/></geometry></collision>
<collision><origin xyz="4 0 0" rpy="0 1.5707963267948966 0"/>
<geometry><capsule radius="0.25" length="2"/></geometry></collision></link>
<joint name="slide" type="prismatic"><parent link="upper"/><child link="tip"/>
<origin xyz="6 0 0"/><axis xyz="1 0 0"/><limit effort="1" velocity="1" lower="0" upper="3"/></joint>
<link name="tip"><collision><geometry><cylinder radius="0.1" length="0.4"/></geometry></collision>
<collision><geometry><mesh filename="tip.stl"/></geometry></collision></link>
</robot>"""


@pytest.fixture
def arm(tmp_path):
    path = tmp_path / "arm.urdf"
    path.write_text(ARM)
    return path


def down(robot, caster, x, y):
    """The collision element under a point, and the height of the hit."""
    hits = caster.closest_hit([x, y, 10], [0, 0, -1])
    return (robot.names[robot.items[hits.id[0]]], 10 - hits.t[0]) if hits.hit[0] else None


def test_an_arm(arm):
    with pytest.warns(UserWarning, match=r"1 of 5 collision elements \(1 mesh"):
        robot = sl.from_urdf(arm)
    assert robot.names == [("base", 0), ("upper", 0), ("upper", 1), ("tip", 0), ("tip", 1)]
    assert robot.ids.tolist() == [0, 1, 2, 3, -1]
    caster = sl.Caster(robot.scene, device="cpu")
    assert down(robot, caster, 2, 0) == (("upper", 0), 1.5)
    assert down(robot, caster, 4.9, 0) == (("upper", 1), 1.25)
    assert down(robot, caster, 0, 2) is None
    quarter = np.pi / 2
    assert robot.update(caster, [quarter, 0]) == 3
    assert down(robot, caster, 2, 0) is None
    name, height = down(robot, caster, 0, 2)
    assert name == ("upper", 0) and height == pytest.approx(1.5, abs=1e-6)
    assert down(robot, caster, 0, 4.9)[0] == ("upper", 1)
    assert robot.update(caster, {"turn": 0}) == 3
    assert down(robot, caster, 2, 0) == (("upper", 0), 1.5)
    lifted = np.eye(4)
    lifted[2, 3] = 3
    assert robot.update(caster, base=lifted) == 4
    assert down(robot, caster, 2, 0) == (("upper", 0), 4.5)
    assert robot.update(caster) == 0
    groups = {k: robot.scene.shapes(k)["group"].tolist() for k in ("obb", "sphere", "capsule")}
    assert groups == {"obb": [0], "sphere": [1], "capsule": [1]}
    assert robot.scene.shapes("capsule")["label"].tolist() == [2]
    assert robot.scene.metadata == {"unit": "m", "up": "z"}


def test_cylinders_are_cylinders(arm):
    with pytest.warns(UserWarning, match="1 of 5 collision elements .1 mesh"):
        robot = sl.from_urdf(arm, [0, 0.5])
    cylinder = robot.scene.shapes("cylinder")
    assert cylinder["radius"] == [np.float32(0.1)]
    length = np.linalg.norm(cylinder["b"] - cylinder["a"], axis=1)
    np.testing.assert_allclose(length, 0.4, atol=1e-6)
    with pytest.raises(sl.UsageError, match="overlaps take no cylinders yet"):
        sl.Caster(robot.scene, "cpu").overlap_any(sl.Scene())
    with pytest.warns(UserWarning, match="1 of 5 collision elements .1 mesh"):
        around = sl.from_urdf(arm, [0, 0.5], approximate=True)
    assert around.approximated["cylinder"].tolist() == [3]
    assert sl.Caster(around.scene, "cpu").overlap_any(around.scene).all()
    caster = sl.Caster(robot.scene, device="cpu")
    assert down(robot, caster, 6.5, 0) == (("tip", 0), pytest.approx(1.2, abs=1e-6))


def test_errors(arm, tmp_path):
    with pytest.raises(sl.BadInputError, match="1 mesh; the first is .'tip', 1."):
        sl.from_urdf(arm, strict=True)
    with pytest.raises(sl.UsageError, match=r"cfg has the shape \(3,\), not \(2,\)"):
        sl.from_urdf(arm, [0, 0, 0], approximate=True)
    with pytest.raises(sl.UsageError, match="the joint 'elbow', which is not there"):
        sl.from_urdf(arm, {"elbow": 1})
    with pytest.raises(sl.UsageError, match=r"base has the shape \(3,\)"):
        sl.from_urdf(arm, base=[0, 0, 0])
    with pytest.raises(sl.FileError, match="missing.urdf cannot be read"):
        sl.from_urdf(tmp_path / "missing.urdf")
    for text, words in [("<sdf/>", "no <robot>"), ("<robot><link/></robot>", "yourdfpy reads")]:
        (tmp_path / "other.urdf").write_text(text)
        with pytest.raises(sl.FileError, match=words):
            sl.from_urdf(tmp_path / "other.urdf")


def test_a_urdf_that_is_loaded_already(arm):
    arm.write_text(ARM.replace("capsule", "cylinder"))
    urdf = yourdfpy.URDF.load(str(arm), load_meshes=False)
    robot = sl.from_urdf(urdf, [1.0, 0], approximate=True, strict=False)
    assert robot.urdf is urdf and urdf.cfg.tolist() == [1, 0]
    assert [robot.scene.count(kind) for kind in ("obb", "sphere", "capsule")] == [2, 1, 1]
    urdf = yourdfpy.URDF.load(str(arm), load_meshes=False, build_scene_graph=False)
    with pytest.raises(sl.UsageError, match="build_scene_graph=True"):
        sl.from_urdf(urdf)


def ends(center, along):
    """Both ends of segments in an order of their own: [n,6]."""
    pair = np.stack([center - along, center + along], axis=1)
    first = np.lexsort(np.moveaxis(pair.round(4), 2, 0)[::-1], axis=1)
    return np.take_along_axis(pair, first[:, :, None], axis=1).reshape(-1, 6)


def rows_of(rows, kind):
    return np.array(rows[kind])


def same_rows(a, b):
    assert a.shape == b.shape
    gap = np.abs(a[:, None] - b[None]).max(axis=2)
    assert gap.min(axis=1).max() < 1e-5 and gap.min(axis=0).max() < 1e-5


@pytest.mark.parametrize("name", ["humanoid", "minitaur_derpy", "r2d2"])
@pytest.mark.filterwarnings("ignore")
def test_files_as_yourdfpy_places_them(name, data):
    robot = sl.from_urdf(data / "urdf" / f"{name}.urdf")
    caster = sl.Caster(robot.scene, device="cpu")
    # yourdfpy's own scene of trimesh primitives; our capsules are cylinders to it.
    theirs = yourdfpy.URDF(
        robot.urdf.robot,
        build_scene_graph=False,
        build_collision_scene_graph=True,
        force_collision_mesh=False,
    )
    rng = np.random.default_rng(1)
    for _ in range(3):
        cfg = rng.uniform(-1, 1, robot.urdf.num_actuated_joints)
        robot.update(caster, cfg)
        theirs.update_cfg(cfg)
        graph = theirs.collision_scene
        placed = [graph.graph[node] for node in graph.graph.nodes_geometry]
        rows = {"Box": [], "Sphere": [], "Cylinder": []}
        for matrix, geometry in placed:
            p, center = graph.geometry[geometry].primitive, matrix[:3, 3]
            kind = type(graph.geometry[geometry]).__name__
            if kind == "Box":
                half = np.abs(matrix[:3, :3]) @ p.extents / 2
                rows[kind].append([*(center - half), *(center + half)])
            elif kind == "Sphere":
                rows[kind].append([*center, p.radius])
            else:
                along = matrix[None, :3, 2] * p.height / 2
                rows[kind].append([*ends(center[None], along)[0], p.radius])
        scene = robot.scene
        rod = scene.shapes("capsule" if name == "humanoid" else "cylinder")
        box, ball = scene.shapes("obb"), scene.shapes("sphere")
        if rows["Box"]:
            half = np.einsum("nij,nj->ni", np.abs(rotations(box["rotation"])), box["half_extents"])
            same_rows(np.hstack([box["center"] - half, box["center"] + half]), rows_of(rows, "Box"))
        if rows["Sphere"]:
            same_rows(np.column_stack([ball["center"], ball["radius"]]), rows_of(rows, "Sphere"))
        if rows["Cylinder"]:
            middle, along = (rod["a"] + rod["b"]) / 2, (rod["b"] - rod["a"]) / 2
            ours = np.column_stack([ends(middle, along), rod["radius"]])
            same_rows(ours, rows_of(rows, "Cylinder"))
        assert sum(len(of) for of in rows.values()) == len(scene)


def test_an_empty_scene_is_said(tmp_path):
    path = tmp_path / "seen.urdf"
    path.write_text('<robot name="r"><link name="base"><visual><geometry><box size="1 1 1"/>'
                    "</geometry></visual></link></robot>")  # fmt: skip
    words = "found no collision elements to take: the scene is empty; <visual> elements are not read"
    with pytest.warns(UserWarning, match=words):
        assert len(sl.from_urdf(path).scene) == 0
