"""from_trimesh, to_trimesh, and boxes against trimesh's and Open3D's casters."""

import numpy as np
import pytest
from random_rays import random_rays

import sightline as sl

trimesh = pytest.importorskip("trimesh")

from trimesh import transformations as tf  # noqa: E402
from trimesh.primitives import Box, Capsule, Cylinder, Sphere  # noqa: E402


def pose(rng):
    matrix = tf.random_rotation_matrix(rng.random(3))
    matrix[:3, 3] = rng.normal(size=3) * 3
    return matrix


def boxes(seed, n):
    rng = np.random.default_rng(seed)
    return [Box(extents=rng.uniform(0.1, 2, 3), transform=pose(rng)) for _ in range(n)]


def test_primitives():
    turn = tf.rotation_matrix(np.pi / 2, [0, 1, 0], [0, 0, 0])
    quarter = np.round(turn)
    quarter[:3, 3] = 1, 2, 3
    source = [
        Box(extents=[2, 4, 6], transform=quarter),
        Box(extents=[2, 4, 6], transform=tf.rotation_matrix(0.5, [1, 0, 0])),
        Sphere(radius=2, center=[1, 0, 0]),
        Capsule(radius=0.5, height=4, transform=quarter),
        Cylinder(radius=0.5, height=4, transform=quarter),
    ]
    world = sl.from_trimesh(source)
    box = world.scene.shapes("aabb")  # a quarter turn swaps the sides along x and z
    np.testing.assert_array_equal([box["min"][0], box["max"][0]], [[-2, 0, 2], [4, 4, 4]])
    turned = world.scene.shapes("obb")
    np.testing.assert_array_equal(turned["half_extents"], [[1, 2, 3]])
    np.testing.assert_allclose(turned["rotation"], [[np.sin(0.25), 0, 0, np.cos(0.25)]], atol=1e-7)
    capsule = world.scene.shapes("capsule")
    np.testing.assert_array_equal(
        np.sort([capsule["a"][0], capsule["b"][0]], axis=0), [[-1, 2, 3], [3, 2, 3]]
    )
    cylinder = world.scene.shapes("cylinder")
    np.testing.assert_array_equal([cylinder["a"], cylinder["b"]], [capsule["a"], capsule["b"]])
    assert world.names == ["0", "1", "2", "3", "4"]
    assert world.ids.tolist() == [0, 1, 2, 3, 4]
    assert world.scene.shapes("sphere")["label"].tolist() == [2]
    assert len(sl.from_trimesh(source[2]).scene) == 1


def test_a_graph_with_scales():
    scene = trimesh.Scene()
    graph_pose = tf.translation_matrix([5, 0, 0]) @ np.diag([2.0, 2, 2, 1])
    scene.add_geometry(Sphere(radius=1), node_name="even", transform=graph_pose)
    uneven = np.diag([1.0, 2, 3, 1])
    scene.add_geometry(Box(extents=[1, 1, 1]), node_name="box", transform=uneven)
    scene.add_geometry(Capsule(radius=1, height=2), node_name="bad", transform=uneven)
    mirror = np.diag([-1.0, 1, 1, 1]) @ tf.rotation_matrix(0.3, [0, 0, 1])
    scene.add_geometry(Box(extents=[1, 2, 3]), node_name="mirrored", transform=mirror)
    shear = np.eye(4)
    shear[0, 1] = 0.5
    scene.add_geometry(Box(extents=[1, 2, 3]), node_name="sheared", transform=shear)
    scene.units = "meters"
    with pytest.warns(UserWarning, match="capsule scaled unevenly.*box sheared"):
        world = sl.from_trimesh(scene)
    assert world.scene.metadata == {"unit": "meters"}
    sphere, box = world.scene.shapes("sphere"), world.scene.shapes("aabb")
    np.testing.assert_array_equal(sphere["center"], [[5, 0, 0]])
    assert sphere["radius"] == [2]
    np.testing.assert_array_equal(box["max"], [[0.5, 1, 1.5]])
    ids = dict(zip(world.names, world.ids.tolist(), strict=True))
    assert ids == {"even": 2, "box": 0, "bad": -1, "mirrored": 1, "sheared": -1}
    inside = mirror[:3, :3] @ [0.49, 0.99, 1.49]  # a corner, from within
    caster = sl.Caster(world.scene, device="cpu")
    near = caster.nearest(np.array([inside]), k=4)
    assert near.id[0][np.asarray(near.distance[0]) < 0].tolist().count(1) == 1

    around = sl.from_trimesh(scene, approximate=True)
    assert around.approximated["capsule scaled unevenly"].tolist() == [world.names.index("bad")]
    assert list(around.left_out) == ["box sheared or of scale 0"]


