// Whether a point is in a field of view, in doubles: exact on lattices, otherwise within 1e-15
// radians of the field's edge (docs/concepts/line-of-sight.md).
#pragma once

#include <sightline/geometry/exact/wide_vec.hpp>
#include <sightline/geometry/overlap/finite.hpp>
#include <sightline/geometry/queries/line_of_sight.hpp>
#include <sightline/points.hpp>

namespace sightline {

/// Which components of vectors count: 1, or 0 for the heights of a sector.
SIGHTLINE_HD Vec3 axes_of(FieldShape shape) {
  return {1, shape == FieldShape::sector_y_up ? 0.0f : 1.0f,
          shape == FieldShape::sector ? 0.0f : 1.0f};
}

/// Whether the field is good: see Field.
SIGHTLINE_HD bool is_sound(const Field& f, FieldShape shape) {
  const Vec3 axes = axes_of(shape), &d = f.direction;
  const auto is_good = [](float axis, float x) { return axis == 0.0f || is_finite(x); };
  const bool looks = (axes.x != 0.0f && d.x != 0.0f) || (axes.y != 0.0f && d.y != 0.0f) ||
                     (axes.z != 0.0f && d.z != 0.0f);
  return is_good(axes.x, d.x) && is_good(axes.y, d.y) && is_good(axes.z, d.z) && looks &&
         is_finite(f.cosine) && is_finite(f.sine) && (f.cosine != 0.0f || f.sine > 0.0f) &&
         f.range >= 0.0f;
}

/// A field prepared for testing points; nothing passes a bad field.
struct FieldTest {
  WideVec3 axes;     ///< as axes_of()
  WideVec3 forward;  ///< the direction times the sine
  WideVec3 aside;    ///< the direction times |cosine|
  double sign;       ///< of the cosine
  double range_squared;
};

SIGHTLINE_HD FieldTest field_test(const Field& f, FieldShape shape) {
  FieldTest t{widened(axes_of(shape)), {0, 0, 0}, {0, 0, 0}, 0, -1};
  if (!is_sound(f, shape)) return t;
  const WideVec3 direction = {t.axes.x == 0 ? 0.0 : widened(f.direction.x),
                              t.axes.y == 0 ? 0.0 : widened(f.direction.y),
                              t.axes.z == 0 ? 0.0 : widened(f.direction.z)};
  t.forward = direction * widened(max(0.0f, f.sine));
  t.aside = direction * widened(abs(f.cosine));
  t.sign = f.cosine < 0.0f ? -1.0 : 1.0;
  t.range_squared = widened(f.range) * f.range;
  return t;
}

/// Whether `to` is in the field of the viewpoint `from`; both are in the domain.
///
/// With the angle a and the half angle h, sin(h - a) >= 0 is sin h cos a >= cos h sin a: the dot
/// product with `forward` against the length of the cross product with `aside`, compared as signed
/// squares. For h = 0 the opposite direction would pass too, so `ahead` tests the sign of the
/// cosine. Nothing here can overflow, or underflow to a wrong result.
SIGHTLINE_HD bool in_field(const FieldTest& t, const Vec3& from, const Vec3& to) {
  const WideVec3 d = wide_diff(to, from);
  const WideVec3 v = {d.x * t.axes.x, d.y * t.axes.y, d.z * t.axes.z};
  const double along = dot(t.forward, v), size = along < 0 ? -along : along;
  const bool ahead = t.sign < 0 || dot(t.aside, v) >= 0;
  return along * size >= t.sign * square(cross(t.aside, v)) && ahead &&
         square(v) <= t.range_squared;
}

/// Whether a target is in a viewpoint's field; never if either is bad.
SIGHTLINE_HD bool in_field(const FieldTest& t, const SightPoint& from, const SightPoint& to) {
  return !is_bad(from) && !is_bad(to) && in_field(t, from.position, to.position);
}

}  // namespace sightline
