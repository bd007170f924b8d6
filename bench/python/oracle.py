"""The truth about rays, decided exactly.

The question is contract.md's under the policy ``surface``: shapes are closed convex sets, the ray
is ``origin + t*direction`` with ``t >= 0``, and the answer is the least ``t`` at which it crosses a
surface: where it enters a shape, or leaves the one it starts in.

The numbers are the binary32 numbers that every contestant gets. An OBB is the exact rotation by its
quaternion (``stored_axes``: by the axes rounded to binary32, which contract.md makes the set). A
ball around each shape, in binary64 with an error bound, leaves the shapes that may be near. Each
such pair is decided in integers of any length (``exact.py``).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from exact import HIT, TOUCH, exact
from shapes import FIELDS, Shapes, balls, count, total

ERR = 2.0**-50  # of a sum of up to 8 products, in its terms' sizes


@dataclass
class Truth:
    """Rays [n] against a scene. `state` MISS, TOUCH (a hit that the slightest shift of the ray may
    lose) or HIT; `t` of the nearest hit (of the touch where there is no more), `id` its shape,
    `other` the other t of a ray that starts on a surface (NaN: none). `touched` holds pairs [k,2]
    of a ray and a shape that it only touches."""

    state: np.ndarray
    t: np.ndarray
    id: np.ndarray
    other: np.ndarray
    touched: np.ndarray


def _rows(a, b):
    return np.einsum("ij,ij->i", a, b)


def _near(shapes: Shapes, o, d, chunk: int = 1 << 22):
    """Pairs (ray, id) of shapes that the ray may meet, by rays: of bounded ones whose ball it may
    meet, and of all planes."""
    center, radius = balls(shapes)
    bounded = len(center)
    cc, rr = _rows(center, center), radius * radius * (1 + 1e-9)
    step = max(1, chunk // max(1, bounded))
    for first in range(0, len(o), step):
        oo, dd = o[first : first + step], d[first : first + step]
        keep = np.ones((len(oo), total(shapes)), bool)
        along = (dd @ center.T - _rows(oo, dd)[:, None]) / np.sqrt(_rows(dd, dd))[:, None]
        square = cc - 2 * (oo @ center.T) + _rows(oo, oo)[:, None]
        doubt = 64 * ERR * (cc + _rows(oo, oo)[:, None])
        inside = square <= rr + doubt
        keep[:, :bounded] = (square - along * along <= rr + doubt) & ((along >= 0) | inside)
        rays, ids = np.nonzero(keep)
        yield from zip((rays + first).tolist(), ids.tolist(), strict=True)


def truth(shapes: Shapes, origins, directions, stored_axes: bool = False) -> Truth:
    """The exact answers for rays of binary32 numbers [n,3], directions not zero."""
    o32, d32 = np.asarray(origins, np.float32), np.asarray(directions, np.float32)
    n, singles = len(o32), _singles(shapes)
    state, t, other = np.zeros(n, np.int8), np.full(n, np.inf), np.full(n, np.nan)
    shape, touched = np.full(n, -1, np.int64), []
    for ray, i in _near(shapes, o32.astype(np.float64), d32.astype(np.float64)):
        answer = exact(*singles[i], o32[ray], d32[ray], stored_axes)
        if answer.state == TOUCH:
            touched.append((ray, i))
        at = np.inf if answer.t is None else float(answer.t)
        # A hit goes before any touch, then the nearer, then the smaller id.
        if answer.state < max(state[ray], TOUCH) or (answer.state == state[ray] and at >= t[ray]):
            continue
        state[ray], t[ray], shape[ray] = answer.state, at, i
        twice = answer.state == HIT and answer.other is not None
        other[ray] = float(answer.other) if twice else np.nan
    return Truth(state, t, shape, other, np.array(touched, np.int64).reshape(-1, 2))


def _singles(shapes: Shapes) -> list:
    """The kind and the columns of each shape, by id."""
    return [
        (kind, {f: shapes[kind][f][i] for f in fields})
        for kind, fields in FIELDS.items()
        for i in range(count(shapes, kind))
    ]
