// Boxes around some of a viewpoint's targets, which lines of sight may be decided for as a whole:
// hidden by one shape (shadow.hpp), or with nothing in front of them (shaft.hpp).
#pragma once

#include <sightline/geometry/queries/line_of_sight.hpp>

namespace sightline {

struct TargetBox {
  /// Around its targets; NaN where the first has one, and then no box at all.
  Vec3 low, high;
  bool all_good = true;  ///< no target is bad

  SIGHTLINE_HD explicit TargetBox(const Vec3& first)
      : low(first), high(first), all_good(in_domain(first)) {}
  SIGHTLINE_HD void add(const Vec3& p) {
    all_good = all_good && in_domain(p);
    low = {min(p.x, low.x), min(p.y, low.y), min(p.z, low.z)};
    high = {max(p.x, high.x), max(p.y, high.y), max(p.z, high.z)};
  }
};

/// Whether shapes may hide whole boxes: triangles, and AABBs and OBBs under `solid` alone. Under
/// the other policies one around an end may not block.
SIGHTLINE_HD bool may_hide_boxes(const ShapesView& shapes, const SightOptions& options) {
  const bool has_boxes = shapes.begin[static_cast<int>(Kind::sphere)] > 0;
  return (has_boxes && options.inside == Inside::solid) || shapes.count(Kind::triangle) > 0;
}
/// Whether whole boxes without bad targets may be cleared, for a viewpoint that is not bad. Planes
/// have no bounds, and points out of range are not seen.
SIGHTLINE_HD bool may_clear_boxes(const ShapesView& shapes, const SightOptions& options) {
  return shapes.size() == shapes.bounded() && options.range == infinity && options.margin < 0.5f;
}

}  // namespace sightline
