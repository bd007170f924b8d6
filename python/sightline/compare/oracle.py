"""The truth about rays, decided exactly.

What is asked is contract.md's question under the policy ``surface``: shapes are closed convex
sets, the ray is ``origin + t*direction`` with ``t >= 0``, and the answer is the least ``t`` at
which it crosses a surface: where it enters a shape, or leaves the one it starts in.

The numbers are the binary32 numbers that everybody is given, an OBB's rotation being the exact
rotation by its quaternion (``stored_axes``: by the axes rounded to binary32, which contract.md
makes the set). Three steps:

1. A ball around each shape, in binary64 with an error bound, leaves the shapes that may be near.
2. Each pair left is evaluated in binary64 with a bound on every error, so that ``t_in`` and
   ``t_out`` are known to lie in intervals. A pair is decided when no tie lies within them.
3. Every other pair is decided in integers of any length. All inputs are binary fractions, and
   every decision is the sign of a polynomial in them, so this is exact: no bound of 128 bits is
   needed. A ``t`` that holds a root takes it to 200 bits behind the point.

Error bounds: a sum of products of inputs with k roundings is wrong by less than k * 2^-53 times
the sum of its terms' sizes; no expression here has more than 8 of them between names, so
``ERR = 2^-50`` times that sum covers each.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import isqrt

import numpy as np

from .shapes import FIELDS, Shapes, balls, count, first_id, matrices, sizes

ERR = 2.0**-50
MISS, TOUCH, HIT = 0, 1, 2
T_WIDTH = 2.0**-30  # an interval for t that is wider than this is worked out exactly

# ---------------------------------------------------------------- integers


def _integers(*groups):
    """Each group of floats as integers over one common power of two; returns them and it."""
    ratios = [[float(v).as_integer_ratio() for v in group] for group in groups]
    scale = max((d for group in ratios for _, d in group), default=1)
    return [[n * (scale // d) for n, d in group] for group in ratios], scale


def _dot(a, b):
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


def _cross(a, b):
    return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]


def _minus(a, b):
    return [x - y for x, y in zip(a, b, strict=True)]


def _root(v) -> Fraction:
    """The square root of an integer or fraction >= 0, to 200 bits behind the point or better."""
    v = Fraction(v)
    return Fraction(isqrt((v.numerator << 400) // v.denominator), 1 << 200)


@dataclass
class Exact:
    """One ray against one shape: state, t in units of the scaled ray, another t that is as right
    (a ray that starts on the surface), and how far outside the silhouette the line passes (None:
    a plane has none)."""

    state: int
    t: Fraction | None = None
    other: Fraction | None = None
    outside: Fraction | None = None


def _ahead(enters: Fraction, leaves: Fraction, touch: bool) -> Exact:
    if leaves < 0:
        return Exact(MISS)
    state = TOUCH if touch or leaves == 0 else HIT
    if enters > 0:
        return Exact(state, enters)
    return Exact(state, Fraction(0), leaves) if enters == 0 else Exact(state, leaves)


def _box(p, v, h) -> Exact:
    """A line p + t v against the box |x_i| <= h_i."""
    m = _cross(p, v)
    outside, touch = None, False
    for i in range(3):
        j, k = (i + 1) % 3, (i + 2) % 3
        width = v[j] * v[j] + v[k] * v[k]
        if not width:
            continue
        gap = abs(m[i]) - h[j] * abs(v[k]) - h[k] * abs(v[j])
        touch = touch or gap == 0
        far = Fraction(gap) / _root(width)
        outside = far if outside is None or far > outside else outside
    ends = []
    for pi, vi, hi in zip(p, v, h, strict=True):
        if vi:
            ends.append(sorted((Fraction(-hi - pi, vi), Fraction(hi - pi, vi))))
        elif abs(pi) > hi:
            return Exact(MISS, outside=outside)
    enters, leaves = max(e[0] for e in ends), min(e[1] for e in ends)
    answer = Exact(MISS) if enters > leaves else _ahead(enters, leaves, touch)
    answer.outside = outside
    return answer


def _ball_ends(w, d, r):
    dd, b, m = _dot(d, d), _dot(w, d), _cross(w, d)
    discriminant = r * r * dd - _dot(m, m)
    if discriminant < 0:
        return None
    s = _root(discriminant)
    return (-b - s) / dd, (-b + s) / dd


def _tube_ends(w, d, e, r):
    g, q, m = _cross(d, e), _cross(w, e), _cross(w, d)
    gg, ee, me = _dot(g, g), _dot(e, e), _dot(m, e)
    if not ee:
        return None
    if gg:
        discriminant = r * r * gg - me * me
        if discriminant < 0:
            return None
        s, qg = _root(ee * discriminant), _dot(q, g)
        enters, leaves = (-qg - s) / gg, (-qg + s) / gg
    elif _dot(q, q) > r * r * ee:
        return None
    else:
        enters = leaves = None
    we, de = _dot(w, e), _dot(d, e)
    if de:
        low, high = sorted((Fraction(-we, de), Fraction(ee - we, de)))
        enters = low if enters is None else max(low, enters)
        leaves = high if leaves is None else min(high, leaves)
    elif not 0 <= we <= ee:
        return None
    return (enters, leaves) if enters <= leaves else None


def _capsule(w, d, e, r) -> Exact:
    """A line w + t d against the points at most r from the segment from 0 to e: the line's squared
    distance from s e is the parabola |m - s g|^2 / dd."""
    dd, ee = _dot(d, d), _dot(e, e)
    m, g = _cross(w, d), _cross(e, d)
    gg, mg, we = _dot(g, g), _dot(m, g), _dot(w, e)
    if not gg or mg <= 0:
        square, s = Fraction(_dot(m, m), dd), Fraction(0)
    elif mg >= gg:
        n = _minus(m, g)
        square, s = Fraction(_dot(n, n), dd), Fraction(1)
    else:
        square, s = Fraction(_dot(m, m) * gg - mg * mg, gg * dd), Fraction(mg, gg)
    outside = _root(square) - r
    if square > r * r:
        return Exact(MISS, outside=outside)
    if we <= 0:
        depth = _dot(w, w) - r * r
    elif we >= ee:
        n = _minus(w, e)
        depth = _dot(n, n) - r * r
    else:
        depth = _dot(w, w) * ee - we * we - r * r * ee
    nearest = s * _dot(e, d) - _dot(w, d)  # the t of the line's nearest point, times dd
    if depth >= 0 and nearest <= 0:
        on = depth == 0
        return Exact(TOUCH if on else MISS, Fraction(0) if on else None, outside=outside)
    if square == r * r:
        return Exact(TOUCH, nearest / dd, outside=outside)
    parts = [_ball_ends(w, d, r), _ball_ends(_minus(w, e), d, r), _tube_ends(w, d, e, r)]
    enters = min(p[0] for p in parts if p)
    leaves = max(p[1] for p in parts if p)
    if depth > 0:
        return Exact(HIT, enters, outside=outside)
    if depth == 0:
        return Exact(HIT, Fraction(0), leaves, outside)
    return Exact(HIT, leaves, outside=outside)


def _plane(o, d, n, offset) -> Exact:
    excess, speed = _dot(n, o) - offset, _dot(n, d)
    if speed == 0:
        return Exact(TOUCH, Fraction(0)) if excess == 0 else Exact(MISS)
    t = Fraction(-excess, speed)
    if t < 0:
        return Exact(MISS)
    return Exact(TOUCH if excess == 0 and speed > 0 else HIT, t)


def _rotation(q):
    """The integer matrix (rows) of a quaternion of integers, and its scale q.q."""
    x, y, z, w = q
    n = x * x + y * y + z * z + w * w
    return [
        [n - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
        [2 * (x * y + z * w), n - 2 * (x * x + z * z), 2 * (y * z - x * w)],
        [2 * (x * z - y * w), 2 * (y * z + x * w), n - 2 * (x * x + y * y)],
    ], n


def exact(kind: str, shape: dict, origin, direction, stored_axes: bool = False) -> Exact:
    """One ray against one shape of binary32 numbers, decided in integers; t and `outside` are
    those of the caller's ray. `direction` is not zero."""
    (d,), d_scale = _integers(direction)
    unit = 1
    if kind == "aabb":
        (o, lo, hi), scale = _integers(origin, shape["min"], shape["max"])
        middle = [a + b for a, b in zip(lo, hi, strict=True)]
        answer = _box(_minus([2 * v for v in o], middle), [2 * v for v in d], _minus(hi, lo))
        unit = 2
    elif kind == "obb":
        (o, c, h), scale = _integers(origin, shape["center"], shape["half_extents"])
        if stored_axes:
            axes = matrices(np.array([shape["rotation"]]))[0].astype(np.float32)
            rows, unit = _integers(*axes)
        else:
            (q,), _ = _integers(shape["rotation"])
            rows, unit = _rotation(q)
        columns = list(zip(*rows, strict=True))
        w = _minus(o, c)
        answer = _box(
            [_dot(w, a) for a in columns], [_dot(d, a) for a in columns], [unit * v for v in h]
        )
    elif kind == "sphere":
        (o, c, (r,)), scale = _integers(origin, shape["center"], [shape["radius"]])
        answer = _capsule(_minus(o, c), d, [0, 0, 0], r)
    elif kind == "capsule":
        (o, a, b, (r,)), scale = _integers(origin, shape["a"], shape["b"], [shape["radius"]])
        answer = _capsule(_minus(o, a), d, _minus(b, a), r)
    else:
        (o,), scale = _integers(origin)
        (n, (off,)), _ = _integers(shape["normal"], [shape["offset"]])
        answer = _plane(o, d, n, off * scale)
    rate = Fraction(d_scale, scale)
    answer.t = None if answer.t is None else answer.t * rate
    answer.other = None if answer.other is None else answer.other * rate
    answer.outside = None if answer.outside is None else answer.outside / (scale * unit)
    return answer


