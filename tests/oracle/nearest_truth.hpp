// Closest points by other formulas: feet by subtraction, two segments by their normal equations, a
// box by trying every face, edge and corner, a triangle in coordinates along its longest edge and
// across it. Real is `Quad` for the truth, `long double` where many
// are asked for.
#pragma once

#include "tests/oracle/oracle.hpp"

#include <algorithm>
#include <type_traits>

namespace sightline::oracle {

using QuadVec = Wide<Quad>;

template <class Real>
Real length_of(const Wide<Real>& v) {
  return root(dot(v, v));
}

/// A foot, or a place inside, and how far it is; a shape's own distance is signed.
template <class Real>
struct NearestIn {
  Real distance;
  Wide<Real> point;
};
using QuadNearest = NearestIn<Quad>;

template <class Real>
struct SegmentIn {
  Wide<Real> a, b;
  Wide<Real> at(Real t) const { return a + (b - a) * t; }
};
using QuadSegment = SegmentIn<Quad>;

template <class Real>
Real clamped(Real x, std::type_identity_t<Real> low, std::type_identity_t<Real> high) {
  return x < low ? low : x > high ? high : x;
}

template <class Real>
Real foot_on(const SegmentIn<Real>& s, const Wide<Real>& p) {
  const Wide<Real> e = s.b - s.a;
  const Real ee = dot(e, e);
  return ee > 0 ? clamped(dot(p - s.a, e) / ee, 0, 1) : Real(0);
}
template <class Real>
NearestIn<Real> nearest_truth(const SegmentIn<Real>& s, const Wide<Real>& p) {
  const Wide<Real> at = s.at(foot_on(s, p));
  return {length_of(p - at), at};
}

/// The least distance of two segments, and places where it is taken.
template <class Real>
struct ApproachIn {
  Real distance, s, t;
};
using QuadApproach = ApproachIn<Quad>;
template <class Real>
ApproachIn<Real> approach_truth(const SegmentIn<Real>& p, const SegmentIn<Real>& q) {
  ApproachIn<Real> best{Real(beyond), 0, 0};
  const auto consider = [&](Real s, Real t) {
    const Real distance = length_of(p.at(s) - q.at(t));
    if (distance < best.distance) best = {distance, s, t};
  };
  for (const Real end : {Real(0), Real(1)}) {
    consider(end, foot_on(q, p.at(end)));
    consider(foot_on(p, q.at(end)), end);
  }
  const Wide<Real> d = p.b - p.a, e = q.b - q.a, w = p.a - q.a;
  const Real dd = dot(d, d), de = dot(d, e), ee = dot(e, e), determinant = dd * ee - de * de;
  if (determinant > dd * ee * 1e-30) {
    const Real s = (de * dot(w, e) - ee * dot(w, d)) / determinant;
    const Real t = (dd * dot(w, e) - de * dot(w, d)) / determinant;
    if (s > 0 && s < 1 && t > 0 && t < 1) consider(s, t);
  }
  return best;
}

template <class Real>
NearestIn<Real> grown(const Wide<Real>& p, const Wide<Real>& core,
                      std::type_identity_t<Real> radius) {
  const Wide<Real> way = p - core;
  const Real length = length_of(way);
  const Wide<Real> out = length > 0 ? way * (radius / length) : Wide<Real>(radius, 0, 0);
  return {length - radius, core + out};
}
template <class Real>
NearestIn<Real> nearest_truth(const Sphere& s, const Wide<Real>& p) {
  return grown(p, Wide<Real>(s.center), s.radius);
}
template <class Real>
NearestIn<Real> nearest_truth(const Capsule& s, const Wide<Real>& p) {
  return grown(p, nearest_truth(SegmentIn<Real>{Wide<Real>(s.a), Wide<Real>(s.b)}, p).point,
               s.radius);
}
template <class Real>
NearestIn<Real> nearest_truth(const Plane& s, const Wide<Real>& p) {
  const Wide<Real> n(s.normal);
  const Real nn = dot(n, n), height = dot(n, p) - Real(s.offset);
  return {height / root(nn), p - n * (height / nn)};
}

/// origin + sum of y[i] * edge[i], low[i] <= y[i] <= high[i].
template <class Real>
struct BoxIn {
  Wide<Real> origin;
  Real low[3], high[3];
  Wide<Real> axis[3], edge[3];
};
template <class Real>
BoxIn<Real> box_in(const Aabb& s) {
  const Wide<Real> x(1, 0, 0), y(0, 1, 0), z(0, 0, 1), low(s.min), high(s.max);
  return {
      Wide<Real>(0, 0, 0), {low.x, low.y, low.z}, {high.x, high.y, high.z}, {x, y, z}, {x, y, z}};
}
template <class Real>
BoxIn<Real> box_in(const ObbFrame& s) {
  const Wide<Real> a(s.axis[0]), b(s.axis[1]), c(s.axis[2]), h(s.half_extents);
  const Real volume = dot(a, cross(b, c)), one = 1;
  return {
      Wide<Real>(s.center),
      {-h.x, -h.y, -h.z},
      {h.x, h.y, h.z},
      {a, b, c},
      {cross(b, c) * (one / volume), cross(c, a) * (one / volume), cross(a, b) * (one / volume)}};
}

/// The least of |sum of y[i] * edge[i] - w| with y[i] free where free[i]: normal equations, by
/// elimination; of edges that are nearly at right angles.
template <class Real>
void solve_free(const BoxIn<Real>& box, const Wide<Real>& w, const bool (&free)[3], Real (&y)[3]) {
  Wide<Real> rest = w;
  for (int i = 0; i < 3; ++i) {
    if (!free[i]) rest = rest - box.edge[i] * y[i];
  }
  Real m[3][4];
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) {
      const bool both = free[i] && free[j];
      m[i][j] = both ? dot(box.edge[i], box.edge[j]) : i == j ? Real(1) : Real(0);
    }
    m[i][3] = free[i] ? dot(box.edge[i], rest) : y[i];
  }
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) {
      if (j == i) continue;
      const Real part = m[j][i] / m[i][i];
      for (int k = i; k < 4; ++k) m[j][k] -= part * m[i][k];
    }
  }
  for (int i = 0; i < 3; ++i) y[i] = m[i][3] / m[i][i];
}

