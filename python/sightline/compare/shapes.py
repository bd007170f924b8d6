"""The shapes of a comparison as plain arrays: what every contestant and the oracle are given.

``Shapes`` maps a kind to its binary32 columns. Shape ids count kind by kind, in the order of
``FIELDS``, as ``sightline.Scene`` counts them.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

from ..adapters.common import quaternions_to, rotations

FIELDS = {
    "aabb": ("min", "max"),
    "obb": ("center", "half_extents", "rotation"),
    "sphere": ("center", "radius"),
    "capsule": ("a", "b", "radius"),
    "plane": ("normal", "offset"),
}
FLAT = ("aabb", "obb", "plane")  # kinds that triangles can hold exactly
Shapes = dict[str, dict[str, np.ndarray]]


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


def load(path: Path) -> Shapes:
    with np.load(path) as stored:
        return {k: {f: stored[f"{k}.{f}"] for f in fields} for k, fields in FIELDS.items()}


def balls(shapes: Shapes) -> tuple[np.ndarray, np.ndarray]:
    """Centres [n,3] and radii [n] in binary64 of balls around the bounded shapes, in id order."""
    s = {k: {f: a.astype(np.float64) for f, a in v.items()} for k, v in shapes.items()}
    parts = [
        ((s["aabb"]["min"] + s["aabb"]["max"]) / 2, (s["aabb"]["max"] - s["aabb"]["min"]) / 2),
        (s["obb"]["center"], s["obb"]["half_extents"]),
        (s["sphere"]["center"], s["sphere"]["radius"][:, None]),
        ((s["capsule"]["a"] + s["capsule"]["b"]) / 2, (s["capsule"]["b"] - s["capsule"]["a"]) / 2),
    ]
    radius = [np.sqrt((half * half).sum(axis=1)) for _, half in parts]
    radius[3] = radius[3] + s["capsule"]["radius"]
    return np.concatenate([c for c, _ in parts]), np.concatenate(radius)


def sizes(shapes: Shapes) -> np.ndarray:
    """The smallest positive half size of every id (a plane's is 1): binary64 [total]."""

    def least(half: np.ndarray) -> np.ndarray:
        half = np.where(half > 0, half, np.inf).min(axis=1)
        return np.where(np.isfinite(half), half, 1.0)

    box, obb = shapes["aabb"], shapes["obb"]["half_extents"]
    rounds = [shapes[k]["radius"] for k in ("sphere", "capsule")]
    return np.concatenate(
        [
            least((box["max"].astype(np.float64) - box["min"]) / 2),
            least(obb.astype(np.float64)),
            *(np.where(r > 0, r, 1.0).astype(np.float64) for r in rounds),
            np.ones(count(shapes, "plane")),
        ]
    )


def corners(shapes: Shapes) -> np.ndarray:
    """The corners of AABBs, then of OBBs, in binary64 [n,8,3]; corner i has bit a set at its upper
    end along axis a."""
    upper = (np.arange(8)[:, None] >> np.arange(3)) & 1
    box = shapes["aabb"]
    aabbs = np.where(upper, box["max"][:, None], box["min"][:, None]).astype(np.float64)
    obb = shapes["obb"]
    local = (2 * upper - 1) * obb["half_extents"][:, None].astype(np.float64)
    obbs = np.einsum("nij,nkj->nki", rotations(obb["rotation"]), local) + obb["center"][:, None]
    return np.concatenate([aabbs, obbs])


BOX_FACES = np.array(
    [[0, 2, 1], [1, 2, 3], [4, 5, 6], [5, 7, 6], [0, 1, 4], [1, 5, 4],
     [2, 6, 3], [3, 6, 7], [0, 4, 2], [2, 4, 6], [1, 3, 5], [3, 7, 5]]
)  # fmt: skip
SLICES, STACKS = 32, 16  # of a capsule: 1,024 triangles, their corners on its surface
MOST_TRIANGLES = 20_000_000


def _capsule_grid(half: float, radius: float) -> np.ndarray:
    """Corners of a capsule along z: two poles and rings of SLICES; half 0 repeats the equator."""
    polar = np.pi * np.arange(1, STACKS // 2 + 1) / STACKS
    turn = 2 * np.pi * np.arange(SLICES) / SLICES
    ring = np.stack([np.cos(turn), np.sin(turn), np.zeros(SLICES)], axis=1)
    up = [ring * np.sin(p) + [0, 0, np.cos(p)] for p in polar]
    top = np.concatenate([[[0.0, 0.0, 1.0]], *up]) * radius + [0, 0, half]
    down = [r * [1, 1, -1] for r in reversed(up)]
    bottom = np.concatenate([*down, [[0.0, 0.0, -1.0]]]) * radius - [0, 0, half]
    return np.concatenate([top, bottom])


def _capsule_faces() -> np.ndarray:
    faces = []
    for s in range(SLICES):
        nxt = (s + 1) % SLICES
        faces.append([0, 1 + s, 1 + nxt])
        for ring in range(STACKS - 1):
            a, b = 1 + ring * SLICES + s, 1 + ring * SLICES + nxt
            faces += [[a, a + SLICES, b], [b, a + SLICES, b + SLICES]]
        last = 1 + (STACKS - 1) * SLICES
        faces.append([last + s, last + SLICES, last + nxt])
    return np.array(faces)


def triangles(shapes: Shapes, reach: float) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """A mesh of all shapes: vertices float32 [v,3], faces uint32 [f,3], shape id of a face [f].

    Boxes are 12 triangles with their corners rounded once; a plane is a square of half side
    ``reach`` about the origin's foot. Spheres and capsules are inscribed: SLICES around, STACKS
    from pole to pole, so a face lies up to 1 % of the radius inside the surface.

    Raises ValueError where that would be more than MOST_TRIANGLES.
    """
    rounds = count(shapes, "sphere") + count(shapes, "capsule")
    pattern = _capsule_faces()
    needed = rounds * len(pattern) + 12 * (count(shapes, "aabb") + count(shapes, "obb"))
    if needed > MOST_TRIANGLES:
        raise ValueError(f"the scene is {needed:,} triangles, more than {MOST_TRIANGLES:,}")
    vertices, faces, ids = [corners(shapes).reshape(-1, 3)], [], []
    boxes = len(vertices[0]) // 8
    faces.append((BOX_FACES + 8 * np.arange(boxes)[:, None, None]).reshape(-1, 3))
    ids.append(np.repeat(np.arange(boxes), 12))
    base = 8 * boxes
    ball, rod = shapes["sphere"], shapes["capsule"]
    zero = np.zeros(count(shapes, "sphere"))
    axis = rod["b"].astype(np.float64) - rod["a"]
    turn = rotations(quaternions_to(np.concatenate([np.tile([0, 0, 1.0], (len(zero), 1)), axis])))
    columns = zip(
        np.concatenate([ball["center"], (rod["a"].astype(np.float64) + rod["b"]) / 2]),
        np.concatenate([zero, np.linalg.norm(axis, axis=1) / 2]),
        np.concatenate([ball["radius"], rod["radius"]]).astype(np.float64),
        turn,
        strict=True,
    )
    for i, (middle, half, radius, matrix) in enumerate(columns):
        grid = _capsule_grid(half, radius) @ matrix.T + middle
        vertices.append(grid)
        faces.append(pattern + base)
        ids.append(np.full(len(pattern), boxes + i))
        base += len(grid)
    planes, first = shapes["plane"], first_id(shapes, "plane")
    for i in range(count(shapes, "plane")):
        n = planes["normal"][i].astype(np.float64)
        n, foot = n / np.linalg.norm(n), n * float(planes["offset"][i]) / (n @ n)
        u = np.cross(n, np.eye(3)[np.abs(n).argmin()])
        u *= reach / np.linalg.norm(u)
        v = np.cross(n, u)
        vertices.append(foot + np.array([u + v, v - u, -u - v, u - v]))
        faces.append(np.array([[0, 1, 2], [0, 2, 3]]) + base)
        ids.append(np.full(2, first + i))
        base += 4
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
