// Sweeps against distances in long double: where a sweep begins and ends the gap is 0, and in
// between the two overlap, which, as the gap is convex, makes these the ends.
#include "tests/include/sweep/sweep_test.hpp"

#include <gtest/gtest.h>

#include <iostream>

namespace sightline::testing {
namespace {

/// How far from touching the two are at the ends found, and how near a miss comes, in sizes.
struct SweepErrors {
  Long at_ends = 0, missed = 0, hit_beside = 0, a_step_off = 0;
  std::uint64_t hits = 0, misses = 0;
};

template <class Mover, class Shape>
void add_case(SweepErrors& e, Random& r, int misses_in) {
  const Pair<Shape> p = random_pair<Shape>(r);
  const Vec3 origin = p.ray.origin;
  const Mover m = random_mover<Mover>(r, origin, static_cast<float>(size_of(p.shape)) + 0x1p-8f);
  const Line line = scale(p.ray).line;
  if (line.is_point) return;
  const Moving<Long> way = moving(m, origin, line.direction);
  const Long size = size_of(p.shape) + m.radius + length_of(m);
  const LocalLine local = local_line(line, reference_point(p.shape));
  const WideInterval got = wide_interval(local, m, p.shape);
  const auto gap = [&](Long t) { return oracle::gap_at(way, p.shape, t + local.moved) / size; };
  const auto least = [&] {
    const Long far = 2 * size + std::sqrt(square(local.origin));
    return oracle::least_gap(way, p.shape, local.moved - far, local.moved + far, 90).gap / size;
  };
  if (got.hit) {
    const Long in = got.t_in, out = got.t_out, middle = gap(in + (out - in) / 2);
    e.at_ends = std::max({e.at_ends, oracle::magnitude(gap(in)), oracle::magnitude(gap(out))});
    // Two ends at one place are the ends only where the line goes no deeper.
    if (middle > -1e-7L) e.hit_beside = std::max(e.hit_beside, oracle::magnitude(least()) - 4e-7L);
    // And so they are of the floats, a step earlier and later.
    const Interval rounded = sweep_interval(line, m, p.shape);
    const auto apart = [&](float t) { return oracle::gap_at(way, p.shape, Long(t)) / size; };
    e.a_step_off =
        std::max({e.a_step_off, -apart(next_down(rounded.t_in)), apart(next_up(rounded.t_in)),
                  apart(next_down(rounded.t_out)), -apart(next_up(rounded.t_out))});
    ++e.hits;
  } else if (r.one_in(misses_in)) {
    e.missed = std::max(e.missed, -least());
    ++e.misses;
  }
}

template <class Mover, class Shape>
void expect_true(const char* name, std::uint64_t cases, int misses_in) {
  SweepErrors e;
  for (std::uint64_t seed = 1; seed <= scaled(cases); ++seed) {
    Random r(seed);
    add_case<Mover, Shape>(e, r, misses_in);
  }
  std::cout << name << ": " << e.hits << " hits, " << e.misses << " misses; at the ends "
            << static_cast<double>(e.at_ends) << ", missed " << static_cast<double>(e.missed)
            << ", hit beside " << static_cast<double>(e.hit_beside) << ", a float off "
            << static_cast<double>(e.a_step_off) << " sizes\n";
  EXPECT_LT(e.at_ends, 1e-14L);
  EXPECT_LT(e.missed, 1e-14L);
  EXPECT_LE(e.hit_beside, 0);
  EXPECT_LT(e.a_step_off, 1e-14L);
}

TEST(RandomSweeps, SphereAabb) { expect_true<MovingSphere, Aabb>("sphere, AABB", 20'000, 8); }
TEST(RandomSweeps, SphereObb) { expect_true<MovingSphere, ObbFrame>("sphere, OBB", 20'000, 8); }
TEST(RandomSweeps, SphereSphere) {
  expect_true<MovingSphere, Sphere>("sphere, sphere", 200'000, 8);
}
TEST(RandomSweeps, SphereCapsule) {
  expect_true<MovingSphere, Capsule>("sphere, capsule", 200'000, 8);
}
TEST(RandomSweeps, CapsuleAabb) { expect_true<Capsule, Aabb>("capsule, AABB", 10'000, 16); }
TEST(RandomSweeps, CapsuleObb) { expect_true<Capsule, ObbFrame>("capsule, OBB", 10'000, 16); }
TEST(RandomSweeps, SphereTriangle) {
  expect_true<MovingSphere, Triangle>("sphere, triangle", 20'000, 16);
}
TEST(RandomSweeps, CapsuleTriangle) {
  expect_true<Capsule, Triangle>("capsule, triangle", 10'000, 16);
}
TEST(RandomSweeps, CapsuleSphere) { expect_true<Capsule, Sphere>("capsule, sphere", 200'000, 8); }
TEST(RandomSweeps, CapsuleCapsule) {
  expect_true<Capsule, Capsule>("capsule, capsule", 100'000, 8);
}

}  // namespace
}  // namespace sightline::testing
