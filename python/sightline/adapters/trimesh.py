"""Scenes from trimesh's primitives, and as them."""

import numpy as np

import sightline

from ..mismatch import answered
from .common import Imported, along_axes, choose, decompose, package, solids
from .meshes import solid


@answered
def from_trimesh(source, *, approximate: bool = False, strict: bool = False) -> Imported:
    """A scene of trimesh's primitives, and of meshes that are boxes, spheres or capsules.

    A box becomes an AABB if its axes are the coordinate axes to the bit, else an OBB. Spheres,
    capsules and cylinders become themselves. So does a mesh of 8 corners and 12 triangles that is
    a box, and a mesh whose metadata's "shape" is "sphere" or "capsule", if all of its corners lie on one within
    1e-6 of the largest coordinate. A shape's label is the item's number, unless
    ``geometry.metadata["sightline"]`` has "label", "mask" or "group".

    Parameters
    ----------
    source : geometry, list of geometries or trimesh.Scene
        What to import. A scene's transforms count, and its units become the metadata's "unit".
    approximate : bool, default False
        Whether other items become the box around them, which are left out by default; for large
        meshes that is slow. Cylinders become the capsule or the box around them, whichever is
        smaller: for overlaps, distances and sweeps, which take no cylinders yet.
    strict : bool, default False
        Whether to raise BadInputError instead of leaving items out with a warning.

    Returns
    -------
    Imported
        The scene, the names of the graph's nodes or numbers, and which item is which shape.

    Raises
    ------
    UsageError
        If the source is anything else.
    BadInputError
        If ``strict`` and an item is left out.
    ImportError
        If the package trimesh is not installed.

    Examples
    --------
    >>> import trimesh
    >>> world = sl.from_trimesh(trimesh.primitives.Sphere(radius=1, center=[5, 0, 0]))
    >>> world.scene
    Scene(1 shape, sphere 1)
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
    """A scene as trimesh's primitives, with the shapes' exact numbers.

    It is a Python loop, for up to about 100,000 shapes. Geometries have the order of the ids, and
    names of kind and index, such as "obb 3". ``metadata["sightline"]`` has "mask", "group" and
    "label", which ``from_trimesh`` reads.

    Parameters
    ----------
    scene : Scene
        The shapes, or an object with a ``scene``.
    plane_size : float, scene units, optional
        The side of the square that a plane is drawn as, around its point nearest to the middle of
        the other shapes. By default planes are left out with a warning.
    subdivisions : int, default 3
        How finely trimesh makes meshes of spheres.
    sections : int, default 32
        How finely trimesh makes meshes of capsules and cylinders.

    Returns
    -------
    trimesh.Scene
        A geometry per shape, and one mesh of all triangles, which ``from_trimesh`` leaves out.

    Raises
    ------
    ImportError
        If the package trimesh is not installed.

    Examples
    --------
    >>> scene = sl.Scene()
    >>> scene.add_spheres([5, 0, 0], 1)
    0
    >>> list(sl.to_trimesh(scene).geometry)
    ['sphere 0']
    """
    trimesh = package("to_trimesh", "trimesh", "trimesh")
    kinds, out, scene = trimesh.primitives, trimesh.Scene(), getattr(scene, "scene", scene)
    for kind, all_of in solids(scene, plane_size, "to_trimesh"):
        if kind == "triangle":
            corners = all_of["corners"].reshape(-1, 3)
            mesh = trimesh.Trimesh(corners, np.arange(len(corners)).reshape(-1, 3), process=False)
            out.add_geometry(mesh, node_name="triangles", geom_name="triangles")
            continue
        matrices = np.tile(np.eye(4), (len(all_of["mask"]), 1, 1))
        matrices[:, :3, :3], matrices[:, :3, 3] = all_of["rotation"], all_of["center"]
        for i, (matrix, size) in enumerate(zip(matrices, all_of["size"].tolist(), strict=True)):
            if kind == "sphere":
                shape = kinds.Sphere(radius=size[0], transform=matrix, subdivisions=subdivisions)
            elif kind in ("capsule", "cylinder"):
                primitive = kinds.Capsule if kind == "capsule" else kinds.Cylinder
                shape = primitive(
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
