// Rays that run close together, tested against a node's boxes as one.
#pragma once

#include "host/cpu/lanes/gather.hpp"
#include "host/cpu/lanes/ray_record.hpp"

namespace sightline::detail::HWY_NAMESPACE {

inline constexpr int octet_lanes = native_lanes < wide_width ? native_lanes : wide_width;

/// What a node's children are to a packet: a bit each.
struct PacketEntry {
  std::uint32_t enters = 0;  ///< some ray may enter
  std::uint32_t large = 0;   ///< the box is large beside the packet where it meets it
  alignas(32) float t_near[wide_width];
};

/// Up to 64 rays of one octant whose directions have no component 0, side by side, and the
/// intervals that their components lie in.
///
/// The interval of a box's slab over the whole packet contains that of every ray, exactly: each
/// operation below is that of slab() at the ends of an interval, and rounding is monotone.
class Packet {
 public:
  static constexpr int capacity = packet_size;

  HWY_NOINLINE void fill(const RayRecord* rays, const std::uint32_t* index, int count,
                         std::uint32_t octant) {
    rays_ = rays;
    index_ = index;
    count_ = count;
    octant_ = octant;
    const FloatTag<n> d;
    const FloatTag<4> quad;
    std::uint32_t some[capacity];
    for (int i = 0; i < padded(); ++i) some[i] = index[i < count ? i : 0];
    for (int i = 0; i < padded(); i += n) {
      const auto row = [&](int k) HWY_ATTR {
        return transposed<n>(
            [&, k](int j) HWY_ATTR { return hn::Load(quad, rays[some[i + j]].origin + 4 * k); });
      };
      const Quads<n> o = row(0), inverse = row(1);
      hn::Store(o.x.v, d, origin_[0] + i);
      hn::Store(o.y.v, d, origin_[1] + i);
      hn::Store(o.z.v, d, origin_[2] + i);
      hn::Store(o.w.v, d, t_min_ + i);
      hn::Store(inverse.x.v, d, inverse_[0] + i);
      hn::Store(inverse.y.v, d, inverse_[1] + i);
      hn::Store(inverse.z.v, d, inverse_[2] + i);
      hn::Store(inverse.w.v, d, reach_ + i);
    }
    for (int axis = 0; axis < 3; ++axis) {
      origin_low_[axis] = least(origin_[axis]);
      origin_high_[axis] = greatest(origin_[axis]);
      inverse_low_[axis] = least(inverse_[axis]);
      inverse_high_[axis] = greatest(inverse_[axis]);
      width_[axis] = origin_high_[axis] - origin_low_[axis];
      spread_[axis] = sightline::abs(1.0f / inverse_low_[axis] - 1.0f / inverse_high_[axis]);
    }
    t_min_low_ = least(t_min_);
    reach_high_ = greatest(reach_);
  }

  int count() const { return count_; }
  const std::uint32_t* index() const { return index_; }
  float reach() const { return reach_high_; }

  /// Takes over what the rays have come to reach.
  HWY_NOINLINE void refresh() {
    for (int i = 0; i < count_; ++i) reach_[i] = rays_[index_[i]].reach;
    for (int i = count_; i < padded(); ++i) reach_[i] = no_reach;
    reach_high_ = greatest(reach_);
  }

  HWY_INLINE PacketEntry test(const WideNode& node) const {
    constexpr int m = octet_lanes;
    using F = Lanes<m>;
    const FloatTag<m> d;
    PacketEntry entry;
    for (int part = 0; part < wide_width; part += m) {
      F t_near(t_min_low_), t_far(reach_high_), extent(0), width(0), spread(0);
      for (int axis = 0; axis < 3; ++axis) {
        const bool backward = (octant_ >> axis & 1) != 0;
        const F low = hn::Load(d, node.low[axis] + part),
                high = hn::Load(d, node.high[axis] + part);
        const F first(inverse_low_[axis]), last(inverse_high_[axis]);
        const F nearer = backward ? high - F(origin_low_[axis]) : low - F(origin_high_[axis]);
        const F further = backward ? low - F(origin_high_[axis]) : high - F(origin_low_[axis]);
        t_near = max(min(nearer * first, nearer * last), t_near);
        t_far = min(max(further * first, further * last), t_far);
        extent = extent + (high - low);
        width = width + F(width_[axis]);
        spread = spread + F(spread_[axis]);
      }
      t_near = t_near * F(1.0f - 4 * 0x1p-23f);
      entry.enters |= bits_of_mask(t_near <= t_far) << part;
      entry.large |= bits_of_mask(extent >= (width + spread * t_near) * F(large_beside)) << part;
      hn::Store(t_near.v, d, entry.t_near + part);
    }
    return entry;
  }

  /// Calls use(rays, gates, how many), a vector at a time, with those that enter child c.
  template <class Use>
  HWY_INLINE void enter(const WideNode& node, int c, const Use& use) const {
    using F = Lanes<n>;
    const FloatTag<n> d;
    const WordTag<n> words;
    for (int i = 0; i < count_; i += n) {
      F t_near = hn::Load(d, t_min_ + i), t_far = hn::Load(d, reach_ + i);
      for (int axis = 0; axis < 3; ++axis) {
        const bool backward = (octant_ >> axis & 1) != 0;
        const F nearer((backward ? node.high : node.low)[axis][c]);
        const F further((backward ? node.low : node.high)[axis][c]);
        const F o = hn::Load(d, origin_[axis] + i), inverse = hn::Load(d, inverse_[axis] + i);
        t_near = max((nearer - o) * inverse, t_near);
        t_far = min((further - o) * inverse, t_far);
      }
      t_near = t_near * F(1.0f - 4 * 0x1p-23f);
      const auto enters =
          hn::And((t_near <= t_far).m, hn::FirstN(d, static_cast<std::size_t>(count_ - i)));
      const auto ids = hn::LoadU(words, index_ + i);
      use(hn::Compress(ids, hn::RebindMask(words, enters)), hn::Compress(t_near.v, enters),
          static_cast<int>(hn::CountTrue(d, enters)));
    }
  }

 private:
  static constexpr int n = native_lanes;
  /// A box so many times as large as the packet is where they meet is large.
  static constexpr float large_beside = 2.0f;

  int padded() const { return (count_ + n - 1) / n * n; }
  HWY_INLINE float least(const float* values) const {
    const FloatTag<n> d;
    auto r = hn::Load(d, values);
    for (int i = n; i < padded(); i += n) r = hn::Min(hn::Load(d, values + i), r);
    return hn::GetLane(hn::MinOfLanes(d, r));
  }
  HWY_INLINE float greatest(const float* values) const {
    const FloatTag<n> d;
    auto r = hn::Load(d, values);
    for (int i = n; i < padded(); i += n) r = hn::Max(hn::Load(d, values + i), r);
    return hn::GetLane(hn::MaxOfLanes(d, r));
  }

  const RayRecord* rays_ = nullptr;
  const std::uint32_t* index_ = nullptr;
  int count_ = 0;
  std::uint32_t octant_ = 0;
  float origin_low_[3], origin_high_[3], inverse_low_[3], inverse_high_[3];
  float width_[3], spread_[3];  ///< of the origins, and of the directions
  float t_min_low_, reach_high_;
  alignas(64) float origin_[3][capacity];
  alignas(64) float inverse_[3][capacity];
  alignas(64) float t_min_[capacity];
  alignas(64) float reach_[capacity];
};

}  // namespace sightline::detail::HWY_NAMESPACE
