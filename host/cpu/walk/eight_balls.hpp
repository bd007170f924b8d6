// Eight balls at a time against one shape, in plain floats that say when they are sure
// (docs/accuracy.md, "Sure balls").
#pragma once

#include "host/cpu/walk/walk.hpp"

#include <vector>

namespace sightline::detail {

struct Balls8 {
  Float8 x, y, z, radius;
};

/// A capsule for eight balls.
struct Rod {
  Vec3 a, way;    ///< from one end to the other
  float inverse;  ///< of the squared length; 0 where that is next to nothing
  float radius;
};
inline Rod seen_by_balls(const Capsule& s) {
  const Vec3 way = {s.b.x - s.a.x, s.b.y - s.a.y, s.b.z - s.a.z};
  const float square = (way.x * way.x + way.y * way.y) + way.z * way.z;
  return {s.a, way, square > 0x1p-60f ? 1 / square : 0.0f, s.radius};
}

template <class Shape>
const Shape& seen_by_balls(const Shape& s) {
  return s;
}

/// A few shapes by kind.
struct ShapesOfBalls {
  std::vector<Aabb> boxes;
  std::vector<ObbFrame> turned;
  std::vector<Sphere> spheres;
  std::vector<Rod> rods;

  void add(const Aabb& s) { boxes.push_back(s); }
  void add(const ObbFrame& s) { turned.push_back(s); }
  void add(const Sphere& s) { spheres.push_back(s); }
  void add(const Capsule& s) { rods.push_back(seen_by_balls(s)); }
  void clear() { boxes.clear(), turned.clear(), spheres.clear(), rods.clear(); }
  /// In the order of kinds, those of a kind in the order in which they were added.
  template <class Use>
  void for_each(const Use& use) const {
    for (const Aabb& s : boxes) use(s);
    for (const ObbFrame& s : turned) use(s);
    for (const Sphere& s : spheres) use(s);
    for (const Rod& s : rods) use(s);
  }
};

/// Eight points x0 y0 z0 x1 ... as columns.
inline Balls8 transposed(const float* xyz, const Float8& radius) {
  using Half = float __attribute__((vector_size(16)));
  const auto halves = [xyz](int low, int high) {
    return __builtin_shufflevector(loaded<Half>(xyz + low), loaded<Half>(xyz + high), 0, 1, 2, 3, 4,
                                   5, 6, 7);
  };
  // x0 y0 z0 x1, y1 z1 x2 y2, z2 x3 y3 z3; behind them the same of points 4 to 7.
  const Float8 a = halves(0, 12), b = halves(4, 16), c = halves(8, 20);
  const Float8 x2y2x3y3 = __builtin_shufflevector(b, c, 2, 3, 9, 10, 6, 7, 13, 14);
  const Float8 y0z0y1z1 = __builtin_shufflevector(a, b, 1, 2, 8, 9, 5, 6, 12, 13);
  return {__builtin_shufflevector(a, x2y2x3y3, 0, 3, 8, 10, 4, 7, 12, 14),
          __builtin_shufflevector(y0z0y1z1, x2y2x3y3, 0, 2, 9, 11, 4, 6, 13, 15),
          __builtin_shufflevector(y0z0y1z1, c, 1, 3, 8, 11, 5, 7, 12, 15), radius};
}

/// Row b: the lanes whose bit is set in b.
struct LaneOrders {
  std::uint8_t row[256][8] = {};