# ---------------------------------------------------------------- binary64 with bounds


class Ends:
    """Intervals that hold t_in and t_out of pairs, which are surely missed, and which undecided."""

    def __init__(self, n):
        self.in_low, self.in_high = np.full(n, -np.inf), np.full(n, np.inf)
        self.out_low, self.out_high = np.full(n, -np.inf), np.full(n, np.inf)
        self.missed, self.doubtful = np.zeros(n, bool), np.zeros(n, bool)


def _rows(a, b):
    return np.einsum("ij,ij->i", a, b)


def _size(a):
    return np.abs(a).sum(axis=1)


def _quotient(low, high, divisor, doubt):
    """The interval of [low, high] / (divisor +- doubt), divisor - doubt > 0."""
    small, large = divisor - doubt, divisor + doubt
    lo = np.where(low < 0, low / small, low / large)
    hi = np.where(high < 0, high / large, high / small)
    return lo - ERR * np.abs(lo), hi + ERR * np.abs(hi)


def _slabs(near, far, v, near_err, far_err, v_err) -> Ends:
    """Lines against three slabs, near <= t v <= far along each axis, errors given per element."""
    ends = Ends(len(v))
    for i in range(3):
        forward = v[:, i] >= 0
        n = np.where(forward, near[:, i], -far[:, i])
        f = np.where(forward, far[:, i], -near[:, i])
        ne = np.where(forward, near_err[:, i], far_err[:, i])
        fe = np.where(forward, far_err[:, i], near_err[:, i])
        speed, doubt = np.abs(v[:, i]), v_err[:, i]
        still = (speed == 0) & (doubt == 0)
        ends.missed |= still & ((n > ne) | (f < -fe))
        ends.doubtful |= still & ~ends.missed & ((n >= -ne) | (f <= fe))
        known = speed > 2 * doubt
        ends.doubtful |= ~known & ~still
        s = np.where(known, speed, 1.0)
        n_low, n_high = _quotient(n - ne, n + ne, s, np.where(known, doubt, 0))
        f_low, f_high = _quotient(f - fe, f + fe, s, np.where(known, doubt, 0))
        ends.in_low = np.where(known, np.maximum(ends.in_low, n_low), ends.in_low)
        high = np.where(known, n_high, -np.inf)
        ends.in_high = high if i == 0 else np.maximum(ends.in_high, high)
        low = np.where(known, f_low, np.inf)
        ends.out_low = low if i == 0 else np.minimum(ends.out_low, low)
        ends.out_high = np.where(known, np.minimum(ends.out_high, f_high), ends.out_high)
    ends.missed |= ends.in_low > ends.out_high
    ends.doubtful |= ends.in_high >= ends.out_low
    return ends


