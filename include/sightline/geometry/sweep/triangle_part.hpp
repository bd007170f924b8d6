// A thick triangle: the part of a grown triangle over its face.
#pragma once

#include <sightline/geometry/distance/triangle_places.hpp>
#include <sightline/geometry/sweep/local_line.hpp>

namespace sightline {

/// A triangle's face, relative to a line.
struct WideTriangleFace {
  WideVec3 edge[3];  ///< from corner k to the next
  WideVec3 n;
  double nn, speed;  ///< |n|^2, n . direction
  double reach;      ///< radius * |n|
  bool is_edge;      ///< it has no area, or the line is parallel to it (2^-45): its edges suffice
};

SIGHTLINE_HD WideTriangleFace wide_face(const LocalLine& line, const WideTriangle& t,
                                        double radius) {
  const double speed = dot(t.n, line.direction);
  const bool along = !(speed * speed > 0x1p-90 * t.nn * line.dd);
  return {{t.edge[0], t.edge[1], t.edge[2]}, t.n, t.nn, speed, radius * wide_sqrt(t.nn), along};
}

/// The triangle that is moved by `offset` from the corner a, and the points within a radius
/// straight above and below it. Its rim belongs to the edges, which are parts of their own. Each
/// edge is taken from its own corner, so that a needle's short edge is not lost in its long ones.
struct TrianglePart {
  LocalLine line;
  WideVec3 offset;
  WideTriangleFace face;

  SIGHTLINE_HD WideVec3 corner(int k) const {
    return k == 0 ? offset : k == 1 ? offset + face.edge[0] : offset - face.edge[2];
  }
  /// Whether the line's point at t is above or below the triangle.
  SIGHTLINE_HD bool is_above(double t) const {
    const WideVec3 x = line.at(t);
    bool above = true;
    for (int k = 0; k < 3; ++k) {
      above = above && 0 <= dot(cross(face.edge[k], x - corner(k)), face.n);
    }
    return above;
  }

  /// A hit if the line crosses the triangle, by moments, without division. Ends count where they
  /// are above or below it.
  SIGHTLINE_HD WideInterval interval() const {
    WideInterval r;
    if (face.is_edge) return r;
    r.hit = true;
    for (int k = 0; k < 3; ++k) {
      const double side = dot(face.edge[k], cross(line.origin - corner(k), line.direction));
      r.hit = r.hit && 0 <= (face.speed < 0 ? -side : side);
    }
    const double height = dot(line.origin - offset, face.n);
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
