// Overlaps that plain floats can decide: nearly all. A pair surely overlaps where a point of one
// shape is inside the other, or no plane of the separating axis test separates them, by more than
// the floats' error; it is surely apart where a plane separates them by as much. overlaps() decides
// the others in doubles, and would decide these the same way
// (docs/project/proofs/overlap-distance-sweep.md, "Certain overlaps").
#pragma once

#include "host/cpu/shapes/certain_shapes.hpp"

#include <type_traits>

namespace sightline::detail {

enum class Certainty { no, yes, unsure };

/// Whether the root of `dd` is less than r by the margin.
inline bool certainly_within(float dd, float r, float margin) {
  const float less = r - margin;
  return less > 0x1p-50f && dd <= less * less;
}

/// Whether shapes are apart along the direction n, of squared length nn, by more than r; `gap`
/// separates their cores along n.
inline bool certainly_beyond(float gap, float nn, float r, float margin) {
  return nn > 0x1p-80f && gap > (r + margin) * sqrt(nn);
}

template <class A, class B>
requires(std::is_same_v<A, NeverCertain> || std::is_same_v<B, NeverCertain>) Certainty
    certain_overlap(const A&, const B&) {
  return Certainty::unsure;
}

inline Certainty certain_overlap(const CertainRound& a, const CertainRound& b) {
  const Vec3 w = minus(a.center, b.center);
  const float margin = margin_of(a, b, sum3(w)), r = a.radius + b.radius;
  // Source: Ericson, Real-Time Collision Detection, 5.1.9.
  const float aa = dot3(a.half, a.half), bb = dot3(b.half, b.half), ab = dot3(a.half, b.half);
  const float wa = dot3(w, a.half), wb = dot3(w, b.half), det = aa * bb - ab * ab;
  float s = det > 0 ? cut((ab * wb - bb * wa) / det, 1) : 0;
  const float t = bb > 0 ? cut((ab * s + wb) / bb, 1) : 0;
  s = aa > 0 ? cut((ab * t - wa) / aa, 1) : 0;
  const Vec3 g = minus(along(w, a.half, s), {t * b.half.x, t * b.half.y, t * b.half.z});
  const float gg = dot3(g, g);
  if (certainly_within(gg, r, margin)) return Certainty::yes;
  const float gap = dot3(g, w) - (abs(dot3(g, a.half)) + abs(dot3(g, b.half)));
  return certainly_beyond(gap, gg, r, margin) ? Certainty::no : Certainty::unsure;
}

/// Alternates between the nearest points of the box and of the segment.
inline Certainty certain_overlap(const CertainRound& a, const CertainBox& b) {
  const Float4 w = lanes_of(a.center) - b.center;
  const float margin = margin_of(a, b, sum3(magnitude(w))), r = a.radius;
  const Vec3 p = vec3_of(weighted(w, b.turned)), half = vec3_of(b.half);
  const Vec3 d = vec3_of(weighted(lanes_of(a.half), b.turned));
  const float dd = dot3(d, d), dp = dot3(d, p);
  float t = dd > 0 ? cut(-dp / dd, 1) : 0;
  for (int turn = 0;; ++turn) {
    const Vec3 at = along(p, d, t), on_box = cut(at, half), g = minus(at, on_box);
    const float gg = dot3(g, g);
    if (certainly_within(gg, r, margin)) return Certainty::yes;
    const float reach = (abs(g.x) * half.x + abs(g.y) * half.y) + abs(g.z) * half.z;
    if (certainly_beyond(dot3(g, p) - (abs(dot3(g, d)) + reach), gg, r, margin))
      return Certainty::no;
    if (turn == 3 || !(dd > 0)) return Certainty::unsure;
    t = cut((dot3(d, on_box) - dp) / dd, 1);
  }
}
inline Certainty certain_overlap(const CertainBox& a, const CertainRound& b) {
  return certain_overlap(b, a);
}

/// Rotates a vector's coordinates.
inline Float4 yzx(const Float4& v) { return __builtin_shufflevector(v, v, 1, 2, 0, 3); }
inline Float4 zxy(const Float4& v) { return __builtin_shufflevector(v, v, 2, 0, 1, 3); }

/// Tests the faces' planes first; then whether the point of one box nearest to the centre of the
/// other is in both; then the edge directions of the separating axis test.
inline Certainty certain_overlap(const CertainBox& a, const CertainBox& b) {
  const Float4 w = b.center - a.center;
  const float margin = margin_of(a, b, sum3(magnitude(w)));
  // b's axes in a's coordinates and vice versa; then the vector between the centres in both.
  const Float4 b_in_a[3] = {weighted(b.axis[0], a.turned), weighted(b.axis[1], a.turned),
                            weighted(b.axis[2], a.turned)};
  const Float4 a_in_b[3] = {weighted(a.axis[0], b.turned), weighted(a.axis[1], b.turned),
                            weighted(a.axis[2], b.turned)};
  const Float4 p = weighted(w, a.turned), q = weighted(w, b.turned);
  const Float4 sizes_in_a[3] = {magnitude(b_in_a[0]), magnitude(b_in_a[1]), magnitude(b_in_a[2])};
  const Float4 sizes_in_b[3] = {magnitude(a_in_b[0]), magnitude(a_in_b[1]), magnitude(a_in_b[2])};
  const Float4 between_a = magnitude(p) - (a.half + weighted(b.half, sizes_in_a));
  const Float4 between_b = magnitude(q) - (b.half + weighted(a.half, sizes_in_b));
  if (any((between_a > margin) | (between_b > margin))) return Certainty::no;
  // Both boxes shrunk by the margin: points nearly inside these are inside the boxes.
  const Float4 pad = {margin, margin, margin, 0};
  const Float4 half_a = a.half - pad, half_b = b.half - pad;
  if (!any((half_a < 0) | (half_b < 0))) {
    const Float4 from_b = weighted(cut(p, half_a), a_in_b) - q;
    if (!any(magnitude(from_b) > half_b)) return Certainty::yes;
    const Float4 from_a = p + weighted(cut(from_b, half_b), b_in_a);
    if (!any(magnitude(from_a) > half_a)) return Certainty::yes;
  }
  // Lane i: the cross product of edge i of a and edge j of b.
  Float4 most = {-infinity, -infinity, -infinity, -infinity};
  for (int j = 0; j < 3; ++j) {
    const int j1 = (j + 1) % 3, j2 = (j + 2) % 3;
    const Float4 apart = magnitude(zxy(p) * yzx(b_in_a[j]) - yzx(p) * zxy(b_in_a[j]));
    const Float4 of_a = yzx(a.half) * zxy(sizes_in_a[j]) + zxy(a.half) * yzx(sizes_in_a[j]);
    const Float4 of_b = b.half[j1] * sizes_in_a[j2] + b.half[j2] * sizes_in_a[j1];
    const Float4 between = apart - (of_a + of_b);
    most = between > most ? between : most;
  }
  const float edges = max(max(most[0], most[1]), most[2]);
  if (edges > margin) return Certainty::no;
  const float most_a = max(max(between_a[0], between_a[1]), between_a[2]);
  const float most_b = max(max(between_b[0], between_b[1]), between_b[2]);
  return max(edges, max(most_a, most_b)) < -margin ? Certainty::yes : Certainty::unsure;
}

}  // namespace sightline::detail
