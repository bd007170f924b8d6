"""from_usd on stages that are made here."""

import numpy as np
import pytest

import sightline as sl

pytest.importorskip("pxr")

from pxr import Gf, Sdf, Usd, UsdGeom  # noqa: E402


@pytest.fixture
def stage():
    stage = Usd.Stage.CreateInMemory()
    UsdGeom.SetStageUpAxis(stage, UsdGeom.Tokens.z)
    UsdGeom.SetStageMetersPerUnit(stage, 0.01)
    return stage


def add(stage, kind, path, move=(0, 0, 0), turn=None, scale=None, **values):
    prim = getattr(UsdGeom, kind).Define(stage, path)
    for name, value in values.items():
        prim.GetPrim().GetAttribute(name).Set(value)
    move_by(prim, move, turn, scale)
    return prim


def move_by(prim, move, turn=None, scale=None):
    prim.AddTranslateOp().Set(Gf.Vec3d(*move))
    if turn is not None:
        prim.AddRotateXYZOp().Set(Gf.Vec3f(*turn))
    if scale is not None:
        prim.AddScaleOp().Set(Gf.Vec3f(*scale))


def test_shapes_and_transforms(stage):
    root = UsdGeom.Xform.Define(stage, "/world")
    move_by(root, (0, 0, 10), scale=(2, 2, 2))
    add(stage, "Cube", "/world/box", (1, 0, 0), scale=(1, 2, 3), size=2.0)
    add(stage, "Cube", "/world/turned", (0, 9, 0), (0, 0, 30), size=1.0)
    add(stage, "Sphere", "/world/ball", (5, 0, 0), radius=0.5)
    add(stage, "Capsule", "/world/x", (0, 0, 5), radius=0.25, height=3.0, axis="X")
    add(stage, "Capsule", "/world/y", (0, 0, 7), radius=0.25, height=3.0, axis="Y")
    add(stage, "Capsule", "/world/z", (0, 0, 9), (90, 0, 0), radius=0.25, height=3.0)
    world = sl.from_usd(stage)
    assert world.scene.metadata == {"unit": "cm", "up": "z"}
    box = world.scene.shapes("aabb")
    np.testing.assert_array_equal([box["min"][0], box["max"][0]], [[0, -4, 4], [4, 4, 16]])
    turned = world.scene.shapes("obb")
    np.testing.assert_array_equal(turned["center"], [[0, 18, 10]])
    np.testing.assert_array_equal(turned["half_extents"], [[1, 1, 1]])
    half = np.radians(15)
    np.testing.assert_allclose(turned["rotation"], [[0, 0, np.sin(half), np.cos(half)]], atol=1e-6)
    ball = world.scene.shapes("sphere")
    np.testing.assert_array_equal([*ball["center"][0], *ball["radius"]], [10, 0, 10, 1])
    capsules = world.scene.shapes("capsule")
    along = np.abs(capsules["b"] - capsules["a"])
    np.testing.assert_allclose(along, [[6, 0, 0], [0, 6, 0], [0, 6, 0]], atol=1e-6)
    np.testing.assert_array_equal(capsules["radius"], [0.5] * 3)
    assert world.names[2] == "/world/ball"
    assert [world.names[i] for i in world.items[:2]] == ["/world/box", "/world/turned"]
    # USD's own bounds of the stage.
    bounds = UsdGeom.BBoxCache(Usd.TimeCode.Default(), [UsdGeom.Tokens.default_])
    range_ = bounds.ComputeWorldBound(stage.GetPseudoRoot()).ComputeAlignedRange()
    np.testing.assert_allclose(world.scene.bounds, [range_.GetMin(), range_.GetMax()], atol=1e-5)


@pytest.mark.parametrize("axis", "XYZ")
def test_planes(stage, axis):
    plane = add(stage, "Plane", "/plane", (1, 2, 3), width=4.0, length=2.0, axis=axis)
    world = sl.from_usd(stage)
    extent = UsdGeom.Boundable.ComputeExtentFromPlugins(plane, Usd.TimeCode.Default())
    np.testing.assert_array_equal(world.scene.bounds, np.array(extent) + [1, 2, 3])
    whole = sl.from_usd(stage, planes="half_space").scene.shapes("plane")
    at = "XYZ".index(axis)
    np.testing.assert_array_equal(whole["normal"], np.eye(3)[at : at + 1])
    assert whole["offset"] == [at + 1]
    with pytest.raises(ValueError, match="planes is 'flat'"):
        sl.from_usd(stage, planes="flat")


