"""Pairs of a ray and a shape in binary64, with a bound on every error.

A sum of products of inputs with k roundings is wrong by less than k * 2^-53 times the sum of its
terms' sizes; no expression here has more than 8 of them between names, so ``ERR = 2^-50`` times
that sum covers each.
"""

from __future__ import annotations

import numpy as np

ERR = 2.0**-50


class Ends:
    """Intervals that hold t_in and t_out of pairs, which are surely missed, and which undecided."""

    def __init__(self, n):
        self.in_low, self.in_high = np.full(n, -np.inf), np.full(n, np.inf)
        self.out_low, self.out_high = np.full(n, -np.inf), np.full(n, np.inf)
        self.missed, self.doubtful = np.zeros(n, bool), np.zeros(n, bool)


def rows(a, b):
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


def aabbs(s, o, d) -> Ends:
    """Of AABBs' columns s, origins o and directions d, pair by pair; the others alike."""
    near, far = s["min"] - o, s["max"] - o
    return _slabs(near, far, d, ERR * np.abs(near), ERR * np.abs(far), np.zeros_like(d))


def obbs(s, o, d, axes) -> Ends:
    w, h = o - s["center"], s["half_extents"]
    p, v = np.einsum("nij,ni->nj", axes, w), np.einsum("nij,ni->nj", axes, d)
    p_err = 8 * ERR * (_size(w)[:, None] + h)
    v_err = np.broadcast_to(8 * ERR * _size(d)[:, None], v.shape)
    return _slabs(-h - p, h - p, v, p_err, p_err, v_err)


def spheres(center, radius, o, d) -> Ends:
    ends = Ends(len(d))
    w = o - center
    m, dd, b = np.cross(w, d), rows(d, d), rows(w, d)
    product = _size(w) * _size(d)
    m_err, b_err = ERR * product, ERR * product
    mm, rr = rows(m, m), radius * radius * dd
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
    gg, ee, me, qg = rows(g, g), rows(e, e), rows(m, e), rows(q, g)
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
    we, de = rows(w, e), rows(d, e)
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


def capsules(s, o, d) -> Ends:
    parts = [
        spheres(s["a"], s["radius"], o, d),
        spheres(s["b"], s["radius"], o, d),
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


def planes(s, o, d) -> Ends:
    ends = Ends(len(d))
    n = s["normal"]
    excess, speed = rows(n, o) - s["offset"], rows(n, d)
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
