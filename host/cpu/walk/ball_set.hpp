// Overlaps of balls with few shapes: eight balls at a time against every shape, in plain floats.
// Neither a tree nor an order would pay. Balls of which floats are not sure are left to the caller.
#pragma once

#include "host/cpu/walk/eight_balls.hpp"

#include <algorithm>
#include <span>
#include <vector>

namespace sightline::detail {

/// Some balls in columns, and their places in the queries.
class BallColumns {
 public:
  static constexpr std::uint64_t most = 512;

  /// Takes n balls, 0 < n <= most. Only what is read is written.
  BallColumns(const Vec3* center, const float* radius, std::uint32_t n) {
    std::uint32_t k = 0;
    for (; k + 8 <= n; k += 8) put(k, transposed(&center[k].x, loaded<Float8>(radius + k)));
    if (k < n) put(k, Balls8{}), put(k, Int8{}, place_);
    for (; k < n; ++k) {
      x_[k] = center[k].x, y_[k] = center[k].y, z_[k] = center[k].z, radius_[k] = radius[k];
    }
    for (k = 0; k < n; ++k) place_[k] = static_cast<std::int32_t>(k);
    count_ = n;
  }
  std::uint32_t count() const { return count_; }
  /// Balls k to k + 7, of which those from count() on are arbitrary.
  Balls8 eight(std::uint32_t k) const {
    return {loaded<Float8>(x_ + k), loaded<Float8>(y_ + k), loaded<Float8>(z_ + k),
            loaded<Float8>(radius_ + k)};
  }
  std::int32_t place(std::uint32_t k) const { return place_[k]; }

  /// Drops the balls for which drops(eight, places), a mask, holds; it may change the places.
  template <class Drops>
  void drop(const Drops& drops) {
    std::uint32_t kept = 0;
    for (std::uint32_t k = 0; k < count_; k += 8) {
      const Balls8 q = eight(k);
      Int8 places = loaded<Int8>(place_ + k);
      const std::uint32_t here = count_ - k < 8 ? (1u << (count_ - k)) - 1 : 0xffu;
      const std::uint32_t open = here & ~bits_of_lanes(drops(q, places));
      const Int8 order = order_of_lanes(open);
      put(kept, Balls8{in_order(q.x, order), in_order(q.y, order), in_order(q.z, order),
                       in_order(q.radius, order)});
      put(kept, in_order(places, order), place_);
      kept += static_cast<std::uint32_t>(__builtin_popcount(open));
    }
    count_ = kept;
  }

 private:
  template <class V, class T>
  static void put(std::uint32_t k, const V& v, T* column) {
    std::memcpy(column + k, &v, sizeof(v));
  }
  void put(std::uint32_t k, const Balls8& q) {
    put(k, q.x, x_), put(k, q.y, y_), put(k, q.z, z_), put(k, q.radius, radius_);
  }

  std::uint32_t count_ = 0;
  alignas(32) float x_[most + 8], y_[most + 8], z_[most + 8], radius_[most + 8];
  alignas(32) std::int32_t place_[most + 8];
};

/// The bounded shapes, those that decide most balls first: large ones, that cost little.
inline std::vector<std::uint32_t> telling_first(const ShapesView& shapes) {
  /// Of an excess(), by kind: aabb, obb, sphere, capsule.
  constexpr float operations[] = {17, 28, 10, 19};
  std::vector<std::pair<float, std::uint32_t>> weights;
  for (std::uint32_t id = 0; id < shapes.bounded(); ++id) {
    const float weight = half_area(bounds_of(shapes, id));
    weights.emplace_back(-weight / operations[static_cast<int>(shapes.kind_of(id))], id);
  }
  std::sort(weights.begin(), weights.end());
  std::vector<std::uint32_t> ids;
  for (const auto& [weight, id] : weights) ids.push_back(id);
  return ids;
}

/// In place of an answer of which floats are not sure.
inline constexpr std::uint32_t unsure_answer = 0xFFFFFFFFu;

/// Shapes that are tested in turn, with one margin.
struct BallBlock {
  ShapesOfBalls shapes;
  BallMargin margin;

  template <class Shape>
  void add(const Shape& s) {
    shapes.add(s);
    margin.take(seen_by_balls(s));
  }
  Float8 least_excess(const Balls8& q) const {
    Float8 least = Float8{} + infinity;
    shapes.for_each([&](const auto& s) { least = least8(excess(q, s), least); });
    return least;
  }
};
/// Blocks of `least` to 16 of the shapes, in the order of these ids.
inline std::vector<BallBlock> blocks_of(const ShapesView& shapes,
                                        std::span<const std::uint32_t> ids, std::size_t least) {
  const auto extent = [&](std::uint32_t id) {
    const Aabb b = bounds_of(shapes, id);
    return max(max(b.max.x - b.min.x, b.max.y - b.min.y), b.max.z - b.min.z);
  };
  std::vector<BallBlock> blocks;
  std::size_t next = 0;
  for (std::size_t k = 0; k < ids.size(); ++k) {
    // Nor may a planet's margin be that of the stones on it.
    if (k == next || blocks.back().margin.size() > 64 * extent(ids[k])) {
      blocks.emplace_back(), next = k + std::clamp<std::size_t>(k / 2, least, 16);
    }
    shapes.visit_bounded(ids[k], [&](const auto& s) { blocks.back().add(s); });
  }
  return blocks;
}

/// A small set.
class BallSet {
 public:
  explicit BallSet(const ShapesView& shapes)
      : blocks_(blocks_of(shapes, telling_first(shapes), 4)) {}

  /// Writes 1 for each ball that overlaps some shape, 0 for one that does not, or `unsure_answer`.
  /// Balls are left arbitrary.
  void any(BallColumns& balls, std::uint32_t* found) const {
    std::fill_n(found, balls.count(), 1u);
    for (const BallBlock& block : blocks_) {
      balls.drop([&](const Balls8& q, Int8& places) {
        const Float8 least = block.least_excess(q), margin = block.margin.of(q);
        places |= ~(least > margin) & doubt;
        return least < -margin;
      });
    }
    for (std::uint32_t k = 0; k < balls.count(); ++k) {
      const std::int32_t place = balls.place(k);
      found[place & ~doubt] = (place & doubt) != 0 ? unsure_answer : 0;
    }
  }

  /// Writes how many shapes each ball overlaps, or `unsure_answer`; `found` has room for 7 more.
  void count(const BallColumns& balls, std::uint32_t* found) const {
    for (std::uint32_t k = 0; k < balls.count(); k += 8) {
      const Balls8 q = balls.eight(k);
      Int8 surely = {}, possibly = {};
      for (const BallBlock& block : blocks_) {
        const Float8 margin = block.margin.of(q);
        block.shapes.for_each([&](const auto& s) {
          const Float8 by = excess(q, s);
          surely -= by < -margin;
          possibly -= ~(by > margin);
        });
      }
      surely = surely == possibly ? surely : Int8{} - 1;
      std::memcpy(found + k, &surely, sizeof(surely));
    }
  }

 private:
  /// A bit of the place of a ball of which floats were not sure.
  static constexpr std::int32_t doubt = 1 << 30;

  std::vector<BallBlock> blocks_;
};

}  // namespace sightline::detail
