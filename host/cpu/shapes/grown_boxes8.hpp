// Grows eight boxes at once by a moving shape.
#pragma once

#include "host/cpu/shapes/ray_walk.hpp"

#include <sightline/geometry/sweep/grown.hpp>

namespace sightline::detail {

/// next_down() of eight floats.
inline Float8 next_down8(const Float8& x) {
  Int8 bits;
  std::memcpy(&bits, &x, sizeof(bits));
  const Int8 next = bits + (x > 0.0f ? Int8{} - 1 : Int8{} + 1);
  const Int8 of_zero = Int8{} + static_cast<std::int32_t>(0x80000001u);
  bits = x == 0.0f ? of_zero : next;
  Float8 y;
  std::memcpy(&y, &bits, sizeof(y));
  return y;
}
inline Float8 next_up8(const Float8& x) { return -next_down8(-x); }

inline Boxes8 grown(const Boxes8& boxes, const MovingSphere& m) {
  if (m.radius == 0.0f) return boxes;
  Boxes8 g;
  for (int k = 0; k < 3; ++k) {
    g.low[k] = next_down8(boxes.low[k] - m.radius);
    g.high[k] = next_up8(boxes.high[k] + m.radius);
  }
  return g;
}

inline Boxes8 grown(const Boxes8& boxes, const Capsule& m) {
  const float back[3] = {m.a.x - m.b.x, m.a.y - m.b.y, m.a.z - m.b.z};
  Boxes8 spread = boxes;
  for (int k = 0; k < 3; ++k) {
    const float by = back[k];
    if (by < 0) spread.low[k] = next_down8(boxes.low[k] + next_down(by));
    if (by > 0) spread.high[k] = next_up8(boxes.high[k] + next_up(by));
  }
  return grown(spread, MovingSphere{m.radius});
}

/// For AlongRay: the same bits as grown() of each box.
template <class Mover>
struct GrownBy {
  Mover mover;
  Boxes8 operator()(const Boxes8& boxes) const { return grown(boxes, mover); }
};

}  // namespace sightline::detail
