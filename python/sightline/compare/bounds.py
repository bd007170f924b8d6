"""Pairs of a ray and a shape in binary64, as intervals that hold the true numbers."""

from __future__ import annotations

from dataclasses import dataclass
from functools import reduce

import numpy as np

from .exact import cross, dot, minus


class Interval:
    """Numbers [n], each between two of binary64. What an operation rounds is moved outward by an
    ulp, which is twice its error."""

    def __init__(self, low, high=None):
        self.low, self.high = low, low if high is None else high

    def __neg__(self):
        return Interval(-self.high, -self.low)

    def __add__(self, other):
        return _around(self.low + other.low, self.high + other.high)

    def __sub__(self, other):
        return self + -other

    def __mul__(self, other):
        return _around(*(a * b for a in self.ends() for b in other.ends()))

    def __truediv__(self, other):
        """By numbers of known sign."""
        return _around(*(a / b for a in self.ends() for b in other.ends()))

    def root(self):
        """0 of what is negative."""
        return _around(*(np.sqrt(np.maximum(end, 0)) for end in self.ends()))

    def ends(self):
        return (self.low,) if self.low is self.high else (self.low, self.high)

    def has_sign(self):
        return (self.low > 0) | (self.high < 0)


def _around(*numbers):
    low, high = reduce(np.minimum, numbers), reduce(np.maximum, numbers)
    return Interval(np.nextafter(low, -np.inf), np.nextafter(high, np.inf))


def _where(condition, yes, no):
    return Interval(np.where(condition, yes.low, no.low), np.where(condition, yes.high, no.high))


def _joined(join, *intervals):
    """np.minimum or np.maximum of them."""
    return Interval(reduce(join, (i.low for i in intervals)),
                    reduce(join, (i.high for i in intervals)))  # fmt: skip


def _vector(rows):
    return [Interval(column) for column in rows.T]


ZERO, ONE, EVER = Interval(0.0), Interval(1.0), Interval(np.inf)


@dataclass
class Ends:
    """Where lines enter and leave shapes, pair by pair; which pairs surely miss, and which are
    undecided, whose ends say nothing."""

    t_in: Interval
    t_out: Interval
    missed: np.ndarray
    doubtful: np.ndarray


def _slabs(near, far, v) -> Ends:
    """Lines against three slabs, near <= t v <= far along each axis."""
    t_in, t_out = -EVER, EVER
    missed = doubtful = np.zeros(len(v[0].low), bool)
    for low, high, speed in zip(near, far, v, strict=True):
        still, known = (speed.low == 0) & (speed.high == 0), speed.has_sign()
        missed = missed | (still & ((low.low > 0) | (high.high < 0)))
        within = (low.high < 0) & (high.low > 0)
        doubtful = doubtful | (~known & ~(still & within))
        forward, speed = speed.low > 0, _where(known, speed, ONE)
        first, last = low / speed, high / speed
        first, last = _where(forward, first, last), _where(forward, last, first)
        t_in = _joined(np.maximum, t_in, _where(known, first, -EVER))
        t_out = _joined(np.minimum, t_out, _where(known, last, EVER))
    return Ends(t_in, t_out, missed | (t_in.low > t_out.high), doubtful | (t_in.high >= t_out.low))


def aabbs(s, o, d) -> Ends:
    """Of AABBs' columns s, origins o and directions d, pair by pair; the others alike."""
    o = _vector(o)
    return _slabs(minus(_vector(s["min"]), o), minus(_vector(s["max"]), o), _vector(d))


def obbs(s, o, d) -> Ends:
    """The "axes" [n,3,3] of s are rotations, rounded in binary64."""
    error = 2.0**-49
    axes = [[Interval(a - error, a + error) for a in s["axes"][:, :, k].T] for k in range(3)]
    w, h, d = minus(_vector(o), _vector(s["center"])), _vector(s["half_extents"]), _vector(d)
    p, v = [dot(a, w) for a in axes], [dot(a, d) for a in axes]
    return _slabs([-(x + y) for x, y in zip(h, p, strict=True)], minus(h, p), v)


def spheres(s, o, d, center="center") -> Ends:
    w, r, d = minus(_vector(o), _vector(s[center])), Interval(s["radius"]), _vector(d)
    m, dd, b = cross(w, d), dot(d, d), dot(w, d)
    discriminant = r * r * dd - dot(m, m)
    root = discriminant.root()
    return Ends((-b - root) / dd, (root - b) / dd, discriminant.high < 0, discriminant.low <= 0)


def _tubes(s, o, d) -> Ends:
    """The cylinder between a capsule's end planes."""
    a, r, d = _vector(s["a"]), Interval(s["radius"]), _vector(d)
    w, e = minus(_vector(o), a), minus(_vector(s["b"]), a)
    g, q, m = cross(d, e), cross(w, e), cross(w, d)
    gg, ee, me, qg, we, de = dot(g, g), dot(e, e), dot(m, e), dot(q, g), dot(w, e), dot(d, e)
    x = r * r * gg - me * me
    steep = gg.low > 0
    missed = (s["a"] == s["b"]).all(axis=1) | (steep & (x.high < 0))
    doubtful = ~steep | (x.low <= 0)
    root, gg = (ee * x).root(), _where(steep, gg, ONE)
    sides = (-qg - root) / gg, (root - qg) / gg

    def place(side):
        """Below 0, between the end planes, above, or unknown (2)."""
        at = we + side * de
        inside = (at.low > 0) & (at.high < ee.low)
        return np.select([at.high < 0, inside, at.low > ee.high], [-1, 0, 1], 2)

    at = [place(side) for side in sides]
    missed |= ~doubtful & (np.abs(at[0]) == 1) & (at[0] == at[1])
    tilted = de.has_sign()
    doubtful |= (at[0] == 2) | (at[1] == 2) | (((at[0] != 0) | (at[1] != 0)) & ~tilted)
    speed = _where(tilted, de, ONE)
    first, last = (ZERO - we) / speed, (ee - we) / speed
    t_in, t_out = (_where(k == -1, first, _where(k == 1, last, side))
                   for k, side in zip(at, sides, strict=True))  # fmt: skip
    return Ends(t_in, t_out, missed, doubtful)


def capsules(s, o, d) -> Ends:
    parts = [spheres(s, o, d, end) for end in ("a", "b")] + [_tubes(s, o, d)]
    missed = [p.missed for p in parts]
    return Ends(
        _joined(np.minimum, *(_where(p.missed, EVER, p.t_in) for p in parts)),
        _joined(np.maximum, *(_where(p.missed, -EVER, p.t_out) for p in parts)),
        np.all(missed, axis=0),
        np.any([p.doubtful & ~p.missed for p in parts], axis=0),
    )


def planes(s, o, d) -> Ends:
    n = _vector(s["normal"])
    excess, speed = dot(n, _vector(o)) - Interval(s["offset"]), dot(n, _vector(d))
    flat, known = (s["normal"] * d == 0).all(axis=1), speed.has_sign()
    t, enters = -excess / _where(known, speed, ONE), speed.high < 0
    missed = flat & excess.has_sign()  # beside it, or never left
    return Ends(_where(enters, t, -EVER), _where(enters, EVER, t), missed, ~known)


OF = {"aabb": aabbs, "obb": obbs, "sphere": spheres, "capsule": capsules, "plane": planes}
