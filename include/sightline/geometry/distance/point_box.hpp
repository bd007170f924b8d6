// The nearest points of boxes to a point. From inside, the nearest face counts: of equals the
// lowest axis, its low side first; likewise for points on an edge.
#pragma once

#include <sightline/geometry/distance/box_places.hpp>

namespace sightline {

/// A face of a box, and the depth of an inner point below it.
struct Face {
  int axis;
  double side;  ///< -1 low, 1 high
  double depth;
};

SIGHTLINE_HD Face nearest_face(const double (&above_low)[3], const double (&below_high)[3]) {
  Face best = {0, -1, above_low[0]};
  for (int k = 1; k < 6; ++k) {
    const int i = k / 2;
    const double depth = k % 2 == 0 ? above_low[i] : below_high[i];
    if (depth < best.depth) best = {i, k % 2 == 0 ? -1.0 : 1.0, depth};
  }
  return best;
}

/// Exact except for the last root, quotient and rounding; the point is exact.
SIGHTLINE_HD Nearest nearest(const Aabb& s, const Vec3& p) {
  const double bad = zero_if_finite(s) + zero_if_finite(p);
  const WideVec3 gap = {beyond(p.x, s.min.x, s.max.x), beyond(p.y, s.min.y, s.max.y),
                        beyond(p.z, s.min.z, s.max.z)};
  const double distance = wide_sqrt(square(gap)) + bad;
  if (distance != 0) {
    const Vec3 on = {min(max(p.x, s.min.x), s.max.x), min(max(p.y, s.min.y), s.max.y),
                     min(max(p.z, s.min.z), s.max.z)};
    return nearest_of(distance, widened(on), gap * (1 / distance));
  }
  const WideVec3 up = wide_diff(p, s.min), down = wide_diff(s.max, p);
  const Face face = nearest_face({up.x, up.y, up.z}, {down.x, down.y, down.z});
  const Vec3 side = face.side < 0 ? s.min : s.max;
  const auto of_axis = [&](int i, double yes, double no) { return face.axis == i ? yes : no; };
  return nearest_of(-face.depth,
                    {of_axis(0, side.x, p.x), of_axis(1, side.y, p.y), of_axis(2, side.z, p.z)},
                    {of_axis(0, face.side, 0), of_axis(1, face.side, 0), of_axis(2, face.side, 0)});
}

SIGHTLINE_HD Nearest nearest(const ObbFrame& s, const Vec3& p) {
  const double bad = zero_if_finite(s) + zero_if_finite(p);
  WideBox box = wide_box(s, s.center);
  const WideVec3 w = wide_diff(p, s.center);
  const BoxPlace place = place_in(box, w);
  const double distance = wide_sqrt(square(place.gap)) + bad;
  if (distance != 0) {
    return nearest_of(distance, widened(s.center) + place.at, place.gap * (1 / distance));
  }
  double above_low[3], below_high[3], length[3];
  for (int i = 0; i < 3; ++i) {
    const double along = dot(box.axis[i], w);
    length[i] = wide_sqrt(square(box.axis[i]));
    above_low[i] = (along - box.low[i]) / length[i];
    below_high[i] = (box.high[i] - along) / length[i];
  }
  const Face face = nearest_face(above_low, below_high);
  const WideVec3 direction = box.axis[face.axis] * (face.side / length[face.axis]);
  return nearest_of(-face.depth, widened(p) + direction * face.depth, direction);
}

}  // namespace sightline