def test_what_has_no_shape():
    wheel, ball = Cylinder(radius=1, height=0.2), Sphere(radius=1)
    lump = trimesh.creation.torus(2, 0.5)
    lump.apply_translation([10, 0, 0])
    egg = trimesh.Scene()
    egg.add_geometry(wheel, node_name="wheel", transform=np.diag([2.0, 1, 1, 1]))
    with pytest.warns(UserWarning, match="1 cylinder scaled unevenly"):
        assert len(sl.from_trimesh(egg).scene) == 0
    with pytest.warns(UserWarning, match=r"1 of 2 items \(1 Trimesh; the first is '1'"):
        assert len(sl.from_trimesh([wheel, lump]).scene) == 1
    with pytest.raises(sl.BadInputError, match="1 Trimesh"):
        sl.from_trimesh([wheel, lump], strict=True)
    world = sl.from_trimesh([ball, lump], approximate=True, strict=True)
    caster = sl.Caster(world.scene, device="cpu")
    for item, geometry in enumerate([ball, lump]):
        points, _ = trimesh.sample.sample_surface(geometry, 500, seed=1)
        near = caster.nearest(points, k=3)
        own = np.asarray(near.id) == world.ids[item]
        assert (np.asarray(near.distance)[own] < 1e-5).all() and own.any(axis=1).all()
    with pytest.raises(sl.UsageError, match="item 1 is a str"):
        sl.from_trimesh([wheel, "wheel"])


def moved(mesh, matrix):
    mesh.apply_transform(matrix)
    return mesh


def made():
    """Meshes of trimesh's own functions."""
    return [
        trimesh.creation.box(extents=[1, 2, 3]),
        trimesh.creation.icosphere(radius=0.5),
        trimesh.creation.uv_sphere(radius=2),
        trimesh.creation.capsule(height=3, radius=0.25),
        trimesh.creation.capsule(height=0.5, radius=2),
    ]


def test_meshes_that_are_shapes():
    world = sl.from_trimesh(made(), strict=True)
    assert [world.scene.count(kind) for kind in sl.KINDS] == [1, 0, 2, 2, 0, 0, 0]
    box, ball = world.scene.shapes("aabb"), world.scene.shapes("sphere")
    np.testing.assert_array_equal([box["min"][0], box["max"][0]], [[-0.5, -1, -1.5], [0.5, 1, 1.5]])
    np.testing.assert_array_equal(ball["radius"], np.float32([0.5, 2]))
    np.testing.assert_array_equal(ball["center"], np.zeros((2, 3)))
    capsule = world.scene.shapes("capsule")
    for i, (height, radius) in enumerate([(3, 0.25), (0.5, 2)]):
        ends = np.sort([capsule["a"][i], capsule["b"][i]], axis=0)
        made_at = trimesh.creation.capsule(height=height, radius=radius).bounds.mean(axis=0)
        np.testing.assert_allclose(ends - made_at, [[0, 0, -height / 2], [0, 0, height / 2]], atol=1e-6)
        np.testing.assert_allclose(capsule["radius"][i], radius, rtol=1e-6)


