// Where in a triangle a line meets it: the weights of its corners, exactly. Proofs:
// docs/project/proofs/triangles.md.
#pragma once

#include <sightline/geometry/intersect/ray_triangle.hpp>

namespace sightline {

/// The place a + b * (b - a) + c * (c - a).
struct CornerWeights {
  float b, c;
};

/// r . (p x q) / w . (u x v) of a quotient's determinants, rounded once to the nearest float.
template <class Vec>
SIGHTLINE_APART float determinant_quotient(const Vec& r, const Vec& p, const Vec& q, const Vec& w,
                                           const Vec& u, const Vec& v) {
  float quotient;
  if (sure_quotient(bounded_determinant(r, p, q), bounded_determinant(w, u, v), quotient)) {
    return quotient;
  }
  return rounded_quotient(exact_determinant(r, p, q), exact_determinant(w, u, v));
}

/// The weights where a line that crosses the plane does: E_ca / D and E_ab / D.
SIGHTLINE_HD CornerWeights weights_of_crossing(const Vec3& o, const Vec3& d, const Triangle& s) {
  const SplitVec3 along = split(d);
  const SplitVec3 a = split_difference(s.a, o), b = split_difference(s.b, o);
  const SplitVec3 c = split_difference(s.c, o);
  const SplitVec3 u = split_difference(s.b, s.a), v = split_difference(s.c, s.a);
  return {determinant_quotient(along, c, a, along, u, v),
          determinant_quotient(along, a, b, along, u, v)};
}

/// The weights where a line within the plane enters: on the edge that it crosses inwards, else in
/// the first corner on it. 0 where the triangle has no area.
SIGHTLINE_HD CornerWeights weights_of_entry(const Vec3& o, const Vec3& d, const Triangle& s) {
  const SplitVec3 along = split(d);
  const Vec3 corner[3] = {s.a, s.b, s.c};
  const SplitVec3 to[3] = {split_difference(s.a, o), split_difference(s.b, o),
                           split_difference(s.c, o)};
  const CornerSides r = corner_sides(d, to);
  const int area = minor_sign(split_difference(s.b, s.a), split_difference(s.c, s.a), r.i, r.j);
  float weight[3] = {0, 0, 0};
  if (area == 0) return {0, 0};
  for (int k = 0; k < 3; ++k) {
    const int next = (k + 1) % 3;
    if (r.side[k] * area <= 0 || r.side[next] * area >= 0) continue;
    const SplitVec3 edge = split_difference(corner[next], corner[k]);
    weight[k] = minor_quotient(along, to[next], along, edge, r.i, r.j);
    weight[next] = minor_quotient(to[k], along, along, edge, r.i, r.j);
    return {weight[1], weight[2]};
  }
  const int axis = fastest_axis(d);
  int first = -1;
  for (int k = 0; k < 3; ++k) {
    const auto place = [&](int n) SIGHTLINE_LAMBDA {
      return split(corner[n]).high[axis] * along.high[axis];
    };
    if (r.side[k] == 0 && (first < 0 || place(k) < place(first))) first = k;
  }
  if (first >= 0) weight[first] = 1;
  return {weight[1], weight[2]};
}

/// The weights of b and c, the exact quotients rounded once, of the place where a line that meets
/// the triangle enters it. 0 for a line that is a point.
SIGHTLINE_HD CornerWeights corner_weights(const Line& line, const Triangle& s) {
  const Vec3 o = line.origin, d = line.direction;
  if (max_abs(d) == 0) return {0, 0};
  const Meeting m = meeting(line, s);
  return m == Meeting::front || m == Meeting::back ? weights_of_crossing(o, d, s)
                                                   : weights_of_entry(o, d, s);
}

}  // namespace sightline
