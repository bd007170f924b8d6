// Shadows: what one shape surely hides from a viewpoint, a box of targets at a time. Proof:
// docs/project/proofs/traversal.md, "Hidden boxes".
#pragma once

#include <sightline/geometry/occlusion/target_box.hpp>

namespace sightline {

/// The directions of the ways to a box's corners, one after the other: see BoxViewT.
struct OneCorner {
  using Lane = float;
  static constexpr int parts = 8;
  Vec3 low, high;

  SIGHTLINE_HD OneCorner(const Vec3& l, const Vec3& h, float) : low(l), high(h) {}
  SIGHTLINE_HD Vec3 direction(int part) const {
    return {(part & 1) != 0 ? high.x : low.x, (part & 2) != 0 ? high.y : low.y,
            (part & 4) != 0 ? high.z : low.z};
  }
};

/// 1 / speed; speeds below `slow`, which moves no corner by much, are taken for it.
template <class F>
SIGHTLINE_HD F inverse_speed(const F& speed, float slow) {
  return F(1) / select(abs(speed) < F(slow), F(slow), speed);
}

/// The segments from a viewpoint to the eight corners of a box of targets. What surely blocks them
/// all blocks every segment into the box, since a shape is convex. Corners holds the directions in
/// `parts` parts of lanes: direction(part), of corners whose bits say which are high; and, where it
/// has them ready, inverse(part).
template <class Corners>
class BoxViewT {
 public:
  SIGHTLINE_HD BoxViewT(const Vec3& viewpoint, const TargetBox& box, float margin)
      : viewpoint_(viewpoint),
        low_(difference(box.low, viewpoint)),
        high_(difference(box.high, viewpoint)),
        reach_(largest_sum(low_, high_)),
        t_min_(margin),
        t_max_(1 - margin),
        corners_(low_, high_, slow()) {}

  /// The way to its middle.
  SIGHTLINE_HD Vec3 middle() const {
    return {0.5f * (low_.x + high_.x), 0.5f * (low_.y + high_.y), 0.5f * (low_.z + high_.z)};
  }
  /// The box as seen from the viewpoint.
  SIGHTLINE_HD const Vec3& low() const { return low_; }
  SIGHTLINE_HD const Vec3& high() const { return high_; }

  SIGHTLINE_HD bool hidden_by(const Aabb& s) const {
    const Vec3 low = difference(s.min, viewpoint_), high = difference(s.max, viewpoint_);
    const float near[3] = {low.x, low.y, low.z}, far[3] = {high.x, high.y, high.z};
    return is_hidden(
        near, far, largest_sum(low, high),
        [&](int part) SIGHTLINE_LAMBDA -> Vec3T<F> { return corners_.direction(part); },
        [&](int part, const Vec3T<F>& speed) SIGHTLINE_LAMBDA {
          if constexpr (requires { corners_.inverse(part); }) {
            return corners_.inverse(part);
          } else {
            return inverse(speed);
          }
        });
  }
  SIGHTLINE_HD bool hidden_by(const ObbFrame& s) const {
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
        [&](int part) SIGHTLINE_LAMBDA {
          const Vec3T<F> d = corners_.direction(part);
          const auto along = [&](const Vec3& axis) SIGHTLINE_LAMBDA {
            return dot(d, Vec3T<F>{F(axis.x), F(axis.y), F(axis.z)});
          };
          return Vec3T<F>{along(s.axis[0]), along(s.axis[1]), along(s.axis[2])};
        },
        [&](int, const Vec3T<F>& speed) SIGHTLINE_LAMBDA { return inverse(speed); });
  }
  template <class Shape>
  SIGHTLINE_HD bool hidden_by(const Shape&) const {
    return false;
  }

 private:
  using F = typename Corners::Lane;
  static constexpr int parts = Corners::parts;

  SIGHTLINE_HD static float largest_sum(const Vec3& low, const Vec3& high) {
    return max(abs(low.x), abs(high.x)) + max(abs(low.y), abs(high.y)) +
           max(abs(low.z), abs(high.z));
  }
  template <class T>
  SIGHTLINE_HD static T component(const Vec3T<T>& v, int axis) {
    return axis == 0 ? v.x : axis == 1 ? v.y : v.z;
  }
  SIGHTLINE_HD float slow() const { return 0x1p-30f * reach_; }
  SIGHTLINE_HD Vec3T<F> inverse(const Vec3T<F>& speed) const {
    return {inverse_speed(speed.x, slow()), inverse_speed(speed.y, slow()),
            inverse_speed(speed.z, slow())};
  }

  /// Of a box with planes near[i] and far[i] along its axes, as seen from the viewpoint;
  /// speed(part) is that of the ways along these axes.
  template <class Speed, class Inverse>
  SIGHTLINE_HD bool is_hidden(const float (&near)[3], const float (&far)[3], float size,
                              const Speed& speed, const Inverse& inverse_of) const {
    const float scale = reach_ + size;
    if (!(scale >= 0x1p-40f && scale <= 0x1p50f)) return false;
    const float least = 0x1p-17f * scale;  // by which planes are moved inwards
    int thin = -1;
    for (int i = 0; i < 3; ++i) {
      if (far[i] - near[i] >= 4 * least) continue;
      if (thin >= 0) return false;
      thin = i;
    }
    // Lanes keep them; where corners come one by one, to make them again takes less room.
    constexpr bool keeps = parts <= 2;
    Vec3T<F> kept[keeps ? parts : 1];
    if constexpr (keeps) {
      for (int part = 0; part < parts; ++part) kept[part] = speed(part);
    }
    const auto speed_to = [&](int part) SIGHTLINE_LAMBDA {
      if constexpr (keeps) {
        return kept[part];
      } else {
        return Vec3T<F>(speed(part));
      }
    };
    float slope = 1;
    for (int i = 0; i < 3; ++i) {  // an index that varies would send speeds to memory
      if (i != thin) continue;
      float forward = infinity, backward = infinity;
      for (int part = 0; part < parts; ++part) {
        const F v = component(speed_to(part), i);
        forward = min(least_lane(v), forward);
        backward = min(least_lane(-v), backward);
      }
      if (!(forward > 0 || backward > 0)) return false;
      slope += scale / max(forward, backward);
    }
    const float shrunk = least * slope, from_ends = 0x1p-17f * slope;
    for (int i = 0; i < 3; ++i) {
      if (i != thin && far[i] - near[i] < 3 * shrunk) return false;
    }
    for (int part = 0; part < parts; ++part) {
      const Vec3T<F> inverses = inverse_of(part, speed_to(part));
      F t_in(t_min_ + from_ends), t_out(t_max_ - from_ends);
      for (int i = 0; i < 3; ++i) {
        const float e = i == thin ? 0 : shrunk;
        const F per_speed = component(inverses, i);
        const F a = F(near[i] + e) * per_speed, b = F(far[i] - e) * per_speed;
        t_in = max(min(a, b), t_in);
        t_out = min(max(a, b), t_out);
      }
      if (any(!(t_in <= t_out))) return false;
    }
    return true;
  }

  const Vec3 viewpoint_, low_, high_;
  const float reach_, t_min_, t_max_;
  const Corners corners_;
};

}  // namespace sightline
