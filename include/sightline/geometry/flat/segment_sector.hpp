// Segments against sectors. Touching is a hit.
#pragma once

#include <sightline/geometry/flat/flat_interval.hpp>
#include <sightline/geometry/flat/reach.hpp>
#include <sightline/geometry/flat/wedge.hpp>

namespace sightline {

/// The intervals of a line in a shape: one, or two for a sector above 180 degrees, in order of t;
/// none if the segment misses the shape.
struct FlatParts {
  int count;
  FlatInterval part[2];
};

/// Whether a segment meets a sector, and a t where it does.
struct SectorTouch {
  bool hit;
  double t;
};

/// Where the segment w + t * d crosses the edge of this length along e; none if they are parallel.
SIGHTLINE_HD SectorTouch edge_crossing(const WideVec2& e, double length, const WideVec2& w,
                                       const WideVec2& d) {
  double speed = cross(e, d), t = cross(w, e), along = cross(w, d);  // times 1 / speed
  if (speed < 0) speed = -speed, t = -t, along = -along;
  const bool on_segment = 0 <= t && t <= speed;
  const bool on_edge = 0 <= along && along * along * square(e) <= length * length * speed * speed;
  if (!(speed > 0 && on_segment && on_edge)) return {false, 0};
  return {true, t / speed};
}

/// Within the circle only the edges bound the sector. So the segment meets the sector if its point
/// nearest to the center is in the circle, and is in the wedge or separated from it by an edge that
/// the segment crosses. No root or quotient decides. The ends are tested first, so that no rounding
/// between them excludes an end.
SIGHTLINE_HD SectorTouch touch(const Sector& s, const WideVec2& w, const WideVec2& end,
                               const WideVec2& d) {
  const double most = widened(s.radius) * s.radius;
  if (square(w) <= most && in_wedge(s, w)) return {true, 0};
  if (square(end) <= most && in_wedge(s, end)) return {true, 1};
  if (!within_reach(d, -w, -end, s.radius)) return {false, 0};
  const double along = -dot(w, d), across = cross(d, w);
  WideVec2 nearest = left_of(d) * (across > 0 ? 1.0 : across < 0 ? -1.0 : 0.0);
  if (along <= 0)
    nearest = w;
  else if (along >= square(d))
    nearest = end;
  if (in_wedge(s, nearest)) return {true, nearest_t(w, d)};
  const SectorEdges edges = edges_of(s);
  const SectorTouch left = edge_crossing(edges.left, s.radius, w, d);
  return left.hit ? left : edge_crossing(edges.right, s.radius, w, d);
}

/// Up to 180 degrees a sector is the part of the disk right of its left edge, left of its right
/// edge, and in front of the center. Above, it is the union of both half disks, and a line that
/// crosses both edges goes from one to the other through the gap.
SIGHTLINE_HD FlatParts parts(const Sector& s, const WideVec2& w, const WideVec2& d) {
  FlatInterval inside = chord(w, d, s.radius);
  inside.hit = true;  // only rounding can make it empty
  const SectorEdges edges = edges_of(s);
  const auto right_of_left = [&](const FlatInterval& i) {
    return clipped(i, -cross(edges.left, w), -cross(edges.left, d));
  };
  const auto left_of_right = [&](const FlatInterval& i) {
    return clipped(i, cross(edges.right, w), cross(edges.right, d));
  };
  if (s.cosine >= 0.0f) {
    FlatInterval i = left_of_right(right_of_left(inside));
    const WideVec2 direction = widened(s.direction);
    if (s.cosine > 0.0f) i = clipped(i, dot(direction, w), dot(direction, d));
    return {i.hit ? 1 : 0, {i, nothing()}};
  }
  const FlatInterval left = right_of_left(inside), right = left_of_right(inside);
  const auto crosses_ray = [&](const WideVec2& e) {
    const double along = cross(w, d), speed = cross(e, d);
    return (along > 0 && speed > 0) || (along < 0 && speed < 0);
  };
  const bool gap = sine_of(s) > 0 && crosses_ray(edges.left) && crosses_ray(edges.right);
  if (!gap || !left.hit || !right.hit) {
    const FlatInterval i = united(left, right);
    return {i.hit ? 1 : 0, {i, nothing()}};
  }
  if (left.t_in < right.t_in) return {2, {left, right}};
  return {2, {right, left}};
}

SIGHTLINE_HD FlatParts parts(const Segment2& s, const Sector& c) {
  const FlatParts none_at_all = {0, {nothing(), nothing()}};
  if (!is_sound(s) || !is_sound(c)) return none_at_all;
  const WideVec2 w = wide_diff(s.a, c.center), end = wide_diff(s.b, c.center);
  const WideVec2 d = wide_diff(s.b, s.a);
  const SectorTouch found = touch(c, w, end, d);
  if (!found.hit) return none_at_all;
  if (is_zero(d)) return {1, {everything(), nothing()}};
  FlatParts p = parts(c, w, d);
  if (p.count < 2) return {1, {meeting(p.part[0], found.t), nothing()}};
  if (reaches_segment(p.part[0]) || reaches_segment(p.part[1])) return p;
  return {1, {{true, found.t, found.t}, nothing()}};
}

/// The first interval that reaches the segment: sectors above 180 degrees may have two.
SIGHTLINE_HD FlatInterval interval(const Segment2& s, const Sector& c) {
  const FlatParts p = parts(s, c);
  if (p.count == 0) return nothing();
  return p.count == 2 && !reaches_segment(p.part[0]) ? p.part[1] : p.part[0];
}

}  // namespace sightline