/// The nearest point of the solid: itself inside.
template <class Real>
NearestIn<Real> nearest_in(const BoxIn<Real>& box, const Wide<Real>& p) {
  const Wide<Real> w = p - box.origin;
  NearestIn<Real> best{Real(beyond), p};
  for (int k = 0; k < 27; ++k) {
    const int side[3] = {k % 3, k / 3 % 3, k / 9};
    Real y[3];
    bool free[3], within = true;
    for (int i = 0; i < 3; ++i) {
      free[i] = side[i] == 2;
      y[i] = side[i] == 0 ? box.low[i] : side[i] == 1 ? box.high[i] : Real(0);
    }
    if (free[0] && free[1] && free[2]) {
      for (int i = 0; i < 3; ++i) y[i] = dot(box.axis[i], w);
    } else {
      solve_free(box, w, free, y);
    }
    for (int i = 0; i < 3; ++i) within = within && box.low[i] <= y[i] && y[i] <= box.high[i];
    if (!within) continue;
    if (free[0] && free[1] && free[2]) return {0, p};
    const Wide<Real> at = box.edge[0] * y[0] + box.edge[1] * y[1] + box.edge[2] * y[2];
    const Real distance = length_of(w - at);
    if (distance < best.distance) best = {distance, box.origin + at};
  }
  return best;
}
template <class Real>
NearestIn<Real> nearest_truth(const BoxIn<Real>& box, const Wide<Real>& p) {
  const NearestIn<Real> outside = nearest_in(box, p);
  if (outside.distance > 0) return outside;
  NearestIn<Real> best{Real(-beyond), p};
  for (int i = 0; i < 3; ++i) {
    const Wide<Real>& n = box.axis[i];
    const Real y = dot(n, p - box.origin), nn = dot(n, n);
    for (const Real up : {box.low[i] - y, box.high[i] - y}) {
      const Real depth = -magnitude(up) / root(nn);
      if (depth > best.distance) best = {depth, p + n * (up / nn)};
    }
  }
  return best;
}
template <class Real>
NearestIn<Real> nearest_truth(const Aabb& s, const Wide<Real>& p) {
  return nearest_truth(box_in<Real>(s), p);
}
template <class Real>
NearestIn<Real> nearest_truth(const ObbFrame& s, const Wide<Real>& p) {
  return nearest_truth(box_in<Real>(s), p);
}

/// A triangle's longest edge, and what leads from it to the opposite corner at a right angle.
template <class Real>
struct TriangleFrame {
  Wide<Real> from, to, apex, along, across;
  Real aa, cc, foot;  ///< squared lengths; the apex is at `foot` along the edge

  explicit TriangleFrame(const Triangle& s)
      : from(s.a), to(s.b), apex(s.c), along(0, 0, 0), across(0, 0, 0) {
    const Wide<Real> corner[3] = {Wide<Real>(s.a), Wide<Real>(s.b), Wide<Real>(s.c)};
    aa = -1;
    for (int k = 0; k < 3; ++k) {
      const Wide<Real> e = corner[(k + 1) % 3] - corner[k];
      if (dot(e, e) <= aa) continue;
      aa = dot(e, e), along = e;
      from = corner[k], to = corner[(k + 1) % 3], apex = corner[(k + 2) % 3];
    }
    foot = aa > 0 ? dot(apex - from, along) / aa : Real(0);
    across = apex - from - along * foot;
    cc = dot(across, across);
  }
};

