// Shadows: what one shape surely hides from a viewpoint, a box of targets at a time. Proof:
// docs/project/proofs/traversal.md, "Hidden boxes".
#pragma once

#include <sightline/geometry/intersect/triangle_edges.hpp>
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

/// What a triangle covers of a box of targets, as seen from a viewpoint.
struct Cover {
  int side = 0;  ///< on which the viewpoint is, 1 or -1; 0: it covers nothing, as far as known
  int open_edge = -1;  ///< from this corner to the next, beyond which nothing is covered; -1: none
};

/// A triangle that covers a box but for what is beyond an edge.
struct HalfOccluder {
  Vec3 from, to;  ///< the edge
  int side;       ///< see Cover

  HalfOccluder() = default;
  SIGHTLINE_HD HalfOccluder(const Triangle& s, const Cover& cover)
      : from(cover.open_edge == 0   ? s.a
             : cover.open_edge == 1 ? s.b
                                    : s.c),
        to(cover.open_edge == 0   ? s.b
           : cover.open_edge == 1 ? s.c
                                  : s.a),
        side(cover.side) {}

  /// Whether the two hide the box together: they are on either side of one edge.
  SIGHTLINE_HD bool completes(const HalfOccluder& o) const {
    return side == o.side ? equal(from, o.to) && equal(to, o.from)
                          : equal(from, o.from) && equal(to, o.to);
  }

 private:
  SIGHTLINE_HD static bool equal(const Vec3& a, const Vec3& b) {
    return a.x == b.x && a.y == b.y && a.z == b.z;
  }
};

/// The segments from a viewpoint to the eight corners of a box of targets. What surely blocks them
/// all blocks every segment into the box, since a shape is convex. Corners holds the directions in
/// `parts` parts of lanes: direction(part), of corners whose bits say which are high; and, where it
/// has them ready, inverse(part).
template <class Corners>
class BoxViewT {
 public:
  SIGHTLINE_HD BoxViewT(const Vec3& viewpoint, const TargetBox& box, const SightOptions& options)
      : is_solid_(options.inside == Inside::solid),
        viewpoint_(viewpoint),
        low_(difference(box.low, viewpoint)),
        high_(difference(box.high, viewpoint)),
        reach_(largest_sum(low_, high_)),
        t_min_(options.margin),
        t_max_(1 - options.margin),
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
  SIGHTLINE_HD bool hidden_by(const Triangle& s) const { return cover_of<false>(s).side != 0; }
  /// What a triangle covers of the box, with `in_part` also where that is not all. Under every
  /// policy: a line that crosses a triangle has one t in common with it. All that is asked is
  /// linear in the direction, so no corner is looked at by itself.
  template <bool in_part>
  SIGHTLINE_HD Cover cover_of(const Triangle& s) const {
    const Vec3 a = difference(s.a, viewpoint_), b = difference(s.b, viewpoint_);
    const float size = reach_ + max(sum_abs(a), sum_abs(b));
    if (!(size >= 0x1p-40f && size <= 0x1p40f)) return {};
    const float grain = 0x1p-19f * size, tiny = 0x1p-100f;
    Cover cover;
    // Whether the box is on one side of an edge, the same for all but one.
    const auto suits = [&](int edge, const Vec3& from, const Vec3& along) SIGHTLINE_LAMBDA {
      const Values e = over_box(quick_cross(from, along));
      if (abs(e.middle) > e.half + fma(grain * reach_, sum_abs(along), tiny)) {
        const int side = sign_of(e.middle), other = cover.side;
        cover.side = side;
        return other != -side;
      }
      const bool is_first = cover.open_edge < 0;
      cover.open_edge = edge;
      return in_part && is_first;
    };
    const Vec3 ab = difference(s.b, s.a);
    if (!suits(0, a, ab)) return {};
    const Vec3 bc = difference(s.c, s.b);
    if (!suits(1, b, bc) || !suits(2, a, difference(s.a, s.c))) return {};
    const Vec3 normal = quick_cross(ab, bc);
    const Values speed = over_box(normal);
    const auto sign = static_cast<float>(cover.side);
    const float distance = sign * dot(normal, a), middle = sign * speed.middle;
    const float doubt = fma(grain * sum_abs(ab), sum_abs(bc), tiny);
    const bool is_between = distance - t_min_ * (middle + speed.half) > doubt &&
                            t_max_ * (middle - speed.half) - distance > doubt;
    if (!is_between || (cover.open_edge >= 0 && !is_off(s))) return {};
    return cover;
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

  /// Whether no coordinate of a corner is so near to the viewpoint's that a gate may be shut on
  /// what is met at an edge.
  SIGHTLINE_HD bool is_off(const Triangle& s) const {
    const auto differs = [](float a, float b)
                             SIGHTLINE_LAMBDA { return a == b || abs(a - b) >= 0x1p-60f; };
    const auto all = [&](const Vec3& v) SIGHTLINE_LAMBDA {
      return differs(v.x, viewpoint_.x) && differs(v.y, viewpoint_.y) && differs(v.z, viewpoint_.z);
    };
    return all(s.a) && all(s.b) && all(s.c);
  }

  /// The values that v . d takes where d goes from the viewpoint to a point of the box: those
  /// within `half` of `middle`.
  struct Values {
    float middle, half;
  };
  SIGHTLINE_HD Values over_box(const Vec3& v) const {
    const Vec3 half = {0.5f * (high_.x - low_.x), 0.5f * (high_.y - low_.y),
                       0.5f * (high_.z - low_.z)};
    return {dot(v, middle()), dot_of_sizes(v, half)};
  }

  /// Of a box with planes near[i] and far[i] along its axes, as seen from the viewpoint;
  /// speed(part) is that of the ways along these axes.
  template <class Speed, class Inverse>
  SIGHTLINE_HD bool is_hidden(const float (&near)[3], const float (&far)[3], float size,
                              const Speed& speed, const Inverse& inverse_of) const {
    const float scale = reach_ + size;
    if (!is_solid_ || !(scale >= 0x1p-40f && scale <= 0x1p50f)) return false;
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

  const bool is_solid_;
  const Vec3 viewpoint_, low_, high_;
  const float reach_, t_min_, t_max_;
  const Corners corners_;
};

}  // namespace sightline
