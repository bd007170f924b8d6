// Points and segments at most so far from a segment, without a division, so that integers answer
// exactly.
#pragma once

#include <sightline/flat/shapes.hpp>

namespace sightline {

/// Whether the point w is at most `reach` away from the segment 0 .. e.
SIGHTLINE_HD bool within_reach(const WideVec2& e, const WideVec2& w, double reach) {
  const double along = dot(w, e), ee = square(e);
  if (along <= 0) return square(w) <= reach * reach;
  if (along >= ee) return square(w - e) <= reach * reach;
  const double across = cross(w, e);
  return across * across <= reach * reach * ee;
}

SIGHTLINE_HD bool of_unlike_signs(double a, double b) {
  return (a < 0 && b > 0) || (a > 0 && b < 0);
}

/// Whether two segments are at most `reach` apart: at an end of one of them, or because they cross.
SIGHTLINE_HD bool within_reach(const Segment2& s, const Segment2& other, double reach) {
  const WideVec2 d = wide_diff(s.b, s.a), e = wide_diff(other.b, other.a);
  const WideVec2 a = wide_diff(other.a, s.a), b = wide_diff(other.b, s.a);  // from s.a
  const WideVec2 s_b = wide_diff(s.b, other.a);                             // from other.a
  if (within_reach(d, a, reach) || within_reach(d, b, reach)) return true;
  if (within_reach(e, -a, reach) || within_reach(e, s_b, reach)) return true;
  return of_unlike_signs(cross(d, a), cross(d, b)) && of_unlike_signs(cross(e, -a), cross(e, s_b));
}

}  // namespace sightline
