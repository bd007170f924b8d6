// Interval bounds of a packet's rays: which boxes all of them, or one vector of them, surely miss.
#pragma once

#include "host/cpu/rays/ray_record.hpp"
#include "host/cpu/rays/slab.hpp"
#include "host/cpu/simd/gather.hpp"

namespace sightline::detail::HWY_NAMESPACE {

/// Vectors of rays in a packet: as many as a mask of them has bits.
inline constexpr int packet_vectors = 16;
inline constexpr int packet_rays = packet_vectors * native_lanes;
static_assert(packet_rays <= largest_packet && packet_rays % 64 == 0);

/// Lane i of the result is the reduction of vectors [first + i], each n = native_lanes floats.
template <int Count, class Op>
HWY_INLINE hn::Vec<FloatTag<native_lanes>> reduced(const float* vectors, const Op& op) {
  const FloatTag<native_lanes> d;
  if constexpr (Count == 1) {
    return hn::Load(d, vectors);
  } else {
    // Combines neighbours of both halves: half as many values of each vector are left.
    const auto low = reduced<Count / 2>(vectors, op);
    const auto high = reduced<Count / 2>(vectors + Count / 2 * native_lanes, op);
    return op(hn::ConcatEven(d, high, low), hn::ConcatOdd(d, high, low));
  }
}

/// The bounds of the components of some rays.
struct RayBounds {
  float origin_low[3], origin_high[3], inverse_low[3], inverse_high[3];
  float t_min_low, reach_high;
};

/// How some rays meet a node's children, as bits.
struct ChildrenMet {
  std::uint32_t enters = 0;  ///< some ray may enter
  std::uint32_t large = 0;   ///< the box is large compared with the rays' width there
  alignas(32) float t_near[wide_width];
};

/// The bounds of every vector of a packet, as columns, and of the packet as a whole. All rays run
/// into one octant, and no direction has a component 0.
///
/// The slab interval over some rays contains that of each ray, exactly: each operation below is
/// that of slab() at the ends of an interval, and rounding is monotone.
class PacketFrusta {
 public:
  /// From columns of packet_rays each.
  HWY_INLINE void assign(const float (&origin)[3][packet_rays],
                         const float (&inverse)[3][packet_rays], const float* t_min,
                         const float* reach, std::uint32_t octant) {
    octant_ = octant;
    one_origin_ = true;
    for (int axis = 0; axis < 3; ++axis) {
      if (all_equal(origin[axis])) {  // as from a camera
        fill(origin[axis][0], origin_low_[axis], &whole_.origin_low[axis]);
        fill(origin[axis][0], origin_high_[axis], &whole_.origin_high[axis]);
      } else {
        one_origin_ = false;
        least(origin[axis], origin_low_[axis], &whole_.origin_low[axis]);
        greatest(origin[axis], origin_high_[axis], &whole_.origin_high[axis]);
      }
      least(inverse[axis], inverse_low_[axis], &whole_.inverse_low[axis]);
      greatest(inverse[axis], inverse_high_[axis], &whole_.inverse_high[axis]);
      width_[axis] = whole_.origin_high[axis] - whole_.origin_low[axis];
      spread_[axis] = sightline::abs(1.0f / whole_.inverse_low[axis] -  //
                                     1.0f / whole_.inverse_high[axis]);
    }
    least(t_min, t_min_low_, &whole_.t_min_low);
    greatest(reach, reach_high_, &whole_.reach_high);
  }

  const RayBounds& whole() const { return whole_; }
  /// The width of the directions along an axis, and of the origins.
  float spread(int axis) const { return spread_[axis]; }
  float width(int axis) const { return width_[axis]; }
  bool one_origin() const { return one_origin_; }

  /// Updates the rays' reach: from a column of packet_rays, or the largest of vector v.
  HWY_INLINE void set_reach(const float* reach) {
    greatest(reach, reach_high_, &whole_.reach_high);
    stale_ = false;
  }
  HWY_INLINE void set_reach(int v, float reach) {
    reach_high_[v] = reach;
    stale_ = true;
  }

