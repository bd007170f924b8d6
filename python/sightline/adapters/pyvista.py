"""Scenes as PyVista's meshes."""

import numpy as np

import sightline

from ..mismatch import answered
from .common import package, solids, surfaces


@answered
def to_pyvista(scene, *, plane_size: float | None = None, sections: int = 16):
    """A scene as PyVista's meshes.

    Boxes and triangles are exact. Spheres, capsules and cylinders are meshes whose corners lie on
    the surface.

    Parameters
    ----------
    scene : Scene
        The shapes, or an object with a ``scene``.
    plane_size : float, scene units, optional
        The side of the square that a plane is drawn as. By default planes are left out with a
        warning.
    sections : int, at least 4, default 16
        The number of sectors around a sphere, capsule or cylinder; the first two have half as many
        rings.

    Returns
    -------
    pyvista.MultiBlock
        A ``PolyData`` per kind, named "aabb", "obb", "sphere", "capsule", "cylinder",
        "triangle" or "plane". Its cells have "id", "mask", "group" and "label" as ``cell_data``.

    Raises
    ------
    UsageError
        If ``sections`` is below 4.
    ImportError
        If the package pyvista is not installed.

    Examples
    --------
    >>> scene = sl.Scene()
    >>> scene.add_spheres([5, 0, 0], 1)
    0
    >>> sl.to_pyvista(scene).keys()
    ['sphere']
    """
    pyvista = package("to_pyvista", "pyvista", "pyvista")
    if sections < 4:
        raise sightline.UsageError(f"sections is {sections}, less than 4")
    scene, out = getattr(scene, "scene", scene), pyvista.MultiBlock()
    for kind, all_of in solids(scene, plane_size, "to_pyvista"):
        n = len(all_of["mask"])
        if kind == "triangle":
            world, faces = all_of["corners"], np.array([[0, 1, 2]])
        else:
            solid = (all_of[name] for name in ("center", "rotation", "size"))
            world, faces = surfaces(kind, *solid, sections)
        corners = faces[None] + world.shape[1] * np.arange(n)[:, None, None]
        corners = corners.reshape(-1, faces.shape[1])
        mesh = pyvista.PolyData.from_regular_faces(world.reshape(-1, 3), corners)
        first = scene.id(kind, 0)
        for name in ("id", "mask", "group", "label"):
            column = first + np.arange(n, dtype=np.uint32) if name == "id" else all_of[name]
            mesh.cell_data[name] = np.repeat(column, len(faces))
        out[kind] = mesh
    return out
