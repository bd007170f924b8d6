"""The rays of a comparison: binary32 origins and directions of unit length but for rounding."""

from __future__ import annotations

import numpy as np
from shapes import BOUNDED, BOXES, Shapes, count, first_id, sizes
from sightline.adapters.common import placed

KINDS = ("camera", "random", "adversarial")


def _unit(v: np.ndarray) -> np.ndarray:
    return v / np.linalg.norm(v, axis=-1, keepdims=True)


def _bounds(shapes: Shapes) -> tuple[np.ndarray, np.ndarray]:
    center, axes, half, radius = _frames(shapes)
    if not len(center):
        return np.full(3, -10.0), np.full(3, 10.0)
    reach = np.einsum("nij,nj->ni", np.abs(axes), np.abs(half)) + radius[:, None]
    return (center - reach).min(axis=0), (center + reach).max(axis=0)


def _below(shapes: Shapes, points: np.ndarray) -> np.ndarray:
    """Which points lie in a half-space, where contestants' planes mean different things."""
    planes = shapes["plane"]
    if not count(shapes, "plane"):
        return np.zeros(len(points), bool)
    excess = points @ planes["normal"].T.astype(np.float64) - planes["offset"]
    return (excess <= 1e-6 * (1 + np.abs(planes["offset"]))).any(axis=1)


def _above(shapes: Shapes, draw, n: int) -> np.ndarray:
    """Points in the scene's box, grown by a tenth, outside all half-spaces."""
    low, high = _bounds(shapes)
    low, high = low - 0.1 * (high - low), high + 0.1 * (high - low)
    points = draw.uniform(low, high, (n, 3))
    for _ in range(100):
        bad = _below(shapes, points)
        if not bad.any():
            return points
        points[bad] = draw.uniform(low, high, (bad.sum(), 3))
    raise ValueError("the scene's box lies in its half-spaces, so no rays can start outside them")


def random(shapes: Shapes, n: int, draw) -> tuple[np.ndarray, np.ndarray]:
    """Origins uniform in the scene's box, directions uniform."""
    return _above(shapes, draw, n), _unit(draw.normal(size=(n, 3)))


