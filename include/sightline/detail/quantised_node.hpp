// Wide nodes with the children's boxes in bytes, and a ray's test of them.
//
// Along an axis, byte q is the plane base + mantissa(q) * step, with mantissa(q) = 1 + q / 2^15 and
// step a power of two: exact real numbers, whose product is a float. Builders choose bytes whose
// planes enclose the child's box; docs/gpu.md proves that then no ray misses a child that its slab
// interval would hit.
//
// Source: planes in bytes are Ylitie, Karras and Laine, "Efficient incoherent ray traversal on GPUs
// through compressed wide BVHs" (2017); the test that culls nothing derived here.
#pragma once

#include <sightline/detail/bvh.hpp>
#include <sightline/intersect/line.hpp>

#include <utility>

namespace sightline {

/// The number of set bits.
SIGHTLINE_HD std::uint32_t count_ones(std::uint32_t word) {
#if defined(__CUDA_ARCH__)
  return static_cast<std::uint32_t>(__popc(word));
#else
  return static_cast<std::uint32_t>(__builtin_popcount(word));
#endif
}

/// A node of up to N children: `inner` nodes first, then leaves of one shape each. Rows of bytes
/// are packed four to a word, the first lowest.
template <int N>
struct alignas(N == 4 ? 64 : 16) QuantisedNode {
  static_assert(N == 4 || N == 8);
  static constexpr int width = N;
  static constexpr int words = N / 4;

  float base[3];
  std::uint32_t
      header;  ///< the steps' biased exponents, bytes 0 to 2; the children: set_children()
  std::uint32_t low[3][words], high[3][words];  ///< by axis: the children's planes
  std::uint32_t first_child;                    ///< child k < inner is the node first_child + k
  std::uint32_t first_record;  ///< where the leaves' records begin, in units of 16 bytes
  std::uint32_t leaf[words];   ///< a leaf's kind << 5 | its record's offset from first_record

  /// The slots with nodes and those with leaves, as bits. A node of 4 has them as they are, a node
  /// of 8 the numbers of inner and of all children.
  SIGHTLINE_HD std::uint32_t inner_slots() const {
    return N == 4 ? header >> 24 & 15u : (1u << (header >> 24 & 15u)) - 1;
  }
  SIGHTLINE_HD std::uint32_t leaf_slots() const {
    return N == 4 ? header >> 28 : (1u << (header >> 28)) - (1u << (header >> 24 & 15u));
  }
  /// Of a node that has none yet.
  SIGHTLINE_HD void set_children(std::uint32_t inner, std::uint32_t all) {
    const std::uint32_t inner_ones = (1u << inner) - 1, ones = (1u << all) - 1;
    header |= N == 4 ? inner_ones << 24 | (ones ^ inner_ones) << 28 : inner << 24 | all << 28;
  }
  SIGHTLINE_HD std::uint32_t leaf_byte(std::uint32_t slot) const {
    return leaf[N == 4 ? 0 : slot / 4] >> (8 * (N == 4 ? slot : slot % 4)) & 0xFFu;
  }
  SIGHTLINE_HD int inner() const { return static_cast<int>(count_ones(inner_slots())); }
  SIGHTLINE_HD int children() const {
    return static_cast<int>(count_ones(inner_slots() | leaf_slots()));
  }
};
static_assert(sizeof(QuantisedNode<4>) == 64 && sizeof(QuantisedNode<8>) == 80);

/// mantissa(q) * step, exactly, for byte `number` of the word: its bits are those of the step, a
/// power of two, and the byte.
SIGHTLINE_HD float above_base(std::uint32_t word, int number, float step) {
#if defined(__CUDA_ARCH__)
  return __uint_as_float(
      __byte_perm(word, __float_as_uint(step), 0x7604u | static_cast<std::uint32_t>(number) << 4));
#else
  return float_of(bits_of(step) | (word >> (8 * number) & 0xFFu) << 8);
#endif
}

/// The step of an axis.
SIGHTLINE_HD float step_of(std::uint32_t header, int axis) {
  return float_of((header >> (8 * axis) & 0xFFu) << 23);
}

/// The number k, as a compile-time constant.
template <int k>
struct Slot {
  SIGHTLINE_HD constexpr operator int() const { return k; }
};
/// Calls f(k) for k = 0 .. N - 1, each a compile-time constant, so that indexed arrays can be in
/// registers.
template <int N, class F>
SIGHTLINE_HD void for_each_slot(F&& f) {
  [&]<int... k>(std::integer_sequence<int, k...>) { (f(Slot<k>{}), ...); }
  (std::make_integer_sequence<int, N>{});
}

/// The maximum and minimum of three floats without NaN, correct where the result is not negative:
/// then their bits as integers are in the same order, and a GPU compares three of those at once.
SIGHTLINE_HD std::int32_t ordered_bits(float x) { return static_cast<std::int32_t>(bits_of(x)); }
SIGHTLINE_HD std::int32_t max_of_three(std::int32_t a, std::int32_t b, std::int32_t c) {
#if defined(__CUDA_ARCH__)
  return __vimax3_s32(a, b, c);
#else
  const std::int32_t m = a > b ? a : b;
  return m > c ? m : c;
#endif
}
SIGHTLINE_HD std::int32_t min_of_three(std::int32_t a, std::int32_t b, std::int32_t c) {
#if defined(__CUDA_ARCH__)
  return __vimin3_s32(a, b, c);
#else
  const std::int32_t m = a < b ? a : b;
  return m < c ? m : c;
#endif
}
/// min(a + b, c), one instruction too.
SIGHTLINE_HD std::int32_t min_of_sum(std::int32_t a, std::int32_t b, std::int32_t c) {
#if defined(__CUDA_ARCH__)
  return __viaddmin_s32(a, b, c);
#else
  return a + b < c ? a + b : c;
#endif
}

/// What the node test needs of a ray. Along an axis on which it hardly moves, `inverse` is cut, so
/// that all distances are finite, and the planes by which it leaves are moved outwards.
struct NodeRay {
  Vec3 origin, inverse;
  Vec3 push;    ///< of far distances; 0 where nothing is cut
  float t_min;  ///< not -0
};
inline constexpr float largest_inverse = 0x1p74f;

/// `per_direction` is 1 / direction, +inf where that is 0.
SIGHTLINE_HD NodeRay node_ray(const Vec3& origin, const Vec3& per_direction, float t_min) {
  const auto inverse = [](float i) { return min(max(i, -largest_inverse), largest_inverse); };
  const float outwards = t_min > 0x1p45f ? infinity : 0x1p47f;  // a point ray may begin anywhere
  const auto push = [&](float i) { return abs(i) < largest_inverse ? 0.0f : outwards; };
  const Vec3& v = per_direction;
  return {origin,
          {inverse(v.x), inverse(v.y), inverse(v.z)},
          {push(v.x), push(v.y), push(v.z)},
          t_min + 0.0f};
}

/// 1 / direction, of which the node test's inverse was cut.
SIGHTLINE_HD Vec3 per_direction(const Vec3& inverse, const Vec3& direction) {
  const auto uncut = [](float i, float d) {
    if (abs(i) < largest_inverse) return i;
    return d == 0.0f ? infinity : 1.0f / d;
  };
  return {uncut(inverse.x, direction.x), uncut(inverse.y, direction.y),
          uncut(inverse.z, direction.z)};
}

/// By more than rounding here and in slab() takes from a distance, in units of its last place:
/// docs/gpu.md.
inline constexpr std::int32_t distance_slack = 24;

/// What no box is beyond whose slab interval begins at or before `limit`, which is >= 0.
SIGHTLINE_HD std::int32_t least_beyond(float limit) {
  return ordered_bits(limit + 0.0f) + distance_slack;  // -0 is the least of all bits
}

/// An axis of a node for one ray: which rows are near, and how planes become distances.
template <int N>
struct NodeAxis {
  std::uint32_t near[N / 4], far[N / 4];
  float step, inverse, near_offset, far_offset;

