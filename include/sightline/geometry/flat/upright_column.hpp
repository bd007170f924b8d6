// Columns: 2D shapes with a range of heights along z, as shapes of 3D.
#pragma once

#include <sightline/geometry/flat/flat_overlaps.hpp>
#include <sightline/geometry/flat/flat_segment.hpp>
#include <sightline/vec.hpp>

namespace sightline {

/// The points whose (x, y) is in the shape and whose z is in [low, high]. A Circle makes an upright
/// cylinder, such as an agent.
template <class Shape>
struct FlatColumn {
  Shape shape;
  float low, high;
};

/// The points a + t * (b - a), 0 <= t <= 1, of 3D.
struct Segment3 {
  Vec3 a, b;
};

/// Whether an upright cylinder and a column have a common point.
template <class Shape>
SIGHTLINE_HD bool overlaps(const FlatColumn<Circle>& a, const FlatColumn<Shape>& b) {
  const bool finite =
      is_finite(a.low) && is_finite(a.high) && is_finite(b.low) && is_finite(b.high);
  return finite && a.low <= a.high && b.low <= b.high && a.low <= b.high && b.low <= a.high &&
         overlaps(a.shape, b.shape);
}

/// The interval of a line in a column; the first one, as for sectors. Exact as far as the
/// intervals' ends compare as doubles: docs/reference/flat.md says where.
template <class Shape>
SIGHTLINE_HD FlatInterval interval(const Segment3& s, const FlatColumn<Shape>& c) {
  if (!(is_finite(s.a.z) && is_finite(s.b.z) && is_finite(c.low) && is_finite(c.high))) {
    return nothing();
  }
  if (!(c.low <= c.high)) return nothing();
  const double dz = widened(s.b.z) - s.a.z;
  FlatInterval heights = clipped(everything(), widened(s.a.z) - c.low, dz);
  heights = clipped(heights, widened(c.high) - s.a.z, -dz);
  if (!reaches_segment(heights)) return nothing();
  const FlatParts flat = parts(Segment2{{s.a.x, s.a.y}, {s.b.x, s.b.y}}, c.shape);
  for (int k = 0; k < flat.count; ++k) {
    const FlatInterval& f = flat.part[k];
    const FlatInterval i = {true, f.t_in > heights.t_in ? f.t_in : heights.t_in,
                            f.t_out < heights.t_out ? f.t_out : heights.t_out};
    if (i.t_in <= i.t_out && reaches_segment(i)) return i;
  }
  return nothing();
}

template <class Shape>
SIGHTLINE_HD FlatHit cast(const Segment3& s, const FlatColumn<Shape>& c,
                          Inside inside = Inside::solid) {
  return apply_policy(interval(s, c), inside);
}

}  // namespace sightline
