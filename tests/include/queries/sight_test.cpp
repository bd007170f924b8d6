// The one ray of a line of sight: symmetric, and exact on lattices.
#include <sightline/geometry/queries/line_of_sight.hpp>

#include "tests/support/adversarial_pairs.hpp"
#include "tests/support/scale.hpp"

#include <gtest/gtest.h>

namespace sightline::testing {
namespace {

bool same(const Ray& a, const Ray& b) {
  return bits_of(a.origin.x) == bits_of(b.origin.x) && bits_of(a.origin.y) == bits_of(b.origin.y) &&
         bits_of(a.origin.z) == bits_of(b.origin.z) &&
         bits_of(a.direction.x) == bits_of(b.direction.x) &&
         bits_of(a.direction.y) == bits_of(b.direction.y) &&
         bits_of(a.direction.z) == bits_of(b.direction.z) && a.t_min == b.t_min &&
         a.t_max == b.t_max && a.mask == b.mask;
}

TEST(SightRay, IsTheSameBothWays) {
  for (std::uint64_t seed = 1; seed <= scaled(200'000); ++seed) {
    Random r(seed);
    SightPoint p, q;
    p.position = r.one_in(2) ? r.lattice(-2, 2) : r.vec(-1000, 1000);
    q.position = r.one_in(2) ? r.lattice(-2, 2) : r.vec(-1000, 1000);
    p.mask = static_cast<std::uint32_t>(r.bits());
    q.mask = static_cast<std::uint32_t>(r.bits());
    p.exclude = 3, q.exclude = 4, p.exclude_group = 5, q.exclude_group = 6;
    const float range = r.uniform(0, 2000);
    const SightRay a = sight_ray(p, q, 0.125f, range), b = sight_ray(q, p, 0.125f, range);
    ASSERT_TRUE(same(a.ray, b.ray)) << "seed " << seed;
    ASSERT_EQ(a.in_range, b.in_range) << "seed " << seed;
    ASSERT_EQ(a.ray.exclude[0] + a.ray.exclude[1], 7u) << "seed " << seed;
    ASSERT_EQ(a.ray.exclude_group[0] + a.ray.exclude_group[1], 11u) << "seed " << seed;
  }
}

TEST(SightRay, StartsAtTheLexicographicallySmallerPoint) {
  const Vec3 sorted[] = {{-1, 9, 9}, {0, -1, 9}, {0, 0, -1}, {0, 0, 1}, {0, 1, 0}, {1, 0, 0}};
  for (const Vec3& a : sorted) {
    for (const Vec3& b : sorted) {
      EXPECT_EQ(lexicographically_less(a, b), &a < &b) << text(a) << " " << text(b);
    }
  }
  EXPECT_FALSE(lexicographically_less({-0.0f, 1, 0}, {0.0f, 1, 0}));
  const SightRay s = sight_ray({{4, 0, 2}}, {{1, 7, 3}}, 0.25f, infinity);
  EXPECT_EQ(s.ray.origin.x, 1);
  EXPECT_EQ(s.ray.direction.x, 3);
  EXPECT_EQ(s.ray.direction.y, -7);
  EXPECT_EQ(s.ray.direction.z, -1);
  EXPECT_EQ(s.ray.t_min, 0.25f);
  EXPECT_EQ(s.ray.t_max, 0.75f);
}

TEST(SightRay, CarriesBothPointsFilters) {
  SightPoint p{{0, 0, 0}}, q{{1, 0, 0}};
  p.mask = 6, q.mask = 3;
  p.exclude = 10, q.exclude = 11, p.exclude_group = 20, q.exclude_group = 21;
  const Ray ray = sight_ray(q, p, 0, infinity).ray;
  EXPECT_EQ(ray.mask, 2u);
  EXPECT_EQ(ray.exclude[0], 10u);
  EXPECT_EQ(ray.exclude[1], 11u);
  EXPECT_EQ(ray.exclude_group[0], 20u);
  EXPECT_EQ(ray.exclude_group[1], 21u);
}

TEST(SightRay, IsInRangeUpToAndIncludingTheRange) {
  const SightPoint p{{0, 0, 0}}, q{{2, 3, 6}};  // 7 apart
  EXPECT_TRUE(sight_ray(p, q, 0, 7).in_range);
  EXPECT_FALSE(sight_ray(p, q, 0, next_down(7)).in_range);
  EXPECT_TRUE(sight_ray(p, q, 0, infinity).in_range);
  EXPECT_FALSE(sight_ray(p, q, 0, 0).in_range);
  EXPECT_TRUE(sight_ray(p, p, 0, 0).in_range);
}

// A segment cast from its other end meets the same shapes, on lattices, ends and grazes included.
template <class Shape>
void expect_symmetric(const Shape& shape, const Vec3& p, const Vec3& q, std::uint64_t seed) {
  Ray there{p, minus(q, p)}, back{q, minus(p, q)};
  there.t_max = back.t_max = 1;
  ASSERT_EQ(is_hit(cast(there, shape)), is_hit(cast(back, shape)))
      << "seed " << seed << " " << text(there);
}
TEST(SightRay, SegmentsAreSymmetricOnLattices) {
  for (std::uint64_t seed = 1; seed <= scaled(200'000); ++seed) {
    Random r(seed);
    const Vec3 p = r.lattice(-12, 12), q = r.lattice(-12, 12), c = r.lattice(-6, 6);
    const float radius = static_cast<float>(r.between(0, 6));
    expect_symmetric(Aabb{c, plus(c, r.lattice(0, 6))}, p, q, seed);
    expect_symmetric(frame(Obb{c, r.lattice(0, 6), {0, 1, 0, 1}}), p, q, seed);
    expect_symmetric(Sphere{c, radius}, p, q, seed);
    expect_symmetric(Capsule{c, plus(c, r.lattice(-6, 6)), radius}, p, q, seed);
    expect_symmetric(Plane{{0, 0, 1}, c.z}, p, q, seed);
    if (HasFatalFailure()) return;
  }
}

}  // namespace
}  // namespace sightline::testing
