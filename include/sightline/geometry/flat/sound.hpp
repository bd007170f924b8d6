// Unsound shapes have NaN, infinity, a negative size, a direction of length 0, or no corners. They
// meet nothing, whatever their other numbers are.
#pragma once

#include <sightline/flat_shapes.hpp>
#include <sightline/geometry/flat/wide_vec2.hpp>
#include <sightline/geometry/overlap/finite.hpp>

namespace sightline {

SIGHTLINE_HD bool is_finite(const Vec2& v) { return is_finite(v.x) && is_finite(v.y); }
SIGHTLINE_HD bool is_size(float x) { return x >= 0.0f && x <= largest_float; }

SIGHTLINE_HD bool is_sound(const Segment2& s) { return is_finite(s.a) && is_finite(s.b); }
SIGHTLINE_HD bool is_sound(const Circle& s) { return is_finite(s.center) && is_size(s.radius); }
SIGHTLINE_HD bool is_sound(const Capsule2& s) {
  return is_finite(s.a) && is_finite(s.b) && is_size(s.radius);
}
SIGHTLINE_HD bool is_sound(const Sector& s) {
  return is_finite(s.center) && is_finite(s.direction) && is_finite(s.cosine) &&
         is_finite(s.sine) && is_size(s.radius) && !is_zero(widened(s.direction)) &&
         (s.cosine != 0.0f || s.sine > 0.0f);
}
SIGHTLINE_HD bool is_sound(const ConvexPolygon& s) {
  for (int i = 0; i < s.count; ++i) {
    if (!is_finite(s.corners[i])) return false;
  }
  return s.count > 0;
}
SIGHTLINE_HD bool is_sound(const Aabb2& s) {
  return is_finite(s.min) && is_finite(s.max) && s.min.x <= s.max.x && s.min.y <= s.max.y;
}
SIGHTLINE_HD bool is_sound(const Obb2& s) {
  return is_finite(s.center) && is_size(s.half_extents.x) && is_size(s.half_extents.y) &&
         is_finite(s.cosine) && is_finite(s.sine) && (s.cosine != 0.0f || s.sine != 0.0f);
}

}  // namespace sightline
