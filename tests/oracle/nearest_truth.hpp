// Closest points by other formulas: feet by subtraction, two segments by their normal equations, a
// box by trying every face, edge and corner; in binary128.
#pragma once

#include "tests/oracle/oracle.hpp"

#include <algorithm>
#include <optional>

namespace sightline::oracle {

using QuadVec = Wide<Quad>;

inline Quad length_of(const QuadVec& v) { return root(dot(v, v)); }

/// A foot, or a place inside, and how far it is; a shape's own distance is signed.
struct QuadNearest {
  Quad distance;
  QuadVec point;
};

struct QuadSegment {
  QuadVec a, b;
  QuadVec at(Quad t) const { return a + (b - a) * t; }
};

inline Quad clamped(Quad x, Quad low, Quad high) { return x < low ? low : x > high ? high : x; }

inline Quad foot_on(const QuadSegment& s, const QuadVec& p) {
  const QuadVec e = s.b - s.a;
  const Quad ee = dot(e, e);
  return ee > 0 ? clamped(dot(p - s.a, e) / ee, 0, 1) : Quad(0);
}
inline QuadNearest nearest_truth(const QuadSegment& s, const QuadVec& p) {
  const QuadVec at = s.at(foot_on(s, p));
  return {length_of(p - at), at};
}

/// The least distance of two segments, and places where it is taken.
struct QuadApproach {
  Quad distance, s, t;
};
inline QuadApproach approach_truth(const QuadSegment& p, const QuadSegment& q) {
  QuadApproach best{Quad(beyond), 0, 0};
  const auto consider = [&](Quad s, Quad t) {
    const Quad distance = length_of(p.at(s) - q.at(t));
    if (distance < best.distance) best = {distance, s, t};
  };
  for (const Quad end : {Quad(0), Quad(1)}) {
    consider(end, foot_on(q, p.at(end)));
    consider(foot_on(p, q.at(end)), end);
  }
  const QuadVec d = p.b - p.a, e = q.b - q.a, w = p.a - q.a;
  const Quad dd = dot(d, d), de = dot(d, e), ee = dot(e, e), determinant = dd * ee - de * de;
  if (determinant > dd * ee * 1e-30) {
    const Quad s = (de * dot(w, e) - ee * dot(w, d)) / determinant;
    const Quad t = (dd * dot(w, e) - de * dot(w, d)) / determinant;
    if (s > 0 && s < 1 && t > 0 && t < 1) consider(s, t);
  }
  return best;
}

inline QuadNearest grown(const QuadVec& p, const QuadVec& core, Quad radius) {
  const QuadVec way = p - core;
  const Quad length = length_of(way);
  const QuadVec out = length > 0 ? way * (radius / length) : QuadVec(radius, 0, 0);
  return {length - radius, core + out};
}
inline QuadNearest nearest_truth(const Sphere& s, const QuadVec& p) {
  return grown(p, QuadVec(s.center), s.radius);
}
inline QuadNearest nearest_truth(const Capsule& s, const QuadVec& p) {
  return grown(p, nearest_truth(QuadSegment{QuadVec(s.a), QuadVec(s.b)}, p).point, s.radius);
}
inline QuadNearest nearest_truth(const Plane& s, const QuadVec& p) {
  const QuadVec n(s.normal);
  const Quad nn = dot(n, n), height = dot(n, p) - Quad(s.offset);
  return {height / root(nn), p - n * (height / nn)};
}

/// origin + sum of y[i] * edge[i], low[i] <= y[i] <= high[i].
struct QuadBox {
  QuadVec origin;
  Quad low[3], high[3];
  QuadVec axis[3], edge[3];
};
inline QuadBox quad_box(const Aabb& s) {
  const QuadVec x(1, 0, 0), y(0, 1, 0), z(0, 0, 1), low(s.min), high(s.max);
  return {QuadVec(0, 0, 0), {low.x, low.y, low.z}, {high.x, high.y, high.z}, {x, y, z}, {x, y, z}};
}
inline QuadBox quad_box(const ObbFrame& s) {
  const QuadVec a(s.axis[0]), b(s.axis[1]), c(s.axis[2]), h(s.half_extents);
  const Quad volume = dot(a, cross(b, c)), one = 1;
  return {
      QuadVec(s.center),
      {-h.x, -h.y, -h.z},
      {h.x, h.y, h.z},
      {a, b, c},
      {cross(b, c) * (one / volume), cross(c, a) * (one / volume), cross(a, b) * (one / volume)}};
}

/// The least of |sum of y[i] * edge[i] - w| with y[i] free where free[i]: normal equations, by
/// elimination; of edges that are nearly at right angles.
inline void solve_free(const QuadBox& box, const QuadVec& w, const bool (&free)[3], Quad (&y)[3]) {
  QuadVec rest = w;
  for (int i = 0; i < 3; ++i) {
    if (!free[i]) rest = rest - box.edge[i] * y[i];
  }
  Quad m[3][4];
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) {
      const bool both = free[i] && free[j];
      m[i][j] = both ? dot(box.edge[i], box.edge[j]) : i == j ? Quad(1) : Quad(0);
    }
    m[i][3] = free[i] ? dot(box.edge[i], rest) : y[i];
  }
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) {
      if (j == i) continue;
      const Quad part = m[j][i] / m[i][i];
      for (int k = i; k < 4; ++k) m[j][k] -= part * m[i][k];
    }
  }
  for (int i = 0; i < 3; ++i) y[i] = m[i][3] / m[i][i];
}

