// Sweeps against distances in long double: where a sweep begins and ends the gap is 0, and in
// between the two overlap, which, as the gap is convex, makes these the ends.
#include "tests/sweep/sweep_test.hpp"

#include <gtest/gtest.h>

#include <iostream>

namespace sightline::testing {
namespace {

/// How far from touching the two are at the ends found, and how near a miss comes, in sizes.
struct SweepErrors {
  Long at_ends = 0, missed = 0, false_hit = 0;
  std::uint64_t hits = 0, misses = 0;
};

template <class Mover, class Shape>
SweepErrors sweep_errors(std::uint64_t cases, int misses_in) {
  SweepErrors e;
  for (std::uint64_t seed = 1; seed <= cases; ++seed) {
    Random r(seed);
    const Pair<Shape> p = random_pair<Shape>(r);
    const Vec3 origin = p.ray.origin;
    const float extent = static_cast<float>(size_of(p.shape)) + 0x1p-8f;
    const Mover m = random_mover<Mover>(r, origin, extent);
    const Line line = scale(p.ray).line;
    if (line.is_point) continue;
    const Moving<Long> way = moving(m, origin, line.direction);
    const Long size = size_of(p.shape) + m.radius + length_of(m);
    const LocalLine local = local_line(line, reference_point(p.shape));
    const WideInterval got = wide_interval(local, m, p.shape);
    const auto gap = [&](Long t) { return oracle::gap_at(way, p.shape, t + local.moved); };
    if (got.hit) {
      const Long in = gap(got.t_in), out = gap(got.t_out);
      const Long middle = gap(Long(got.t_in) + (Long(got.t_out) - got.t_in) / 2);
      const Long at_ends = std::max(oracle::magnitude(in), oracle::magnitude(out)) / size;
      if (at_ends > e.at_ends) {
        e.at_ends = at_ends;
        if (at_ends > 1e-11L)
          std::cout << "seed " << seed << " ends " << static_cast<double>(at_ends) << " "
                    << static_cast<double>(in / size) << " " << static_cast<double>(out / size)
                    << " mid " << static_cast<double>(middle / size) << " " << text(m) << "\n";
      }
      e.false_hit = std::max(e.false_hit, middle / size);
      ++e.hits;
    } else if (r.one_in(misses_in)) {
      const Long reach = oracle::length_of(long_vec(origin)) + 4 * size + 1e4L;
      const Long far = 2 * size + oracle::length_of(LongVec(local.origin.x, local.origin.y, local.origin.z));
      (void)reach;
      const auto least = oracle::least_gap(way, p.shape, local.moved - far, local.moved + far, 90);
      if (-least.gap / size > e.missed) {
        e.missed = -least.gap / size;
        if (e.missed > 1e-11L) std::cout << "seed " << seed << " missed " << static_cast<double>(e.missed) << " " << text(m) << "\n";
      }
      ++e.misses;
    }
  }
  return e;
}

template <class Mover, class Shape>
void expect_true(const char* name, std::uint64_t cases, int misses_in) {
  const SweepErrors e = sweep_errors<Mover, Shape>(scaled(cases), misses_in);
  std::cout << name << ": " << e.hits << " hits, " << e.misses << " misses; at the ends "
            << static_cast<double>(e.at_ends) << ", missed " << static_cast<double>(e.missed)
            << ", hit beside " << static_cast<double>(e.false_hit) << " sizes\n";
  EXPECT_LT(e.at_ends, 1e-11L);
  EXPECT_LT(e.missed, 1e-11L);
  EXPECT_LT(e.false_hit, 1e-11L);
}

TEST(RandomSweeps, SphereAabb) { expect_true<MovingSphere, Aabb>("sphere, AABB", 20'000, 8); }
TEST(RandomSweeps, SphereObb) { expect_true<MovingSphere, ObbFrame>("sphere, OBB", 20'000, 8); }
TEST(RandomSweeps, SphereSphere) { expect_true<MovingSphere, Sphere>("sphere, sphere", 200'000, 8); }
TEST(RandomSweeps, SphereCapsule) { expect_true<MovingSphere, Capsule>("sphere, capsule", 200'000, 8); }
TEST(RandomSweeps, CapsuleAabb) { expect_true<Capsule, Aabb>("capsule, AABB", 10'000, 16); }
TEST(RandomSweeps, CapsuleObb) { expect_true<Capsule, ObbFrame>("capsule, OBB", 10'000, 16); }
TEST(RandomSweeps, CapsuleSphere) { expect_true<Capsule, Sphere>("capsule, sphere", 200'000, 8); }
TEST(RandomSweeps, CapsuleCapsule) { expect_true<Capsule, Capsule>("capsule, capsule", 100'000, 8); }

}  // namespace
}  // namespace sightline::testing
