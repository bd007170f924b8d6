// What a line and a triangle have in common, in whole numbers and by other formulas than the
// library's: the crossing of the plane and its place within the corners; within the plane, the
// common points with each edge as lines in space.
#pragma once

#include <sightline/shapes.hpp>

#include "tests/oracle/whole.hpp"

#include <algorithm>
#include <limits>

namespace sightline::oracle {

struct WholeVec {
  Whole x, y, z;
};
inline WholeVec operator-(const WholeVec& a, const WholeVec& b) {
  return {a.x - b.x, a.y - b.y, a.z - b.z};
}
inline WholeVec cross(const WholeVec& a, const WholeVec& b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
inline Whole dot(const WholeVec& a, const WholeVec& b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
inline bool is_zero(const WholeVec& v) {
  return v.x.sign() == 0 && v.y.sign() == 0 && v.z.sign() == 0;
}

/// All in one unit, a power of two.
struct WholePair {
  WholeVec o, d, corner[3];
  int shift;  ///< a number here is the float times 2^shift

  WholePair(const Vec3& origin, const Vec3& direction, const Triangle& t) : shift(0) {
    for (const Vec3* v : {&origin, &direction, &t.a, &t.b, &t.c}) {
      for (const float x : {v->x, v->y, v->z}) shift = std::max(shift, -OddTimesPower(x).exponent);
    }
    const auto of = [&](const Vec3& v) {
      return WholeVec{whole(v.x, shift), whole(v.y, shift), whole(v.z, shift)};
    };
    o = of(origin), d = of(direction);
    corner[0] = of(t.a), corner[1] = of(t.b), corner[2] = of(t.c);
  }
  /// d . ((p - o) x (q - o)) of the edge from corner k; times 2^(3 shift).
  Whole edge(int k) const { return dot(d, cross(corner[k] - o, corner[(k + 1) % 3] - o)); }
};

/// The first and the last common point, and the corners' weights b and c of the first.
struct TriangleTruth {
  bool hit = false, in_plane = false;
  Ratio t_in, t_out;
  int facing = 0;  ///< the sign of d . n
  Ratio weight_b, weight_c;
};

/// Where the line crosses the plane.
inline TriangleTruth crossing_truth(const WholePair& p) {
  const WholeVec e1 = p.corner[1] - p.corner[0], e2 = p.corner[2] - p.corner[0];
  const WholeVec n = cross(e1, e2), w = p.corner[0] - p.o;
  const Whole speed = dot(n, p.d), way = dot(n, w);
  // speed * (the crossing - a), and the weights of b and c times n.n * |speed|.
  const WholeVec x = {way * p.d.x - speed * w.x, way * p.d.y - speed * w.y,
                      way * p.d.z - speed * w.z};
  const Whole sign = speed.sign(), all = dot(n, n) * speed.magnitude();
  const Whole c = dot(cross(e1, x), n) * sign, b = dot(cross(x, e2), n) * sign;
  TriangleTruth r;
  r.facing = speed.sign();
  r.hit = b.sign() >= 0 && c.sign() >= 0 && compare(b + c, all) <= 0;
  r.t_in = r.t_out = ratio(way, speed);
  r.weight_b = ratio(b, all), r.weight_c = ratio(c, all);
  return r;
}

/// A line in the plane of the corners, or corners on a line.
inline TriangleTruth plane_truth(const WholePair& p) {
  TriangleTruth r;
  r.in_plane = true;
  const bool has_area = !is_zero(cross(p.corner[1] - p.corner[0], p.corner[2] - p.corner[0]));
  const auto take = [&](const Ratio& t, const Ratio(&weight)[3]) {
    if (!r.hit || compare(t, r.t_in) < 0) {
      r.t_in = t;
      if (has_area) r.weight_b = weight[1], r.weight_c = weight[2];
    }
    if (!r.hit || compare(t, r.t_out) > 0) r.t_out = t;
    r.hit = true;
  };
  for (int k = 0; k < 3; ++k) {
    const int next = (k + 1) % 3;
    const WholeVec to = p.corner[k] - p.o, e = p.corner[next] - p.corner[k];
    Ratio weight[3];
    weight[k].n = 1;
    if (is_zero(cross(to, p.d))) take(ratio(dot(to, p.d), dot(p.d, p.d)), weight);
    const WholeVec g = cross(p.d, e);
    const Whole gg = dot(g, g);
    if (gg.sign() == 0 || dot(to, g).sign() != 0) continue;  // parallel, or skew
    // t d = to + s e
    const Whole t = dot(cross(to, e), g), s = dot(cross(to, p.d), g);
    if (s.sign() < 0 || compare(s, gg) > 0) continue;
    weight[k] = {gg - s, gg}, weight[next] = {s, gg};
    take(ratio(t, gg), weight);
  }
  return r;
}

/// Of a line with a direction.
inline TriangleTruth truth(const WholePair& p) {
  const WholeVec n = cross(p.corner[1] - p.corner[0], p.corner[2] - p.corner[0]);
  if (dot(n, p.d).sign() != 0) return crossing_truth(p);
  if (dot(n, p.corner[0] - p.o).sign() != 0) return {};
  return plane_truth(p);
}

}  // namespace sightline::oracle