@pytest.mark.parametrize("seed", range(8))
def test_meshes_that_are_shapes_and_moved(seed):
    rng = np.random.default_rng(seed)
    matrix = pose(rng)
    matrix[:3, :3] *= rng.uniform(0.5, 2)
    meshes = [moved(mesh, matrix) for mesh in made()]
    world = sl.from_trimesh(meshes, strict=True)
    assert [world.scene.count(kind) for kind in sl.KINDS] == [0, 1, 2, 2, 0, 0, 0]
    caster = sl.Caster(world.scene, device="cpu")
    for item, mesh in enumerate(meshes):
        # All corners lie on the shape, and a point a bit within the mesh lies in it.
        near = caster.nearest(mesh.vertices, k=5)
        own = near.id == world.ids[item]
        assert own.any(axis=1).all()
        assert np.abs(near.distance[own]).max() < 2e-6 * np.abs(mesh.vertices).max()
    turned = world.scene.shapes("obb")
    np.testing.assert_allclose(np.prod(2 * turned["half_extents"]), abs(meshes[0].volume), rtol=1e-5)
    # As a file of float32 has it, with a corner for each triangle.
    loose = meshes[0].triangles.astype(np.float32).reshape(-1, 3)
    soup = trimesh.Trimesh(loose, np.arange(36).reshape(12, 3), process=False)
    assert sl.from_trimesh(soup, strict=True).scene.count("obb") == 1


def test_meshes_that_are_no_shapes():
    box = trimesh.creation.box
    dented = box()
    dented.vertices[3] *= 0.9
    open_box = box()
    open_box.update_faces(np.arange(12) != 4)
    overlapping = box()
    faces = overlapping.faces.copy()
    first, second = (set(f.tolist()) for f in faces[:2])
    # Of one face two triangles that both lack the same diagonal: they cover three quarters of it.
    face = [i for i in range(12) if len(set(overlapping.faces[i]) | first) == 4
            and np.ptp(overlapping.vertices[list(set(overlapping.faces[i]) | first)], axis=0).min() == 0]
    (partner,) = [i for i in face if i != 0]
    shared = first & set(faces[partner].tolist())
    lone = (first - shared).pop()
    faces[partner] = [lone, (set(faces[partner].tolist()) - shared).pop(), shared.pop()]
    overlapping = trimesh.Trimesh(overlapping.vertices, faces, process=False)
    sheared = moved(box(), np.array([[1, 0.01, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1.0]]))
    egg = trimesh.creation.icosphere()
    egg.vertices *= [1, 1, 1.001]
    bent = trimesh.creation.capsule(height=3, radius=0.25)
    bent.vertices[0] *= 1.001
    no_name = trimesh.creation.icosphere()
    no_name.metadata.clear()
    others = [dented, open_box, overlapping, sheared, egg, bent, no_name]
    with pytest.warns(UserWarning, match=r"7 of 7 items \(7 Trimesh.*left out, and the scene is empty;"
                                         " approximate=True puts shapes around those"):  # fmt: skip
        world = sl.from_trimesh(others)
    assert len(world.scene) == 0 and len(world.left_out["Trimesh"]) == 7
    assert sl.from_trimesh(others, approximate=True, strict=True).scene.count("obb") >= 1


def test_an_empty_scene_is_said():
    for nothing in ([], trimesh.Scene()):
        with pytest.warns(UserWarning, match="found no items to take: the scene is empty"):
            assert len(sl.from_trimesh(nothing).scene) == 0
    with pytest.raises(sl.BadInputError, match="found no items to take"):
        sl.from_trimesh([], strict=True)


def test_what_is_left_out_is_short():
    many = [trimesh.creation.torus(2, 0.5, major_sections=6, minor_sections=6)] * 3000
    scene = trimesh.Scene()
    for i, mesh in enumerate(many[:4]):
        scene.add_geometry(mesh, node_name=f"ring {i}")
    with pytest.warns(UserWarning) as said:
        cloud = trimesh.PointCloud(np.eye(3))
        world, named = sl.from_trimesh([*many, cloud]), sl.from_trimesh(scene)
    assert repr(world.left_out) == "{3000 Trimesh (0, 1, 2, ...); 1 PointCloud (3000)}"
    assert repr(named.left_out) == "{4 Trimesh (ring 0, ring 1, ring 2, ...)}"
    assert world.left_out["Trimesh"].tolist() == list(range(3000))
    assert repr(world.approximated) == "{}" and all(len(str(w.message)) < 250 for w in said)


