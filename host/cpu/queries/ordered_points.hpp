// Points of a matrix in an order in which neighbours share blockers: every aligned block of 4, 16,
// 64 ... of them lies close together, and mostly beside the next.
#pragma once

#include "host/cpu/queries/point_copies.hpp"

#include <sightline/geometry/intersect/line.hpp>
#include <sightline/geometry/shapes/aabb.hpp>

#include <algorithm>
#include <bit>

namespace sightline::detail {

/// A point's position and the caller's index.
struct PlacedPoint {
  float at[3];
  std::uint32_t index;
};

/// Divides the points [begin, end) into those that lie low and high along the longest axis of their
/// box, the first a power of two, and each of these in turn, in O(n log n) steps. Of an axis
/// whose bit is set in `down` the high ones come first, so that the second half mostly begins near
/// where the first one ends.
inline void order_by_halves(PlacedPoint* begin, PlacedPoint* end, unsigned down = 0) {
  const auto count = static_cast<std::uint64_t>(end - begin);
  if (count < 2) return;
  Aabb box = empty_aabb();
  for (const PlacedPoint* p = begin; p != end; ++p) {
    const Vec3 at = {p->at[0], p->at[1], p->at[2]};
    box = unite(box, {at, at});
  }
  const float x = box.max.x - box.min.x, y = box.max.y - box.min.y, z = box.max.z - box.min.z;
  const int axis = x >= y && x >= z ? 0 : y >= z ? 1 : 2;
  const bool is_down = (down >> axis & 1) != 0;
  const auto before = [=](const PlacedPoint& a, const PlacedPoint& b) {
    const float u = a.at[axis], v = b.at[axis];
    return u == v ? a.index < b.index : (u < v) != is_down;
  };
  PlacedPoint* const middle = begin + std::bit_ceil(count) / 2;
  std::nth_element(begin, middle, end, before);
  order_by_halves(begin, middle, down);
  order_by_halves(middle, end, down ^ (7u & ~(1u << axis)));
}

/// Copies of points in that order. The view is of this object's own copies.
struct OrderedPoints {
  std::vector<std::uint32_t> index;  ///< the caller's index of each
  PointCopies copies;
  PointsView view;

  OrderedPoints(const OrderedPoints&) = delete;
  explicit OrderedPoints(const PointsView& points) : index(points.count) {
    std::vector<PlacedPoint> placed(points.count);
    for (std::uint32_t i = 0; i < placed.size(); ++i) {
      const Vec3 p = points.position[i];
      // Those that are not numbers have no order.
      placed[i] = in_domain(p) ? PlacedPoint{{p.x, p.y, p.z}, i} : PlacedPoint{{}, i};
    }
    order_by_halves(placed.data(), placed.data() + placed.size());
    for (std::size_t k = 0; k < placed.size(); ++k) index[k] = placed[k].index;
    view = copies.take(points, index.data(), points.count);
  }
};

}  // namespace sightline::detail