  SIGHTLINE_HD NodeAxis(const QuantisedNode<N>& node, int axis, float origin, float inv, float push)
      : step(step_of(node.header, axis)), inverse(inv) {
    const bool backward = inverse < 0.0f;
    for_each_slot<N / 4>([&](auto w) {
      near[w] = backward ? node.high[axis][w] : node.low[axis][w];
      far[w] = backward ? node.low[axis][w] : node.high[axis][w];
    });
    const float base = node.base[axis] - origin;
    near_offset = base * inverse;
    far_offset = fma(base, inverse, push);
  }
  SIGHTLINE_HD std::int32_t enters(int k) const {
    return ordered_bits(fma(above_base(near[k / 4], k % 4, step), inverse, near_offset));
  }
  SIGHTLINE_HD std::int32_t leaves(int k) const {
    return ordered_bits(fma(above_base(far[k / 4], k % 4, step), inverse, far_offset));
  }
};

/// Calls f(k, entry, seen) for every slot, k a constant: `seen` if the ray may hit the child's box
/// before `last`, which is least_beyond(limit). No slab interval of the child begins before
/// `entry`, the bits of a float >= +0, by more than distance_slack. The test is conservative, and
/// arbitrary for slots without a child: see inner_slots() and leaf_slots().
template <int N, class F>
SIGHTLINE_HD void test_children(const QuantisedNode<N>& node, const NodeRay& ray, std::int32_t last,
                                F&& f) {
  const NodeAxis<N> x(node, 0, ray.origin.x, ray.inverse.x, ray.push.x);
  const NodeAxis<N> y(node, 1, ray.origin.y, ray.inverse.y, ray.push.y);
  const NodeAxis<N> z(node, 2, ray.origin.z, ray.inverse.z, ray.push.z);
  const std::int32_t first = ordered_bits(ray.t_min);
  for_each_slot<N>([&](auto k) {
    const std::int32_t from_planes = max_of_three(x.enters(k), y.enters(k), z.enters(k));
    const std::int32_t entry = from_planes > first ? from_planes : first;
    const std::int32_t to_planes = min_of_three(x.leaves(k), y.leaves(k), z.leaves(k));
    f(k, entry, entry <= min_of_sum(to_planes, distance_slack, last));
  });
}

}  // namespace sightline