def _aabbs(s, o, d) -> Ends:
    near, far = s["min"] - o, s["max"] - o
    return _slabs(near, far, d, ERR * np.abs(near), ERR * np.abs(far), np.zeros_like(d))


def _obbs(s, o, d, axes) -> Ends:
    w, h = o - s["center"], s["half_extents"]
    p, v = np.einsum("nij,ni->nj", axes, w), np.einsum("nij,ni->nj", axes, d)
    p_err = 8 * ERR * (_size(w)[:, None] + h)
    v_err = np.broadcast_to(8 * ERR * _size(d)[:, None], v.shape)
    return _slabs(-h - p, h - p, v, p_err, p_err, v_err)


def _spheres(center, radius, o, d) -> Ends:
    ends = Ends(len(d))
    w = o - center
    m, dd, b = np.cross(w, d), _rows(d, d), _rows(w, d)
    product = _size(w) * _size(d)
    m_err, b_err = ERR * product, ERR * product
    mm, rr = _rows(m, m), radius * radius * dd
    discriminant = rr - mm
    error = ERR * (rr + mm) + 2 * _size(m) * m_err + 3 * m_err * m_err
    ends.missed = discriminant < -error
    ends.doubtful = ~ends.missed & (discriminant <= error)
    low = np.sqrt(np.maximum(discriminant - error, 0)) * (1 - ERR)
    high = np.sqrt(np.maximum(discriminant + error, 0)) * (1 + ERR)
    ends.in_low, ends.in_high = _quotient(-b - b_err - high, -b + b_err - low, dd, ERR * dd)
    ends.out_low, ends.out_high = _quotient(-b - b_err + low, -b + b_err + high, dd, ERR * dd)
    return ends


