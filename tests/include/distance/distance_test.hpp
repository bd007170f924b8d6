// What the tests of closest points share: where shapes and points are drawn, and how far a rounded
// answer may be from the truth.
#pragma once

#include <sightline/geometry/distance/segment_shape.hpp>

#include "tests/oracle/nearest_truth.hpp"
#include "tests/support/adversarial_pairs.hpp"
#include "tests/support/scale.hpp"

#include <algorithm>
#include <cmath>

namespace sightline::testing {

using oracle::Quad;
using oracle::QuadVec;

/// Where a shape lies, and how large it is.
struct Place {
  Vec3 center;
  float size;
};

/// A fifth each: near by; 1e6 away; at the ends of the domain; smaller than any normal float; and
/// of all sizes between.
inline Place random_place(Random& r) {
  switch (r.below(5)) {
    case 0:
      return {r.vec(-2, 2), r.uniform(0.5f, 2)};
    case 1:
      return {times(r.vec(-1, 1), 1e6f), r.power_of_two(-8, 3)};
    case 2:
      return {times(r.vec(-1, 1), 0x1p38f), r.power_of_two(20, 37)};
    case 3:
      return {times(r.vec(-1, 1), 0x1p-130f), r.power_of_two(-140, -128)};
    default:
      return {times(r.vec(-1, 1), r.power_of_two(-20, 20)), r.power_of_two(-20, 20)};
  }
}

/// Stretches a shape out of proportion, now and then.
inline void stretch(Random& r, Aabb& s) { s.max.y += (s.max.y - s.min.y) * r.power_of_two(0, 10); }
inline void stretch(Random& r, ObbFrame& s) { s.half_extents.y *= r.power_of_two(-20, 10); }
inline void stretch(Random& r, Sphere& s) { s.radius *= r.power_of_two(-20, 10); }
inline void stretch(Random& r, Capsule& s) { s.radius *= r.power_of_two(-20, 10); }
inline void stretch(Random& r, Triangle& s) {
  s.c = plus(s.a, times(minus(s.b, s.a), r.uniform(-1, 2)));  // a needle along an edge
  s.c.x += max_abs(minus(s.b, s.a)) * r.power_of_two(-30, -5);
}
inline void stretch(Random& r, Plane& s) {
  s.normal = times(s.normal, r.uniform(0.9999f, 1.0001f));
}

template <class Shape>
Shape shape_at(Random& r, const Place& at) {
  Shape s = random_shape<Shape>(r, at.center, at.size);
  if (r.one_in(3)) stretch(r, s);
  return s;
}

/// Inside, about, or up to 1e4 sizes away; a third share a coordinate with the centre.
inline Vec3 point_about(Random& r, const Place& at) {
  const float away = r.one_in(4) ? r.power_of_two(0, 13) : r.one_in(2) ? 0.5f : 1.5f;
  Vec3 v = times(r.vec(-1, 1), at.size * away);
  if (r.one_in(3)) (r.one_in(2) ? v.x : v.z) = 0;
  if (r.one_in(64)) v = {0, 0, 0};
  return plus(at.center, v);
}

inline Quad largest(const Vec3& v) { return Quad(max_abs(v)); }
inline Quad extent_of(const Aabb& s) { return std::max(largest(s.min), largest(s.max)); }
inline Quad extent_of(const ObbFrame& s) {
  return std::max(largest(s.center), largest(s.half_extents));
}
inline Quad extent_of(const Sphere& s) { return std::max(largest(s.center), Quad(s.radius)); }
inline Quad extent_of(const Capsule& s) {
  return std::max({largest(s.a), largest(s.b), Quad(s.radius)});
}
inline Quad extent_of(const Triangle& s) {
  return std::max({largest(s.a), largest(s.b), largest(s.c)});
}
inline Quad extent_of(const Plane& s) { return oracle::magnitude(Quad(s.offset)); }

/// Half a float's step at x.
inline Quad half_ulp(Quad x) {
  const float f = std::fabs(static_cast<float>(x));
  return (Quad(next_up(f)) - Quad(f)) / 2;
}

/// What rounding a point's coordinates may move it.
inline Quad rounding_of(const Vec3& v) {
  return oracle::length_of(QuadVec(half_ulp(v.x), half_ulp(v.y), half_ulp(v.z)));
}
/// How far a published point is from a segment, beyond its rounding.
inline Quad off_segment(const oracle::QuadSegment& s, const Vec3& p) {
  return oracle::nearest_truth(s, QuadVec(p)).distance - rounding_of(p);
}

/// The largest of many errors: beyond what the last rounding may add, in parts of the largest
/// number; and all of it, in floats' steps.
struct WorstError {
  double beyond_rounding = 0, ulp = 0;
  std::uint64_t cases = 0;
  void add(float got, Quad truth, Quad largest_number) {
    const Quad error = oracle::magnitude(Quad(got) - truth), half = half_ulp(truth);
    // Rounding may go up to the next power of two, where a step is twice as long.
    const Quad rest = error - half * 1.0000001;
    if (rest > 0 && largest_number > 0) {
      beyond_rounding = std::max(beyond_rounding, static_cast<double>(rest / largest_number));
    }
    ulp = std::max(ulp, static_cast<double>(error / half / 2));
    ++cases;
  }
  void add(const Vec3& got, const QuadVec& truth, Quad largest_number) {
    add(got.x, truth.x, largest_number);
    add(got.y, truth.y, largest_number);
    add(got.z, truth.z, largest_number);
  }
};

inline bool same_bits(const Vec3& a, const Vec3& b) {
  return bits_of(a.x) == bits_of(b.x) && bits_of(a.y) == bits_of(b.y) &&
         bits_of(a.z) == bits_of(b.z);
}
inline bool has_negative_zero(const Vec3& v) {
  return bits_of(v.x) == 0x80000000u || bits_of(v.y) == 0x80000000u || bits_of(v.z) == 0x80000000u;
}
inline double length(const Vec3& v) {
  return std::sqrt(double{v.x} * v.x + double{v.y} * v.y + double{v.z} * v.z);
}

}  // namespace sightline::testing
