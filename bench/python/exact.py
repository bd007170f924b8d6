"""One ray against one shape, decided in integers of any length.

The inputs are binary fractions, so each is an integer over a common power of two, and every
decision is the sign of a polynomial in these integers. A ``t`` that holds a root takes it to 200
bits behind the point.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import isqrt

import numpy as np
from sightline.adapters.common import rotations, turn

MISS, TOUCH, HIT = 0, 1, 2


def _integers(*groups):
    """Each group of floats as integers over one common power of two; returns them and it."""
    ratios = [[float(v).as_integer_ratio() for v in group] for group in groups]
    scale = max((d for group in ratios for _, d in group), default=1)
    return [[n * (scale // d) for n, d in group] for group in ratios], scale


def dot(a, b):
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


def cross(a, b):
    return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]


def minus(a, b):
    return [x - y for x, y in zip(a, b, strict=True)]


def _root(v) -> Fraction:
    """The square root of an integer or fraction >= 0, to 200 bits behind the point or better."""
    v = Fraction(v)
    return Fraction(isqrt((v.numerator << 400) // v.denominator), 1 << 200)


@dataclass
class Exact:
    """One ray against one shape: state, t in units of the scaled ray, and another t that is as
    right (a ray that starts on the surface)."""

    state: int
    t: Fraction | None = None
    other: Fraction | None = None


def _ahead(enters: Fraction, leaves: Fraction, touch: bool) -> Exact:
    if leaves < 0:
        return Exact(MISS)
    state = TOUCH if touch or leaves == 0 else HIT
    if enters > 0:
        return Exact(state, enters)
    return Exact(state, Fraction(0), leaves) if enters == 0 else Exact(state, leaves)


def _box(p, v, h) -> Exact:
    """A line p + t v against the box |x_i| <= h_i."""
    m, touch = cross(p, v), False
    for i in range(3):
        j, k = (i + 1) % 3, (i + 2) % 3
        edge = h[j] * abs(v[k]) + h[k] * abs(v[j])
        touch = touch or (bool(v[j] or v[k]) and abs(m[i]) == edge)
    ends = []
    for pi, vi, hi in zip(p, v, h, strict=True):
        if vi:
            ends.append(sorted((Fraction(-hi - pi, vi), Fraction(hi - pi, vi))))
        elif abs(pi) > hi:
            return Exact(MISS)
    enters, leaves = max(e[0] for e in ends), min(e[1] for e in ends)
    return Exact(MISS) if enters > leaves else _ahead(enters, leaves, touch)


def _ball_ends(w, d, r):
    dd, b, m = dot(d, d), dot(w, d), cross(w, d)
    discriminant = r * r * dd - dot(m, m)
    if discriminant < 0:
        return None
    s = _root(discriminant)
    return (-b - s) / dd, (-b + s) / dd


def _tube_ends(w, d, e, r):
    g, q, m = cross(d, e), cross(w, e), cross(w, d)
    gg, ee, me = dot(g, g), dot(e, e), dot(m, e)
    if not ee:
        return None
    if gg:
        discriminant = r * r * gg - me * me
        if discriminant < 0:
            return None
        s, qg = _root(ee * discriminant), dot(q, g)
        enters, leaves = (-qg - s) / gg, (-qg + s) / gg
    elif dot(q, q) > r * r * ee:
        return None
    else:
        enters = leaves = None
    we, de = dot(w, e), dot(d, e)
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
    dd, ee = dot(d, d), dot(e, e)
    m, g = cross(w, d), cross(e, d)
    gg, mg, we = dot(g, g), dot(m, g), dot(w, e)
    if not gg or mg <= 0:
        square, s = Fraction(dot(m, m), dd), Fraction(0)
    elif mg >= gg:
        n = minus(m, g)
        square, s = Fraction(dot(n, n), dd), Fraction(1)
    else:
        square, s = Fraction(dot(m, m) * gg - mg * mg, gg * dd), Fraction(mg, gg)
    if square > r * r:
        return Exact(MISS)
    if we <= 0:
        depth = dot(w, w) - r * r
    elif we >= ee:
        n = minus(w, e)
        depth = dot(n, n) - r * r
    else:
        depth = dot(w, w) * ee - we * we - r * r * ee
    nearest = s * dot(e, d) - dot(w, d)  # the t of the line's nearest point, times dd
    if depth >= 0 and nearest <= 0:
        return Exact(TOUCH, Fraction(0)) if depth == 0 else Exact(MISS)
    if square == r * r:
        return Exact(TOUCH, nearest / dd)
    parts = [_ball_ends(w, d, r), _ball_ends(minus(w, e), d, r), _tube_ends(w, d, e, r)]
    enters = min(p[0] for p in parts if p)
    leaves = max(p[1] for p in parts if p)
    if depth > 0:
        return Exact(HIT, enters)
    if depth == 0:
        return Exact(HIT, Fraction(0), leaves)
    return Exact(HIT, leaves)


def _plane(o, d, n, offset) -> Exact:
    excess, speed = dot(n, o) - offset, dot(n, d)
    if speed == 0:
        return Exact(TOUCH, Fraction(0)) if excess == 0 else Exact(MISS)
    t = Fraction(-excess, speed)
    if t < 0:
        return Exact(MISS)
    return Exact(TOUCH if excess == 0 and speed > 0 else HIT, t)


def exact(kind: str, shape: dict, origin, direction, stored_axes: bool = False) -> Exact:
    """One ray against one shape of binary32 numbers, decided in integers; t is that of the
    caller's ray. `direction` is not zero."""
    (d,), d_scale = _integers(direction)
    if kind == "aabb":
        (o, lo, hi), scale = _integers(origin, shape["min"], shape["max"])
        middle = [a + b for a, b in zip(lo, hi, strict=True)]
        answer = _box(minus([2 * v for v in o], middle), [2 * v for v in d], minus(hi, lo))
    elif kind == "obb":
        (o, c, h), scale = _integers(origin, shape["center"], shape["half_extents"])
        if stored_axes:
            axes = rotations(np.array([shape["rotation"]]))[0].astype(np.float32)
            rows, unit = _integers(*axes)
        else:
            (q,), _ = _integers(shape["rotation"])
            rows, unit = turn(*q)
        columns = list(zip(*rows, strict=True))
        w = minus(o, c)
        answer = _box(
            [dot(w, a) for a in columns], [dot(d, a) for a in columns], [unit * v for v in h]
        )
    elif kind == "sphere":
        (o, c, (r,)), scale = _integers(origin, shape["center"], [shape["radius"]])
        answer = _capsule(minus(o, c), d, [0, 0, 0], r)
    elif kind == "capsule":
        (o, a, b, (r,)), scale = _integers(origin, shape["a"], shape["b"], [shape["radius"]])
        answer = _capsule(minus(o, a), d, minus(b, a), r)
    else:
        (o,), scale = _integers(origin)
        (n, (off,)), _ = _integers(shape["normal"], [shape["offset"]])
        answer = _plane(o, d, n, off * scale)
    rate = Fraction(d_scale, scale)
    answer.t = None if answer.t is None else answer.t * rate
    answer.other = None if answer.other is None else answer.other * rate
    return answer
