"""The truth about rays, decided exactly.

What is asked is contract.md's question under the policy ``surface``: shapes are closed convex
sets, the ray is ``origin + t*direction`` with ``t >= 0``, and the answer is the least ``t`` at
which it crosses a surface: where it enters a shape, or leaves the one it starts in.

The numbers are the binary32 numbers that everybody is given, an OBB's rotation being the exact
rotation by its quaternion (``stored_axes``: by the axes rounded to binary32, which contract.md
makes the set). Three steps:

1. A ball around each shape, in binary64 with an error bound, leaves the shapes that may be near.
2. Each pair left is evaluated in intervals of binary64 (``bounds.py``), in which ``t_in`` and
   ``t_out`` are known to lie. A pair is decided when no tie lies within them.
3. Every other pair is decided in integers of any length (``exact.py``): exactly, so no bound of 128
   bits is needed.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..adapters.common import rotations
from . import bounds
from .exact import HIT, TOUCH, exact
from .shapes import FIELDS, Shapes, balls, count, first_id, sizes

ERR = 2.0**-50  # of a sum of up to 8 products, in its terms' sizes

T_WIDTH = 2.0**-30  # an interval for t that is wider than this is worked out exactly


@dataclass
class Truth:
    """Rays [n] against a scene. `state` MISS, TOUCH (a hit that the slightest shift of the ray may
    lose) or HIT; `t` of the nearest hit (of the touch where there is no more), `id` its shape,
    `other` the other t of a ray that starts on a surface (NaN: none). `touched` holds pairs [k,2]
    of a ray and a shape that it only touches. `exact_pairs` of `pairs` were decided in integers."""

    state: np.ndarray
    t: np.ndarray
    id: np.ndarray
    other: np.ndarray
    touched: np.ndarray
    pairs: int
    exact_pairs: int


def _rows(a, b):
    return np.einsum("ij,ij->i", a, b)


def _near(shapes: Shapes, o, d, chunk: int = 1 << 22):
    """Pairs (ray, id) of bounded shapes whose ball the ray may meet."""
    center, radius = balls(shapes)
    if not len(center):
        return np.zeros(0, np.int64), np.zeros(0, np.int64)
    cc, rr = _rows(center, center), radius * radius * (1 + 1e-9)
    rays, ids = [], []
    step = max(1, chunk // len(center))
    for first in range(0, len(o), step):
        oo, dd = o[first : first + step], d[first : first + step]
        length = _rows(dd, dd)[:, None]
        along = center @ dd.T
        along = (along.T - _rows(oo, dd)[:, None]) / np.sqrt(length)
        square = cc - 2 * (oo @ center.T) + _rows(oo, oo)[:, None]
        doubt = 64 * ERR * (cc + _rows(oo, oo)[:, None])
        inside = square <= rr + doubt
        keep = (square - along * along <= rr + doubt) & ((along >= 0) | inside)
        r, i = np.nonzero(keep)
        rays.append(r + first)
        ids.append(i)
    return np.concatenate(rays), np.concatenate(ids)


def truth(shapes: Shapes, origins, directions, stored_axes: bool = False) -> Truth:
    """The exact answers for rays of binary32 numbers [n,3], directions not zero."""
    o32, d32 = np.asarray(origins, np.float32), np.asarray(directions, np.float32)
    o, d = o32.astype(np.float64), d32.astype(np.float64)
    n = len(o)
    rays, ids = _near(shapes, o, d)
    planes, bounded = count(shapes, "plane"), first_id(shapes, "plane")
    rays = np.concatenate([rays, np.repeat(np.arange(n), planes)])
    ids = np.concatenate([ids, np.tile(np.arange(bounded, bounded + planes), n)])

    pairs = len(rays)
    low, high = np.full(pairs, np.inf), np.full(pairs, np.inf)
    doubtful, hit = np.zeros(pairs, bool), np.zeros(pairs, bool)
    for kind, fields in FIELDS.items():
        first = first_id(shapes, kind)
        at = np.nonzero((ids >= first) & (ids < first + count(shapes, kind)))[0]
        if not len(at):
            continue
        s = {f: shapes[kind][f][ids[at] - first].astype(np.float64) for f in fields}
        po, pd = o[rays[at]], d[rays[at]]
        with np.errstate(invalid="ignore", over="ignore"):
            if kind == "obb":
                s["axes"] = rotations(s["rotation"])
                if stored_axes:
                    s["axes"] = s["axes"].astype(np.float32).astype(np.float64)
            ends = bounds.OF[kind](s, po, pd)
        enters = ends.t_in.low > 0
        ahead = enters | ((ends.t_in.high < 0) & (ends.t_out.low > 0))
        never_left = ~enters & ahead & np.isinf(ends.t_out.low)
        missed = ends.missed | (~ends.doubtful & ((ends.t_out.high < 0) | never_left))
        doubtful[at] = ~missed & (ends.doubtful | ~ahead)
        hit[at] = ~missed & ~doubtful[at]
        low[at] = np.where(hit[at], np.where(enters, ends.t_in.low, ends.t_out.low), np.inf)
        high[at] = np.where(hit[at], np.where(enters, ends.t_in.high, ends.t_out.high), np.inf)

    state, t = np.zeros(n, np.int8), np.full(n, np.inf)
    other = np.full(n, np.nan)
    shape = np.full(n, -1, np.int64)
    best = np.full(n, np.inf)
    np.minimum.at(best, rays, high)
    with np.errstate(invalid="ignore"):
        wide = hit & (low <= best[rays]) & (high - low > T_WIDTH * np.abs(low))
    work = np.nonzero(doubtful | wide)[0]
    touches = []
    others = {}
    kinds = list(FIELDS)
    starts = [first_id(shapes, k) for k in kinds]
    for p in work:
        k = max(i for i, s in enumerate(starts) if s <= ids[p] and count(shapes, kinds[i]))
        one = {f: shapes[kinds[k]][f][ids[p] - starts[k]] for f in FIELDS[kinds[k]]}
        answer = exact(kinds[k], one, o32[rays[p]], d32[rays[p]], stored_axes)
        hit[p] = answer.state == HIT
        low[p] = high[p] = float(answer.t) if answer.state == HIT else np.inf
        if answer.state == HIT and answer.other is not None:
            others[p] = float(answer.other)
        if answer.state == TOUCH:
            touches.append((rays[p], ids[p], float(answer.t)))

    decided = np.nonzero(hit)[0]
    order = decided[np.lexsort((ids[decided], low[decided], rays[decided]))]
    first = order[np.r_[True, np.diff(rays[order]) > 0]] if len(order) else order
    state[rays[first]], shape[rays[first]] = HIT, ids[first]
    t[rays[first]] = (low[first] + high[first]) / 2
    for p in first:
        if p in others:
            other[rays[p]] = others[p]
    for r, i, at in touches:
        if state[r] != HIT and at < t[r]:
            state[r], t[r], shape[r] = TOUCH, at, i
    touched = np.array([(r, i) for r, i, _ in touches], np.int64).reshape(-1, 2)
    return Truth(state, t, shape, other, touched, pairs, len(work))


def silhouette_distance(shapes: Shapes, ids, origins, directions, stored_axes=False) -> np.ndarray:
    """How far outside (positive) or inside the silhouette of its shape each line passes, in the
    shape's smallest half sizes; NaN for a negative id and for planes."""
    half = sizes(shapes)
    kinds, starts = list(FIELDS), [first_id(shapes, k) for k in FIELDS]
    result = np.full(len(ids), np.nan)
    for n, i in enumerate(ids):
        if i < 0:
            continue
        k = max(j for j, s in enumerate(starts) if s <= i and count(shapes, kinds[j]))
        one = {f: shapes[kinds[k]][f][i - starts[k]] for f in FIELDS[kinds[k]]}
        answer = exact(kinds[k], one, origins[n], directions[n], stored_axes)
        result[n] = np.nan if answer.outside is None else float(answer.outside) / half[i]
    return result
