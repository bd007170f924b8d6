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

/// A node of up to N children: `inner` nodes first, then leaves of one shape each. Rows of bytes
/// are packed four to a word, the first lowest.
template <int N>
struct alignas(N == 4 ? 64 : 16) QuantisedNode {
  static_assert(N == 4 || N == 8);
  static constexpr int width = N;
  static constexpr int words = N / 4;

  float base[3];
  std::uint32_t header;  ///< the steps' biased exponents (bytes 0 to 2), inner and all children
  std::uint32_t low[3][words], high[3][words];  ///< by axis: the children's planes
  std::uint32_t first_child;                    ///< child k < inner is the node first_child + k
  std::uint32_t first_record;  ///< where the leaves' records begin, in units of 16 bytes
  std::uint32_t leaf[words];   ///< a leaf's kind << 5 | its record's offset from first_record

  SIGHTLINE_HD int inner() const { return static_cast<int>(header >> 24 & 15u); }
  SIGHTLINE_HD int children() const { return static_cast<int>(header >> 28); }
  /// The slots with nodes and those with leaves, as bits.
  SIGHTLINE_HD std::uint32_t inner_slots() const { return (1u << inner()) - 1; }
  SIGHTLINE_HD std::uint32_t leaf_slots() const { return (1u << children()) - (1u << inner()); }
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

/// What the node test needs of a ray. Along an axis on which it hardly moves, `inverse` is cut and
/// `push` large, so that all distances are finite.
struct NodeRay {
  Vec3 origin, inverse;
  Vec3 push;    ///< 0, or moves the planes' distances outwards
  float t_min;  ///< reduced as the slab's t_near is, and +0 for -0
};

/// `per_direction` is 1 / direction, +inf where that is 0.
SIGHTLINE_HD NodeRay node_ray(const Vec3& origin, const Vec3& per_direction, float t_min) {
  const auto inverse = [](float i) { return min(max(i, -0x1p74f), 0x1p74f); };
  const auto push = [](float i) { return abs(i) > 0x1p74f ? 0x1p47f : 0.0f; };
  const Vec3& v = per_direction;
  return {origin,
          {inverse(v.x), inverse(v.y), inverse(v.z)},
          {push(v.x), push(v.y), push(v.z)},
          min(t_min, 0x1p45f) * (1.0f - 4 * 0x1p-23f) + 0.0f};
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
    // More than all that rounding here and in slab() does to a plane's distance: docs/gpu.md.
    const float offset = (node.base[axis] - origin) * inverse;
    const float outwards = fma(abs(offset) + abs(step * inverse), 0x1p-20f, push);
    near_offset = offset - outwards;
    far_offset = offset + outwards;
  }
  SIGHTLINE_HD std::int32_t enters(int k) const {
    return ordered_bits(fma(above_base(near[k / 4], k % 4, step), inverse, near_offset));
  }
  SIGHTLINE_HD std::int32_t leaves(int k) const {
    return ordered_bits(fma(above_base(far[k / 4], k % 4, step), inverse, far_offset));
  }
};

/// Calls f(k, t_near, seen) for every slot, k a constant: `seen` if the ray may hit the child's box
/// no further than `limit` (>= 0, no NaN); t_near >= +0 is at most that of the child's slab
/// interval. The test is conservative, and arbitrary for slots without a child: see inner_slots()
/// and leaf_slots().
template <int N, class F>
SIGHTLINE_HD void test_children(const QuantisedNode<N>& node, const NodeRay& ray, float limit,
                                F&& f) {
  const NodeAxis<N> x(node, 0, ray.origin.x, ray.inverse.x, ray.push.x);
  const NodeAxis<N> y(node, 1, ray.origin.y, ray.inverse.y, ray.push.y);
  const NodeAxis<N> z(node, 2, ray.origin.z, ray.inverse.z, ray.push.z);
  const std::int32_t first = ordered_bits(ray.t_min), last = ordered_bits(limit);
  for_each_slot<N>([&](auto k) {
    const std::int32_t from_planes = max_of_three(x.enters(k), y.enters(k), z.enters(k));
    const std::int32_t entry = from_planes > first ? from_planes : first;
    const std::int32_t to_planes = min_of_three(x.leaves(k), y.leaves(k), z.leaves(k));
    const std::int32_t exit = to_planes < last ? to_planes : last;
    f(k, float_of(static_cast<std::uint32_t>(entry)), entry <= exit);
  });
}

}  // namespace sightline