def _tubes(s, o, d) -> Ends:
    """The cylinder between a capsule's end planes."""
    ends = Ends(len(d))
    w, e = o - s["a"], s["b"] - s["a"]
    g, q, m = np.cross(d, e), np.cross(w, e), np.cross(w, d)
    ws, ds, es = _size(w), _size(d), _size(e)
    g_err, q_err, m_err = 2 * ERR * ds * es, 2 * ERR * ws * es, ERR * ws * ds
    gg, ee, me, qg = _rows(g, g), _rows(e, e), _rows(m, e), _rows(q, g)
    gg_err = 2 * _size(g) * g_err + 3 * g_err**2 + ERR * gg
    me_err = es * m_err + 2 * ERR * _size(m) * es
    qg_err = _size(q) * g_err + _size(g) * q_err + 3 * q_err * g_err + ERR * _size(q) * _size(g)
    rr = s["radius"] ** 2
    x = rr * gg - me * me
    x_err = rr * gg_err + 2 * np.abs(me) * me_err + me_err**2 + ERR * (rr * gg + me * me)
    steep = gg > 4 * gg_err
    absent = ee == 0
    ends.missed = absent | (steep & (x < -x_err))
    ends.doubtful = ~ends.missed & (~steep | (x <= x_err))
    gg, gg_err = np.where(steep, gg, 1.0), np.where(steep, gg_err, 0.0)
    low = np.sqrt(np.maximum(x - x_err, 0) * ee) * (1 - 4 * ERR)
    high = np.sqrt(np.maximum(x + x_err, 0) * ee) * (1 + 4 * ERR)
    ci = _quotient(-qg - qg_err - high, -qg + qg_err - low, gg, gg_err)
    co = _quotient(-qg - qg_err + low, -qg + qg_err + high, gg, gg_err)
    we, de = _rows(w, e), _rows(d, e)
    we_err, de_err = 2 * ERR * ws * es, 2 * ERR * ds * es

    def place(c):
        """Below 0, between the end planes, above, or unknown (2)."""
        t = np.maximum(np.abs(c[0]), np.abs(c[1]))
        v = (we + c[0] * de, we + c[1] * de)
        err = we_err + t * de_err + ERR * (np.abs(we) + t * np.abs(de) + ee)
        at = np.full(len(t), 2)
        at[(np.maximum(*v) + err) < 0] = -1
        at[((np.minimum(*v) - err) > 0) & ((np.maximum(*v) + err) < ee * (1 - ERR))] = 0
        at[(np.minimum(*v) - err) > ee * (1 + ERR)] = 1
        return at

    entry, exit_ = place(ci), place(co)
    ends.missed |= ~ends.doubtful & (np.abs(entry) == 1) & (entry == exit_)
    ends.doubtful |= ~ends.missed & ((entry == 2) | (exit_ == 2))
    clipped = ~ends.missed & ~ends.doubtful & ((entry != 0) | (exit_ != 0))
    ends.doubtful |= clipped & (np.abs(de) <= 2 * de_err)
    speed = np.where(np.abs(de) > 2 * de_err, de, 1.0)
    sign, speed = np.sign(speed), np.abs(speed)
    doubt = np.where(speed > 2 * de_err, de_err, 0)

    def plane(number):
        position = sign * (number - we)
        err = we_err + ERR * (np.abs(we) + ee)
        return _quotient(position - err, position + err, speed, doubt)

    low_end, high_end = plane(np.zeros_like(ee)), plane(ee)
    for lo, hi, c, at in (
        ("in_low", "in_high", ci, entry),
        ("out_low", "out_high", co, exit_),
    ):
        for name, k in ((lo, 0), (hi, 1)):
            setattr(ends, name, np.select([at == -1, at == 1], [low_end[k], high_end[k]], c[k]))
    return ends