  constexpr LaneOrders() {
    for (int bits = 0; bits < 256; ++bits) {
      for (int lane = 0, at = 0; lane < 8; ++lane) {
        if ((bits >> lane & 1) != 0) row[bits][at++] = static_cast<std::uint8_t>(lane);
      }
    }
  }
};
inline constexpr LaneOrders lane_orders;
inline Int8 order_of_lanes(std::uint32_t bits) {
#if defined(__AVX2__) && !defined(__clang__)
  // g++ 12 takes the bytes of the conversion one by one.
  using Bytes16 = char __attribute__((vector_size(16)));
  using Words = long long __attribute__((vector_size(16)));
  return Int8(__builtin_ia32_pmovzxbd256(Bytes16(Words{loaded<long long>(lane_orders.row[bits])})));
#else
  using Bytes = std::uint8_t __attribute__((vector_size(8)));
  return __builtin_convertvector(loaded<Bytes>(lane_orders.row[bits]), Int8);
#endif
}
/// Lane k is lane order[k] of v.
template <class V>
V in_order(const V& v, const Int8& order) {
#if defined(__AVX2__)
  return V(__builtin_ia32_permvarsi256(Int8(v), order));
#else
  V to;
  for (int k = 0; k < 8; ++k) to[k] = v[order[k]];
  return to;
#endif
}

/// Which of eight numbers are not 0.
inline std::uint32_t bits_of_eight(const std::uint32_t* numbers) {
  return bits_of_lanes(loaded<Int8>(numbers) != 0);
}

// One instruction each, which g++ 12 makes two or three of where a bound is a constant.
#if defined(__AVX__)
inline Float8 least8(const Float8& a, const Float8& b) { return __builtin_ia32_minps256(a, b); }
inline Float8 most8(const Float8& a, const Float8& b) { return __builtin_ia32_maxps256(a, b); }
#else
inline Float8 least8(const Float8& a, const Float8& b) { return a < b ? a : b; }
inline Float8 most8(const Float8& a, const Float8& b) { return a > b ? a : b; }
#endif
inline Float8 magnitude(const Float8& v) { return Float8(Int8(v) & 0x7fffffff); }
/// a * b + c, rounded once or twice: floats are sure either way.
inline Float8 multiply_add(const Float8& a, const Float8& b, const Float8& c) {
#if defined(__FMA__) && !defined(SIGHTLINE_EXPAND_FMA)
  return __builtin_ia32_vfmaddps256(a, b, c);
#else
  return a * b + c;
#endif
}
inline Float8 dot8(const Float8& x, const Float8& y, const Float8& z, const Vec3& v) {
  return multiply_add(z, Float8{} + v.z, multiply_add(y, Float8{} + v.y, x * v.x));
}
inline Float8 square8(const Float8& x, const Float8& y, const Float8& z) {
  return multiply_add(z, z, multiply_add(y, y, x * x));
}

/// The squared distance of the balls' centres from the shape's core: a point, a segment or a box.
inline Float8 squared_gap(const Balls8& q, const Sphere& s) {
  return square8(q.x - s.center.x, q.y - s.center.y, q.z - s.center.z);
}
inline Float8 squared_gap(const Balls8& q, const Rod& s) {
  const Float8 x = q.x - s.a.x, y = q.y - s.a.y, z = q.z - s.a.z, zero = {};
  const Float8 t = least8(most8(dot8(x, y, z, s.way) * s.inverse, zero), zero + 1);
  const auto off = [&](const Float8& from_a, float way) {
    return multiply_add(-t, zero + way, from_a);
  };
  return square8(off(x, s.way.x), off(y, s.way.y), off(z, s.way.z));
}
inline Float8 squared_gap(const Balls8& q, const Aabb& s) {
  const auto gap = [](const Float8& p, float low, float high) {
    return most8(most8(low - p, p - high), Float8{});
  };
  return square8(gap(q.x, s.min.x, s.max.x), gap(q.y, s.min.y, s.max.y),
                 gap(q.z, s.min.z, s.max.z));
}
inline Float8 squared_gap(const Balls8& q, const ObbFrame& s) {
  const Float8 x = q.x - s.center.x, y = q.y - s.center.y, z = q.z - s.center.z;
  const auto gap = [&](const Vec3& axis, float half) {
    return most8(magnitude(dot8(x, y, z, axis)) - half, Float8{});
  };
  return square8(gap(s.axis[0], s.half_extents.x), gap(s.axis[1], s.half_extents.y),
                 gap(s.axis[2], s.half_extents.z));
}

/// squared_gap() less the square of both radii: at most 0 where they overlap.
template <class Seen>
Float8 excess(const Balls8& q, const Seen& s) {
  Float8 reach = q.radius;
  if constexpr (requires { s.radius; }) reach += s.radius;
  return multiply_add(-reach, reach, squared_gap(q, s));
}

/// How large a shape is for the margin of its excess.
struct BallMargin {
  static constexpr float never_sure = 0x1p40f;

  float radius = 0, length = 0;

  void take(const Sphere& s) { radius = max(radius, s.radius); }
  void take(const Aabb&) {}
  void take(const ObbFrame& s) {
    length = max(length, (s.half_extents.x + s.half_extents.y) + s.half_extents.z);
  }
  // Never sure of a segment so short that the square of its length underflows.
  void take(const Rod& s) {
    const float sum = (abs(s.way.x) + abs(s.way.y)) + abs(s.way.z);
    radius = max(radius, s.radius);
    length = max(length, sum > 0 && s.inverse == 0 ? never_sure : sum);
  }
  float size() const { return radius + length; }
  /// An excess beyond the margin is surely above 0, one below minus the margin surely under it.
  Float8 of(const Balls8& q) const {
    const Float8 reach = q.radius + radius;
    return (reach + length) * (reach + 0x1p-16f * length) * 0x1p-16f + 0x1p-100f;
  }
};

}  // namespace sightline::detail
