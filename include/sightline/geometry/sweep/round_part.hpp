// Points within a radius of a segment or a point: the part of a grown shape around its edges.
#pragma once

#include <sightline/geometry/distance/segment.hpp>
#include <sightline/geometry/sweep/local_line.hpp>

namespace sightline {

/// What depends only on the line and a segment's direction.
struct WideAxis {
  WideVec3 e;  ///< the segment
  double ee;
  WideVec3 g;  ///< e x direction
  double gg;
  bool parallel;  ///< the line runs along the axis (to 2^-50), or e is 0
};

/// Uses sharp_cross(), since the product cancels for lines nearly along the axis.
SIGHTLINE_HD WideAxis wide_axis(const LocalLine& line, const WideVec3& e) {
  const WideVec3 g = sharp_cross(e, line.direction);
  const double ee = square(e), gg = square(g);
  return {e, ee, g, gg, !(gg > 0x1p-100 * ee * line.dd)};
}

/// The segment begin .. begin + axis.e, grown by a radius. The formulas are those of two-floats in
/// geometry/intersect/ray_capsule.hpp.
struct RoundPart {
  LocalLine line;
  WideVec3 begin;
  WideAxis axis;
  double radius;

  /// Not negative where the line meets the ball around a point, w from it.
  SIGHTLINE_HD double ball(const WideVec3& w) const {
    return radius * radius * line.dd - square(cross(w, line.direction));
  }
  SIGHTLINE_HD double ball_crossing(const WideVec3& w, double towards) const {
    const double d = ball(w), root = d > 0 ? wide_sqrt(d) : 0;
    return (root * towards - dot(w, line.direction)) / line.dd;
  }

  /// Where the line, which hits, enters (towards = -1) or leaves (+1): on the cylinder if that
  /// crossing is between the ends, else on the ball at the end that it is beyond.
  SIGHTLINE_HD double crossing(double towards) const {
    const WideVec3 w = line.origin - begin, w_end = w - axis.e;
    const double along = dot(axis.e, line.direction);
    bool at_begin = along * towards <= 0;
    if (!axis.parallel) {
      const double distance = dot(w, axis.g);
      const double cylinder = radius * radius * axis.gg - distance * distance;
      const double root = cylinder > 0 ? wide_sqrt(axis.ee * cylinder) : 0;
      const double t = (dot(axis.g, cross(w, axis.e)) + root * towards) / axis.gg;
      const double height = dot(w, axis.e) + t * along;
      if (0 < height && height < axis.ee) return t;
      at_begin = height <= 0;
    }
    return ball_crossing(at_begin ? w : w_end, towards);
  }

  SIGHTLINE_HD WideInterval interval() const {
    const WideVec3 w = line.origin - begin, w_end = w - axis.e;
    const double past_begin = dot(cross(w, line.direction), axis.g);
    const double past_end = dot(cross(w_end, line.direction), axis.g);
    WideInterval r;
    if (axis.parallel || past_begin <= 0) {
      r.hit = ball(w) >= 0;
    } else if (past_end >= 0) {
      r.hit = ball(w_end) >= 0;
    } else {
      const double distance = dot(w, axis.g);
      r.hit = distance * distance <= radius * radius * axis.gg;
    }
    if (r.hit) r.t_in = crossing(-1), r.t_out = crossing(+1);
    return r;
  }

  /// The vector from the segment to the line's point at t; 0 without a radius.
  SIGHTLINE_HD WideVec3 way_out(double t, bool) const {
    if (radius == 0) return {0, 0, 0};
    const WideVec3 w = line.at(t) - begin, w_end = w - axis.e;
    const double along = dot(w, axis.e);
    if (along <= 0) return w;
    if (along >= axis.ee) return w_end;
    return cross(axis.e, cross(w, axis.e));
  }
};

}  // namespace sightline
