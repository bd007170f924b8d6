// bounds() of a query shape in vectors: the same numbers, and a third of the instructions.
#pragma once

#include "host/cpu/shapes/certain_shapes.hpp"
#include "host/cpu/shapes/grown_boxes8.hpp"

namespace sightline::detail {

/// Three numbers, and behind them three others.
inline Float8 both(const Float4& a, const Float4& b) {
  return __builtin_shufflevector(a, b, 0, 1, 2, 3, 4, 5, 6, 7);
}
/// Rounded outwards, from the lower corner and the upper one's negative.
inline Aabb rounded_box(const Float8& low_and_minus_high) {
  const Float8 v = next_down8(low_and_minus_high);
  return {{v[0], v[1], v[2]}, {-v[4], -v[5], -v[6]}};
}

template <class Shape>
Aabb quick_bounds(const Shape& s, const NeverCertain&) {
  return bounds(s);
}
inline Aabb quick_bounds(const Aabb& s, const CertainBox&) { return s; }
inline Aabb quick_bounds(const Sphere& s, const CertainRound&) {
  const Float4 c = lanes_of(s.center);
  return rounded_box(both(c, -c) - s.radius);
}
inline Aabb quick_bounds(const Capsule& s, const CertainRound&) {
  const Float4 a = lanes_of(s.a), b = lanes_of(s.b);
  const Float8 ends[] = {both(a, -a), both(b, -b)};
  return rounded_box((ends[0] < ends[1] ? ends[0] : ends[1]) - s.radius);
}
inline Aabb quick_bounds(const ObbFrame&, const CertainBox& s) {
  const Float4 sizes[] = {magnitude(s.axis[0]), magnitude(s.axis[1]), magnitude(s.axis[2])};
  const Float4 extent = weighted(s.half, sizes) + sum3(s.half) * 0x1p-20f;
  return rounded_box(both(s.center, -s.center) - both(extent, extent));
}

}  // namespace sightline::detail
