// The queries of circles and segments against a set of 2D shapes: shared by all backends.
//
// Each has a gate against the bounds of a shape, and against boxes that contain them. Gates are
// comparisons that rounding preserves, so that a box passes wherever a box inside it passes: trees
// cull nothing that brute force reports (docs/reference/flat.md).
#pragma once

#include <sightline/geometry/flat/flat_bounds.hpp>
#include <sightline/geometry/flat/flat_overlaps.hpp>
#include <sightline/geometry/flat/flat_segment.hpp>
#include <sightline/geometry/flat/flat_shapes_view.hpp>
#include <sightline/geometry/overlap/box_box.hpp>

namespace sightline {

SIGHTLINE_HD bool in_domain(const Vec2& v) {
  return abs(v.x) <= domain_limit && abs(v.y) <= domain_limit;
}
/// Bad queries are ignored: NaN, infinite, outside the domain, a negative radius.
SIGHTLINE_HD bool is_bad(const Circle& c) {
  return !(in_domain(c.center) && 0.0f <= c.radius && c.radius <= domain_limit);
}
SIGHTLINE_HD bool is_bad(const Segment2& s) { return !(in_domain(s.a) && in_domain(s.b)); }

/// A query circle, which is not bad.
struct CircleQuery {
  Circle circle;
  Aabb bounds;
  std::uint32_t mask;
};
SIGHTLINE_HD CircleQuery circle_query(const Circle& circle, std::uint32_t mask) {
  return {circle, lifted(bounds(circle)), mask};
}

/// Whether the circle overlaps the shape of this id: masks, gate, shapes.
SIGHTLINE_HD bool overlaps_shape(const CircleQuery& q, const FlatShapesView& shapes,
                                 std::uint32_t id) {
  return (q.mask & shapes.mask_of(id)) != 0 && overlaps(q.bounds, shapes.bounds_of(id)) &&
         shapes.visit(id, [&](const auto& shape) { return overlaps(q.circle, shape); });
}

/// A segment, for tests against boxes.
struct SegmentReach {
  Aabb bounds;
  WideVec2 a, d;
};

/// Whether the boxes overlap and the box is not wholly on one side of the line. Rounding is
/// monotone in the distance of a point from the line, so that containing boxes pass too.
SIGHTLINE_HD bool overlaps(const SegmentReach& s, const Aabb& box) {
  if (!overlaps(s.bounds, box)) return false;
  const double low_x = widened(box.min.x) - s.a.x, high_x = widened(box.max.x) - s.a.x;
  const double low_y = widened(box.min.y) - s.a.y, high_y = widened(box.max.y) - s.a.y;
  const bool right = s.d.x >= 0, up = s.d.y >= 0;
  return s.d.x * (right ? high_y : low_y) >= s.d.y * (up ? low_x : high_x) &&
         s.d.x * (right ? low_y : high_y) <= s.d.y * (up ? high_x : low_x);
}

/// A lower bound, 0 to 1, of the t at which the segment enters the box, which it overlaps.
SIGHTLINE_HD double entry(const SegmentReach& s, const Aabb& box) {
  const auto along = [](double a, double d, float low, float high) {
    return d == 0 ? 0.0 : (widened(d < 0 ? high : low) - a) / d;
  };
  const double x = along(s.a.x, s.d.x, box.min.x, box.max.x);
  const double y = along(s.a.y, s.d.y, box.min.y, box.max.y);
  const double first = 0 > x ? 0 : x;
  return y > first ? y : first;
}

/// A query segment, which is not bad, and the hit with the least (t, id) so far.
struct SegmentSearch {
  Segment2 segment;
  Inside inside;
  std::uint32_t mask;
  SegmentReach reach;

  double t = wide_infinity;
  std::uint32_t id = none;
  bool started_inside = false;
};
SIGHTLINE_HD SegmentSearch segment_search(const Segment2& s, Inside inside, std::uint32_t mask) {
  const Aabb2 box = {{min(s.a.x, s.b.x), min(s.a.y, s.b.y)},
                     {max(s.a.x, s.b.x), max(s.a.y, s.b.y)}};
  return {s, inside, mask, {lifted(box), widened(s.a), wide_diff(s.b, s.a)}};
}

/// Whether a box may contain a hit that comes first, ties included.
SIGHTLINE_HD bool overlaps(const SegmentSearch& s, const Aabb& box) {
  return overlaps(s.reach, box) && !(entry(s.reach, box) > s.t);
}

/// Offers the shape of this id. A hit comes no sooner than the segment enters the shape's bounds.
SIGHTLINE_HD void offer_shape(SegmentSearch& s, const FlatShapesView& shapes, std::uint32_t id) {
  if ((s.mask & shapes.mask_of(id)) == 0) return;
  const Aabb box = shapes.bounds_of(id);
  if (!overlaps(s, box)) return;
  const FlatHit hit =
      shapes.visit(id, [&](const auto& shape) { return cast(s.segment, shape, s.inside); });
  if (!hit.hit) return;
  const double first = entry(s.reach, box), t = hit.t > first ? hit.t : first;
  if (!(t < s.t || (t == s.t && id < s.id))) return;
  s.t = t;
  s.id = id;
  s.started_inside = hit.started_inside;
}

/// The answer for the caller.
SIGHTLINE_HD Hit hit_of(const SegmentSearch& s) {
  Hit h;
  if (s.id == none) return h;
  h.t = narrowed(s.t) + 0.0f;
  h.id = s.id;
  h.flags = static_cast<std::uint8_t>(hit_flags::hit |
                                      (s.started_inside ? hit_flags::started_inside : 0));
  return h;
}
SIGHTLINE_HD Hit hit_of_bad_segment() {
  Hit h;
  h.flags = hit_flags::bad_ray;
  return h;
}

}  // namespace sightline
