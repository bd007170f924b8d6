// One ray against the nodes of the wide tree, eight boxes at a time.
#pragma once

#include "host/cpu/shapes/walk.hpp"

#include <sightline/geometry/intersect/line.hpp>

namespace sightline::detail {

/// Eight boxes, by axis.
struct Boxes8 {
  Float8 low[3], high[3];
};

/// For rays without extent.
struct Ungrown {
  const Boxes8& operator()(const Boxes8& boxes) const { return boxes; }
};

/// The children whose interval along the ray is not empty and does not begin beyond a limit, and
/// where it begins, which for a leaf is the near end of its gate: the same bits as slab() of every
/// box. `grow` maps Boxes8 to Boxes8 and is monotone: it keeps boxes within boxes. The gate is the
/// grown box of the shape.
template <class Grow>
struct AlongRay {
  const Line& line;
  float t_min, t_max;
  Grow grow;

  // Inlined: a call per node would cost 5 %.
  [[gnu::always_inline]] Seen<float> operator()(const WideNode& node) const {
    return see(node, nullptr);
  }
  [[gnu::always_inline]] Seen<float> operator()(const WideNode& node, float limit) const {
    return see(node, &limit);
  }

 private:
  [[gnu::always_inline]] Seen<float> see(const WideNode& node, const float* limit) const {
    const Boxes8 of_node = {{planes8(node.low[0]), planes8(node.low[1]), planes8(node.low[2])},
                            {planes8(node.high[0]), planes8(node.high[1]), planes8(node.high[2])}};
    const Boxes8& boxes = grow(of_node);
    Float8 t_near = Float8{} + t_min, t_far = Float8{} + t_max;
    const auto cut = [&](int axis, float o, float d, float inverse) {
      const bool backward = d < 0.0f;
      const Float8 n = ((backward ? boxes.high : boxes.low)[axis] - o) * inverse;
      const Float8 f = ((backward ? boxes.low : boxes.high)[axis] - o) * inverse;
      t_near = n > t_near ? n : t_near;
      t_far = f < t_far ? f : t_far;
    };
    cut(0, line.origin.x, line.direction.x, line.inverse.x);
    cut(1, line.origin.y, line.direction.y, line.inverse.y);
    cut(2, line.origin.z, line.direction.z, line.inverse.z);
    t_near *= 1.0f - 4 * 0x1p-23f;
    Seen<float> seen;
    const Int8 crossed = t_near <= t_far;
    seen.children = bits_of_lanes(limit == nullptr ? crossed : crossed & (t_near <= *limit));
    std::memcpy(seen.bound, &t_near, sizeof(t_near));
    return seen;
  }
};

}  // namespace sightline::detail
