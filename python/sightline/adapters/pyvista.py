"""Scenes as PyVista's meshes."""

import numpy as np

import sightline

from .common import package, solids

# The faces of a box whose corner k is at sign (k & 1, k & 2, k & 4), seen from outside.
BOX = np.array([[0, 4, 6, 2], [1, 3, 7, 5], [0, 1, 5, 4], [2, 6, 7, 3], [0, 2, 3, 1], [4, 5, 7, 6]])
CORNERS = np.array([[(k >> axis & 1) * 2.0 - 1 for axis in range(3)] for k in range(8)])


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
        size, n = all_of["size"], len(all_of["mask"])
        ball = kind in ("sphere", "capsule")
        points, faces = _ball(sections) if ball else (CORNERS, BOX)
        local = points * (size[:, None, :1] if ball else size[:, None, :])
        if kind == "capsule":  # the upper half moves up, the lower half down
            local[:, :, 2] += (
                np.where(np.arange(len(points)) < len(points) // 2, 1, -1) * size[:, 1:2]
            )
        world = np.einsum("nij,nkj->nki", all_of["rotation"], local) + all_of["center"][:, None, :]
        corners = faces[None] + len(points) * np.arange(n)[:, None, None]
        corners = corners.reshape(-1, faces.shape[1])
        mesh = pyvista.PolyData.from_regular_faces(world.reshape(-1, 3), corners)
        first = scene.id(kind, 0)
        for name in ("id", "mask", "group", "label"):
            column = first + np.arange(n, dtype=np.uint32) if name == "id" else all_of[name]
            mesh.cell_data[name] = np.repeat(column, len(faces))
        out[kind] = mesh
    return out


def _ball(sections):
    """Corners [m,3] of a unit ball, its upper half first, and quads; the poles' are triangles.

    Both halves have the equator, so that a capsule's can part.
    """
    rings = max(2, sections // 4) + 1
    up = np.linspace(np.pi / 2, 0, rings)
    up = np.concatenate([up, -up[::-1]])
    around = np.arange(sections) * 2 * np.pi / sections
    z, r = np.sin(up)[:, None], np.cos(up)[:, None]
    points = np.stack([r * np.cos(around), r * np.sin(around), z + 0 * around], axis=2)
    ring = np.arange(sections) + sections * np.arange(2 * rings - 1)[:, None]
    after = np.roll(ring, -1, axis=1)
    quads = np.stack([ring, ring + sections, after + sections, after], axis=2)
    return points.reshape(-1, 3), quads.reshape(-1, 4)
