// A ray's line in doubles, relative to the shape that a sweep may meet, and its intervals in parts
// of the grown shape.
//
// A ball or a capsule that moves along a ray meets a shape where the ray's line meets the shape
// grown by the moving one (the Minkowski sum with its mirror image). That set is convex and divided
// into parts: each lies in it, and together they hold its surface. So it is entered where the first
// part is and left where the last part is, and the choice of part at a seam does not matter.
#pragma once

#include <sightline/geometry/exact/wide_vec.hpp>
#include <sightline/geometry/intersect/line.hpp>

namespace sightline {

/// The points of a part on a line are t_in <= t <= t_out, relative to the line's origin. A part
/// that the line misses may still give ends that lie in the whole; otherwise they are infinite.
struct WideInterval {
  bool hit = false;
  double t_in = infinity, t_out = -infinity;
};

/// The interval of two parts.
SIGHTLINE_HD WideInterval unite(const WideInterval& a, const WideInterval& b) {
  return {a.hit || b.hit, b.t_in < a.t_in ? b.t_in : a.t_in, b.t_out > a.t_out ? b.t_out : a.t_out};
}

/// origin + t * direction, the origin relative to a point of a shape and moved to where the line is
/// nearest to it, so that the ray's distance does not matter. t of the ray's line is t + moved.
struct LocalLine {
  WideVec3 origin, direction;
  double dd;  ///< |direction|^2
  double moved;

  SIGHTLINE_HD WideVec3 at(double t) const { return origin + direction * t; }
};

/// The move is rounded to multiples of at most 2^-20 of the distance: its product with the
/// direction is exact and, on a lattice, so is all that follows. The line is not a point.
SIGHTLINE_HD LocalLine local_line(const Line& line, const Vec3& from) {
  const WideVec3 w = wide_diff(line.origin, from), d = widened(line.direction);
  const double dd = square(d);
  const double coarse = 0x1p32 * wide_sqrt(square(w));
  const double moved = (coarse - dot(w, d) / dd) - coarse;
  return {w + d * moved, d, dd, moved};
}

}  // namespace sightline
