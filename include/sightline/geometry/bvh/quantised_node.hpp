// Wide nodes with the children's boxes in bytes, and a ray's test of them.
//
// Along an axis, byte q is the plane base + mantissa(q) * step, with mantissa(q) = 1 + q / 2^15 and
// step a power of two: exact real numbers, whose product is a float. Builders choose bytes whose
// planes enclose the child's box; docs/project/proofs/traversal.md proves that then no ray
// misses a child that its slab interval would hit.
//
// Source: planes in bytes are Ylitie, Karras and Laine, "Efficient incoherent ray traversal on GPUs
// through compressed wide BVHs" (2017); the test that culls nothing derived here.
#pragma once

#include <sightline/geometry/bvh/bvh.hpp>
#include <sightline/geometry/intersect/line.hpp>

#include <cstddef>
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

inline constexpr std::uint32_t no_node = 0xFFFFFFFFu;
/// What few visits of a node read.
struct SeldomRead {
  std::uint32_t first_record;  ///< where the leaves' records begin, in units of 16 bytes
  std::uint32_t leaf;          ///< bytes by slot: a leaf's kind << 5 | its offset from first_record
  std::uint32_t parent;        ///< no_node for the root
  std::uint32_t unused;        ///< 0: without padding nodes are copied byte for byte
};

/// A node of up to 4 children: `inner` nodes first, then leaves of one shape each. Rows of bytes
/// are packed four to a word, the first lowest. What every visit reads comes first, in three pieces
/// of 16 bytes, which a GPU loads at once.
struct alignas(64) QuantisedNode {
  static constexpr int width = 4;

  float base[3];
  std::uint32_t header[2];        ///< the steps and the children: see below
  std::uint32_t low[3], high[3];  ///< by axis: the children's planes
  std::uint32_t first_child;      ///< child k < inner is the node first_child + k
  SeldomRead seldom;

  /// The upper halves of the steps, x and y in the first word, z in the last one. Here is a word
  /// with the axis's step in one of its halves, whatever the other one holds.
  SIGHTLINE_HD std::uint32_t step_word(int axis) const { return header[axis / 2]; }
  SIGHTLINE_HD static constexpr bool in_upper_half(int axis) { return axis != 0; }
  SIGHTLINE_HD float step(int axis) const {
    return float_of(in_upper_half(axis) ? step_word(axis) & 0xFFFF0000u : step_word(axis) << 16);
  }
  /// Of an axis that has none yet; a power of two.
  SIGHTLINE_HD void set_step(int axis, float power) {
    header[axis / 2] |= bits_of(power) >> (axis == 0 ? 16 : 0);
  }

  /// Child k among those that are seen, as the functions below take them; k's bit is one of them.
  SIGHTLINE_HD static constexpr std::uint32_t seen_bits(int k) { return 0x11u << k; }
  /// The slots with nodes and those with leaves, as bits, of all or of those seen: the lowest byte
  /// of the header's last word.
  SIGHTLINE_HD std::uint32_t inner_slots(std::uint32_t seen = 0xFFu) const {
    return header[1] & seen & 15u;
  }
  SIGHTLINE_HD std::uint32_t leaf_slots(std::uint32_t seen = 0xFFu) const {
    return (header[1] & seen) >> 4;
  }
  /// Of a node that has none yet.
  SIGHTLINE_HD void set_children(std::uint32_t inner, std::uint32_t all) {
    const std::uint32_t inner_ones = (1u << inner) - 1, ones = (1u << all) - 1;
    header[1] |= inner_ones | (ones ^ inner_ones) << 4;
  }
  SIGHTLINE_HD std::uint32_t leaf_byte(std::uint32_t slot) const {
    return seldom.leaf >> (8 * slot) & 0xFFu;
  }
  SIGHTLINE_HD int inner() const { return static_cast<int>(count_ones(inner_slots())); }
  SIGHTLINE_HD int children() const {
    return static_cast<int>(count_ones(inner_slots() | leaf_slots()));
  }
};
static_assert(sizeof(QuantisedNode) == 64);
static_assert(offsetof(QuantisedNode, base) == 0 && offsetof(QuantisedNode, seldom) == 48,
              "a visit of a node reads three pieces of 16 bytes");

#if defined(__CUDA_ARCH__)
/// Four of the eight bytes of a and b, or of their signs. __byte_perm() knows no signs, and takes
/// an instruction more where `bytes` is no constant.
__device__ inline std::uint32_t permuted(std::uint32_t a, std::uint32_t b, std::uint32_t bytes) {
  std::uint32_t r;
  asm("prmt.b32 %0, %1, %2, %3;" : "=r"(r) : "r"(a), "r"(b), "r"(bytes));
  return r;
}
#endif

/// mantissa(q) * step, exactly, for byte `number` of the word: its bits are those of the step, a
/// power of two, and the byte.
SIGHTLINE_HD float above_base(std::uint32_t word, int number, float step) {
  return float_of(bits_of(step) | (word >> (8 * number) & 0xFFu) << 8);
}

