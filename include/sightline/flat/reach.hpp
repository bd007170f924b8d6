// Points and segments at most so far from a segment, without a division, so that integers answer
// exactly.
#pragma once

#include <sightline/flat/shapes.hpp>

namespace sightline {

/// Whether a point is at most `reach` away from a segment e long, from whose ends it is a and b
/// away. The ends come first, so that no rounding along the segment speaks against an end.
SIGHTLINE_HD bool within_reach(const WideVec2& e, const WideVec2& a, const WideVec2& b,
                               double reach) {
  if (square(a) <= reach * reach || square(b) <= reach * reach) return true;
  const double along = dot(a, e), ee = square(e), across = cross(a, e);
  if (along <= 0 || along >= ee) return false;
  return across * across <= reach * reach * ee;
}

SIGHTLINE_HD bool of_unlike_signs(double a, double b) {
  return (a < 0 && b > 0) || (a > 0 && b < 0);
}

/// Whether two segments are at most `reach` apart: at an end of one of them, or because they cross.
SIGHTLINE_HD bool within_reach(const Segment2& s, const Segment2& other, double reach) {
  const WideVec2 d = wide_diff(s.b, s.a), e = wide_diff(other.b, other.a);
  const WideVec2 aa = wide_diff(other.a, s.a), ab = wide_diff(other.b, s.a);
  const WideVec2 ba = wide_diff(other.a, s.b), bb = wide_diff(other.b, s.b);
  if (within_reach(d, aa, ba, reach) || within_reach(d, ab, bb, reach)) return true;
  if (within_reach(e, -aa, -ab, reach) || within_reach(e, -ba, -bb, reach)) return true;
  return of_unlike_signs(cross(d, aa), cross(d, ab)) && of_unlike_signs(cross(e, aa), cross(e, ba));
}

}  // namespace sightline