def test_round_trip():
    rng = np.random.default_rng(3)
    scene = sl.Scene()
    n = 20
    low = rng.normal(size=(n, 3))
    attributes = {"mask": 5, "group": np.arange(n), "label": np.arange(n) + 100}
    scene.add_aabbs(low, low + rng.random((n, 3)), **attributes)
    turn = rng.normal(size=(n, 4))
    turn /= np.linalg.norm(turn, axis=1, keepdims=True)
    scene.add_obbs(rng.normal(size=(n, 3)), rng.random((n, 3)), turn, **attributes)
    scene.add_spheres(rng.normal(size=(n, 3)), rng.random(n), **attributes)
    ends = rng.normal(size=(2, n, 3))
    ends[1, :3] = ends[0, :3] - [[0, 0, 1], [0, 0, -1], [0, 0, 0]]  # straight down, up, no length
    scene.add_capsules(*ends, rng.random(n), **attributes)
    there = sl.to_trimesh(scene)
    assert list(there.geometry)[:2] == ["aabb 0", "aabb 1"] and len(there.geometry) == 4 * n
    back = sl.from_trimesh(there).scene
    for kind in ("aabb", "obb", "sphere", "capsule"):
        before, after = scene.shapes(kind), back.shapes(kind)
        for name, column in before.items():
            if name == "rotation":  # q and -q are the same turn
                dot = np.abs(np.einsum("ni,ni->n", column, after[name]))
                np.testing.assert_allclose(dot, 1, atol=1e-6)
            elif kind == "capsule" and column.dtype.kind == "f":
                np.testing.assert_allclose(after[name], column, atol=1e-6)
            else:
                np.testing.assert_array_equal(after[name], column, err_msg=f"{kind} {name}")


def test_planes_of_a_stated_size():
    scene = sl.Scene()
    scene.add_spheres([[0, 0, 1], [4, 0, 1]], 1)
    scene.add_planes([0, 0, 1], -0.5)
    with pytest.warns(UserWarning, match="1 plane is left out"):
        assert len(sl.to_trimesh(scene).geometry) == 2
    square = sl.to_trimesh(scene, plane_size=10).geometry["plane 0"]
    np.testing.assert_allclose(square.bounds, [[-3, -5, -0.5], [7, 5, -0.5]])


def box_bounds(shapes, origins, directions, by):
    """t of the nearest box grown by a length, in float64, by slabs: inf for a miss.

    A formula of its own, for telling which rays pass within rounding of an edge.
    """
    best = np.full(len(origins), np.inf)
    for box in shapes:
        inverse = np.linalg.inv(box.primitive.transform)
        o = origins @ inverse[:3, :3].T + inverse[:3, 3]
        d = directions @ inverse[:3, :3].T
        half = box.primitive.extents / 2 + by
        with np.errstate(divide="ignore"):
            a, b = (-half - o) / d, (half - o) / d
        near, far = np.minimum(a, b).max(axis=1), np.maximum(a, b).min(axis=1)
        enters = np.where(near >= 0, near, far)
        best = np.where((near <= far) & (far >= 0), np.minimum(best, enters), best)
    return best


def compare_with_mesh_caster(shapes, cast, rays):
    """Hits, misses and t of boxes and of their triangles.

    Returns how many rays graze: their answers differ for boxes that are 2^-21 of the coordinates
    larger or smaller. And how many of these are answered otherwise by the other caster.
    """
    origins, directions = rays
    world = sl.from_trimesh(shapes)
    hits = sl.Caster(world.scene, device="cpu").closest_hit(*rays, inside="surface")
    t = cast(origins, directions)
    extent = max(np.abs(origins).max(), np.abs(world.scene.bounds).max())
    eps = 2.0**-21 * extent
    bounds = [box_bounds(shapes, origins, directions, by) for by in (-eps, eps)]
    length = np.linalg.norm(directions, axis=1)
    with np.errstate(invalid="ignore", divide="ignore"):
        slack = eps / np.abs(np.einsum("ni,ni->n", hits.normal, directions) / length)
        slack[~hits.hit] = 0
        sure = np.abs(bounds[0] - bounds[1]) * length <= 4 * slack
        sure |= np.isinf(bounds[0]) & np.isinf(bounds[1])
        near = np.abs(hits.t - t) * length <= slack
    agree = near | (np.isinf(t) & np.isinf(hits.t))
    assert agree[sure].all(), f"ray {np.flatnonzero(sure & ~agree)[0]}"
    assert (np.isfinite(t) & sure).sum() > 0.1 * len(t)
    return int((~sure).sum()), int((~agree).sum())


