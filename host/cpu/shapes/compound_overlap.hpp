// Whether any sphere of a body overlaps one of few shapes.
#pragma once

#include "host/cpu/shapes/spheres_few.hpp"

namespace sightline::detail::HWY_NAMESPACE {

/// The next float below each; not for NaN.
template <int N>
HWY_INLINE FloatVec<N> next_down(FloatVec<N> x) {
  const hn::FixedTag<std::int32_t, N> ints;
  const FloatTag<N> d;
  // Of a zero of either sign, +0; then one step away from zero, or towards it.
  const auto bits = hn::BitCast(ints, hn::Add(hn::Neg(x.v), hn::Zero(d)));
  const auto step = hn::Or(hn::ShiftRight<31>(bits), hn::Set(ints, 1));
  return -FloatVec<N>(hn::BitCast(d, hn::Add(bits, step)));
}

/// The union of the bounds() of spheres: next_down() of the least is the least next_down().
template <int N>
struct CommonBounds {
  HWY_ALIGN float of[8];  ///< min.x, min.y, min.z, -max.x, -max.y, -max.z, and the last two again

  HWY_INLINE explicit CommonBounds(const SphereLanes<N>& q) {
    const FloatTag<N> d;
    const hn::Repartition<std::uint64_t, FloatTag<N>> pairs;
    // Halves the lanes of two vectors, which then alternate.
    const auto fold = [&](FloatVec<N> a, FloatVec<N> b) SIGHTLINE_LAMBDA {
      return min(FloatVec<N>(hn::InterleaveLower(d, a.v, b.v)),
                 FloatVec<N>(hn::InterleaveUpper(d, a.v, b.v)));
    };
    const auto fold_pairs = [&](FloatVec<N> a, FloatVec<N> b) SIGHTLINE_LAMBDA {
      const auto u = hn::BitCast(pairs, a.v), v = hn::BitCast(pairs, b.v);
      return min(FloatVec<N>(hn::BitCast(d, hn::InterleaveLower(pairs, u, v))),
                 FloatVec<N>(hn::BitCast(d, hn::InterleaveUpper(pairs, u, v))));
    };
    const FloatVec<N> low_xy = fold(q.x - q.radius, q.y - q.radius);
    const FloatVec<N> low_z_high_x = fold(q.z - q.radius, -q.x - q.radius);
    const FloatVec<N> high_yz = fold(-q.y - q.radius, -q.z - q.radius);
    const FloatVec<N> four = fold_pairs(low_xy, low_z_high_x), two = fold_pairs(high_yz, high_yz);
    if constexpr (N == 8) {
      const FloatVec<N> all = min(FloatVec<N>(hn::ConcatLowerLower(d, two.v, four.v)),
                                  FloatVec<N>(hn::ConcatUpperUpper(d, two.v, four.v)));
      hn::Store(next_down(all).v, d, of);
    } else {
      static_assert(N == 4);
      hn::Store(next_down(four).v, d, of);
      hn::Store(next_down(two).v, d, of + 4);
    }
  }
  /// Those of eight boxes that overlap this one, as bits.
  HWY_INLINE std::uint32_t overlapping(const EightBoxes& boxes) const {
    std::uint32_t bits = 0;
    for (int k = 0; k < 8; k += N) {
      const auto meets = [&](int axis) SIGHTLINE_LAMBDA {
        const FloatVec<N> low = hn::Load(FloatTag<N>(), boxes.low[axis] + k);
        const FloatVec<N> high = hn::Load(FloatTag<N>(), boxes.high[axis] + k);
        return (FloatVec<N>(-of[3 + axis]) >= low) & (FloatVec<N>(of[axis]) <= high);
      };
      bits |= bits_of_mask(meets(0) & meets(1) & meets(2)) << k;
    }
    return bits;
  }
};

/// What floats know of a body.
enum class BodyVerdict { apart, overlaps, unsure };

/// Where the spheres are no multiple of the lanes, some are tested twice.
template <int N>
HWY_INLINE BodyVerdict test_body(const ShapesForBodiesView& shapes, const Vec3* center,
                                 const float* radius, std::uint32_t spheres) {
  constexpr std::uint32_t all = (1u << N) - 1;
  std::uint32_t apart = all;
  for (std::uint32_t k = 0; k < spheres; k += N) {
    const std::uint32_t at = k + N <= spheres ? k : spheres - N;
    const SphereLanes<N> q = load_spheres<N>(center + at, hn::LoadU(FloatTag<N>(), radius + at));
    for (std::uint32_t b = 0; b < shapes.first.count; ++b) {
      const ShapeBlock& block = shapes.first.blocks[b];
      const FloatVec<N> least = least_excess(q, block.shapes), margin = margin_of(q, block.margin);
      if (any(least < -margin)) return BodyVerdict::overlaps;
      apart &= bits_of_mask(least > margin);
    }
    if (!shapes.has_others) continue;
    const CommonBounds<N> around(q);
    bool overlaps = false;
    ShapeKinds::for_each([&]<class S>(ShapeTag<S> kind) SIGHTLINE_LAMBDA {
      if constexpr (is_bounded<S>) {
        const BoxedListView& boxed = shapes.boxed[static_cast<int>(kind_for<S>)];
        const auto& list = shapes.others.of(kind);
        const auto count = static_cast<std::uint32_t>(list.end - list.begin);
        for (std::uint32_t first = 0; first < count && !overlaps; first += 8) {
          std::uint32_t near = around.overlapping(boxed.boxes[first / 8]);
          for (; near != 0 && !overlaps; near &= near - 1) {
            const std::uint32_t i = first + static_cast<std::uint32_t>(__builtin_ctz(near));
            const FloatVec<N> by = excess(q, list.begin[i]);
            const FloatVec<N> margin = margin_of(q, boxed.margins[i]);
            overlaps = any(by < -margin);
            apart &= bits_of_mask(by > margin);
          }
        }
      }
    });
    if (overlaps) return BodyVerdict::overlaps;
  }
  return apart == all ? BodyVerdict::apart : BodyVerdict::unsure;
}

template <int N>
std::uint32_t bodies_any(const ShapesForBodiesView& shapes, const Vec3* center, const float* radius,
                         std::uint32_t body, std::uint32_t n, std::uint64_t* bits,
                         std::uint32_t* doubts) {
  std::uint32_t unsure = 0;
  for (std::uint32_t first = 0; first < n; first += 64) {
    std::uint64_t word = 0;
    for (std::uint32_t b = first; b < n && b < first + 64; ++b) {
      const std::size_t at = std::size_t{b} * body;
      const BodyVerdict verdict = test_body<N>(shapes, center + at, radius + at, body);
      word |= std::uint64_t{verdict == BodyVerdict::overlaps} << (b - first);
      doubts[unsure] = b;
      unsure += verdict == BodyVerdict::unsure;
    }
    bits[first / 64] = word;
  }
  return unsure;
}

}  // namespace sightline::detail::HWY_NAMESPACE