def test_what_has_no_shape(stage):
    add(stage, "Sphere", "/egg", scale=(1, 1, 2))
    add(stage, "Cylinder", "/drum", (5, 0, 0), radius=1.0, height=1.0)
    add(stage, "Cone", "/cone", (10, 0, 0), radius=1.0, height=2.0)
    mesh = add(stage, "Mesh", "/mesh", (15, 0, 0))
    mesh.CreatePointsAttr([(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 3)])
    UsdGeom.PointInstancer.Define(stage, "/many")
    add(stage, "Cube", "/many/prototype")
    with pytest.warns(UserWarning, match="sphere scaled unevenly.*the first is '/egg'"):
        world = sl.from_usd(stage)
    drum = world.scene.shapes("cylinder")
    np.testing.assert_array_equal([drum["a"][0], drum["b"][0]], [[5, 0, -0.5], [5, 0, 0.5]])
    assert len(world.scene) == 1 and drum["radius"] == [1]
    assert {k: v.tolist() for k, v in world.left_out.items()} == {
        "sphere scaled unevenly": [0],
        "Cone": [2],
        "Mesh": [3],
        "PointInstancer": [4],
    }
    with pytest.raises(sl.BadInputError, match="4 of 5 prims"):
        sl.from_usd(stage, strict=True)
    with pytest.warns(UserWarning, match="1 of 5 prims .1 PointInstancer"):
        world = sl.from_usd(stage, approximate=True)
    boxes = world.scene.shapes("aabb")
    np.testing.assert_array_equal(
        np.hstack([boxes["min"], boxes["max"]]),
        [
            [-1, -1, -2, 1, 1, 2],
            [4, -1, -0.5, 6, 1, 0.5],
            [9, -1, -1, 11, 1, 1],
            [15, 0, 0, 16, 1, 3],
        ],
    )


def test_times_visibility_instances_and_files(stage, tmp_path):
    add(stage, "Sphere", "/library/ball")
    stage.GetPrimAtPath("/library").SetSpecifier(Sdf.SpecifierClass)
    for k in range(3):
        copy = UsdGeom.Xform.Define(stage, f"/copy{k}")
        copy.GetPrim().GetReferences().AddInternalReference("/library")
        copy.GetPrim().SetInstanceable(True)
        move_by(copy, (10 * k, 0, 0))
    hidden = add(stage, "Cube", "/hidden")
    UsdGeom.Imageable(hidden).MakeInvisible()
    lift = add(stage, "Cube", "/lift").AddTranslateOp(opSuffix="up")
    lift.Set(Gf.Vec3d(0, 0, 0), 0)
    lift.Set(Gf.Vec3d(0, 0, 100), 10)
    UsdGeom.SetStageMetersPerUnit(stage, 0.5)
    UsdGeom.SetStageUpAxis(stage, UsdGeom.Tokens.y)
    path = tmp_path / "scene.usda"
    stage.Export(str(path))
    world = sl.from_usd(path, 5)
    assert world.names == ["/copy0/ball", "/copy1/ball", "/copy2/ball", "/lift"]
    assert world.scene.shapes("sphere")["center"][:, 0].tolist() == [0, 10, 20]
    assert world.scene.shapes("aabb")["max"][0, 2] == 51
    assert world.scene.metadata == {"unit": "0.5 m", "up": "y"}
    cubes = sl.from_usd(path, 0, select=lambda prim: prim.IsA(UsdGeom.Cube))
    assert cubes.names == ["/hidden", "/lift"]
    with pytest.raises(sl.FileError, match="missing.usda is not a stage"):
        sl.from_usd(tmp_path / "missing.usda")


def test_an_empty_scene_is_said(stage):
    UsdGeom.Xform.Define(stage, "/world")
    with pytest.warns(UserWarning, match="found no prims to take: the scene is empty; select chooses"):
        assert len(sl.from_usd(stage).scene) == 0
    mesh = add(stage, "Mesh", "/mesh")
    mesh.CreatePointsAttr([(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 3)])
    with pytest.warns(UserWarning, match="1 Mesh.*and the scene is empty; approximate=True puts"):
        world = sl.from_usd(stage)
    assert repr(world.left_out) == "{1 Mesh (/mesh)}"
    with pytest.raises(sl.BadInputError, match="found no prims to take"):
        sl.from_usd(stage, select=lambda prim: False, strict=True)
