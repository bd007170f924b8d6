"""to_pyvista: the meshes' numbers, and a missing package."""

import sys

import numpy as np
import pytest

import sightline as sl


@pytest.fixture
def scene():
    scene = sl.Scene()
    rng = np.random.default_rng(1)
    low, q = rng.normal(size=(5, 3)), rng.normal(size=(5, 4))
    q /= np.linalg.norm(q, axis=1, keepdims=True)
    scene.add_aabbs(low, low + 1, label=np.arange(5))
    scene.add_obbs(low, rng.random((5, 3)), q, mask=3)
    scene.add_spheres(low, rng.random(5) + 0.1, group=np.arange(5))
    scene.add_capsules(low, low[::-1], rng.random(5) + 0.1)
    return scene


def test_meshes_have_their_corners_on_the_shapes(scene):
    pytest.importorskip("pyvista")
    blocks = sl.to_pyvista(scene, sections=24)
    assert blocks.keys() == ["aabb", "obb", "sphere", "capsule"]
    caster = sl.Caster(scene, device="cpu")
    for kind, ratio in [("aabb", 1), ("obb", 1), ("sphere", 0.95), ("capsule", 0.95)]:
        mesh, shapes = blocks[kind], scene.shapes(kind)
        cells = mesh.n_cells // 5
        ids = np.repeat(scene.id(kind, 0) + np.arange(5), cells)
        np.testing.assert_array_equal(mesh.cell_data["id"], ids)
        for name in ("mask", "group", "label"):
            np.testing.assert_array_equal(mesh.cell_data[name], np.repeat(shapes[name], cells))
        near = caster.nearest(np.asarray(mesh.points), k=20)
        own = np.asarray(near.id) == np.repeat(ids[::cells], mesh.n_points // 5)[:, None]
        assert own.sum() == mesh.n_points
        np.testing.assert_allclose(np.asarray(near.distance)[own], 0, atol=2e-6)
        # Faces outwards, closed: the volume is that of the shapes, or a little less.
        if kind == "aabb":
            volume = 5.0
        elif kind == "obb":
            volume = 8 * np.prod(shapes["half_extents"], axis=1).sum()
        else:
            r, long = shapes["radius"], 0
            if kind == "capsule":
                long = np.linalg.norm(shapes["b"] - shapes["a"], axis=1)
            volume = (np.pi * r * r * (4 / 3 * r + long)).sum()
        triangles = mesh.triangulate()
        assert ratio * volume * (1 - 1e-5) <= triangles.volume <= volume * (1 + 1e-5)
        corners = triangles.points[triangles.regular_faces].astype(np.float64)
        signed = np.linalg.det(corners).sum() / 6
        assert signed == pytest.approx(triangles.volume, rel=1e-3)



def test_triangles_are_themselves():
    pytest.importorskip("pyvista")
    scene = sl.Scene()
    corners = [[0, 0, 0], [2, 0, 0], [2, 2, 1], [0, 2, 0]]
    scene.add_mesh(corners, [[0, 1, 2], [0, 2, 3]], label=[5, 6])
    mesh = sl.to_pyvista(scene)["triangle"]
    assert mesh.n_cells == 2 and mesh.cell_data["label"].tolist() == [5, 6]
    assert mesh.points[:3].tolist() == [[0, 0, 0], [2, 0, 0], [2, 2, 1]]


def test_planes_and_empty_scenes(scene):
    pytest.importorskip("pyvista")
    scene.add_planes([[0, 0, 1], [0, 0.6, 0.8]], [-5, -6])
    with pytest.warns(UserWarning, match="to_pyvista: 2 planes are left out"):
        assert "plane" not in sl.to_pyvista(scene).keys()
    square = np.asarray(sl.to_pyvista(scene, plane_size=8)["plane"].points).reshape(2, 8, 3)
    np.testing.assert_allclose(square[0, :, 2], -5, atol=1e-5)
    np.testing.assert_allclose(square[1] @ [0, 0.6, 0.8], -6, atol=1e-5)
    assert np.ptp(square[0, :, 0]) == pytest.approx(8)
    assert len(sl.to_pyvista(sl.Scene())) == 0
    with pytest.raises(sl.UsageError, match="sections is 3"):
        sl.to_pyvista(scene, sections=3)


@pytest.mark.parametrize(
    "function, module, pip",
    [
        ("from_mujoco", "mujoco", "mujoco"),
        ("from_trimesh", "trimesh", "trimesh"),
        ("from_urdf", "yourdfpy", "yourdfpy"),
        ("from_usd", "pxr", "usd-core"),
        ("to_trimesh", "trimesh", "trimesh"),
        ("to_pyvista", "pyvista", "pyvista"),
    ],
)
def test_a_missing_package_is_named(function, module, pip, monkeypatch):
    monkeypatch.setitem(sys.modules, module, None)
    arguments = (None, None) if function == "from_mujoco" else (None,)
    words = f"sightline.{function} needs the package {pip} .*: pip install {pip}"
    with pytest.raises(ImportError, match=words):
        getattr(sl, function)(*arguments)