def _capsules(s, o, d) -> Ends:
    parts = [
        _spheres(s["a"], s["radius"], o, d),
        _spheres(s["b"], s["radius"], o, d),
        _tubes(s, o, d),
    ]
    ends = Ends(len(d))
    ends.missed = np.all([p.missed for p in parts], axis=0)
    ends.doubtful = np.any([p.doubtful for p in parts], axis=0)
    for name, join, nothing in (
        ("in_low", np.min, np.inf),
        ("in_high", np.min, np.inf),
        ("out_low", np.max, -np.inf),
        ("out_high", np.max, -np.inf),
    ):
        values = [np.where(p.missed, nothing, getattr(p, name)) for p in parts]
        setattr(ends, name, join(values, axis=0))
    return ends


def _planes(s, o, d) -> Ends:
    ends = Ends(len(d))
    n = s["normal"]
    excess, speed = _rows(n, o) - s["offset"], _rows(n, d)
    excess_err = ERR * (_size(n * o) + np.abs(s["offset"]))
    speed_err = ERR * _size(n * d)
    flat = _size(n * d) == 0
    ends.missed = flat & (np.abs(excess) > excess_err)  # beside it, or never left
    known = np.abs(speed) > 2 * speed_err
    ends.doubtful = ~ends.missed & ~known
    e = -np.sign(speed) * excess
    v, doubt = np.where(known, np.abs(speed), 1.0), np.where(known, speed_err, 0)
    low, high = _quotient(e - excess_err, e + excess_err, v, doubt)
    enters = known & (speed < 0)
    ends.in_low = np.where(enters, low, -np.inf)
    ends.in_high = np.where(enters, high, -np.inf)
    ends.out_low = np.where(enters, np.inf, low)
    ends.out_high = np.where(enters, np.inf, high)
    return ends


# ---------------------------------------------------------------- rays against a scene


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
            if kind == "aabb":
                ends = _aabbs(s, po, pd)
            elif kind == "obb":
                axes = matrices(shapes["obb"]["rotation"])
                if stored_axes:
                    axes = axes.astype(np.float32).astype(np.float64)
                ends = _obbs(s, po, pd, axes[ids[at] - first])
            elif kind == "sphere":
                ends = _spheres(s["center"], s["radius"], po, pd)
            elif kind == "capsule":
                ends = _capsules(s, po, pd)
            else:
                ends = _planes(s, po, pd)
        ahead = (ends.in_low > 0) | ((ends.in_high < 0) & (ends.out_low > 0))
        missed = ends.missed | (~ends.doubtful & (ends.out_high < 0))
        enters = ends.in_low > 0
        never_left = ~enters & ~ends.doubtful & ahead & np.isinf(ends.out_low)
        missed |= never_left
        doubtful[at] = ~missed & (ends.doubtful | ~ahead)
        hit[at] = ~missed & ~doubtful[at]
        low[at] = np.where(hit[at], np.where(enters, ends.in_low, ends.out_low), np.inf)
        high[at] = np.where(hit[at], np.where(enters, ends.in_high, ends.out_high), np.inf)

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
