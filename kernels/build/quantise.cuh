// Conservative quantisation of child boxes to bytes.
#pragma once

#include <sightline/geometry/bvh/quantised_node.hpp>

namespace sightline::kernels {

/// So many steps lie between a plane and the box that it encloses: what a ray's distances of planes
/// are wrong by next to the node. A 128th of the distance between two planes.
inline constexpr float plane_margin = 0x1p-22f;

/// The grid of one axis: byte q is the plane base + mantissa(q) * step.
struct ByteGrid {
  float base, step;

  /// `margin` steps above a plane, exactly.
  SIGHTLINE_HD Two<float> plane(int q, float margin) const {
    return two_sum(base, above_base(static_cast<std::uint32_t>(q), 0, step) + margin * step);
  }
  SIGHTLINE_HD bool at_most(int q, float x) const {
    const Two<float> p = plane(q, plane_margin);
    return p.hi < x || (p.hi == x && p.lo <= 0.0f);
  }
  SIGHTLINE_HD bool at_least(int q, float x) const {
    const Two<float> p = plane(q, -plane_margin);
    return p.hi > x || (p.hi == x && p.lo >= 0.0f);
  }
  /// Approximately the byte of x.
  SIGHTLINE_HD int guess(float x) const {
    // By 2^15 / step: no division, and exact, since the step is a power of two.
    const float q = (x - (base + step)) * float_of((269u << 23) - bits_of(step));
    return q > 0.0f ? (q < 255.0f ? static_cast<int>(q) : 255) : 0;
  }
  /// The last plane that encloses x from below; plane 0 does.
  SIGHTLINE_HD int low(float x) const {
    int q = guess(x);
    while (q > 0 && !at_most(q, x)) --q;
    while (q < 255 && at_most(q + 1, x)) ++q;
    return q;
  }
  /// The first plane that encloses x from above; plane 255 does.
  SIGHTLINE_HD int high(float x) const {
    int q = guess(x);
    while (q < 255 && !at_least(q, x)) ++q;
    while (q > 0 && at_least(q - 1, x)) --q;
    return q;
  }
};

/// The finest grid that holds [min, max], finite and min <= max.
SIGHTLINE_HD ByteGrid grid_over(float min, float max) {
  // No smaller exponent works: 255 / 2^15 of a step must hold the extent, and base + step must come
  // as near to min as floats are dense there.
  const float size = sightline::max(max - min, sightline::max(abs(min), abs(max)) * 0x1p-24f);
  int exponent = (size > 0.0f ? exponent_of(size) : -149) + 6;
  if (exponent < -111) exponent = -111;  // 2^-15 of a step stays a normal float
  for (;; ++exponent) {
    const float step = float_of(static_cast<std::uint32_t>(exponent + 127) << 23);
    const Two<float> below = two_diff(min, step * (1 + plane_margin));
    const ByteGrid grid{below.lo < 0.0f ? next_down(below.hi) : below.hi, step};
    if (grid.at_least(255, max)) return grid;
  }
}

/// Writes base, steps and planes of a node whose words are 0: box [children], children >= 1.
SIGHTLINE_HD void quantise(const Aabb* box, int children, QuantisedNode& node) {
  Aabb all = box[0];
  for (int k = 1; k < QuantisedNode::width; ++k) {
    if (k < children) all = unite(all, box[k]);
  }
  const auto axis = [&](int a, float min, float max, auto&& low_of, auto&& high_of) {
    const ByteGrid grid = grid_over(min, max);
    node.base[a] = grid.base;
    node.set_step(a, grid.step);
    for (int k = 0; k < QuantisedNode::width; ++k) {
      if (k >= children) break;
      const int shift = 8 * k;
      node.low[a] |= static_cast<std::uint32_t>(grid.low(low_of(box[k]))) << shift;
      node.high[a] |= static_cast<std::uint32_t>(grid.high(high_of(box[k]))) << shift;
    }
  };
  axis(
      0, all.min.x, all.max.x, [](const Aabb& b) { return b.min.x; },
      [](const Aabb& b) { return b.max.x; });
  axis(
      1, all.min.y, all.max.y, [](const Aabb& b) { return b.min.y; },
      [](const Aabb& b) { return b.max.y; });
  axis(
      2, all.min.z, all.max.z, [](const Aabb& b) { return b.min.z; },
      [](const Aabb& b) { return b.max.z; });
}

}  // namespace sightline::kernels
