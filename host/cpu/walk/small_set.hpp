// Overlaps with few shapes: every query is tested against all of them, 64 queries at a time in the
// caller's order. Neither a tree nor an order would pay: sorting a query costs as much as sixty
// boxes.
#pragma once

#include "host/backend/overlap_rows.hpp"
#include "host/cpu/walk/walk.hpp"

namespace sightline::detail {

/// More shapes are faster with the tree (docs/performance.md, "Small sets").
inline constexpr std::uint32_t most_of_small_set = 128;

/// The bounds of up to 64 query shapes as columns; missing ones are empty.
class QueryBoxes {
 public:
  static constexpr std::uint32_t most = 64;

  void set(std::uint32_t k, const Aabb& b) {
    const float low[] = {b.min.x, b.min.y, b.min.z}, high[] = {b.max.x, b.max.y, b.max.z};
    for (int axis = 0; axis < 3; ++axis) {
      low_[axis][k] = low[axis];
      high_[axis][k] = high[axis];
    }
  }
  void clear_from(std::uint32_t k) {
    for (; k < most; ++k) set(k, empty_aabb());
  }
  /// Those that overlap the box, as bits.
  std::uint64_t overlapping(const Aabb& box) const {
    std::uint64_t bits = 0;
    for (std::uint32_t k = 0; k < most; k += wide_width) {
      const auto eight = [k](const float* column) { return loaded<Float8>(column + k); };
      const Int8 both = (eight(low_[0]) <= box.max.x) & (eight(high_[0]) >= box.min.x) &
                        (eight(low_[1]) <= box.max.y) & (eight(high_[1]) >= box.min.y) &
                        (eight(low_[2]) <= box.max.z) & (eight(high_[2]) >= box.min.z);
      bits |= std::uint64_t{bits_of_lanes(both)} << k;
    }
    return bits;
  }

 private:
  alignas(32) float low_[3][most], high_[3][most];
};

/// The bounds of all bounded shapes of a small set.
inline std::vector<Aabb> boxes_of(const ShapesView& shapes) {
  std::vector<Aabb> boxes;
  boxes.reserve(shapes.bounded());
  for (std::uint32_t id = 0; id < shapes.bounded(); ++id) boxes.push_back(bounds_of(shapes, id));
  return boxes;
}

/// Calls hit(k, id) for every shape that query `first` + k, k < count <= 64, overlaps, until it
/// returns 1; the queries are of one kind. decide_for(shape)(query) is overlaps() of two shapes
/// whose bounds overlap.
template <class Shape, class DecideFor, class Hit>
void find_in_small_set(const ShapesView& shapes, const std::vector<Aabb>& boxes,
                       const ShapesView& queries, std::uint64_t first, std::uint32_t count,
                       const DecideFor& decide_for, const Hit& hit) {
  const auto query = [&](std::uint32_t k) {
    return queries.get<Shape>(static_cast<std::uint32_t>(first) + k -
                              queries.begin[static_cast<int>(kind_for<Shape>)]);
  };
  const auto mask = [&](std::uint32_t k) {
    return queries.mask_of(static_cast<std::uint32_t>(first) + k);
  };
  QueryBoxes bounds_of_queries;
  for (std::uint32_t k = 0; k < count; ++k) bounds_of_queries.set(k, bounds(query(k)));
  bounds_of_queries.clear_from(count);
  std::uint64_t open = count == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << count) - 1;
  const auto test = [&](std::uint32_t id, std::uint64_t candidates, const auto& decides) {
    const std::uint32_t shape_mask = shapes.mask_of(id);
    for (std::uint64_t rest = candidates & open; rest != 0; rest &= rest - 1) {
      const auto k = static_cast<std::uint32_t>(__builtin_ctzll(rest));
      if ((mask(k) & shape_mask) == 0 || !decides(query(k))) continue;
      open &= ~(std::uint64_t{hit(k, id)} << k);
    }
  };
  for (std::uint32_t id = 0; id < shapes.bounded() && open != 0; ++id) {
    const std::uint64_t near = bounds_of_queries.overlapping(boxes[id]);
    if (near == 0) continue;
    shapes.visit_bounded(id, [&](const auto& s) { test(id, near, decide_for(s)); });
  }
  for (std::uint32_t id = shapes.bounded(); id < shapes.size() && open != 0; ++id) {
    shapes.visit_unbounded(
        id, [&](const auto& s) { test(id, open, [&](const Shape& q) { return overlaps(q, s); }); });
  }
}

}  // namespace sightline::detail