template <class Real>
NearestIn<Real> nearest_truth(const Triangle& s, const Wide<Real>& p) {
  const TriangleFrame<Real> f(s);
  const Wide<Real> w = p - f.from;
  if (f.cc > 0) {
    const Real x = dot(w, f.along) / f.aa, y = dot(w, f.across) / f.cc;
    if (0 <= y && y <= 1 && f.foot * y <= x && x <= 1 - (1 - f.foot) * y) {
      const Wide<Real> at = f.along * x + f.across * y;
      return {length_of(w - at), f.from + at};
    }
  }
  NearestIn<Real> best{Real(beyond), p};
  const Wide<Real> corner[4] = {f.from, f.to, f.apex, f.from};
  for (int k = 0; k < 3; ++k) {
    const NearestIn<Real> on = nearest_truth(SegmentIn<Real>{corner[k], corner[k + 1]}, p);
    if (on.distance < best.distance) best = on;
  }
  return best;
}
/// At an end, with an edge, or where it crosses the plane.
template <class Real>
Real clearance_truth(const SegmentIn<Real>& p, const Triangle& s) {
  const TriangleFrame<Real> f(s);
  Real best = std::min(nearest_truth(s, p.a).distance, nearest_truth(s, p.b).distance);
  const Wide<Real> corner[4] = {f.from, f.to, f.apex, f.from};
  for (int k = 0; k < 3; ++k) {
    best = std::min(best, approach_truth(p, SegmentIn<Real>{corner[k], corner[k + 1]}).distance);
  }
  const Wide<Real> up = cross(f.along, f.across);
  const Real a = dot(up, p.a - f.from), b = dot(up, p.b - f.from);
  if ((a < 0) == (b < 0) || a == b) return best;
  return std::min(best, nearest_truth(s, p.at(a / (a - b))).distance);
}

/// How far a segment passes: an end, or one of the box's edges, or it cuts through.
template <class Real>
Real clearance_truth(const SegmentIn<Real>& p, const BoxIn<Real>& box) {
  const Wide<Real> e = p.b - p.a;
  Real from = 0, to = 1;
  for (int i = 0; i < 3; ++i) {
    const Real y = dot(box.axis[i], p.a - box.origin), v = dot(box.axis[i], e);
    if (v == 0 && (y < box.low[i] || y > box.high[i])) to = -1;
    if (v == 0) continue;
    const Real s = (box.low[i] - y) / v, t = (box.high[i] - y) / v;
    from = std::max(from, std::min(s, t)), to = std::min(to, std::max(s, t));
  }
  if (from <= to) return 0;
  Real best = std::min(nearest_in(box, p.a).distance, nearest_in(box, p.b).distance);
  for (int k = 0; k < 12; ++k) {
    const int i = k / 4, j = (i + 1) % 3, l = (i + 2) % 3;
    const Wide<Real> corner = box.origin + box.edge[j] * (k % 2 == 0 ? box.low[j] : box.high[j]) +
                              box.edge[l] * (k / 2 % 2 == 0 ? box.low[l] : box.high[l]);
    const SegmentIn<Real> edge{corner + box.edge[i] * box.low[i],
                               corner + box.edge[i] * box.high[i]};
    best = std::min(best, approach_truth(p, edge).distance);
  }
  return best;
}
template <class Real>
Real clearance_truth(const SegmentIn<Real>& p, const Aabb& s) {
  return clearance_truth(p, box_in<Real>(s));
}
template <class Real>
Real clearance_truth(const SegmentIn<Real>& p, const ObbFrame& s) {
  return clearance_truth(p, box_in<Real>(s));
}
template <class Real>
Real clearance_truth(const SegmentIn<Real>& p, const Sphere& s) {
  return std::max(Real(0), nearest_truth(p, Wide<Real>(s.center)).distance - Real(s.radius));
}
template <class Real>
Real clearance_truth(const SegmentIn<Real>& p, const Capsule& s) {
  const SegmentIn<Real> core{Wide<Real>(s.a), Wide<Real>(s.b)};
  return std::max(Real(0), approach_truth(p, core).distance - Real(s.radius));
}
template <class Real>
Real clearance_truth(const SegmentIn<Real>& p, const Plane& s) {
  const Real least = std::min(nearest_truth(s, p.a).distance, nearest_truth(s, p.b).distance);
  return std::max(Real(0), least);
}

}  // namespace sightline::oracle
