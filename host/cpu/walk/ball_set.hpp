// Overlaps of balls with few shapes: eight balls at a time against every shape, in plain floats.
// Neither a tree nor an order would pay. Balls of which floats are not sure are left to the caller.
#pragma once

#include "host/cpu/walk/eight_balls.hpp"

#include <algorithm>
#include <vector>

namespace sightline::detail {

/// Some balls in columns, and their places in the queries.
class BallColumns {
 public:
  static constexpr std::uint64_t most = 512;

  BallColumns() {}  // not cleared: load() writes whatever is read

  std::uint32_t count() const { return count_; }
  /// Takes n balls, 0 < n <= most.
  void load(const Vec3* center, const float* radius, std::uint32_t n) {
    std::uint32_t k = 0;
    for (; k + 8 <= n; k += 8) put(k, transposed(&center[k].x, loaded<Float8>(radius + k)));
    if (k < n) put(k, Balls8{}), put(k, Int8{}, place_);
    for (; k < n; ++k) {
      x_[k] = center[k].x, y_[k] = center[k].y, z_[k] = center[k].z, radius_[k] = radius[k];
    }
    for (k = 0; k < n; ++k) place_[k] = static_cast<std::int32_t>(k);
    count_ = n;
  }
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

/// A small set, the shapes that decide most balls first: large ones, that cost little.
class BallSet {
 public:
  /// In place of an answer of which floats are not sure.
  static constexpr std::uint32_t unsure = 0xFFFFFFFFu;

  explicit BallSet(const ShapesView& shapes) {
    std::vector<std::pair<float, std::uint32_t>> order;
    for (std::uint32_t id = 0; id < shapes.bounded(); ++id) {
      const float weight = half_area(bounds_of(shapes, id));
      order.emplace_back(-weight / operations[static_cast<int>(shapes.kind_of(id))], id);
    }
    std::sort(order.begin(), order.end());
    std::size_t next = 0;
    for (std::size_t k = 0; k < order.size(); ++k) {
      // Nor may a planet's margin be that of the stones on it.
      if (k == next ||
          blocks_.back().margin.size() > 64 * extent(bounds_of(shapes, order[k].second))) {
        blocks_.emplace_back(), next = k + std::clamp<std::size_t>(k / 2, 4, 16);
      }
      shapes.visit_bounded(order[k].second, [&](const auto& s) { blocks_.back().add(s); });
    }
  }

  /// Writes 1 for each ball that overlaps some shape, 0 for one that does not, or `unsure`. Balls
  /// are left arbitrary.
  void any(BallColumns& balls, std::uint32_t* found) const {
    std::fill_n(found, balls.count(), 1u);
    for (const Block& block : blocks_) {
      balls.drop([&](const Balls8& q, Int8& places) {
        Float8 least = Float8{} + infinity;
        block.shapes.for_each([&](const auto& s) { least = least8(excess(q, s), least); });
        const Float8 margin = block.margin.of(q);
        places |= ~(least > margin) & doubt;
        return least < -margin;
      });
    }
    for (std::uint32_t k = 0; k < balls.count(); ++k) {
      const std::int32_t place = balls.place(k);
      found[place & ~doubt] = (place & doubt) != 0 ? unsure : 0;
    }
  }

  /// Writes how many shapes each ball overlaps, or `unsure`; `found` has room for 7 more.
  void count(const BallColumns& balls, std::uint32_t* found) const {
    for (std::uint32_t k = 0; k < balls.count(); k += 8) {
      const Balls8 q = balls.eight(k);
      Int8 surely = {}, possibly = {};
      for (const Block& block : blocks_) {
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
  /// Shapes that are tested in turn.
  struct Block {
    ShapesOfBalls shapes;
    BallMargin margin;

    template <class Shape>
    void add(const Shape& s) {
      shapes.add(s);
      margin.take(seen_by_balls(s));
    }
  };
  static float extent(const Aabb& b) {
    return max(max(b.max.x - b.min.x, b.max.y - b.min.y), b.max.z - b.min.z);
  }
  /// Of an excess(), by kind: aabb, obb, sphere, capsule.
  static constexpr float operations[] = {17, 28, 10, 19};
  /// A bit of the place of a ball of which floats were not sure.
  static constexpr std::int32_t doubt = 1 << 30;

  std::vector<Block> blocks_;
};

}  // namespace sightline::detail
