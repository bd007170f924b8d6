// Shadows: what a shape surely hides from a viewpoint, a box of targets at a time.
#pragma once

#include "host/cpu/lanes/leaf_tests.hpp"
#include "host/cpu/lanes/trace.hpp"

namespace sightline::detail::HWY_NAMESPACE {

/// The segments from a viewpoint to the eight corners of a box of targets. What surely blocks them
/// all blocks every segment into the box, since a shape is convex: docs/accuracy.md, "Shadows".
class BoxView {
 public:
  BoxView(const Vec3& viewpoint, const FanBox& box, float margin)
      : viewpoint_(viewpoint),
        low_(difference(box.low, viewpoint)),
        high_(difference(box.high, viewpoint)),
        reach_(largest_sum(low_, high_)),
        t_min_(margin),
        t_max_(1 - margin) {
    const WordTag<m> words;
    for (int part = 0; part < parts; ++part) {
      const auto corner = hn::Iota(words, static_cast<std::uint32_t>(part * m));
      const auto component = [&](float l, float h, std::uint32_t bit) HWY_ATTR {
        const auto is_high = hn::Ne(hn::And(corner, hn::Set(words, bit)), hn::Zero(words));
        return F(hn::IfThenElse(hn::RebindMask(FloatTag<m>(), is_high), F(h).v, F(l).v));
      };
      Vec3T<F>& d = direction_[part];
      d = {component(low_.x, high_.x, 1), component(low_.y, high_.y, 2),
           component(low_.z, high_.z, 4)};
      inverse_[part] = {inverse(d.x), inverse(d.y), inverse(d.z)};
    }
  }

  /// The way to its middle.
  Vec3 middle() const {
    return {0.5f * (low_.x + high_.x), 0.5f * (low_.y + high_.y), 0.5f * (low_.z + high_.z)};
  }

  Vec3 extent() const { return difference(high_, low_); }

  HWY_INLINE bool hidden_by(const Aabb& s) const {
    const Vec3 low = difference(s.min, viewpoint_), high = difference(s.max, viewpoint_);
    const float near[3] = {low.x, low.y, low.z}, far[3] = {high.x, high.y, high.z};
    return is_hidden(
        near, far, largest_sum(low, high),
        [&](int part, int axis) HWY_ATTR { return component(direction_[part], axis); },
        [&](int part, int axis, F) HWY_ATTR { return component(inverse_[part], axis); });
  }
  HWY_INLINE bool hidden_by(const ObbFrame& s) const {
    const Vec3 w = difference(viewpoint_, s.center);
    const float half[3] = {s.half_extents.x, s.half_extents.y, s.half_extents.z};
    float near[3], far[3];
    for (int i = 0; i < 3; ++i) {
      const float y = dot(w, s.axis[i]);
      near[i] = -half[i] - y;
      far[i] = half[i] - y;
    }
    return is_hidden(
        near, far, sum_abs(w) + sum_abs(s.half_extents),
        [&](int part, int axis)
            HWY_ATTR { return dot(direction_[part], broadcast<m>(s.axis[axis])); },
        [&](int, int, F speed) HWY_ATTR { return inverse(speed); });
  }
  template <class Shape>
  bool hidden_by(const Shape&) const {
    return false;
  }

 private:
  static constexpr int m = native_lanes < 8 ? native_lanes : 8;
  static constexpr int parts = 8 / m;
  using F = FloatVec<m>;

  static float largest_sum(const Vec3& low, const Vec3& high) {
    using sightline::abs, sightline::max;
    return max(abs(low.x), abs(high.x)) + max(abs(low.y), abs(high.y)) +
           max(abs(low.z), abs(high.z));
  }
  template <class T>
  static T component(const Vec3T<T>& v, int axis) {
    return axis == 0 ? v.x : axis == 1 ? v.y : v.z;
  }
  /// Speeds below a bound that moves no corner by much are taken for it.
  HWY_INLINE F inverse(F speed) const {
    const F slow(0x1p-30f * reach_);
    return F(1) / select(abs(speed) < slow, slow, speed);
  }

  /// Of a box with planes near[i] and far[i] along its axes, as seen from the viewpoint.
  template <class Speed, class Inverse>
  HWY_INLINE bool is_hidden(const float (&near)[3], const float (&far)[3], float size,
                            const Speed& speed, const Inverse& inverse_of_speed) const {
    const float scale = reach_ + size;
    if (!(scale >= 0x1p-40f && scale <= 0x1p50f)) return false;
    const float least = 0x1p-17f * scale;  // by which planes are moved inwards
    int thin = -1;
    for (int i = 0; i < 3; ++i) {
      if (far[i] - near[i] >= 4 * least) continue;
      if (thin >= 0) return false;
      thin = i;
    }
    F speeds[parts][3];
    for (int part = 0; part < parts; ++part) {
      for (int i = 0; i < 3; ++i) speeds[part][i] = speed(part, i);
    }
    float slope = 1;
    for (int i = 0; i < 3; ++i) {  // an index that varies would send all speeds to memory
      if (i != thin) continue;
      F slowest = speeds[0][i], fastest = slowest;
      for (int part = 1; part < parts; ++part) {
        slowest = min(slowest, speeds[part][i]);
        fastest = max(fastest, speeds[part][i]);
      }
      const FloatTag<m> d;
      const float forward = hn::GetLane(hn::MinOfLanes(d, slowest.v));
      const float backward = -hn::GetLane(hn::MaxOfLanes(d, fastest.v));
      if (!(forward > 0 || backward > 0)) return false;
      slope += scale / sightline::max(forward, backward);
    }
    const float shrunk = least * slope, from_ends = 0x1p-17f * slope;
    for (int i = 0; i < 3; ++i) {
      if (i != thin && far[i] - near[i] < 3 * shrunk) return false;
    }
    LaneMask<m> all(true);
    for (int part = 0; part < parts; ++part) {
      F t_in(t_min_ + from_ends), t_out(t_max_ - from_ends);
      for (int i = 0; i < 3; ++i) {
        const float e = i == thin ? 0 : shrunk;
        const F per_speed = inverse_of_speed(part, i, speeds[part][i]);
        const F a = F(near[i] + e) * per_speed, b = F(far[i] - e) * per_speed;
        t_in = max(min(a, b), t_in);
        t_out = min(max(a, b), t_out);
      }
      all = all & (t_in <= t_out);
    }
    return hn::AllTrue(FloatTag<m>(), all.m);
  }

  const Vec3 viewpoint_, low_, high_;  ///< the box as seen from the viewpoint
  const float reach_, t_min_, t_max_;
  Vec3T<F> direction_[parts], inverse_[parts];
};

}  // namespace sightline::detail::HWY_NAMESPACE