/// The nearest point of the solid: itself inside.
inline QuadNearest nearest_in(const QuadBox& box, const QuadVec& p) {
  const QuadVec w = p - box.origin;
  QuadNearest best{Quad(beyond), p};
  for (int k = 0; k < 27; ++k) {
    const int side[3] = {k % 3, k / 3 % 3, k / 9};
    Quad y[3];
    bool free[3], within = true;
    for (int i = 0; i < 3; ++i) {
      free[i] = side[i] == 2;
      y[i] = side[i] == 0 ? box.low[i] : side[i] == 1 ? box.high[i] : Quad(0);
    }
    if (free[0] && free[1] && free[2]) {
      for (int i = 0; i < 3; ++i) y[i] = dot(box.axis[i], w);
    } else {
      solve_free(box, w, free, y);
    }
    for (int i = 0; i < 3; ++i) within = within && box.low[i] <= y[i] && y[i] <= box.high[i];
    if (!within) continue;
    if (free[0] && free[1] && free[2]) return {0, p};
    const QuadVec at = box.edge[0] * y[0] + box.edge[1] * y[1] + box.edge[2] * y[2];
    const Quad distance = length_of(w - at);
    if (distance < best.distance) best = {distance, box.origin + at};
  }
  return best;
}
inline QuadNearest nearest_truth(const QuadBox& box, const QuadVec& p) {
  const QuadNearest outside = nearest_in(box, p);
  if (outside.distance > 0) return outside;
  QuadNearest best{Quad(-beyond), p};
  for (int i = 0; i < 3; ++i) {
    const QuadVec& n = box.axis[i];
    const Quad y = dot(n, p - box.origin), nn = dot(n, n);
    for (const Quad up : {box.low[i] - y, box.high[i] - y}) {
      const Quad depth = -magnitude(up) / root(nn);
      if (depth > best.distance) best = {depth, p + n * (up / nn)};
    }
  }
  return best;
}
inline QuadNearest nearest_truth(const Aabb& s, const QuadVec& p) {
  return nearest_truth(quad_box(s), p);
}
inline QuadNearest nearest_truth(const ObbFrame& s, const QuadVec& p) {
  return nearest_truth(quad_box(s), p);
}

/// How far a segment passes: an end, or one of the box's edges, or it cuts through.
inline Quad clearance_truth(const QuadSegment& p, const QuadBox& box) {
  const QuadVec e = p.b - p.a;
  Quad from = 0, to = 1;
  for (int i = 0; i < 3; ++i) {
    const Quad y = dot(box.axis[i], p.a - box.origin), v = dot(box.axis[i], e);
    if (v == 0 && (y < box.low[i] || y > box.high[i])) to = -1;
    if (v == 0) continue;
    const Quad s = (box.low[i] - y) / v, t = (box.high[i] - y) / v;
    from = std::max(from, std::min(s, t)), to = std::min(to, std::max(s, t));
  }
  if (from <= to) return 0;
  Quad best = std::min(nearest_in(box, p.a).distance, nearest_in(box, p.b).distance);
  for (int k = 0; k < 12; ++k) {
    const int i = k / 4, j = (i + 1) % 3, l = (i + 2) % 3;
    const QuadVec corner = box.origin + box.edge[j] * (k % 2 == 0 ? box.low[j] : box.high[j]) +
                           box.edge[l] * (k / 2 % 2 == 0 ? box.low[l] : box.high[l]);
    const QuadSegment edge{corner + box.edge[i] * box.low[i], corner + box.edge[i] * box.high[i]};
    best = std::min(best, approach_truth(p, edge).distance);
  }
  return best;
}
inline Quad clearance_truth(const QuadSegment& p, const Aabb& s) {
  return clearance_truth(p, quad_box(s));
}
inline Quad clearance_truth(const QuadSegment& p, const ObbFrame& s) {
  return clearance_truth(p, quad_box(s));
}
inline Quad clearance_truth(const QuadSegment& p, const Sphere& s) {
  return std::max(Quad(0), nearest_truth(p, QuadVec(s.center)).distance - Quad(s.radius));
}
inline Quad clearance_truth(const QuadSegment& p, const Capsule& s) {
  const QuadSegment core{QuadVec(s.a), QuadVec(s.b)};
  return std::max(Quad(0), approach_truth(p, core).distance - Quad(s.radius));
}
inline Quad clearance_truth(const QuadSegment& p, const Plane& s) {
  const Quad least = std::min(nearest_truth(s, p.a).distance, nearest_truth(s, p.b).distance);
  return std::max(Quad(0), least);
}

}  // namespace sightline::oracle
