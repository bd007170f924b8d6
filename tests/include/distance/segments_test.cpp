// Closest points of two segments, and of a segment and a point, against binary128.
#include "tests/include/distance/distance_test.hpp"

#include <gtest/gtest.h>

#include <iostream>

namespace sightline::testing {
namespace {

using oracle::QuadSegment;

QuadSegment quad(const Segment& s) { return {QuadVec(s.a), QuadVec(s.b)}; }
Quad extent_of(const Segment& s) { return std::max(largest(s.a), largest(s.b)); }

Segment random_segment(Random& r, const Place& at) {
  Segment s{point_about(r, at), point_about(r, at)};
  if (r.one_in(4)) s.b = plus(s.a, times(r.vec(-1, 1), at.size * r.power_of_two(-20, 10)));
  if (r.one_in(16)) s.b = s.a;
  return s;
}

/// A segment about the first: anywhere; parallel or nearly so; crossing it; ending on it.
Segment beside(Random& r, const Place& at, const Segment& p) {
  const Vec3 d = minus(p.b, p.a);
  const Vec3 on = plus(p.a, times(d, r.uniform(0, 1)));
  switch (r.below(5)) {
    case 0: {
      const Vec3 a = point_about(r, at);
      return {a, plus(a, times(d, r.uniform(-2, 2)))};
    }
    case 1: {
      const Vec3 a = plus(on, times(r.vec(-1, 1), at.size * 0.1f));
      const Vec3 e = times(d, r.uniform(-2, 2));
      return {a, plus(plus(a, e), times(r.vec(-1, 1), max_abs(e) * r.power_of_two(-30, -3)))};
    }
    case 2: {
      const Vec3 e = times(r.vec(-1, 1), at.size);
      return {minus(on, e), plus(on, e)};
    }
    case 3:
      return {on, point_about(r, at)};
    default:
      return random_segment(r, at);
  }
}

TEST(SegmentToSegment, AgreesWithBinary128) {
  WorstError distance;
  std::uint64_t inner = 0;
  for (std::uint64_t seed = 1; seed <= scaled(200'000); ++seed) {
    Random r(seed);
    const Place at = random_place(r);
    const Segment p = random_segment(r, at), q = beside(r, at, p);
    const Approach got = closest_approach(p, q), other = closest_approach(q, p);
    const oracle::QuadApproach truth = oracle::approach_truth(quad(p), quad(q));
    const Quad numbers = std::max(extent_of(p), extent_of(q));
    distance.add(got.distance, truth.distance, numbers);
    // The pair need not be the truth's, but lies on the segments and is as far apart.
    ASSERT_LE(off_segment(quad(p), got.on_first), numbers * 1e-15) << "seed " << seed;
    ASSERT_LE(off_segment(quad(q), got.on_second), numbers * 1e-15) << "seed " << seed;
    const Quad apart = oracle::length_of(QuadVec(got.on_first) - QuadVec(got.on_second));
    const Quad rounding = rounding_of(got.on_first) + rounding_of(got.on_second);
    ASSERT_LE(oracle::magnitude(apart - truth.distance), rounding + numbers * 1e-14)
        << "seed " << seed;
    ASSERT_EQ(bits_of(got.distance), bits_of(other.distance)) << "seed " << seed;
    ASSERT_TRUE(0 <= got.s && got.s <= 1 && 0 <= got.t && got.t <= 1) << "seed " << seed;
    inner += 0 < got.s && got.s < 1 && 0 < got.t && got.t < 1;
  }
  std::cout << distance.cases << " pairs, " << inner << " inside both; beyond rounding: distance "
            << distance.beyond_rounding << "\n";
  EXPECT_LE(distance.beyond_rounding, 1e-13);
  if (test_scale() >= 0.01) {
    EXPECT_GT(inner, distance.cases / 10);
  }
}

TEST(SegmentToSegment, TiesHaveTheLeastPlaces) {
  const Segment p{{0, 0, 0}, {4, 0, 0}};
  const auto places = [&](const Segment& q) {
    const Approach a = closest_approach(p, q);
    return std::pair(a.s, a.t);
  };
  using Places = std::pair<float, float>;
  EXPECT_EQ(places({{0, 1, 0}, {4, 1, 0}}), Places(0, 0));
  EXPECT_EQ(places({{4, 1, 0}, {0, 1, 0}}), Places(0, 1));
  EXPECT_EQ(places({{1, 1, 0}, {3, 1, 0}}), Places(0.25f, 0));
  EXPECT_EQ(places({{3, 1, 0}, {1, 1, 0}}), Places(0.25f, 1));
  EXPECT_EQ(places({{-1, 1, 0}, {7, 1, 0}}), Places(0, 0.125f));
  EXPECT_EQ(places({{1, 0, 0}, {3, 0, 0}}), Places(0.25f, 0));  // along the same line
  EXPECT_EQ(places({{9, 3, 0}, {9, 3, 0}}), Places(1, 0));      // a point
  EXPECT_EQ(places({{1, -1, 0}, {1, 1, 0}}), Places(0.25f, 0.5f));
  const Approach points = closest_approach({{1, 2, 3}, {1, 2, 3}}, {{4, 6, 3}, {4, 6, 3}});
  EXPECT_EQ(points.distance, 5);
  EXPECT_TRUE(same_bits(points.on_first, {1, 2, 3}) && same_bits(points.on_second, {4, 6, 3}));
}

TEST(PointToSegment, AgreesWithBinary128) {
  WorstError distance, points;
  for (std::uint64_t seed = 1; seed <= scaled(200'000); ++seed) {
    Random r(seed);
    const Place at = random_place(r);
    const Segment s = random_segment(r, at);
    const Vec3 p =
        r.one_in(3) ? plus(s.a, times(minus(s.b, s.a), r.uniform(0, 1))) : point_about(r, at);
    const NearestOnSegment got = nearest(s, p);
    const oracle::QuadNearest truth = oracle::nearest_truth(quad(s), QuadVec(p));
    const Quad numbers = std::max(extent_of(s), largest(p));
    distance.add(got.distance, truth.distance, numbers);
    points.add(got.point, truth.point, numbers);
    ASSERT_TRUE(0 <= got.t && got.t <= 1) << "seed " << seed;
  }
  std::cout << distance.cases << " points; beyond rounding: distance " << distance.beyond_rounding
            << ", point " << points.beyond_rounding << "\n";
  EXPECT_LE(distance.beyond_rounding, 1e-15);
  EXPECT_LE(points.beyond_rounding, 1e-15);
}

}  // namespace
}  // namespace sightline::testing