  /// Vectors with a ray whose reach is at least t.
  HWY_INLINE std::uint32_t reaching(float t) const {
    const FloatTag<n> d;
    std::uint32_t mask = 0;
    for (int v = 0; v < packet_vectors; v += n) {
      mask |= bits_of_mask<n>(hn::Le(hn::Set(d, t), hn::Load(d, reach_high_ + v))) << v;
    }
    return mask;
  }

  /// Tests the children of the node with the packet as a whole.
  HWY_INLINE ChildrenMet test(const WideNode& node) {
    if (stale_) {
      whole_.reach_high = hn::GetLane(hn::MaxOfLanes(FloatTag<n>(), over_vectors(reach_high_)));
      stale_ = false;
    }
    ChildrenMet met = test(node, whole_);
    mark_large(node, met);
    return met;
  }

  /// The same with vector v alone.
  HWY_INLINE ChildrenMet test(const WideNode& node, int v) const {
    RayBounds b;
    for (int axis = 0; axis < 3; ++axis) {
      b.origin_low[axis] = origin_low_[axis][v];
      b.origin_high[axis] = origin_high_[axis][v];
      b.inverse_low[axis] = inverse_low_[axis][v];
      b.inverse_high[axis] = inverse_high_[axis][v];
    }
    b.t_min_low = t_min_low_[v];
    b.reach_high = reach_high_[v];
    return test(node, b);
  }

  /// Vectors that may enter child c.
  HWY_INLINE std::uint32_t entering(const WideNode& node, int c) const {
    using F = FloatVec<n>;
    const FloatTag<n> d;
    std::uint32_t mask = 0;
    for (int v = 0; v < packet_vectors; v += n) {
      F t_near = hn::Load(d, t_min_low_ + v), t_far = hn::Load(d, reach_high_ + v);
      for (int axis = 0; axis < 3; ++axis) {
        cut(axis, F(node.low[axis][c]), F(node.high[axis][c]),
            F(hn::Load(d, origin_low_[axis] + v)), F(hn::Load(d, origin_high_[axis] + v)),
            F(hn::Load(d, inverse_low_[axis] + v)), F(hn::Load(d, inverse_high_[axis] + v)), t_near,
            t_far);
      }
      mask |= bits_of_mask(with_slack(t_near) <= t_far) << v;
    }
    return mask;
  }

 private:
  static constexpr int n = native_lanes;
  /// A box at least this many times larger than the packet at their distance counts as large.
  static constexpr float large_beside = 2.0f;

  /// A lower bound of the near ends of the rays' gates. Bounds of rays with different scalings are
  /// doubled, which is exact unless a product is subnormal: then it rounds to another multiple of
  /// 2^-149, at either end of the slab.
  template <class F>
  static HWY_INLINE F with_slack(F t_near) {
    return t_near * F(gate_slack) - F(0x1p-147f);
  }
  template <class F>
  HWY_INLINE void cut(int axis, F low, F high, F origin_low, F origin_high, F first, F last,
                      F& t_near, F& t_far) const {
    const bool backward = (octant_ >> axis & 1) != 0;
    const F nearer = backward ? high - origin_low : low - origin_high;
    const F further = backward ? low - origin_high : high - origin_low;
    t_near = max(min(nearer * first, nearer * last), t_near);
    t_far = min(max(further * first, further * last), t_far);
  }

  HWY_INLINE ChildrenMet test(const WideNode& node, const RayBounds& b) const {
    constexpr int m = n < wide_width ? n : wide_width;
    using F = FloatVec<m>;
    const FloatTag<m> d;
    ChildrenMet met;
    for (int part = 0; part < wide_width; part += m) {
      F t_near(b.t_min_low), t_far(b.reach_high);
      for (int axis = 0; axis < 3; ++axis) {
        cut(axis, F(hn::Load(d, node.low[axis] + part)), F(hn::Load(d, node.high[axis] + part)),
            F(b.origin_low[axis]), F(b.origin_high[axis]), F(b.inverse_low[axis]),
            F(b.inverse_high[axis]), t_near, t_far);
      }
      t_near = with_slack(t_near);
      met.enters |= bits_of_mask(t_near <= t_far) << part;
      hn::Store(t_near.v, d, met.t_near + part);
    }
    return met;
  }

