// What the tests of sweeps share: things that move, drawn at random, and how large all is.
#pragma once

#include <sightline/geometry/sweep/sweep.hpp>

#include "tests/oracle/sweep_truth.hpp"
#include "tests/support/adversarial_pairs.hpp"
#include "tests/support/scale.hpp"

namespace sightline::testing {

using oracle::Moving;
using Long = long double;
using LongVec = oracle::Wide<Long>;

inline LongVec long_vec(const Vec3& v) { return LongVec(v); }

/// What moves, for the oracle.
inline Moving<Long> moving(const MovingSphere& m, const Vec3& origin, const Vec3& direction) {
  return {{long_vec(origin), long_vec(origin)}, m.radius, long_vec(direction)};
}
inline Moving<Long> moving(const Capsule& m, const Vec3&, const Vec3& direction) {
  return {{long_vec(m.a), long_vec(m.b)}, m.radius, long_vec(direction)};
}

/// A ball or capsule at the origin of a ray, from a thousandth to ten times as large as `size`.
template <class Mover>
Mover random_mover(Random& r, const Vec3& origin, float size);
template <>
inline MovingSphere random_mover(Random& r, const Vec3&, float size) {
  return {size * r.uniform(0.5f, 1) * r.power_of_two(-10, 3)};
}
template <>
inline Capsule random_mover(Random& r, const Vec3& origin, float size) {
  Vec3 e = times(r.vec(-1, 1), size * r.power_of_two(-5, 3));
  if (r.one_in(4)) (r.one_in(2) ? e.x : e.y) = 0;
  if (r.one_in(8)) e = {0, 0, e.z};
  return {origin, plus(origin, e), random_mover<MovingSphere>(r, origin, size).radius};
}

/// Calls f(tag) for every kind of shape.
template <class F>
void for_each_swept_kind(F&& f) {
  ShapeKinds::for_each([&]<class S>(ShapeTag<S> shape) {
    if constexpr (!RaysAlone<S>) f(shape);
  });
}
/// Calls f(mover's tag, shape's tag) for both things that move and each of these kinds.
template <class F>
void for_each_mover_and_kind(F&& f) {
  for_each_swept_kind([&]<class S>(ShapeTag<S> shape) {
    f(ShapeTag<MovingSphere>(), shape);
    f(ShapeTag<Capsule>(), shape);
  });
}

inline Long length_of(const MovingSphere&) { return 0; }
inline Long length_of(const Capsule& m) { return oracle::length_of(long_vec(m.b) - long_vec(m.a)); }
inline Long size_of(const Aabb& s) { return oracle::length_of(long_vec(s.max) - long_vec(s.min)); }
inline Long size_of(const ObbFrame& s) { return 2 * oracle::length_of(long_vec(s.half_extents)); }
inline Long size_of(const Sphere& s) { return s.radius; }
inline Long size_of(const Capsule& s) { return s.radius + length_of(s); }
inline Long size_of(const Triangle& s) {
  const LongVec u = long_vec(s.b) - long_vec(s.a), v = long_vec(s.c) - long_vec(s.a);
  return oracle::length_of(u) + oracle::length_of(v);
}
inline Long size_of(const Plane&) { return 0; }

inline std::string text(const MovingSphere& m) {
  std::ostringstream s;
  s << std::hexfloat << "radius " << m.radius;
  return s.str();
}
inline std::string text(const Capsule& m) {
  std::ostringstream s;
  s << std::hexfloat << text(m.a) << " .. " << text(m.b) << " radius " << m.radius;
  return s.str();
}

}  // namespace sightline::testing