def camera(shapes: Shapes, n: int, draw) -> tuple[np.ndarray, np.ndarray]:
    """A camera outside the scene, above a corner, that looks at its middle: 60 degrees, row by
    row."""
    low, high = _bounds(shapes)
    middle, extent = (low + high) / 2, high - low
    for corner in ([-0.6, -0.7, 0.6], [0.6, 0.7, 0.6], [-0.7, 0.6, -0.6], [0.7, -0.6, -0.6]):
        eye = middle + np.array(corner) * np.maximum(extent, 0.3 * extent.max())
        if not _below(shapes, eye[None]).any():
            break
    else:
        eye = _above(shapes, draw, 1)[0]
    ahead = _unit(middle - eye)
    right = _unit(np.cross(ahead, [0, 0, 1.0]))
    up = np.cross(right, ahead)
    width = int(np.ceil(np.sqrt(n)))
    pixel = np.arange(n)
    x, y = ((pixel % width + 0.5) / width - 0.5), ((pixel // width + 0.5) / width - 0.5)
    scale = 2 * np.tan(np.pi / 6)
    d = ahead + scale * (x[:, None] * right - y[:, None] * up)
    return np.tile(eye, (n, 1)), _unit(d)


def _frames(shapes: Shapes) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Of every bounded shape the centre, three axes, half extents, and a radius around them: of
    spheres and capsules those of their segment, whose axes are the world's."""
    parts = []
    for kind in BOUNDED:
        center, turn, size = placed(kind, shapes[kind])
        if kind in BOXES:
            parts.append((center, turn, size, np.zeros(len(center))))
        else:
            axes = np.broadcast_to(np.eye(3), turn.shape)
            parts.append((center, axes, turn[:, :, 2] * size[:, 1:2], size[:, 0]))
    return tuple(np.concatenate(column) for column in zip(*parts, strict=True))


def adversarial(shapes: Shapes, n: int, draw) -> tuple[np.ndarray, np.ndarray]:
    """Rays at the shapes' silhouettes, seven kinds in turn:

    0 an edge or silhouette passed by 1e-8 to 1e-2 sizes, 1 a corner or pole likewise, 2 from 1e2 to
    1e5 sizes away, 3 in a face's plane to the bit or one ulp beside it (2^-30 beside 0), 4 along an
    axis at a silhouette, 5 from inside, 6 a diagonal through corners of a box in its plane.
    """
    center, axes, half, radius = _frames(shapes)
    bounded = len(center)
    if not bounded:
        return random(shapes, n, draw)
    which, recipe = draw.integers(0, bounded, n), np.arange(n) % 7
    c, frame, h, r = center[which], axes[which], half[which], radius[which]
    size = sizes(shapes)[:bounded][which]
    boxes = first_id(shapes, "sphere")
    d = _unit(draw.normal(size=(n, 3)))
    straight = np.isin(recipe, (3, 4))
    d[straight] = np.eye(3)[draw.integers(0, 3, n)][straight]
    d *= np.where(draw.integers(0, 2, n), 1, -1)[:, None]

    # A point on the surface: of boxes on an edge (corner), of the others beside the segment.
    signs = draw.choice([-1.0, 1.0], (n, 3))
    edge = np.where(np.arange(3) == draw.integers(0, 3, n)[:, None], draw.uniform(-1, 1, (n, 3)), 1)
    local = signs * np.where(np.isin(recipe, (1, 6))[:, None], 1.0, edge)
    along = np.where(np.isin(recipe, (1, 6)), signs[:, 0], draw.uniform(-1, 1, n))
    on_box = np.einsum("nij,nj->ni", frame, local * h)
    rod = h * along[:, None]
    e = np.where(np.linalg.norm(h, axis=1, keepdims=True) > 0, h, draw.normal(size=(n, 3)))
    beside = np.cross(d, e)
    short = np.linalg.norm(beside, axis=1) <= 1e-12 * np.linalg.norm(e, axis=1)
    beside[short] = np.cross(d, draw.normal(size=(n, 3)))[short]
    beside = _unit(beside) * signs[:, :1]
    is_box = (which < boxes)[:, None]
    outward = np.where(is_box, _unit(np.einsum("nij,nj->ni", frame, signs)), beside)
    offset = signs[:, 2] * 10 ** draw.uniform(-8, -2, n) * size
    offset[np.isin(recipe, (3, 4, 5, 6))] = 0
    surface = np.where(is_box, on_box, rod + beside * r[:, None])
    inner = np.where(recipe == 5, draw.uniform(0, 0.9, n), 1.0)
    point = c + surface * inner[:, None] + outward * offset[:, None]

    diagonal = recipe == 6  # from one corner of a face to the opposite one, in the face's plane
    flip = np.where(np.arange(3) == draw.integers(0, 3, n)[:, None], 1.0, -1.0)
    across = np.einsum("nij,nj->ni", frame, (local * flip - local) * h)
    usable = diagonal & is_box[:, 0] & (np.linalg.norm(across, axis=1) > 0)
    d[usable] = _unit(across[usable])

    span = np.linalg.norm(h, axis=1) + r
    near, far = span * draw.uniform(1, 20, n), size * 10 ** draw.uniform(2, 5, n)
    distance = np.where(recipe == 2, far, near)
    distance[recipe == 5] = 0
    d = d.astype(np.float32).astype(np.float64)
    o = point - distance[:, None] * d
    below = _below(shapes, o)
    d[below] *= -1
    o[below] = point[below] - distance[below, None] * d[below]

    o32 = o.astype(np.float32)
    ulp = np.nextafter(o32, np.where(signs > 0, np.inf, -np.inf).astype(np.float32))
    ulp = np.where(o32 == 0, signs * 2.0**-30, ulp).astype(np.float32)
    beside_face = (recipe == 3) & (draw.integers(0, 2, n) == 1)
    o32 = np.where(beside_face[:, None] & (d == 0), ulp, o32)
    lost = _below(shapes, o32.astype(np.float64))
    if lost.any():
        spare_o, spare_d = random(shapes, int(lost.sum()), draw)
        o32[lost], d[lost] = spare_o, spare_d
    return o32, d


def make(kind: str, shapes: Shapes, n: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """`n` rays of a kind of ``KINDS``: origins and directions, float32 [n,3]."""
    draw = np.random.default_rng([seed, KINDS.index(kind), 0x72617973])
    maker = {"camera": camera, "random": random, "adversarial": adversarial}[kind]
    o, d = maker(shapes, n, draw)
    return np.ascontiguousarray(o, np.float32), np.ascontiguousarray(d, np.float32)
