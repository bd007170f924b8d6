// When something that moves touches a shape, by distances alone: how far the two are apart at a
// time. That is convex in the time, so a time before which they part and after which they meet is
// where they meet; nothing is said of faces, edges or discriminants.
#pragma once

#include "tests/oracle/nearest_truth.hpp"

namespace sightline::oracle {

/// A segment, or a point where a == b, grown by a radius, that moves by t * direction.
template <class Real>
struct Moving {
  SegmentIn<Real> core;
  Real radius;
  Wide<Real> direction;
  SegmentIn<Real> core_at(Real t) const { return {core.a + direction * t, core.b + direction * t}; }
};

/// The distance of a segment from the inside of a shape without its radius, which is 0 in it.
template <class Real>
Real distance_of_cores(const SegmentIn<Real>& p, const Sphere& s) {
  return nearest_truth(p, Wide<Real>(s.center)).distance;
}
template <class Real>
Real distance_of_cores(const SegmentIn<Real>& p, const Capsule& s) {
  return approach_truth(p, SegmentIn<Real>{Wide<Real>(s.a), Wide<Real>(s.b)}).distance;
}
template <class Real>
Real distance_of_cores(const SegmentIn<Real>& p, const Triangle& s) {
  return length_of(p.b - p.a) > 0 ? clearance_truth(p, s) : nearest_truth(s, p.a).distance;
}
template <class Real, class Box>
Real distance_of_cores(const SegmentIn<Real>& p, const Box& s) {
  return length_of(p.b - p.a) > 0 ? clearance_truth(p, s)
                                  : nearest_in(box_in<Real>(s), p.a).distance;
}
template <class Real>
Real distance_of_cores(const SegmentIn<Real>& p, const Plane& s) {
  return std::min(nearest_truth(s, p.a).distance, nearest_truth(s, p.b).distance);
}

inline float radius_of(const Sphere& s) { return s.radius; }
inline float radius_of(const Capsule& s) { return s.radius; }
template <class Shape>
float radius_of(const Shape&) {
  return 0;
}

/// How far apart the two are at time t; negative where they overlap.
template <class Real, class Shape>
Real gap_at(const Moving<Real>& m, const Shape& s, Real t) {
  return distance_of_cores(m.core_at(t), s) - (m.radius + Real(radius_of(s)));
}

/// The least gap between two times, and when: by golden section.
template <class Real>
struct LeastGap {
  Real gap, t;
};
template <class Real, class Shape>
LeastGap<Real> least_gap(const Moving<Real>& m, const Shape& s, Real from, Real to, int steps) {
  const Real part = (std::sqrt(5.0L) - 1) / 2;
  Real x = to - (to - from) * part, y = from + (to - from) * part;
  Real at_x = gap_at(m, s, x), at_y = gap_at(m, s, y);
  for (int i = 0; i < steps; ++i) {
    if (at_x < at_y) {
      to = y, y = x, at_y = at_x;
      x = to - (to - from) * part, at_x = gap_at(m, s, x);
    } else {
      from = x, x = y, at_x = at_y;
      y = from + (to - from) * part, at_y = gap_at(m, s, y);
    }
  }
  return at_x < at_y ? LeastGap<Real>{at_x, x} : LeastGap<Real>{at_y, y};
}

}  // namespace sightline::oracle
