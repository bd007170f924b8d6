// Whether any ball of a body overlaps one of a few shapes. A body's balls lie close together, so
// that the box around eight of them misses most shapes.
#pragma once

#include "host/cpu/walk/ball_set.hpp"
#include "host/cpu/walk/grown8.hpp"

#include <tuple>

namespace sightline::detail {

/// The union of the bounds() of eight balls: next_down() of the least is the least next_down().
inline Aabb common_bounds(const Balls8& q) {
  const auto least = [](const Float8& v) {
    const Float4 low = low_half(v), high = high_half(v), four = low < high ? low : high;
    return std::min(std::min(four[0], four[1]), std::min(four[2], four[3]));
  };
  const Float8 v =
      next_down8(Float8{least(q.x - q.radius), least(q.y - q.radius), least(q.z - q.radius), 0,
                        least(-q.x - q.radius), least(-q.y - q.radius), least(-q.z - q.radius), 0});
  return {{v[0], v[1], v[2]}, {-v[4], -v[5], -v[6]}};
}

/// Shapes of one kind, which eight balls test where their common box overlaps the shape's.
template <class Seen>
class BoxedShapes {
 public:
  void add(const Seen& s, const Aabb& box) {
    const std::size_t k = shapes_.size() % 8;
    if (k == 0) boxes_.emplace_back();
    boxes_.back().set(k, box);
    shapes_.push_back(s);
    margins_.emplace_back().take(s);
  }
  /// Whether any ball surely overlaps a shape; otherwise those that may are added to `doubts`.
  bool any(const Balls8& q, const Aabb& around, std::uint32_t& doubts) const {
    for (std::size_t first = 0; first < shapes_.size(); first += 8) {
      for (std::uint32_t near = children_in(boxes_[first / 8], around); near != 0;
           near &= near - 1) {
        const std::size_t i = first + static_cast<std::uint32_t>(__builtin_ctz(near));
        const Float8 by = excess(q, shapes_[i]), margin = margins_[i].of(q);
        if (bits_of_lanes(by < -margin) != 0) return true;
        doubts |= bits_of_lanes(~(by > margin));
      }
    }
    return false;
  }

 private:
  /// Those that are missing are empty.
  struct Boxes {
    float low[3][8], high[3][8];

    Boxes() {
      for (std::size_t k = 0; k < 8; ++k) set(k, empty_aabb());
    }
    void set(std::size_t k, const Aabb& b) {
      low[0][k] = b.min.x, low[1][k] = b.min.y, low[2][k] = b.min.z;
      high[0][k] = b.max.x, high[1][k] = b.max.y, high[2][k] = b.max.z;
    }
  };

  std::vector<Boxes> boxes_;
  std::vector<Seen> shapes_;
  std::vector<BallMargin> margins_;
};

/// More shapes are faster with the tree (docs/performance.md, "Bodies").
inline constexpr std::uint32_t most_of_body_set = 512;

/// The shapes that decide most balls first, which all bodies test; then others with boxes.
class BodySet {
 public:
  explicit BodySet(const ShapesView& shapes) {
    const std::vector<std::uint32_t> order = telling_first(shapes);
    const std::size_t first = order.size() <= most_without_boxes ? order.size() : first_of_more;
    blocks_ = blocks_of(shapes, std::span(order).first(first), first_of_more);
    has_others_ = first < order.size();
    for (const std::uint32_t id : std::span(order).subspan(first)) {
      shapes.visit_bounded(id, [&](const auto& s) {
        const auto seen = seen_by_balls(s);
        std::get<BoxedShapes<std::decay_t<decltype(seen)>>>(others_).add(seen, bounds(s));
      });
    }
  }

  /// Whether any of n >= 8 balls does; exactly(k) says it of one of which floats are not sure.
  /// Where n is no multiple of 8, some are tested twice.
  template <class Exactly>
  bool any(const Vec3* center, const float* radius, std::uint32_t n, const Exactly& exactly) const {
    for (std::uint64_t k = 0; k < n; k += 8) {
      const std::uint64_t at = std::min<std::uint64_t>(k, n - 8);
      const Balls8 q = transposed(&center[at].x, loaded<Float8>(radius + at));
      std::uint32_t doubts = 0;
      for (const BallBlock& block : blocks_) {
        const Float8 least = block.least_excess(q), margin = block.margin.of(q);
        if (bits_of_lanes(least < -margin) != 0) return true;
        doubts |= bits_of_lanes(~(least > margin));
      }
      if (has_others_) {
        const Aabb around = common_bounds(q);
        const auto any_of = [&](const auto&... others) {
          return (others.any(q, around, doubts) || ...);
        };
        if (std::apply(any_of, others_)) return true;
      }
      for (; doubts != 0; doubts &= doubts - 1) {
        if (exactly(at + static_cast<std::uint32_t>(__builtin_ctz(doubts)))) return true;
      }
    }
    return false;
  }

 private:
  // Measured, see docs/performance.md, "Bodies".
  static constexpr std::size_t most_without_boxes = 16, first_of_more = 3;

  std::vector<BallBlock> blocks_;  ///< for all bodies
  std::tuple<BoxedShapes<Aabb>, BoxedShapes<Sphere>, BoxedShapes<Rod>, BoxedShapes<ObbFrame>>
      others_;
  bool has_others_ = false;
};

}  // namespace sightline::detail
