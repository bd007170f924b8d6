"""Scenes from trimesh's primitives, and as them."""

import numpy as np

import sightline

from ..mismatch import answered
from .common import Imported, along_axes, choose, decompose, package, solids
from .meshes import solid


@answered
def from_trimesh(source, *, approximate: bool = False, strict: bool = False) -> Imported:
    """A scene of trimesh's primitives, and of meshes that are boxes, spheres or capsules.

    ``source`` is a primitive, a list of them, or a ``trimesh.Scene``, whose graph's transforms
    count. ``trimesh.primitives.Box`` becomes an AABB where its axes are the coordinate axes to the
    bit, else an OBB; ``Sphere`` and ``Capsule`` become themselves. So does a mesh of 8 corners and
    12 triangles that is a box, such as ``trimesh.creation.box()``, and a mesh whose metadata's
    "shape" is "sphere" or "capsule", as of ``trimesh.creation.icosphere()``, as long as all of its
    corners lie on one, within 1e-6 of the largest coordinate. A shape's label is the item's
    number, its mask all ones, its group none, unless ``geometry.metadata["sightline"]`` has
    "label", "mask" or "group", as after ``to_trimesh``. A scene's units become the metadata's
    "unit".

    approximate: ``Cylinder`` becomes the smaller of the box and a capsule around it; spheres and
        capsules under unequal scales the box around them; any other mesh the box around its
        vertices that trimesh finds (``bounding_box_oriented``, slow for large meshes). Else they
        are left out, and a warning counts them.
    strict: raise BadInputError instead of leaving any out.

    Returns an object with ``scene``, ``names`` (of the graph's nodes, or numbers), ``ids`` (item ->
    shape, -1 for none), ``items`` (shape -> item), ``left_out`` and ``approximated``.
    Raises ImportError without the package trimesh, UsageError for anything else as the source.
    """
    trimesh = package("from_trimesh", "trimesh", "trimesh")
    names, geometries, matrices = _items(trimesh, source)
    world = Imported(names)
    n = len(names)
    forms, size, around = np.empty(n, object), np.zeros((n, 3)), np.full((n, 3), np.nan)
    matrices = np.array(matrices, np.float64).reshape(-1, 4, 4)
    for i, geometry in enumerate(geometries):
        forms[i], size[i], own = _form(trimesh, geometry)
        if own is None and approximate and hasattr(geometry, "bounding_box_oriented"):
            box = geometry.bounding_box_oriented
            around[i], own = box.primitive.extents / 2, box.primitive.transform
        if own is not None:
            matrices[i] = matrices[i] @ own
    position, rotation, scale = decompose(matrices)
    kinds, size = choose(world, forms, size, scale, approximate=approximate, around=around)
    along_axes(kinds, rotation)
    world._report("from_trimesh", "items", strict, kinds)
    units = getattr(source, "units", None)
    world.scene.metadata = {"unit": units} if units else {}
    said = [g.metadata.get("sightline", {}) for g in geometries]
    world._add(
        kinds,
        size,
        position,
        rotation,
        mask=np.array([s.get("mask", 0xFFFFFFFF) for s in said], np.uint32),
        group=np.array([s.get("group", sightline.NONE) for s in said], np.uint32),
        label=np.array([s.get("label", i) for i, s in enumerate(said)], np.uint64),
    )
    return world


@answered
def to_trimesh(
    scene, *, plane_size: float | None = None, subdivisions: int = 3, sections: int = 32
):
    """A ``trimesh.Scene`` of primitives with the shapes' exact numbers.

    ``scene`` is a ``Scene``, or what has one as ``.scene``. Boxes become ``primitives.Box``,
    spheres and capsules ``Sphere`` and ``Capsule``; each is a geometry of its own, in the order of
    the ids, named by kind and index ("obb 3"), with "mask", "group" and "label" in
    ``metadata["sightline"]``, which ``from_trimesh`` reads back.

    plane_size: the side of the square, in the scene's unit, that a plane is drawn as (a flat box
        around the plane's point nearest to the middle of the other shapes); with None planes are
        left out, and a warning counts them.
    subdivisions, sections: how finely trimesh makes meshes of the spheres and capsules.

    A Python loop: meant for up to about 1e5 shapes. Raises ImportError without the package trimesh.
    """
    trimesh = package("to_trimesh", "trimesh", "trimesh")
    kinds, out, scene = trimesh.primitives, trimesh.Scene(), getattr(scene, "scene", scene)
    for kind, all_of in solids(scene, plane_size, "to_trimesh"):
        matrices = np.tile(np.eye(4), (len(all_of["mask"]), 1, 1))
        matrices[:, :3, :3], matrices[:, :3, 3] = all_of["rotation"], all_of["center"]
        for i, (matrix, size) in enumerate(zip(matrices, all_of["size"].tolist(), strict=True)):
            if kind == "sphere":
                shape = kinds.Sphere(radius=size[0], transform=matrix, subdivisions=subdivisions)
            elif kind == "capsule":
                shape = kinds.Capsule(
                    radius=size[0], height=2 * size[1], transform=matrix, sections=sections
                )
            else:
                shape = kinds.Box(extents=np.multiply(size, 2), transform=matrix)
            said = {name: int(all_of[name][i]) for name in ("mask", "group", "label")}
            shape.metadata["sightline"] = said
            out.add_geometry(shape, node_name=f"{kind} {i}", geom_name=f"{kind} {i}")
    return out


def _items(trimesh, source):
    """Names, geometries and transforms of the items of a source."""
    if isinstance(source, trimesh.Scene):
        names = list(source.graph.nodes_geometry)
        placed = [source.graph[name] for name in names]
        return names, [source.geometry[g] for _, g in placed], [matrix for matrix, _ in placed]
    geometries = list(source) if isinstance(source, (list, tuple)) else [source]
    for i, geometry in enumerate(geometries):
        if not isinstance(geometry, trimesh.parent.Geometry) or isinstance(geometry, trimesh.Scene):
            raise sightline.UsageError(
                f"sightline.from_trimesh takes geometries, a list of them or one trimesh.Scene; "
                f"item {i} is a {type(geometry).__name__}"
            )
    return [str(i) for i in range(len(geometries))], geometries, [np.eye(4)] * len(geometries)


def _form(trimesh, geometry):
    """(form, size [3], transform [4,4]) of a primitive, or of a mesh that is one; transform None for
    any other geometry."""
    kinds, p = trimesh.primitives, getattr(geometry, "primitive", None)
    if isinstance(geometry, kinds.Box):
        return "box", p.extents / 2, p.transform
    if isinstance(geometry, kinds.Sphere):
        return "sphere", (p.radius, 0, 0), p.transform
    if isinstance(geometry, kinds.Capsule):
        return "capsule", (p.radius, p.height / 2, 0), p.transform
    if isinstance(geometry, kinds.Cylinder):
        return "cylinder", (p.radius, p.height / 2, 0), p.transform
    if isinstance(geometry, trimesh.Trimesh):
        known = solid(geometry.vertices, geometry.faces, geometry.metadata.get("shape"))
        if known is not None:
            return known
    return type(geometry).__name__, (0, 0, 0), None