/// The same of an axis of a node.
SIGHTLINE_HD float above_base(const QuantisedNode& node, int axis, std::uint32_t word, int number) {
#if defined(__CUDA_ARCH__)
  // One instruction. The lowest byte is the sign of the step eight times, which is 0.
  const std::uint32_t bytes = node.in_upper_half(axis) ? 0x760Fu : 0x540Du;
  return __uint_as_float(
      permuted(word, node.step_word(axis), bytes | static_cast<std::uint32_t>(number) << 4));
#else
  return above_base(word, number, node.step(axis));
#endif
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

/// By axis, the bytes of the nearer row of two, as a permutation takes them: the first row's, or
/// the second's where the ray runs backward. One instruction of a GPU, and no comparison before it.
struct NearRows {
  std::uint32_t bytes[3];
};
SIGHTLINE_HD std::uint32_t choose_row(std::uint32_t first, std::uint32_t second,
                                      std::uint32_t bytes) {
#if defined(__CUDA_ARCH__)
  return permuted(first, second, bytes);
#else
  return bytes == 0x3210u ? first : second;
#endif
}

/// What the node test needs of a ray. Along an axis on which it hardly moves, `inverse` is cut, so
/// that all distances are finite, and the planes by which it leaves are moved outwards.
struct NodeRay {
  Vec3 origin, inverse;
  Vec3 push;    ///< of far distances; 0 where nothing is cut
  float t_min;  ///< not -0
  NearRows near_rows;
};
inline constexpr float largest_inverse = 0x1p74f;

/// `per_direction` is 1 / direction, +inf where that is 0.
SIGHTLINE_HD NodeRay node_ray(const Vec3& origin, const Vec3& per_direction, float t_min) {
  const auto inverse = [](float i) { return min(max(i, -largest_inverse), largest_inverse); };
  const float outwards = t_min > 0x1p45f ? infinity : 0x1p47f;  // a point ray may begin anywhere
  const auto push = [&](float i) { return abs(i) < largest_inverse ? 0.0f : outwards; };
  const auto rows = [](float i) { return i < 0.0f ? 0x7654u : 0x3210u; };
  const Vec3& v = per_direction;
  return {origin,
          {inverse(v.x), inverse(v.y), inverse(v.z)},
          {push(v.x), push(v.y), push(v.z)},
          t_min + 0.0f,
          {rows(v.x), rows(v.y), rows(v.z)}};
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
/// docs/project/proofs/traversal.md.
inline constexpr std::int32_t distance_slack = 24;

/// What no box is beyond whose slab interval begins at or before `limit`, which is >= 0.
SIGHTLINE_HD std::int32_t least_beyond(float limit) {
  return ordered_bits(limit + 0.0f) + distance_slack;  // -0 is the least of all bits
}

/// An axis of a node for one ray: which rows are near, and how planes become distances.
struct NodeAxis {
  const QuantisedNode& node;
  int axis;
  std::uint32_t near, far;
  float inverse, near_offset, far_offset;

  SIGHTLINE_HD NodeAxis(const QuantisedNode& n, int a, float origin, float inv, float push,
                        const NearRows& rows)
      : node(n),
        axis(a),
        near(choose_row(n.low[a], n.high[a], rows.bytes[a])),
        far(choose_row(n.high[a], n.low[a], rows.bytes[a])),
        inverse(inv) {
    const float base = node.base[axis] - origin;
    near_offset = base * inverse;
    far_offset = fma(base, inverse, push);
  }
  SIGHTLINE_HD std::int32_t enters(int k) const {
    return ordered_bits(fma(above_base(node, axis, near, k), inverse, near_offset));
  }
  SIGHTLINE_HD std::int32_t leaves(int k) const {
    return ordered_bits(fma(above_base(node, axis, far, k), inverse, far_offset));
  }
};

/// Calls f(k, entry, seen) for every slot, k a constant: `seen` if the ray may hit the child's box
/// before `last`, which is least_beyond(limit). No slab interval of the child begins before
/// `entry`, the bits of a float >= +0, by more than distance_slack. The test is conservative, and
/// arbitrary for slots without a child: see inner_slots() and leaf_slots().
template <class F>
SIGHTLINE_HD void test_children(const QuantisedNode& node, const NodeRay& ray, std::int32_t last,
                                F&& f) {
  const NodeAxis x(node, 0, ray.origin.x, ray.inverse.x, ray.push.x, ray.near_rows);
  const NodeAxis y(node, 1, ray.origin.y, ray.inverse.y, ray.push.y, ray.near_rows);
  const NodeAxis z(node, 2, ray.origin.z, ray.inverse.z, ray.push.z, ray.near_rows);
  const std::int32_t first = ordered_bits(ray.t_min);
  for_each_slot<4>([&](auto k) {
    const std::int32_t from_planes = max_of_three(x.enters(k), y.enters(k), z.enters(k));
    const std::int32_t entry = from_planes > first ? from_planes : first;
    const std::int32_t to_planes = min_of_three(x.leaves(k), y.leaves(k), z.leaves(k));
    f(k, entry, entry <= min_of_sum(to_planes, distance_slack, last));
  });
}

}  // namespace sightline
