"""Meshes that are boxes, spheres or capsules, told by their corners.

A box is one whatever it is called: its mesh has the same points. Round meshes are polyhedra, so one
is taken for a sphere or a capsule only where its maker says that it stands for one, and where all
of its corners lie on that shape.
"""

import itertools

import numpy as np

#: Corners lie on a shape when they do within this, of the largest coordinate.
NEAR = 1e-6


def solid(vertices, faces, said=None):
    """(form, size [3], pose [4,4]) of a mesh, as `common` has them, or None of any other.

    said: what its maker calls it, such as "sphere".
    """
    vertices = np.asarray(vertices, np.float64).reshape(-1, 3)
    if len(vertices) < 8 or not np.isfinite(vertices).all():
        return None
    near = NEAR * np.abs(vertices).max()
    if said == "sphere":
        return _sphere(vertices, near)
    if said == "capsule":
        return _capsule(vertices, near)
    return _box(vertices, np.asarray(faces), near)


def _box(vertices, faces, near):
    if faces.shape != (12, 3):
        return None
    corners, place = np.unique(vertices, axis=0, return_inverse=True)
    if len(corners) != 8:
        return None
    first, across = corners[0], 2 * (corners.mean(axis=0) - corners[0])
    edges = next(
        (e for e in itertools.combinations(corners[1:] - first, 3) if _spans(e, across, near)), None
    )
    if edges is None:
        return None
    edges = np.array(edges)
    codes = np.array([[k >> i & 1 for i in range(3)] for k in range(8)])
    apart = np.abs((first + codes @ edges)[:, None] - corners).max(axis=2)
    which = apart.argmin(axis=0)  # the code of each corner
    if apart.min(axis=0).max() > near or len(set(which.tolist())) != 8:
        return None
    if not _covers(codes[which[place.reshape(-1)[faces]]]):
        return None
    length = np.linalg.norm(edges, axis=1)
    pose = np.eye(4)
    pose[:3, :3] = (edges / length[:, None]).T
    if np.linalg.det(pose[:3, :3]) < 0:
        pose[:3, 0] *= -1
    pose[:3, 3] = first + edges.sum(axis=0) / 2
    return "box", length / 2, pose


def _spans(edges, across, near):
    """Whether three edges of a corner are perpendicular and lead to the corner across."""
    edges = np.array(edges)
    length = np.linalg.norm(edges, axis=1)
    cosines = (edges @ edges.T)[[0, 0, 1], [1, 2, 2]]
    slack = near * np.array([length[0] + length[1], length[0] + length[2], length[1] + length[2]])
    return np.abs(edges.sum(axis=0) - across).max() <= 4 * near and (np.abs(cosines) <= slack).all()


def _covers(triangles):
    """Whether triangles [12,3,3] of corners' codes cover each face of a box once."""
    for axis, side in itertools.product(range(3), range(2)):
        two = triangles[(triangles[:, :, axis] == side).all(axis=1)]
        if len(two) != 2:
            return False
        one, other = ({tuple(code) for code in triangle.tolist()} for triangle in two)
        shared = [np.array(code) for code in one & other]
        if len(one | other) != 4 or np.abs(shared[0] - shared[1]).sum() != 2:
            return False
    return True


def _sphere(vertices, near):
    middle = vertices.mean(axis=0)
    v = vertices - middle
    equations = np.column_stack([2 * v, np.ones(len(v))])  # |v|^2 = 2 c v + r^2 - |c|^2
    center = np.linalg.lstsq(equations, (v * v).sum(axis=1), rcond=None)[0][:3] + middle
    distance = np.linalg.norm(vertices - center, axis=1)
    radius = distance.mean()
    if np.ptp(distance) > near or radius <= near:
        return None
    return "sphere", (radius, 0, 0), _pose(center, np.eye(3), near)


def _capsule(vertices, near):
    vertices = np.unique(vertices, axis=0)  # a corner twice would draw the middle off the axis
    middle = vertices.mean(axis=0)
    v = vertices - middle
    _, axes = np.linalg.eigh(v.T @ v)
    for axis in axes.T[::-1]:  # of these one is the capsule's own
        axis = np.where(np.abs(axis) < NEAR**2, 0, axis)
        along = v @ axis
        aside = np.linalg.norm(v - along[:, None] * axis, axis=1)
        radius = aside.max()
        half = np.ptp(along) / 2 - radius
        center = (along.max() + along.min()) / 2
        beside = along - center - np.clip(along - center, -max(half, 0), max(half, 0))
        distance = np.hypot(aside, beside)
        if half >= -near and np.abs(distance - radius).max() <= near:
            other = np.eye(3)[np.abs(axis).argmin()]
            x = np.cross(other, axis) / np.linalg.norm(np.cross(other, axis))
            turn = np.column_stack([x, np.cross(axis, x), axis])
            size = (radius, max(half, 0), 0)
            return "capsule", size, _pose(middle + center * axis, turn, near)
    return None


def _pose(center, turn, near):
    pose = np.eye(4)
    pose[:3, :3], pose[:3, 3] = turn, np.where(np.abs(center) < near * NEAR, 0, center)
    return pose
