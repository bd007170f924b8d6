// The corners of a box of targets in lanes, for shadows: sightline/geometry/occlusion/occluder.hpp.
#pragma once

#include "host/cpu/simd/lanes.hpp"

#include <sightline/geometry/occlusion/occluder.hpp>

namespace sightline::detail::HWY_NAMESPACE {

class LaneCorners {
 public:
  static constexpr int m = native_lanes < 8 ? native_lanes : 8;
  static constexpr int parts = 8 / m;
  using Lane = FloatVec<m>;

  HWY_INLINE LaneCorners(const Vec3& low, const Vec3& high, float slow) {
    const WordTag<m> words;
    for (int part = 0; part < parts; ++part) {
      const auto corner = hn::Iota(words, static_cast<std::uint32_t>(part * m));
      const auto component = [&](float l, float h, std::uint32_t bit) HWY_ATTR {
        const auto is_high = hn::Ne(hn::And(corner, hn::Set(words, bit)), hn::Zero(words));
        return Lane(hn::IfThenElse(hn::RebindMask(FloatTag<m>(), is_high), Lane(h).v, Lane(l).v));
      };
      Vec3T<Lane>& d = direction_[part];
      d = {component(low.x, high.x, 1), component(low.y, high.y, 2), component(low.z, high.z, 4)};
      inverse_[part] = {inverse_speed(d.x, slow), inverse_speed(d.y, slow),
                        inverse_speed(d.z, slow)};
    }
  }
  HWY_INLINE const Vec3T<Lane>& direction(int part) const { return direction_[part]; }
  HWY_INLINE const Vec3T<Lane>& inverse(int part) const { return inverse_[part]; }

 private:
  Vec3T<Lane> direction_[parts], inverse_[parts];
};
using BoxView = BoxViewT<LaneCorners>;

}  // namespace sightline::detail::HWY_NAMESPACE
