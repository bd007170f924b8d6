// A ray's line in doubles, near the shape that something moving along it may meet; and what it sees
// of one part of the set of its points at which the two touch.
//
// A ball or a capsule that moves along a ray meets a shape where the ray's line meets the shape
// grown by what moves (the Minkowski sum with its mirror image). That set is round, and is cut into
// parts: each lies in it, and together they hold its surface. So it is met where a part is, first
// where the first part is and last where the last one is, and nothing depends on which part is
// chosen where two take over from each other.
#pragma once

#include <sightline/detail/wide_vec.hpp>
#include <sightline/intersect/line.hpp>

namespace sightline {

/// The points of a part on a line are t_in <= t <= t_out, counted from the line's origin. A part
/// that the line misses may still know ends that lie in the whole; without them none is infinite.
struct WideInterval {
  bool hit = false;
  double t_in = infinity, t_out = -infinity;
};

/// The interval of two parts.
SIGHTLINE_HD WideInterval unite(const WideInterval& a, const WideInterval& b) {
  return {a.hit || b.hit, b.t_in < a.t_in ? b.t_in : a.t_in, b.t_out > a.t_out ? b.t_out : a.t_out};
}

/// origin + t * direction, the origin counted from a point of a shape and moved to where the line
/// is nearest to it: how far the ray began matters no more. t of the ray's line is t + moved.
struct LocalLine {
  WideVec3 origin, direction;
  double dd;  ///< |direction|^2
  double moved;

  SIGHTLINE_HD WideVec3 at(double t) const { return origin + direction * t; }
};

/// The move is a multiple of 2^-20 of the distance or less: its product with the direction is exact
/// and, on a lattice, so is all that follows. The line is not a point.
SIGHTLINE_HD LocalLine local_line(const Line& line, const Vec3& from) {
  const WideVec3 w = wide_diff(line.origin, from), d = widened(line.direction);
  const double dd = square(d);
  const double coarse = 0x1p32 * wide_sqrt(square(w));
  const double moved = (coarse - dot(w, d) / dd) - coarse;
  return {w + d * moved, d, dd, moved};
}

}  // namespace sightline
