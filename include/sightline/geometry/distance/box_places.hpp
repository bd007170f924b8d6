// The nearest points of a box and a point or a segment.
#pragma once

#include <sightline/geometry/distance/segment.hpp>
#include <sightline/geometry/overlap/wide_box.hpp>

namespace sightline {

/// A box's nearest point to an outside point, relative to the box's origin, and the vector from it.
struct BoxPlace {
  WideVec3 at, gap;
};

/// Clamping the coordinates to the slabs is exact for axes at right angles. The stored ones are off
/// by about 1e-7, so the point found is off along the box by as much of its distance; one gradient
/// step, clamped again, leaves the square of that (docs/project/proofs/overlap-distance-sweep.md).
SIGHTLINE_HD BoxPlace place_in(const WideBox& box, const WideVec3& w) {
  double y[3], beyond_y[3];
  WideVec3 gap = {0, 0, 0};
  for (int i = 0; i < 3; ++i) {
    const double along = dot(box.axis[i], w);
    beyond_y[i] = beyond(along, box.low[i], box.high[i]);
    y[i] = along < box.low[i] ? box.low[i] : along > box.high[i] ? box.high[i] : along;
    gap = gap + box.edge[i] * beyond_y[i];
  }
  BoxPlace place = {{0, 0, 0}, {0, 0, 0}};
  for (int i = 0; i < 3; ++i) {
    const double step = dot(box.edge[i], gap), least = box.low[i] - y[i], most = box.high[i] - y[i];
    const double cut = step < least ? least : step > most ? most : step;
    place.at = place.at + box.edge[i] * (y[i] + cut);
    place.gap = place.gap + box.edge[i] * (beyond_y[i] - cut);
  }
  return place;
}

/// The point of the segment 0 .. e nearest to the box; an end where the slope does not lead away
/// from it.
///
/// The squared distance is convex along the segment and piecewise quadratic, one parabola for each
/// set of slabs that the point is outside of. The sign of its slope at the slabs' planes finds the
/// one with the minimum, which is computed as a quotient, exact for integers.
/// Source: derived in docs/project/proofs/overlap-distance-sweep.md.
SIGHTLINE_HD SegmentPlace place_near(const WideBox& box, const WideVec3& e) {
  double begin[3], speed[3];
  for (int i = 0; i < 3; ++i) begin[i] = dot(box.axis[i], -box.origin);
  for (int i = 0; i < 3; ++i) speed[i] = dot(box.axis[i], e);
  // The slope of half the squared distance, from the nearest points themselves: the sums below
  // would jump at the slabs' planes, since axes are not quite at right angles, and a segment along
  // an edge would get the wrong end of it.
  const auto slope_at = [&](double t) { return dot(place_in(box, e * t - box.origin).gap, e); };
  double low = 0, high = 1;
  if (!(slope_at(low) < 0)) return {0, {square(place_in(box, -box.origin).gap), 1}};
  if (!(slope_at(high) > 0)) return {1, {square(place_in(box, e - box.origin).gap), 1}};
  for (int k = 0; k < 6; ++k) {
    const int i = k / 2;
    const double t = ((k % 2 == 0 ? box.low[i] : box.high[i]) - begin[i]) / speed[i];
    if (!(low < t && t < high)) continue;
    (slope_at(t) < 0 ? low : high) = t;
  }
  const double middle = 0.5 * (low + high);
  WideVec3 gap = {0, 0, 0}, along = {0, 0, 0};  // at t = 0, over the axes outside at the minimum
  int outside = 0;
  for (int i = 0; i < 3; ++i) {
    const double y = begin[i] + middle * speed[i];
    if (box.low[i] <= y && y <= box.high[i]) continue;
    gap = gap + box.edge[i] * (begin[i] - (y < box.low[i] ? box.low[i] : box.high[i]));
    along = along + box.edge[i] * speed[i];
    ++outside;
  }
  const double aa = square(along), least = -dot(gap, along) / aa;
  const double t = least < low ? low : least > high ? high : aa > 0 ? least : middle;
  // Along a face or an edge `along` is 0 or only rounding, and all points there are equally near.
  const bool in_bracket = low - 0x1p-48 <= least && least <= high + 0x1p-48;
  if (!in_bracket) return {t, {square(gap + along * t), 1}};
  if (outside == 1) return {t, {0, 1}};  // it enters the box
  return {t, {square(cross(gap, along)), aa}};
}

}  // namespace sightline
