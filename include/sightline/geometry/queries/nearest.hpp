// The shapes of a scene nearest to a point or a segment: shared by all backends.
#pragma once

#include <sightline/geometry/distance/distance.hpp>
#include <sightline/geometry/queries/line_of_sight.hpp>
#include <sightline/geometry/shapes/all_shapes.hpp>
#include <sightline/points.hpp>

namespace sightline {

/// A found shape: its gated distance, and its id.
struct Near {
  float distance = infinity;
  std::uint32_t id = none;
};
SIGHTLINE_HD bool comes_before(const Near& a, const Near& b) {
  return a.distance < b.distance || (a.distance == b.distance && a.id < b.id);
}

/// The first k of the offered shapes, sorted, in the caller's rows of k elements. Unused elements
/// are none, at +inf. Shapes beyond `range` are not kept.
struct NearList {
  float* distance;
  std::uint32_t* id;
  std::uint32_t k;
  float range;

  SIGHTLINE_HD void clear() const {
    for (std::uint32_t i = 0; i < k; ++i) distance[i] = infinity, id[i] = none;
  }
  /// No shape beyond this distance can be kept.
  SIGHTLINE_HD float limit() const { return min(distance[k - 1], range); }

  SIGHTLINE_HD void offer(const Near& found) const {
    if (!(found.distance <= range)) return;
    if (!comes_before(found, {distance[k - 1], id[k - 1]})) return;
    std::uint32_t i = k - 1;
    for (; i > 0 && comes_before(found, {distance[i - 1], id[i - 1]}); --i) {
      distance[i] = distance[i - 1];
      id[i] = id[i - 1];
    }
    distance[i] = found.distance;
    id[i] = found.id;
  }
};

/// A query segment, with its filters.
struct SegmentQuery {
  Segment segment;
  SegmentBoxes boxes;
  std::uint32_t mask;
  std::uint32_t exclude[2];
  std::uint32_t exclude_group[2];
};

SIGHTLINE_HD SegmentQuery segment_query(const SightPoint& from, const SightPoint& to) {
  const Segment segment = {from.position, to.position};
  return {segment,
          boxes_of(segment),
          from.mask & to.mask,
          {from.exclude, to.exclude},
          {from.exclude_group, to.exclude_group}};
}
/// A bad segment, with a bad end, finds nothing.
SIGHTLINE_HD bool is_bad(const SegmentQuery& q) {
  return !in_domain(q.segment.a) || !in_domain(q.segment.b);
}

/// Pairs [count] of points, each a segment.
struct PointPairsView {
  std::uint64_t count = 0;
  PointsView from, to;

  SIGHTLINE_HD SegmentQuery operator[](std::uint64_t i) const {
    return segment_query(from[i], to[i]);
  }
  PointPairsView slice(std::uint64_t first, std::uint64_t n) const {
    return {n, from.slice(first, n), to.slice(first, n)};
  }
};

/// Whether mask and exclusions of the point admit the shape of this id.
SIGHTLINE_HD bool passes_filter(const SightPoint& p, const ShapesView& shapes, std::uint32_t id) {
  if (id == p.exclude || (p.mask & shapes.mask_of(id)) == 0) return false;
  const std::uint32_t group = shapes.group_of(id);
  return group == none || group != p.exclude_group;
}

// For points and segments: the distance of a shape, and a lower bound of the distance of anything
// in a box.
template <class Shape>
SIGHTLINE_HD float plain_distance(const Shape& shape, const SightPoint& p) {
  return nearest(shape, p.position).distance;
}
template <class Shape>
SIGHTLINE_HD float plain_distance(const Shape& shape, const SegmentQuery& q) {
  return clearance(q.segment, shape).distance;
}
SIGHTLINE_HD float gated(float distance, const Aabb& bounds, const SightPoint& p) {
  return gated_distance(distance, bounds, p.position);
}
SIGHTLINE_HD float gated(float distance, const Aabb& bounds, const SegmentQuery& q) {
  return gated_distance(distance, bounds, q.boxes);
}
SIGHTLINE_HD float culling_bound(const Aabb& box, const SightPoint& p, float) {
  return signed_distance_bound(box, p.position);
}
SIGHTLINE_HD float culling_bound(const Aabb& box, const SegmentQuery& q, float limit) {
  return culling_bound(box, q.boxes, limit);
}

/// The distance of a shape, gated by its bounds if it has any.
template <class Shape, class Query>
SIGHTLINE_HD float distance_to(const Shape& shape, const Query& q) {
  const float distance = plain_distance(shape, q);
  if constexpr (is_bounded<Shape>) {
    return gated(distance, bounds(shape), q);
  } else {
    return distance;
  }
}

/// Offers the shape of this id, if it counts.
template <class Query>
SIGHTLINE_HD void offer_shape(const NearList& list, const ShapesView& shapes, const Query& q,
                              std::uint32_t id) {
  if (!passes_filter(q, shapes, id)) return;
  const float distance = shapes.visit(id, [&](const auto& shape) { return distance_to(shape, q); });
  list.offer({distance, id});
}

/// Where the answers to points [n] go, rows of k, behind the door: null where not asked for.
struct NearestView {
  float* distance = nullptr;
  std::uint32_t* id = nullptr;
  Vec3* point = nullptr;
  Vec3* direction = nullptr;

  NearestView from(std::uint64_t first) const {
    return {distance == nullptr ? distance : distance + first, id == nullptr ? id : id + first,
            point == nullptr ? point : point + first,
            direction == nullptr ? direction : direction + first};
  }
};

/// Where the answers to segments [n] go, rows of k, behind the door: null where not asked for.
struct ClearanceView {
  float* distance = nullptr;
  std::uint32_t* id = nullptr;
  float* t = nullptr;
  Vec3* on_segment = nullptr;
  Vec3* on_shape = nullptr;

  ClearanceView from(std::uint64_t first) const {
    return {distance == nullptr ? distance : distance + first, id == nullptr ? id : id + first,
            t == nullptr ? t : t + first, on_segment == nullptr ? on_segment : on_segment + first,
            on_shape == nullptr ? on_shape : on_shape + first};
  }
};

/// Writes point and direction of shape `id` to element i.
SIGHTLINE_HD void store_places(const NearestView& out, std::uint64_t i, const ShapesView& shapes,
                               const SightPoint& p, std::uint32_t id) {
  if (out.point == nullptr && out.direction == nullptr) return;
  Nearest found = {infinity, {0, 0, 0}, {0, 0, 0}};
  if (id != none) {
    found = shapes.visit(id, [&](const auto& shape) { return nearest(shape, p.position); });
  }
  if (out.point != nullptr) out.point[i] = found.point;
  if (out.direction != nullptr) out.direction[i] = found.direction;
}
/// The same for t and both points.
SIGHTLINE_HD void store_places(const ClearanceView& out, std::uint64_t i, const ShapesView& shapes,
                               const SegmentQuery& q, std::uint32_t id) {
  if (out.t == nullptr && out.on_segment == nullptr && out.on_shape == nullptr) return;
  Clearance found = {infinity, 0, {0, 0, 0}, {0, 0, 0}};
  if (id != none) {
    found = shapes.visit(id, [&](const auto& shape) { return clearance(q.segment, shape); });
  }
  if (out.t != nullptr) out.t[i] = found.t;
  if (out.on_segment != nullptr) out.on_segment[i] = found.on_segment;
  if (out.on_shape != nullptr) out.on_shape[i] = found.on_shape;
}

}  // namespace sightline
