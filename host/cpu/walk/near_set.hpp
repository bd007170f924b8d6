// Nearest shapes of a small set: eight points at a time against every shape, in plain floats that
// are never above the distance. Neither a tree nor an order would pay.
#pragma once

#include "host/cpu/walk/eight_balls.hpp"
#include "host/cpu/walk/small_set.hpp"

namespace sightline::detail {

#if defined(__AVX__)
inline Float8 root8(const Float8& v) { return __builtin_ia32_sqrtps256(v); }
#else
inline Float8 root8(const Float8& v) {
  Float8 root;
  for (int k = 0; k < 8; ++k) root[k] = sqrt(v[k]);
  return root;
}
#endif

/// Lower bounds of nearest()'s signed distances of eight points, whose radii are not read; -inf in
/// a box or next to it (docs/accuracy.md, "Sure balls").
template <class Seen>
Float8 distance_at_least(const Balls8& points, const Seen& s) {
  const Float8 gap = root8(squared_gap(points, s));
  constexpr float err = 0x1p-16f, tiny = 0x1p-60f;
  if constexpr (std::is_same_v<Seen, Sphere>) {
    return gap - s.radius - (gap + s.radius) * err - tiny;
  } else if constexpr (std::is_same_v<Seen, Rod>) {
    const float length = (abs(s.way.x) + abs(s.way.y)) + abs(s.way.z);
    // A segment whose squared length underflows is taken for its begin.
    const float moved = s.inverse == 0 ? length : 0;
    return gap - s.radius - (gap + (s.radius + length)) * err - (moved + tiny);
  } else {
    float length = 0;
    if constexpr (std::is_same_v<Seen, ObbFrame>) {
      length = (s.half_extents.x + s.half_extents.y) + s.half_extents.z;
    }
    const Float8 least = gap - (gap + length) * err - tiny;
    return least > 0 ? least : Float8{} - infinity;
  }
}

/// Some shapes, numbered in the order of kinds, those of a kind in the order in which they came.
class NearSet {
 public:
  static constexpr std::uint32_t most = 256;

  NearSet() = default;
  /// All that have bounds, at most `most`.
  explicit NearSet(const ShapesView& shapes) {
    for (std::uint32_t id = 0; id < shapes.bounded(); ++id) {
      shapes.visit_bounded(id, [&](const auto& s) { shapes_.add(s); });
    }
  }
  void clear() { shapes_.clear(); }
  template <class Shape>
  void add(const Shape& s) {
    shapes_.add(s);
  }

  /// Calls offer(lane, number) for every shape that may be within a point's limit, of those points
  /// whose bits are set; offer may lower the limit. What is likely the nearest comes first.
  template <class Offer>
  void search(const Balls8& points, std::uint32_t lanes, const float* limit,
              const Offer& offer) const {
    Float8 least[most], nearest = Float8{} + infinity;
    Int8 nearest_id = Int8{} - 1;
    std::uint32_t count = 0;
    shapes_.for_each([&](const auto& s) {
      const Float8 at = distance_at_least(points, s);
      nearest_id = at < nearest ? Int8{} + static_cast<std::int32_t>(count) : nearest_id;
      nearest = least8(at, nearest);
      least[count++] = at;
    });
    for (std::uint32_t rest = lanes; rest != 0; rest &= rest - 1) {
      const auto k = static_cast<std::uint32_t>(__builtin_ctz(rest));
      if (count != 0 && nearest[k] <= limit[k]) offer(k, static_cast<std::uint32_t>(nearest_id[k]));
    }
    for (std::uint32_t id = 0; id < count; ++id) {
      const std::uint32_t near = lanes & bits_of_lanes(least[id] <= loaded<Float8>(limit));
      for (std::uint32_t rest = near; rest != 0; rest &= rest - 1) {
        const auto k = static_cast<std::uint32_t>(__builtin_ctz(rest));
        if (nearest_id[k] != static_cast<std::int32_t>(id)) offer(k, id);
      }
    }
  }

 private:
  ShapesOfBalls shapes_;
};

}  // namespace sightline::detail
