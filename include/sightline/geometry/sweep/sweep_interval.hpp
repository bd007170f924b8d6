// When a moving shape touches another, and the normal of that contact.
#pragma once

#include <sightline/geometry/overlap/overlaps.hpp>
#include <sightline/geometry/queries/cast.hpp>
#include <sightline/geometry/sweep/parts.hpp>

namespace sightline {

/// The moving shape at the ray's origin.
SIGHTLINE_HD Sphere at_origin(const Line& line, const MovingSphere& m) {
  return {line.origin, m.radius};
}
SIGHTLINE_HD Capsule at_origin(const Line&, const Capsule& m) { return m; }

/// In doubles, relative to the origin of local_line(); the line is not a point.
template <class Mover, class Shape>
SIGHTLINE_HD WideInterval wide_interval(const LocalLine& line, const Mover& m, const Shape& s) {
  WideInterval all;
  each_part(line, m, s, [&](const auto& part) { all = unite(all, part.interval()); });
  return all;
}

/// The interval of a bounded shape, each end rounded to float once.
template <class Mover, class Shape>
SIGHTLINE_HD Interval interval_of_parts(const Line& line, const Mover& m, const Shape& s) {
  if (line.is_point) return point_interval<float>(overlaps(at_origin(line, m), s));
  const LocalLine local = local_line(line, reference_point(s));
  const WideInterval i = wide_interval(local, m, s);
  return {i.hit, narrowed(i.t_in + local.moved), narrowed(i.t_out + local.moved)};
}

/// The interval of a plane; the lowest point of the moving shape is `height` above it, in units of
/// |normal|.
SIGHTLINE_HD Interval interval_above(const Line& line, double height, double radius,
                                     const Plane& s) {
  const WideVec3 n = widened(s.normal);
  const double nn = square(n), reach = radius * wide_sqrt(nn);
  const bool inside = height <= 0 || height * height <= radius * radius * nn;
  const double speed = dot(n, widened(line.direction));
  if (speed == 0) return point_interval<float>(inside);
  const float t = narrowed((reach - height) / speed);
  return {true, speed > 0 ? -infinity : t, speed < 0 ? infinity : t};
}
SIGHTLINE_HD double height_above(const Plane& s, const Vec3& p) {
  return dot(widened(s.normal), widened(p)) - s.offset;
}

/// When a ball around the ray's point, of radius > 0, and the shape have a common point.
template <class Shape>
SIGHTLINE_HD Interval sweep_interval(const Line& line, const MovingSphere& m, const Shape& s) {
  return interval_of_parts(line, m, s);
}
SIGHTLINE_HD Interval sweep_interval(const Line& line, const MovingSphere& m, const Plane& s) {
  return interval_above(line, height_above(s, line.origin), m.radius, s);
}

/// When a capsule of length > 0 and the shape have a common point; line.origin is m.a.
template <class Shape>
SIGHTLINE_HD Interval sweep_interval(const Line& line, const Capsule& m, const Shape& s) {
  return interval_of_parts(line, m, s);
}
SIGHTLINE_HD Interval sweep_interval(const Line& line, const Capsule& m, const Plane& s) {
  const double a = height_above(s, m.a), b = height_above(s, m.b);
  return interval_above(line, b < a ? b : a, m.radius, s);
}

/// The unit normal out of the shape where it is first touched or, for `at_exit`, last. The line
/// hits. The reversed direction where nothing has a radius and there is no face.
template <class Mover, class Shape>
SIGHTLINE_HD Vec3 sweep_normal(const Line& line, const Mover& m, const Shape& s, bool at_exit) {
  const LocalLine local = local_line(line, reference_point(s));
  double t = at_exit ? -infinity : infinity;
  int touched = 0, n = 0;  // the part that ends the interval, and the current part
  each_part(local, m, s, [&](const auto& part) {
    const WideInterval i = part.interval();
    const bool ends = at_exit ? i.t_out > t : i.t_in < t;
    t = ends ? (at_exit ? i.t_out : i.t_in) : t;
    touched = ends ? n : touched;
    ++n;
  });
  WideVec3 out = {0, 0, 0};
  n = 0;
  each_part(local, m, s, [&](const auto& part) {
    if (n++ == touched) out = part.way_out(t, at_exit);
  });
  const double length = wide_sqrt(square(out));
  return length > 0 ? rounded_once(out * (1 / length)) : -unit(line.direction);
}
template <class Mover>
SIGHTLINE_HD Vec3 sweep_normal(const Line&, const Mover&, const Plane& s, bool) {
  return unit(s.normal);
}

}  // namespace sightline
