"""Scenes from OpenUSD stages."""

import os

import numpy as np

import sightline

from ..mismatch import answered
from .common import Imported, along_axes, choose, decompose, package

UNITS = {1.0: "m", 0.1: "dm", 0.01: "cm", 0.001: "mm", 1000.0: "km", 0.0254: "in", 0.3048: "ft"}
# Turns of the z axis into another one; the axes keep their handedness.
TO_AXIS = {
    "X": np.array([[0.0, 0, 1], [1, 0, 0], [0, 1, 0]]),
    "Y": np.array([[0.0, 1, 0], [0, 0, 1], [1, 0, 0]]),
    "Z": np.eye(3),
}


@answered
def from_usd(
    source,
    time=None,
    *,
    select=None,
    planes: str = "rectangle",
    approximate: bool = False,
    strict: bool = False,
) -> Imported:
    """A scene of the cubes, spheres, capsules, cylinders and planes of an OpenUSD stage.

    A cube becomes an AABB if its axes are the stage's to the bit, else an OBB. Spheres and capsules
    become themselves, and transforms may scale them evenly. So do cylinders, whose height may have
    another scale. Instances count, each by itself. The
    prims below a ``PointInstancer`` do not count, nor do its copies. A shape's label is the number
    of its prim. Lengths are in the stage's unit, the metadata's "unit"; "up" is its up axis.

    Parameters
    ----------
    source : str, os.PathLike or pxr.Usd.Stage
        The path of a .usd, .usda, .usdc or .usdz file, or a stage.
    time : float, optional
        The time code; by default the default values.
    select : callable, optional
        A function of a ``pxr.Usd.Prim`` that says whether to take it. By default the visible prims
        are taken.
    planes : "rectangle" or "half_space", default "rectangle"
        "rectangle": a plane is a flat box of its width and length. "half_space": it is infinite,
        and solid below, as colliders are.
    approximate : bool, default False
        Whether cones, meshes and unevenly scaled spheres become the box around them, which are left
        out by default. Cylinders become the capsule or the box around them, whichever is smaller:
        for overlaps, distances and sweeps, which take no cylinders yet.
    strict : bool, default False
        Whether to raise BadInputError instead of leaving items out with a warning.

    Returns
    -------
    Imported
        The scene, the paths of the prims as ``names``, and which prim is which shape.

    Raises
    ------
    FileError
        If the file is not a stage.
    ValueError
        If ``planes`` is another word.
    BadInputError
        If ``strict`` and an item is left out.
    ImportError
        If the package usd-core is not installed.

    Examples
    --------
    >>> from pxr import Usd, UsdGeom
    >>> stage = Usd.Stage.CreateInMemory()
    >>> ball = UsdGeom.Sphere.Define(stage, "/ball")
    >>> sl.from_usd(stage).scene
    Scene(1 shape, sphere 1)
    """
    package("from_usd", "pxr", "usd-core")
    from pxr import Tf, Usd, UsdGeom

    if planes not in ("rectangle", "half_space"):
        raise ValueError(f"planes is {planes!r}, not 'rectangle' or 'half_space'")
    stage = source
    if not isinstance(source, Usd.Stage):
        try:
            stage = Usd.Stage.Open(os.fspath(source))
        except Tf.ErrorException as error:
            raise sightline.FileError(f"{source} is not a stage that USD opens: {error}") from error
    time = Usd.TimeCode.Default() if time is None else Usd.TimeCode(time)

    prims = list(_prims(stage, time, select, Usd, UsdGeom))
    world = Imported([str(prim.GetPath()) for prim in prims])
    n = len(prims)
    forms, size, around = np.empty(n, object), np.zeros((n, 3)), np.full((n, 3), np.nan)
    matrices, cache = np.empty((n, 4, 4)), UsdGeom.XformCache(time)
    for i, prim in enumerate(prims):
        # USD's vectors are rows, so its matrices are ours transposed.
        matrices[i] = np.array(cache.GetLocalToWorldTransform(prim)).T
        forms[i], size[i], own = _form(prim, time, planes, UsdGeom)
        if own is None and approximate:
            own, around[i] = _extent(prim, time, Usd, UsdGeom)
        if own is not None:
            matrices[i] = matrices[i] @ own
    position, rotation, scale = decompose(matrices)
    kinds, size = choose(world, forms, size, scale, approximate=approximate, around=around)
    along_axes(kinds, rotation)
    empty = "; select chooses others than the visible ones with geometry" if select is None else ""
    world._report("from_usd", "prims", strict, kinds, empty)
    metres = float(UsdGeom.GetStageMetersPerUnit(stage))
    world.scene.metadata = {
        "unit": UNITS.get(metres, f"{metres:g} m"),
        "up": str(UsdGeom.GetStageUpAxis(stage)).lower(),
    }
    world._add(kinds, size, position, rotation)
    return world


def _prims(stage, time, select, Usd, UsdGeom):
    """The prims with geometry that are taken, and point instancers, in the order of the stage."""
    walk = iter(Usd.PrimRange.Stage(stage, Usd.TraverseInstanceProxies()))
    for prim in walk:
        instancer = prim.IsA(UsdGeom.PointInstancer)
        if instancer:
            walk.PruneChildren()
        elif not prim.IsA(UsdGeom.Gprim):
            continue
        if select is None:
            visibility = UsdGeom.Imageable(prim).ComputeVisibility(time)
            if visibility != UsdGeom.Tokens.invisible:
                yield prim
        elif select(prim):
            yield prim


def _form(prim, time, planes, UsdGeom):
    """(form, size [3], own turn [4,4]) of a prim; None as the turn for any other geometry."""

    def value(name):
        return prim.GetAttribute(name).Get(time)

    name, turn = prim.GetTypeName(), np.eye(4)
    if name in ("Capsule", "Cylinder", "Capsule_1", "Cylinder_1", "Plane"):
        turn[:3, :3] = TO_AXIS[value("axis")]
    if name == "Cube":
        return "box", [value("size") / 2] * 3, turn
    if name == "Sphere":
        return "sphere", (value("radius"), 0, 0), turn
    if name in ("Capsule", "Cylinder"):
        return name.lower(), (value("radius"), value("height") / 2, 0), turn
    if name in ("Capsule_1", "Cylinder_1") and value("radiusTop") == value("radiusBottom"):
        return name[:-2].lower(), (value("radiusTop"), value("height") / 2, 0), turn
    if name == "Plane":
        # Width and length are along x and y; along z and y where the plane faces x; along x and z
        # where it faces y. TO_AXIS takes x, y, z to y, z, x and to z, x, y.
        width, length = value("width") / 2, value("length") / 2
        along = (width, length, 0) if value("axis") == "Z" else (length, width, 0)
        return ("rectangle", along, turn) if planes == "rectangle" else ("half-space", along, turn)
    return name, (0, 0, 0), None


def _extent(prim, time, Usd, UsdGeom):
    """The box around a prim in its own frame: its centre as a move [4,4], and half extents [3]."""
    extent = UsdGeom.Boundable.ComputeExtentFromPlugins(UsdGeom.Boundable(prim), time)
    if not extent or len(extent) != 2:
        return None, np.nan
    low, high = np.array(extent, np.float64)
    move = np.eye(4)
    move[:3, 3] = (low + high) / 2
    return move, (high - low) / 2
