// 2D of any floats against long doubles and other methods: no answer is wrong but within a band
// about touching that rounding explains.
#include "tests/oracle/flat_oracle.hpp"
#include "tests/support/random_flat.hpp"
#include "tests/support/scale.hpp"

#include <gtest/gtest.h>

#include <iostream>

namespace sightline::testing {
namespace {

using oracle::Real;

/// Of the largest number that an answer was made of; wrong answers lie within.
constexpr Real touching_band = 1e-12L;

template <class Shape>
class FlatRandom : public ::testing::Test {};
using RandomKinds = ::testing::Types<Circle, Capsule2, Sector, Polygon, Aabb2, Obb2>;
TYPED_TEST_SUITE(FlatRandom, RandomKinds);

/// Makes a shape, and a circle that often touches it as nearly as floats go.
template <class Shape>
struct CirclePair {
  Shape shape;
  Circle circle;
  Real distance, scale;
};
template <class Shape>
CirclePair<Shape> circle_pair(Random& r) {
  const float size = r.power_of_two(-8, 8);
  const Vec2 center = random_place(r, size);
  CirclePair<Shape> p{random_flat<Shape>(r, center, size), {}, 0, 0};
  const float away = size * r.power_of_two(-3, r.one_in(4) ? 12 : 2);
  p.circle = {moved(center, vec2(r, away)), random_size(r, r.one_in(2) ? away : size)};
  p.distance = oracle::distance(oracle::point(p.circle.center), seen(p.shape));
  if (r.one_in(2) && p.distance > 0) p.circle.radius = static_cast<float>(p.distance);
  if (r.one_in(4)) p.circle.radius = next_up(p.circle.radius);
  p.scale = Real{4} * size + away + p.circle.radius;
  return p;
}

TYPED_TEST(FlatRandom, CirclesOverlapAsDistancesSay) {
  Real worst = 0;
  std::uint64_t wrong = 0, yes = 0;
  const std::uint64_t cases = scaled(1'000'000);
  for (std::uint64_t seed = 1; seed <= cases; ++seed) {
    Random r(seed);
    const auto p = circle_pair<TypeParam>(r);
    const Real margin = p.distance - p.circle.radius;
    const bool got = overlaps(p.circle, seen(p.shape));
    yes += got;
    if (got == (margin <= 0)) continue;
    ++wrong;
    worst = std::max(worst, std::abs(margin) / p.scale);
    ASSERT_LT(std::abs(margin), touching_band * p.scale) << "seed " << seed;
  }
  std::cout << wrong << " of " << cases << " differ, all within " << worst << " of touching, "
            << yes << " overlap\n";
}

/// A segment that ends near the shape, or passes it, often along one of its edges or through its
/// center, up to thousands of sizes long.
template <class Shape>
Segment2 random_segment(Random& r, const Shape&, const Vec2& center, float size) {
  const float reach = size * r.power_of_two(-2, 2);
  const Vec2 on = r.one_in(16) ? center : moved(center, vec2(r, reach));
  if (r.one_in(32)) return {on, on};
  const float length = size * (r.one_in(4) ? r.power_of_two(4, 14) : r.power_of_two(-4, 3));
  Vec2 d = vec2(r, length);
  if (r.one_in(8)) (r.one_in(2) ? d.x : d.y) = 0;
  const Segment2 s = {moved(on, times(d, -r.uniform(0, 1))), moved(on, times(d, r.uniform(0, 1)))};
  return r.one_in(4) ? Segment2{on, s.b} : s;
}

/// The ends are on the boundary, nothing is before the first or soon after it begins, and what is
/// between them is inside.
template <class Shape>
void expect_first_interval(const Segment2& s, const Shape& shape, const FlatInterval& i, Real band,
                           std::uint64_t seed) {
  const auto at = [&](Real t) { return oracle::distance(oracle::at(s, t), shape); };
  if (!(i.t_in >= -1e300)) return;  // a segment of length 0
  ASSERT_LT(std::abs(at(i.t_in)), band) << "seed " << seed;
  ASSERT_LT(std::abs(at(i.t_out)), band) << "seed " << seed;
  for (const Real part : {0.25L, 0.5L, 0.8L}) {
    ASSERT_LT(at(i.t_in + part * (i.t_out - i.t_in)), band) << "seed " << seed;
  }
  if (i.t_in <= 0) return;
  const oracle::Nearest before = oracle::nearest(s, shape, 0, i.t_in * (1 - 1e-9L));
  ASSERT_GT(before.distance, -band) << "seed " << seed;
}

TYPED_TEST(FlatRandom, SegmentsHitWhereDistancesSay) {
  Real worst = 0;
  std::uint64_t wrong = 0, yes = 0;
  const std::uint64_t cases = scaled(100'000);
  for (std::uint64_t seed = 1; seed <= cases; ++seed) {
    Random r(seed);
    const float size = r.power_of_two(-8, 8);
    const Vec2 center = random_place(r, size);
    const TypeParam kept = random_flat<TypeParam>(r, center, size);
    const auto shape = seen(kept);
    const Segment2 s = random_segment(r, kept, center, size);
    const oracle::Nearest least = oracle::nearest(s, shape);
    const Real scale = Real{8} * size + oracle::length(oracle::point(s.b) - oracle::point(s.a));
    const FlatInterval i = interval(s, shape);
    yes += i.hit;
    if (i.hit && least.distance < -1e-6L * scale) {
      expect_first_interval(s, shape, i, touching_band * scale, seed);
      if (this->HasFatalFailure()) return;
    }
    if (i.hit == (least.distance <= 0)) continue;
    ++wrong;
    worst = std::max(worst, std::abs(least.distance) / scale);
    ASSERT_LT(std::abs(least.distance), touching_band * scale) << "seed " << seed;
  }
  std::cout << wrong << " of " << cases << " differ, all within " << worst << " of touching, "
            << yes << " hit\n";
}

/// The distance of w to a sector by looking along many directions of it, then closer about the
/// nearest.
Real sampled_distance(const oracle::Fan& s, const oracle::Point& x) {
  const auto along = [&](Real angle) {
    const oracle::Point c = s.center;
    const oracle::Point end = {c.x + s.radius * std::cos(s.direction + angle),
                               c.y + s.radius * std::sin(s.direction + angle)};
    return oracle::distance(x, c, end);
  };
  constexpr int samples = 64;
  Real best = 0, least = along(0);
  for (int k = 0; k <= samples; ++k) {
    const Real angle = s.half * (2 * Real(k) / samples - 1), d = along(angle);
    if (d < least) least = d, best = angle;
  }
  Real step = 2 * s.half / samples;
  const Real most = s.half < oracle::half_turn ? s.half : 2 * s.half;  // all of it wraps around
  for (int k = 0; k < 40; ++k, step /= 2) {
    for (const Real angle : {best - step, best + step}) {
      const Real d = along(std::clamp(angle, -most, most));
      if (d < least) least = d, best = std::clamp(angle, -most, most);
    }
  }
  return least;
}

TEST(FlatSectors, AreWhatManyDirectionsReach) {
  for (std::uint64_t seed = 1; seed <= scaled(30'000); ++seed) {
    Random r(seed);
    const auto p = circle_pair<Sector>(r);
    const Real d = sampled_distance(oracle::fan(p.shape), oracle::point(p.circle.center));
    if (std::abs(d - p.circle.radius) < 1e-6L * p.scale) continue;
    ASSERT_EQ(overlaps(p.circle, p.shape), d <= p.circle.radius) << "seed " << seed;
  }
}

TEST(FlatSectors, AreEnteredWhereManyPointsOfTheSegmentSay) {
  int above_180 = 0;
  for (std::uint64_t seed = 1; seed <= scaled(30'000); ++seed) {
    Random r(seed);
    const Vec2 center = random_place(r, 1);
    const Sector sector = random_flat<Sector>(r, center, 1);
    const Segment2 s = random_segment(r, sector, center, 1);
    const FlatInterval i = interval(s, sector);
    above_180 += i.hit && sector.cosine < 0;
    constexpr int samples = 64;
    for (int k = 0; k <= samples; ++k) {
      const Real t = Real(k) / samples, d = oracle::distance(oracle::at(s, t), sector);
      if (std::abs(d) < 1e-9L) continue;
      ASSERT_TRUE(d > 0 || (i.hit && i.t_in <= t)) << "seed " << seed << " k " << k;
      ASSERT_TRUE(d < 0 || !(i.hit && i.t_in <= t && t <= i.t_out))
          << "seed " << seed << " k " << k;
    }
    if (!i.hit || !(i.t_out < 1)) continue;
    // There it does end, even if another part follows; at the center, and past a gap as thin as a
    // hair, that part follows at once.
    if (sector.cosine < 0 && sector.sine < 1e-3f) continue;
    const oracle::Point end = oracle::at(s, i.t_out);
    if (oracle::length(end - oracle::point(sector.center)) < 1e-6L) continue;
    const Real length = oracle::length(oracle::point(s.b) - oracle::point(s.a));
    const oracle::Point past = oracle::at(s, i.t_out + 1e-9L / length);
    ASSERT_GT(oracle::distance(past, sector), -1e-12L) << "seed " << seed;
  }
  if (test_scale() >= 1) {
    EXPECT_GT(above_180, 1000);
  }
}

}  // namespace
}  // namespace sightline::testing
