// A vector of segments from one viewpoint, which leaves are tried on.
#pragma once

#include "host/cpu/rays/leaf_tests.hpp"
#include "host/cpu/rays/one_ray.hpp"
#include "host/cpu/rays/scaled_rays.hpp"
#include "host/cpu/rays/simd_kernels.hpp"

namespace sightline::detail::HWY_NAMESPACE {

template <int N>
HWY_INLINE Vec3T<FloatVec<N>> targets_of(const Fan& fan, const std::uint32_t* index) {
  const FloatTag<4> quad;
  const Quads<N> q =
      transposed<N>([&](int i) HWY_ATTR { return hn::Load(quad, fan.targets[index[i]].position); });
  return {q.x, q.y, q.z};
}

/// A vector of a fan's segments.
class FanVector {
 public:
  static constexpr int n = native_lanes;
  using F = FloatVec<n>;

  /// To targets target[i], i < count; behind them are indices that may be read.
  FanVector(const TraceScene& scene, const Fan& fan, const std::uint32_t* target,
            std::uint32_t count)
      : scene_(scene), viewpoint_(fan.viewpoint), inside_(fan.options.inside) {
    const RawRays<n> raw =
        sight_lanes<n>(broadcast<n>(fan.viewpoint), targets_of<n>(fan, target), fan.options);
    const ReadyRays<n> ready = make_ready(raw);
    rays_.line.origin = raw.origin;
    rays_.line.direction = ready.direction;
    rays_.line.inverse = {inverse_of(ready.direction.x), inverse_of(ready.direction.y),
                          inverse_of(ready.direction.z)};
    rays_.line.dd = two_dot(ready.direction, ready.direction);
    rays_.line.is_point = ready.is_point;
    rays_.t_min = ready.t_min;
    rays_.t_max = ready.t_max;
    rays_.reach = min(ready.t_max, F(largest_float));
    open_ = ready.good & LaneMask<n>(hn::FirstN(FloatTag<n>(), count));
  }

  /// Segments that nothing is known to block, except bad ones.
  std::uint32_t open() const { return bits_of_mask(open_); }

  /// Closes the segments that the leaf's shape blocks, and returns them.
  HWY_INLINE std::uint32_t test(std::uint32_t leaf) {
    const WideNode& node = scene_.nodes[leaf / wide_width];
    const int slot = static_cast<int>(leaf % wide_width);
    LaneSlab<n> gate = {rays_.t_min, rays_.reach};
    const auto cut = [&](int axis, F origin, F direction, F inverse) SIGHTLINE_LAMBDA {
      const F low(node.low[axis][slot]), high(node.high[axis][slot]);
      const LaneMask<n> backward = direction < F(0);
      gate.cut(select(backward, high, low), select(backward, low, high), origin, inverse);
    };
    const LineT<F>& line = rays_.line;
    cut(0, line.origin.x, line.direction.x, line.inverse.x);
    cut(1, line.origin.y, line.direction.y, line.inverse.y);
    cut(2, line.origin.z, line.direction.z, line.inverse.z);
    LaneMask<n> hit = open_ & gate.enters();
    if (!any(hit)) return 0;
    scene_.shapes.locate_bounded(node.child[slot] & ~bvh_leaf_bit,
                                 [&]<class S>(ShapeTag<S>, std::uint32_t i) SIGHTLINE_LAMBDA {
                                   const auto shape = broadcast_shape<S, n>(scene_.shapes, i);
                                   hit = find_any<RayQuery::sight>(rays_, shape, gate.t_near, hit,
                                                                   inside_);
                                 });
    open_ = open_ & !hit;
    return bits_of_mask(hit);
  }

  /// Takes open segment k through the tree until something blocks it, from the viewpoint on: what
  /// is near hides most. Tests every leaf that it enters for all open segments: blocked(leaf,
  /// which). Returns whether nothing bounded blocks it.
  template <class Blocked>
  HWY_INLINE bool follow(int k, const NodePath& path, const Blocked& blocked) {
    HWY_ALIGN float of[8][n];
    const LineT<F>& line = rays_.line;
    const F columns[8] = {line.origin.x,  line.origin.y,  line.origin.z, line.inverse.x,
                          line.inverse.y, line.inverse.z, rays_.t_min,   rays_.reach};
    for (int row = 0; row < 8; ++row) hn::Store(columns[row].v, FloatTag<n>(), of[row]);
    const Vec3 origin = {of[0][k], of[1][k], of[2][k]};
    const OneRay ray = {
        {origin.x, origin.y, origin.z},
        {of[3][k], of[4][k], of[5][k]},
        of[6][k],
        of[7][k],
        octant_of(k),
        origin.x != viewpoint_.x || origin.y != viewpoint_.y || origin.z != viewpoint_.z};
    const auto all = [](const WideNode&, int, ChildVec)
                         SIGHTLINE_LAMBDA { return LaneMask<child_lanes>(true); };
    const bool is_blocked =
        walk_one(scene_.nodes, path, ray, all, [&](std::uint32_t leaf) SIGHTLINE_LAMBDA {
          const std::uint32_t which = test(leaf);
          if (which != 0) blocked(leaf, which);
          return (which >> k & 1) != 0;
        });
    if (is_blocked) return false;
    open_ = open_ & !mask_of_bits<n>(1u << k);
    return true;
  }

 private:
  std::uint32_t octant_of(int k) const {
    const Vec3T<F>& d = rays_.line.direction;
    const F zero(0);
    return (bits_of_mask(d.x < zero) >> k & 1) | (bits_of_mask(d.y < zero) >> k & 1) << 1 |
           (bits_of_mask(d.z < zero) >> k & 1) << 2;
  }

  const TraceScene& scene_;
  const Vec3 viewpoint_;
  const Inside inside_;
  RayLanes<n> rays_;
  LaneMask<n> open_;
};

}  // namespace sightline::detail::HWY_NAMESPACE
