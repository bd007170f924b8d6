// Spheres and capsules against boxes, by the exact distance of a point or segment to the box.
// Touching overlaps.
#pragma once

#include <sightline/geometry/overlap/finite.hpp>
#include <sightline/geometry/overlap/round_round.hpp>
#include <sightline/geometry/overlap/wide_box.hpp>

namespace sightline {

/// A segment begin + t * speed, 0 <= t <= 1, in a box's own coordinates.
struct BoxSegment {
  double begin[3], speed[3];
};

/// A part of a segment between two of the six planes of a box's slabs: plane 2 * i is the lower one
/// of axis i, 2 * i + 1 the upper one, and -1 the segment's end.
struct SegmentPart {
  double low = 0, high = 1;
  int low_plane = -1, high_plane = -1;
};

/// The part with the point nearest to the box, or one next to it where rounding hides which. Empty
/// (low >= high) where an end of the segment is nearest.
///
/// The squared distance is convex along the segment and piecewise quadratic, one parabola for each
/// set of slabs that the point is outside of; the sign of its slope at the planes finds the
/// minimum. A plane's own slab is left out there: its gap is 0 except for rounding.
SIGHTLINE_HD SegmentPart nearest_part(const WideBox& box, const BoxSegment& s) {
  const auto slope_at = [&](double t, int own) {
    WideVec3 gap = {0, 0, 0}, speed = {0, 0, 0};
    for (int i = 0; i < 3; ++i) {
      const double g = beyond(s.begin[i] + t * s.speed[i], box.low[i], box.high[i]);
      if (i == own || g == 0) continue;
      gap = gap + box.edge[i] * g;
      speed = speed + box.edge[i] * s.speed[i];
    }
    return dot(gap, speed);
  };
  SegmentPart part;
  if (!(slope_at(0, -1) < 0 && slope_at(1, -1) > 0)) return {0, 0, -1, -1};
  for (int k = 0; k < 6; ++k) {
    const int i = k / 2;
    const double t = ((k % 2 == 0 ? box.low[i] : box.high[i]) - s.begin[i]) / s.speed[i];
    if (!(part.low < t && t < part.high)) continue;
    const bool falls = slope_at(t, i) < 0;
    (falls ? part.low : part.high) = t;
    (falls ? part.low_plane : part.high_plane) = k;
  }
  return part;
}

/// Which slabs a point is below (-1), in (0), above (+1).
struct BoxSides {
  int side[3];
};

/// Whether the segment p .. q comes within `reach` of the corner (three sides) or the edge (two) of
/// the box. These are points of the box, so that true is never wrong.
SIGHTLINE_HD bool within_reach(const WideBox& box, const BoxSides& s, const WideVec3& p,
                               const WideVec3& q, double reach) {
  WideVec3 from = box.origin, to = box.origin;
  for (int i = 0; i < 3; ++i) {
    from = from + box.edge[i] * (s.side[i] > 0 ? box.high[i] : box.low[i]);
    to = to + box.edge[i] * (s.side[i] < 0 ? box.low[i] : box.high[i]);
  }
  return within_reach(p, q, from, to, reach);
}

/// Whether the segment p .. q comes within `reach` of the box: at an end, inside, or at the corner
/// or edge nearest to it.
/// Source: derived in docs/project/proofs/overlap-distance-sweep.md.
SIGHTLINE_HD bool within_reach(const WideBox& box, const WideVec3& p, const WideVec3& q,
                               double reach) {
  if (square(beyond(box, p)) <= reach * reach) return true;
  if (square(beyond(box, q)) <= reach * reach) return true;
  BoxSegment s;
  for (int i = 0; i < 3; ++i) {
    s.begin[i] = dot(box.axis[i], p - box.origin);
    s.speed[i] = dot(box.axis[i], q - p);
  }
  const SegmentPart part = nearest_part(box, s);
  if (!(part.low < part.high)) return false;
  const double t = 0.5 * (part.low + part.high);
  BoxSides at;
  int outside = 0;
  for (int i = 0; i < 3; ++i) {
    const double g = beyond(s.begin[i] + t * s.speed[i], box.low[i], box.high[i]);
    at.side[i] = g < 0 ? -1 : g > 0 ? +1 : 0;
    outside += g != 0;
  }
  if (outside >= 2) return within_reach(box, at, p, q, reach);
  if (outside == 0) return true;
  // Beside one face: it enters the box through that face's plane, or runs along the face and is
  // nearest where it passes the face's edges.
  const auto passes = [&](int plane) {
    if (plane < 0) return false;
    if (at.side[plane / 2] != 0) return true;
    BoxSides edge = at;
    edge.side[plane / 2] = plane % 2 == 0 ? -1 : +1;
    return within_reach(box, edge, p, q, reach);
  };
  return passes(part.low_plane) || passes(part.high_plane);
}

SIGHTLINE_HD bool overlaps(const Sphere& a, const Aabb& b) {
  if (!is_finite(a) || !is_finite(b)) return false;
  const double reach = a.radius;
  return square(beyond(wide_box(b, a.center), {0, 0, 0})) <= reach * reach;
}
SIGHTLINE_HD bool overlaps(const Sphere& a, const ObbFrame& b) {
  if (!is_finite(a) || !is_finite(b)) return false;
  const double reach = a.radius;
  return square(beyond(wide_box(b, a.center), {0, 0, 0})) <= reach * reach;
}

SIGHTLINE_HD bool overlaps(const Capsule& a, const Aabb& b) {
  return is_finite(a) && is_finite(b) &&
         within_reach(wide_box(b, a.a), WideVec3{0, 0, 0}, wide_diff(a.b, a.a), a.radius);
}
SIGHTLINE_HD bool overlaps(const Capsule& a, const ObbFrame& b) {
  return is_finite(a) && is_finite(b) &&
         within_reach(wide_box(b, a.a), WideVec3{0, 0, 0}, wide_diff(a.b, a.a), a.radius);
}

}  // namespace sightline
