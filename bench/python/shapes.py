"""The shapes of a comparison as plain arrays: what every contestant and the oracle are given.

``Shapes`` maps a kind to its binary32 columns. Shape ids count kind by kind, in the order of
``FIELDS``, as ``sightline.Scene`` counts them.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
from sightline.adapters.common import placed, surfaces

FIELDS = {
    "aabb": ("min", "max"),
    "obb": ("center", "half_extents", "rotation"),
    "sphere": ("center", "radius"),
    "capsule": ("a", "b", "radius"),
    "plane": ("normal", "offset"),
}
BOUNDED, BOXES = tuple(FIELDS)[:4], ("aabb", "obb")
FLAT = ("aabb", "obb", "plane")  # kinds that triangles can hold exactly
Shapes = dict[str, dict[str, np.ndarray]]


@dataclass
class Mesh:
    """A scene that is one mesh: vertices float32 [v,3], faces uint32 [f,3]; ids are faces."""

    vertices: np.ndarray
    faces: np.ndarray


def empty() -> Shapes:
    width = {"rotation": 4, "radius": 0, "offset": 0}
    return {
        kind: {f: np.zeros((0, width.get(f, 3)) if width.get(f, 3) else 0, np.float32) for f in fs}
        for kind, fs in FIELDS.items()
    }


def count(shapes: Shapes, kind: str) -> int:
    return len(shapes[kind][FIELDS[kind][0]])


def total(shapes: Shapes) -> int:
    return sum(count(shapes, kind) for kind in FIELDS)


def first_id(shapes: Shapes, kind: str) -> int:
    """The id of the first shape of a kind."""
    kinds = list(FIELDS)
    return sum(count(shapes, k) for k in kinds[: kinds.index(kind)])


def kind_of(shapes: Shapes) -> np.ndarray:
    """The kind of every id, an index into ``FIELDS``: uint8 [total]."""
    return np.repeat(np.arange(len(FIELDS), dtype=np.uint8), [count(shapes, k) for k in FIELDS])


def from_scene(scene) -> Shapes:
    """The shapes of a ``sightline.Scene``; masks, groups and labels are left behind."""
    shapes = empty()
    for kind, fields in FIELDS.items():
        if scene.count(kind):
            columns = scene.shapes(kind)
            shapes[kind] = {f: np.ascontiguousarray(columns[f], np.float32) for f in fields}
    return shapes


def save(path: Path, shapes: Shapes) -> None:
    np.savez(path, **{f"{k}.{f}": a for k, fields in shapes.items() for f, a in fields.items()})


def load(path: Path) -> Shapes | Mesh:
    with np.load(path) as stored:
        if "faces" in stored:
            return Mesh(stored["vertices"], stored["faces"])
        return {k: {f: stored[f"{k}.{f}"] for f in fields} for k, fields in FIELDS.items()}


def balls(shapes: Shapes) -> tuple[np.ndarray, np.ndarray]:
    """Centres [n,3] and radii [n] in binary64 of balls around the bounded shapes, in id order."""
    center, radius = [], []
    for kind in BOUNDED:
        middle, _, size = placed(kind, shapes[kind])
        center.append(middle)
        radius.append(np.linalg.norm(size, axis=1) if kind in BOXES else size.sum(axis=1))
    return np.concatenate(center), np.concatenate(radius)


def sizes(shapes: Shapes) -> np.ndarray:
    """The smallest positive half size of every id (a plane's is 1): binary64 [total]."""
    least = []
    for kind in FIELDS:
        size = placed(kind, shapes[kind])[2][:, : 3 if kind in BOXES else 1]
        least.append(np.where(size > 0, size, np.inf).min(axis=1))
    least = np.concatenate(least)
    return np.where(np.isfinite(least), least, 1.0)


SECTIONS = 32  # of a sphere or capsule: 1,024 triangles, their corners on its surface
MOST_TRIANGLES = 20_000_000


def triangles(shapes: Shapes, reach: float) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """A mesh of all shapes: vertices float32 [v,3], faces uint32 [f,3], shape id of a face [f].

    Boxes are 12 triangles with their corners rounded once; a plane is a flat box of half side
    ``reach`` about the origin's foot. Spheres and capsules are inscribed: SECTIONS around, half as
    many from pole to pole, so a face lies up to 1 % of the radius inside the surface.

    Raises ValueError where that would be more than MOST_TRIANGLES.
    """
    vertices, faces, ids, base = [], [], [], 0
    rounds = count(shapes, "sphere") + count(shapes, "capsule")
    needed = rounds * SECTIONS * SECTIONS + 12 * (total(shapes) - rounds)
    if needed > MOST_TRIANGLES:
        raise ValueError(f"the scene is {needed:,} triangles, more than {MOST_TRIANGLES:,}")
    for kind in FIELDS:
        center, turn, size = placed(kind, shapes[kind])
        if kind == "plane":
            size[:, :2] = reach
        corners, quads = surfaces(kind, center, turn, size, SECTIONS)
        poles = 0 if kind in FLAT else SECTIONS  # whose quads are one triangle
        pattern = np.concatenate([quads[: len(quads) - poles, :3], quads[poles:, [0, 2, 3]]])
        each = base + corners.shape[1] * np.arange(len(center))
        vertices.append(corners.reshape(-1, 3))
        faces.append((pattern + each[:, None, None]).reshape(-1, 3))
        ids.append(np.repeat(first_id(shapes, kind) + np.arange(len(center)), len(pattern)))
        base += len(vertices[-1])
    points = np.concatenate(vertices).astype(np.float32)
    return points, np.concatenate(faces).astype(np.uint32), np.concatenate(ids).astype(np.int64)


def hard_scene(seed: int) -> Shapes:
    """216 shapes that are hard to hit rightly: lattices of touching boxes, flat boxes, walls and
    needles of aspect 1e4, boxes turned by 1e-7 to 1e-2, spheres from 1e-3 to 1e2, long capsules."""
    draw = np.random.default_rng([seed, 0x68617264])
    shapes = empty()
    n = 24
    cell = np.stack(np.meshgrid(np.arange(4), np.arange(3), np.arange(2)), -1).reshape(-1, 3)
    flat_low = draw.integers(-60, 60, (n, 3)).astype(np.float64)
    flat_high = flat_low + draw.integers(1, 9, (n, 3))
    axis = np.arange(n) % 3
    flat_high[np.arange(n), axis] = flat_low[np.arange(n), axis]
    wall_low = draw.uniform(-60, 60, (n, 3))
    wall_size = np.full((n, 3), 1e-3)
    wall_size[np.arange(n), axis] = 10
    wall_size[: n // 2][np.arange(n // 2), (axis[: n // 2] + 1) % 3] = 10
    shapes["aabb"] = {
        "min": np.concatenate([cell, flat_low, wall_low]).astype(np.float32),
        "max": np.concatenate([cell + 1, flat_high, wall_low + wall_size]).astype(np.float32),
    }
    half = draw.uniform(0.5, 4, (2 * n, 3))
    half[n:] = 10 ** draw.uniform(-3, 1, (n, 3))
    turn = draw.normal(size=(2 * n, 4))
    turn[:n] = 0
    turn[:n, 2] = 10 ** draw.uniform(-7, -2, n)
    turn[:n, 3] = np.sqrt(1 - turn[:n, 2] ** 2)
    shapes["obb"] = {
        "center": draw.uniform(-60, 60, (2 * n, 3)).astype(np.float32),
        "half_extents": half.astype(np.float32),
        "rotation": (turn / np.linalg.norm(turn, axis=1, keepdims=True)).astype(np.float32),
    }
    radius = 10 ** draw.uniform(-3, 1, 2 * n)
    far = draw.normal(size=(2 * n, 3))
    far *= (draw.uniform(20, 60, 2 * n) / np.linalg.norm(far, axis=1))[:, None]
    radius[:4] = 1e2
    far[:4] = [[300, 0, 0], [0, -300, 0], [0, 0, 300], [-300, 0, 0]]
    shapes["sphere"] = {
        "center": far.astype(np.float32),
        "radius": radius.astype(np.float32),
    }
    a = draw.uniform(-60, 60, (2 * n, 3))
    along = draw.normal(size=(2 * n, 3))
    along /= np.linalg.norm(along, axis=1, keepdims=True)
    length = 10 ** draw.uniform(0, 2, 2 * n)
    shapes["capsule"] = {
        "a": a.astype(np.float32),
        "b": (a + along * length[:, None]).astype(np.float32),
        "radius": (length * 10 ** draw.uniform(-4, -0.5, 2 * n)).astype(np.float32),
    }
    return shapes
