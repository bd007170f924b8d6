"""Scenes as PyVista's meshes."""

import numpy as np

import sightline

from ..mismatch import answered
from .common import package, solids, surfaces


@answered
def to_pyvista(scene, *, plane_size: float | None = None, sections: int = 16):
    """A ``pyvista.MultiBlock`` with one ``PolyData`` for each kind that the scene has.

    ``scene`` is a ``Scene``, or what has one as ``.scene``. The blocks are named "aabb", "obb",
    "sphere", "capsule", "plane"; their cells carry "id", "mask", "group" and "label" as
    ``cell_data``. Boxes are exact; spheres and capsules are meshes of ``sections`` (4 or more)
    sectors around, and half as many rings, whose corners lie on the surface. Vectorised.

    plane_size: as of ``to_trimesh``.

    Raises ImportError without the package pyvista, UsageError for fewer sections than 4.
    """
    pyvista = package("to_pyvista", "pyvista", "pyvista")
    if sections < 4:
        raise sightline.UsageError(f"sections is {sections}, less than 4")
    scene, out = getattr(scene, "scene", scene), pyvista.MultiBlock()
    for kind, all_of in solids(scene, plane_size, "to_pyvista"):
        n = len(all_of["mask"])
        world, faces = surfaces(
            kind, all_of["center"], all_of["rotation"], all_of["size"], sections
        )
        corners = faces[None] + world.shape[1] * np.arange(n)[:, None, None]
        corners = corners.reshape(-1, faces.shape[1])
        mesh = pyvista.PolyData.from_regular_faces(world.reshape(-1, 3), corners)
        first = scene.id(kind, 0)
        for name in ("id", "mask", "group", "label"):
            column = first + np.arange(n, dtype=np.uint32) if name == "id" else all_of[name]
            mesh.cell_data[name] = np.repeat(column, len(faces))
        out[kind] = mesh
    return out
