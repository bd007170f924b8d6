// Things that move past shapes within a hair of touching them, along edges, faces and axes or
// nearly so, at aspects up to 1e4, from up to 1e5 sizes away, at all scales.
#include "tests/include/sweep/sweep_test.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <iostream>

namespace sightline::testing {
namespace {

LongVec unit_long(const LongVec& v) { return v * (1 / oracle::length_of(v)); }
Vec3 stored(const LongVec& v) {
  return {static_cast<float>(v.x), static_cast<float>(v.y), static_cast<float>(v.z)};
}
/// 10^lo to 10^hi.
Long decades(Random& r, float lo, float hi) { return std::pow(10.0L, Long(r.uniform(lo, hi))); }

/// The point of a core that is furthest along n.
LongVec furthest(const Sphere& s, const LongVec&) { return long_vec(s.center); }
LongVec furthest(const Capsule& s, const LongVec& n) {
  return dot(n, long_vec(s.b) - long_vec(s.a)) > 0 ? long_vec(s.b) : long_vec(s.a);
}
LongVec furthest(const Triangle& s, const LongVec& n) {
  LongVec best = long_vec(s.a);
  for (const Vec3& v : {s.b, s.c}) best = dot(n, long_vec(v) - best) > 0 ? long_vec(v) : best;
  return best;
}
template <class Box>
LongVec furthest(const Box& s, const LongVec& n) {
  const oracle::BoxIn<Long> box = oracle::box_in<Long>(s);
  LongVec p = box.origin;
  for (int i = 0; i < 3; ++i)
    p = p + box.edge[i] * (dot(n, box.edge[i]) > 0 ? box.high[i] : box.low[i]);
  return p;
}

/// A direction that the shape has: of an edge or an axis.
LongVec own_direction(Random&, const Sphere&) { return {0, 0, 0}; }
LongVec own_direction(Random&, const Capsule& s) { return long_vec(s.b) - long_vec(s.a); }
LongVec own_direction(Random& r, const Aabb&) {
  const int i = r.below(3);
  return {i == 0 ? 1.0L : 0, i == 1 ? 1.0L : 0, i == 2 ? 1.0L : 0};
}
/// Or any in the plane, or across it.
LongVec own_direction(Random& r, const Triangle& s) {
  const LongVec corner[4] = {long_vec(s.a), long_vec(s.b), long_vec(s.c), long_vec(s.a)};
  const int k = r.below(3);
  const LongVec u = corner[k + 1] - corner[k], v = corner[(k + 2) % 3] - corner[k];
  if (r.one_in(3)) return cross(u, v);
  return r.one_in(3) ? u + v * Long(r.uniform(-1, 1)) : u;
}
LongVec own_direction(Random& r, const ObbFrame& s) { return long_vec(s.axis[r.below(3)]); }

/// Along the shape's own direction, or nearly so, or any.
template <class Shape>
LongVec some_direction(Random& r, const Shape& s) {
  LongVec v = own_direction(r, s);
  const Long length = oracle::length_of(v);
  const LongVec other = long_vec(r.vec(-1, 1));
  if (r.one_in(3) || length == 0) return other;
  return v * (1 / length) + other * (r.one_in(4) ? 0 : decades(r, -14, 0));
}

inline void lengthen(Random& r, Aabb& s) { s.max.y += (s.max.y - s.min.y) * r.power_of_two(0, 13); }
inline void lengthen(Random& r, ObbFrame& s) { s.half_extents.y *= r.power_of_two(-13, 0); }
inline void lengthen(Random& r, Triangle& s) {
  s.c = plus(s.c, times(minus(s.b, s.a), r.power_of_two(0, 13)));
}
inline void lengthen(Random&, Sphere&) {}
inline void lengthen(Random& r, Capsule& s) { s.radius *= r.power_of_two(-13, 0); }

/// A capsule's length and a radius, anywhere.
MovingSphere mover_of(Random& r, const MovingSphere*, float size) {
  return random_mover<MovingSphere>(r, {0, 0, 0}, size);
}
Capsule mover_of(Random& r, const Capsule*, float size) {
  return random_mover<Capsule>(r, {0, 0, 0}, size);
}
MovingSphere placed(const MovingSphere& m, const Vec3&) { return m; }
Capsule placed(const Capsule& m, const Vec3& at) { return {at, plus(at, m.b), m.radius}; }
Sphere core_of(const MovingSphere& m) { return {{0, 0, 0}, m.radius}; }
Capsule core_of(const Capsule& m) { return m; }

struct NearMisses {
  std::uint64_t hits = 0, misses = 0, wrong = 0;
  Long band = 0;  ///< how far from touching a wrong answer was, in the smallest size
  /// How far from touching the two are at the ends, in all their size; beyond what rounding the way
  /// there to doubles costs.
  Long at_ends = 0;
};

template <class Mover, class Shape>
void add_near(NearMisses& all, Random& r) {
  const float scale_of = r.one_in(4) ? r.power_of_two(-140, 38) : 1.0f;
  Shape s = random_shape<Shape>(r, times(r.vec(-1, 1), scale_of * r.power_of_two(-2, 6)), scale_of);
  lengthen(r, s);
  const Mover free = mover_of(r, static_cast<const Mover*>(nullptr), scale_of);
  // They pass at a gap along n, the mover's point that is furthest back over the shape's.
  LongVec d = some_direction(r, s);
  if (r.one_in(3)) d = some_direction(r, core_of(free));
  LongVec n = r.one_in(3) ? some_direction(r, s) : long_vec(r.vec(-1, 1));
  n = cross(d, cross(n, d));
  if (!(oracle::length_of(n) > 1e-6L * oracle::length_of(d))) return;
  n = unit_long(n);
  const Long radius = Long(free.radius) + oracle::radius_of(s);
  const Long size = size_of(s) + free.radius + length_of(free);
  const Long gap = size * decades(r, -15, -1) * (r.one_in(2) ? 1 : -1);
  const Long distance = size * (r.one_in(4) ? 0 : decades(r, 0, 5));
  const LongVec origin = furthest(s, n) + n * (radius + gap) -
                         furthest(core_of(free), n * Long(-1)) - unit_long(d) * distance;
  const Mover m = placed(free, stored(origin));
  Ray ray;
  ray.origin = stored(origin);
  ray.direction = stored(d);
  const Line line = scale(ray).line;
  if (line.is_point || is_bad(m) || m.radius == 0 || !in_domain(ray.origin)) return;

  const Moving<Long> way = moving(m, ray.origin, line.direction);
  const LocalLine local = local_line(line, reference_point(s));
  const Long far = 2 * size + std::sqrt(square(local.origin));
  const Long least = oracle::least_gap(way, s, local.moved - far, local.moved + far, 100).gap;
  const WideInterval got = wide_interval(local, m, s);
  const Long smallest = std::min<Long>(m.radius, size);
  if (got.hit != (least <= 0)) {
    ++all.wrong;
    all.band = std::max(all.band, oracle::magnitude(least) / smallest);
  }
  ++(got.hit ? all.hits : all.misses);
  if (!got.hit) return;
  for (const double t : {got.t_in, got.t_out}) {
    const Long off = oracle::magnitude(oracle::gap_at(way, s, Long(t) + local.moved));
    all.at_ends = std::max(all.at_ends, (off - 0x1p-52L * distance) / size);
  }
}

template <class Mover, class Shape>
void expect_near(const char* name, std::uint64_t cases) {
  NearMisses all;
  for (std::uint64_t seed = 1; seed <= scaled(cases); ++seed) {
    Random r(seed);
    add_near<Mover, Shape>(all, r);
  }
  std::cout << name << ": " << all.hits << " hits, " << all.misses << " misses, " << all.wrong
            << " wrong, out to " << static_cast<double>(all.band) << " smallest sizes; at the ends "
            << static_cast<double>(all.at_ends) << " sizes\n";
  EXPECT_LT(all.band, 1e-11L);
  EXPECT_LT(all.at_ends, 2e-14L);
}

TEST(NearSweeps, SphereAabb) { expect_near<MovingSphere, Aabb>("sphere, AABB", 4'000); }
TEST(NearSweeps, SphereObb) { expect_near<MovingSphere, ObbFrame>("sphere, OBB", 4'000); }
TEST(NearSweeps, SphereSphere) { expect_near<MovingSphere, Sphere>("sphere, sphere", 50'000); }
TEST(NearSweeps, SphereCapsule) { expect_near<MovingSphere, Capsule>("sphere, capsule", 50'000); }
TEST(NearSweeps, SphereTriangle) { expect_near<MovingSphere, Triangle>("sphere, triangle", 8'000); }
TEST(NearSweeps, CapsuleTriangle) { expect_near<Capsule, Triangle>("capsule, triangle", 4'000); }
TEST(NearSweeps, CapsuleAabb) { expect_near<Capsule, Aabb>("capsule, AABB", 2'000); }
TEST(NearSweeps, CapsuleObb) { expect_near<Capsule, ObbFrame>("capsule, OBB", 2'000); }
TEST(NearSweeps, CapsuleSphere) { expect_near<Capsule, Sphere>("capsule, sphere", 50'000); }
TEST(NearSweeps, CapsuleCapsule) { expect_near<Capsule, Capsule>("capsule, capsule", 20'000); }

}  // namespace
}  // namespace sightline::testing
