// A thick parallelogram: the part of a grown shape over a face.
#pragma once

#include <sightline/geometry/sweep/local_line.hpp>

namespace sightline {

/// The two directions of a face, relative to a line.
struct WideFace {
  WideVec3 u, v;     ///< the sides
  WideVec3 n;        ///< u x v
  double nn, speed;  ///< |n|^2, n . direction
  double reach;      ///< radius * |n|
  bool is_edge;  ///< its sides are parallel (to 2^-50), or the line is parallel to it (2^-45): its
                 ///< edges suffice
};

/// Uses sharp_cross(), since nearly parallel sides cancel. For a line nearly in the face's plane
/// rounding would decide where it crosses that.
SIGHTLINE_HD WideFace wide_face(const LocalLine& line, const WideVec3& u, const WideVec3& v,
                                double radius) {
  const WideVec3 n = sharp_cross(u, v);
  const double nn = square(n), speed = dot(n, line.direction);
  const bool thin = !(nn > 0x1p-100 * square(u) * square(v));
  const bool along = !(speed * speed > 0x1p-90 * nn * line.dd);
  return {u, v, n, nn, speed, radius * wide_sqrt(nn), thin || along};
}

/// The points corner + a u + b v, a and b in 0 .. 1, and those within a radius straight above and
/// below. Its rim belongs to the edges, which are parts of their own.
struct FacePart {
  LocalLine line;
  WideVec3 corner;
  WideFace face;

  /// Whether the line's point at t is above or below the parallelogram.
  SIGHTLINE_HD bool is_above(double t) const {
    const WideVec3 x = line.at(t) - corner;
    const double a = dot(cross(x, face.v), face.n), b = dot(cross(face.u, x), face.n);
    return 0 <= a && a <= face.nn && 0 <= b && b <= face.nn;
  }

  /// A hit if the line crosses the parallelogram, by moments, without division. Ends count where
  /// they are above or below it.
  SIGHTLINE_HD WideInterval interval() const {
    WideInterval r;
    if (face.is_edge) return r;
    const WideVec3 w = line.origin - corner, m = cross(w, line.direction);
    const double most = face.speed < 0 ? -face.speed : face.speed;
    const double a = face.speed < 0 ? dot(m, face.v) : -dot(m, face.v);
    const double b = face.speed < 0 ? -dot(m, face.u) : dot(m, face.u);
    r.hit = 0 <= a && a <= most && 0 <= b && b <= most;
    const double height = dot(w, face.n);
    const double below = (-height - face.reach) / face.speed;
    const double above = (-height + face.reach) / face.speed;
    if (r.hit) r.t_in = r.t_out = -height / face.speed;
    const double first = face.speed < 0 ? above : below, last = face.speed < 0 ? below : above;
    if (is_above(first)) r.t_in = first;
    if (is_above(last)) r.t_out = last;
    return r;
  }

  SIGHTLINE_HD WideVec3 way_out(double, bool at_exit) const {
    return (face.speed < 0) == at_exit ? -face.n : face.n;
  }
};

}  // namespace sightline