def test_boxes_as_trimesh(scale):
    pytest.importorskip("rtree")
    shapes = boxes(1, 30)
    mesh = trimesh.util.concatenate([b.to_mesh() for b in shapes])
    intersector = trimesh.ray.ray_triangle.RayMeshIntersector(mesh)

    def cast(origins, directions):
        at, ray, _ = intersector.intersects_location(origins, directions, multiple_hits=True)
        t = np.full(len(origins), np.inf)
        length = np.linalg.norm(directions, axis=1)
        np.minimum.at(t, ray, np.linalg.norm(at - origins[ray], axis=1) / length[ray])
        return t

    n = max(1000, round(20000 * scale))
    rays = random_rays(np.random.default_rng(2), mesh.bounds[0], mesh.bounds[1], n)
    grazing, other = compare_with_mesh_caster(shapes, cast, rays)
    print(f"\ntrimesh: {n} rays, {grazing} graze an edge, {other} of them answered otherwise")
    assert grazing <= 0.01 * n


def test_boxes_as_open3d(scale):
    o3d = pytest.importorskip("open3d")
    shapes = boxes(4, 50)
    mesh = trimesh.util.concatenate([b.to_mesh() for b in shapes])
    tensor = o3d.core.Tensor
    scene = o3d.t.geometry.RaycastingScene()
    scene.add_triangles(tensor(np.float32(mesh.vertices)), tensor(np.uint32(mesh.faces)))

    def cast(origins, directions):
        rays = np.float32(np.hstack([origins, directions]))
        return scene.cast_rays(tensor(rays))["t_hit"].numpy().astype(np.float64)

    n = max(10000, round(300000 * scale))
    rays = random_rays(np.random.default_rng(5), mesh.bounds[0], mesh.bounds[1], n)
    grazing, other = compare_with_mesh_caster(shapes, cast, rays)
    print(f"\nOpen3D: {n} rays, {grazing} graze an edge, {other} of them answered otherwise")
    assert grazing <= 0.01 * n


def test_round_shapes_lie_between_their_meshes(scale):
    """A mesh with its corners on a convex shape is inside it; a smaller shape is inside the mesh."""
    o3d = pytest.importorskip("open3d")
    rng = np.random.default_rng(6)
    outer = sl.Scene()
    n = 20
    centers, radii = rng.normal(size=(n, 3)) * 3, rng.uniform(0.3, 1, n)
    outer.add_spheres(centers, radii)
    ends = rng.normal(size=(2, n, 3)) * 3
    outer.add_capsules(*ends, radii)
    # The faces of icosphere(4) and of sections of 1/64 turn are at least this far out.
    inner, ratio = sl.Scene(), 0.99
    inner.add_spheres(centers, ratio * radii)
    inner.add_capsules(*ends, ratio * radii)
    meshes = sl.to_trimesh(outer, subdivisions=4, sections=64).to_mesh()
    tensor = o3d.core.Tensor
    between = o3d.t.geometry.RaycastingScene()
    between.add_triangles(tensor(np.float32(meshes.vertices)), tensor(np.uint32(meshes.faces)))
    count = max(5000, round(200000 * scale))
    low, high = outer.bounds
    rays = random_rays(rng, low, high, count)
    t = between.cast_rays(tensor(np.float32(np.hstack(rays))))["t_hit"].numpy()
    # Origins inside count as hits at 0 for shapes and pass on to the far side for meshes.
    first, last = (sl.Caster(s, device="cpu").closest_hit(*rays) for s in (outer, inner))
    outside = (np.asarray(first.flags) & 2) == 0
    slack = 1e-4 / np.linalg.norm(rays[1], axis=1)
    assert (first.t <= t + slack)[outside].all()
    assert (t <= last.t + slack)[outside].all()
    assert np.isfinite(t[outside]).sum() > 0.2 * count