  HWY_INLINE void mark_large(const WideNode& node, ChildrenMet& met) const {
    constexpr int m = n < wide_width ? n : wide_width;
    using F = FloatVec<m>;
    const FloatTag<m> d;
    const F width(width_[0] + width_[1] + width_[2]), spread(spread_[0] + spread_[1] + spread_[2]);
    for (int part = 0; part < wide_width; part += m) {
      F extent(0);
      for (int axis = 0; axis < 3; ++axis) {
        extent = extent +
                 (F(hn::Load(d, node.high[axis] + part)) - F(hn::Load(d, node.low[axis] + part)));
      }
      const F t_near = hn::Load(d, met.t_near + part);
      met.large |= bits_of_mask(extent >= (width + spread * t_near) * F(large_beside)) << part;
    }
  }

  /// The maximum of packet_vectors values, lane by lane.
  static HWY_INLINE hn::Vec<FloatTag<n>> over_vectors(const float* values) {
    const FloatTag<n> d;
    auto r = hn::Load(d, values);
    for (int v = n; v < packet_vectors; v += n) r = hn::Max(hn::Load(d, values + v), r);
    return r;
  }

  static HWY_INLINE bool all_equal(const float* rays) {
    const FloatTag<n> d;
    const auto first = hn::Set(d, rays[0]);
    LaneMask<n> equal(true);
    for (int i = 0; i < packet_rays; i += n) {
      equal = equal & LaneMask<n>(hn::Eq(hn::Load(d, rays + i), first));
    }
    return !any(!equal);
  }
  static HWY_INLINE void fill(float value, float* by_vectors, float* of_all) {
    const FloatTag<n> d;
    for (int v = 0; v < packet_vectors; v += n) hn::Store(hn::Set(d, value), d, by_vectors + v);
    *of_all = value;
  }
  template <class Op>
  static HWY_INLINE void by_vector(const float* rays, const Op& op, float* out) {
    const FloatTag<n> d;
    for (int v = 0; v < packet_vectors; v += n) {
      hn::Store(reduced<n>(rays + v * n, op), d, out + v);
    }
  }
  static HWY_NOINLINE void least(const float* rays, float* by_vectors, float* of_all) {
    const FloatTag<n> d;
    by_vector(
        rays, [](auto a, auto b) HWY_ATTR { return hn::Min(a, b); }, by_vectors);
    auto r = hn::Load(d, by_vectors);
    for (int v = n; v < packet_vectors; v += n) r = hn::Min(hn::Load(d, by_vectors + v), r);
    *of_all = hn::GetLane(hn::MinOfLanes(d, r));
  }
  static HWY_NOINLINE void greatest(const float* rays, float* by_vectors, float* of_all) {
    const FloatTag<n> d;
    by_vector(
        rays, [](auto a, auto b) HWY_ATTR { return hn::Max(a, b); }, by_vectors);
    *of_all = hn::GetLane(hn::MaxOfLanes(d, over_vectors(by_vectors)));
  }

  std::uint32_t octant_ = 0;
  bool one_origin_;     ///< of all rays
  bool stale_ = false;  ///< whole_.reach_high is larger than necessary
  RayBounds whole_;
  float width_[3], spread_[3];
  alignas(64) float origin_low_[3][packet_vectors], origin_high_[3][packet_vectors];
  alignas(64) float inverse_low_[3][packet_vectors], inverse_high_[3][packet_vectors];
  alignas(64) float t_min_low_[packet_vectors], reach_high_[packet_vectors];
};

}  // namespace sightline::detail::HWY_NAMESPACE
