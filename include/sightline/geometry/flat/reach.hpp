// Points and segments within a distance of a segment, without division, so that integers are exact.
#pragma once

#include <sightline/flat_shapes.hpp>
#include <sightline/geometry/flat/wide_vec2.hpp>

namespace sightline {

/// Whether a point is within `reach` of a segment with vector e; a and b are the vectors from its
/// ends to the point. The ends are tested first, so that no rounding along the segment excludes
/// them.
SIGHTLINE_HD bool within_reach(const WideVec2& e, const WideVec2& a, const WideVec2& b,
                               double reach) {
  if (square(a) <= reach * reach || square(b) <= reach * reach) return true;
  const double along = dot(a, e), ee = square(e), across = cross(a, e);
  if (along <= 0 || along >= ee) return false;
  return across * across <= reach * reach * ee;
}

SIGHTLINE_HD bool opposite_signs(double a, double b) {
  return (a < 0 && b > 0) || (a > 0 && b < 0);
}

/// Whether two segments are within `reach` of each other: at an end of one of them, or by crossing.
SIGHTLINE_HD bool within_reach(const Segment2& s, const Segment2& other, double reach) {
  const WideVec2 d = wide_diff(s.b, s.a), e = wide_diff(other.b, other.a);
  const WideVec2 aa = wide_diff(other.a, s.a), ab = wide_diff(other.b, s.a);
  const WideVec2 ba = wide_diff(other.a, s.b), bb = wide_diff(other.b, s.b);
  if (within_reach(d, aa, ba, reach) || within_reach(d, ab, bb, reach)) return true;
  if (within_reach(e, -aa, -ab, reach) || within_reach(e, -ba, -bb, reach)) return true;
  return opposite_signs(cross(d, aa), cross(d, ab)) && opposite_signs(cross(e, aa), cross(e, ba));
}

}  // namespace sightline
