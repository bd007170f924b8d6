// What holds of distances whatever the formulas: slopes, overlaps, motions, degenerate shapes, and
// numbers that are none.
#include <sightline/geometry/overlap/overlaps.hpp>

#include "tests/include/distance/distance_test.hpp"

#include <gtest/gtest.h>

#include <cstring>

namespace sightline::testing {
namespace {

template <class Shape>
class DistanceTo : public ::testing::Test {};
using EveryShape = ::testing::Types<Aabb, ObbFrame, Sphere, Capsule, Triangle, Plane>;
TYPED_TEST_SUITE(DistanceTo, EveryShape);

double apart(const Vec3& a, const Vec3& b) { return std::sqrt(square(wide_diff(a, b))); }

TYPED_TEST(DistanceTo, ChangesNoFasterThanThePoint) {
  for (std::uint64_t seed = 1; seed <= scaled(100'000); ++seed) {
    Random r(seed);
    const Place at = random_place(r);
    const TypeParam s = shape_at<TypeParam>(r, at);
    const Vec3 p = point_about(r, at);
    const Vec3 q = r.one_in(2) ? point_about(r, at)
                               : plus(p, times(r.vec(-1, 1), at.size * r.power_of_two(-20, 0)));
    const double a = nearest(s, p).distance, b = nearest(s, q).distance;
    const double numbers = static_cast<double>(std::max({extent_of(s), largest(p), largest(q)}));
    const double rounding = (std::fabs(a) + std::fabs(b)) * 0x1p-24 + 0x1p-149;
    ASSERT_LE(std::fabs(a - b), apart(p, q) * (1 + 1e-12) + rounding + numbers * 1e-14)
        << "seed " << seed;
  }
}

// The gradient: a step along `direction`, outside, is as long as the distance gained.
TYPED_TEST(DistanceTo, GrowsAlongItsDirection) {
  for (std::uint64_t seed = 1; seed <= scaled(50'000); ++seed) {
    Random r(seed);
    const Place at{r.vec(-4, 4), 1};
    const TypeParam s = shape_at<TypeParam>(r, at);
    const Vec3 p = point_about(r, at);
    const Nearest from = nearest(s, p);
    if (from.distance < 0) continue;
    const Vec3 q = plus(p, times(from.direction, 0.5f));
    const double numbers = static_cast<double>(std::max({extent_of(s), largest(p), largest(q)}));
    ASSERT_NEAR(nearest(s, q).distance, from.distance + 0.5f, numbers * 4e-7) << "seed " << seed;
  }
}

// Contains and overlaps ask the same.
TYPED_TEST(DistanceTo, AgreesWithOverlaps) {
  std::uint64_t over = 0, judged = 0;
  for (std::uint64_t seed = 1; seed <= scaled(100'000); ++seed) {
    Random r(seed);
    const Place at = random_place(r);
    const TypeParam s = shape_at<TypeParam>(r, at);
    const Vec3 p = point_about(r, at);
    const double distance = nearest(s, p).distance;
    const double numbers = static_cast<double>(std::max(extent_of(s), largest(p)));
    const double doubt = numbers * 1e-14 + std::fabs(distance) * 0x1p-23 + 0x1p-148;
    const auto radius = static_cast<float>(std::fabs(distance) * double{r.uniform(0.999f, 1.001f)});
    if (std::fabs(distance - double{radius}) <= doubt) continue;
    const bool meets = distance <= double{radius};
    ASSERT_EQ(overlaps(Sphere{p, radius}, s), meets) << "seed " << seed;
    ++judged, over += meets;
  }
  if (test_scale() >= 0.01) {
    EXPECT_GT(over, judged / 20);
    EXPECT_GT(judged - over, judged / 20);
  }
}

// Capsules reach a box where their segment comes within a radius: along edges, too, where the slope
// is 0 but for rounding; and what is not a number reaches nothing.
template <class Box>
void check_reach() {
  std::uint64_t over = 0;
  const std::uint64_t cases = scaled(200'000);
  for (std::uint64_t seed = 1; seed <= cases; ++seed) {
    Random r(seed);
    const Vec3 h = r.lattice(0, 3), a = r.lattice(-9, 9), p = r.lattice(-9, 9);
    const Quat turn = r.one_in(2) ? Quat{} : Quat{1, 0, 0, 1};
    Capsule c{a, r.one_in(2) ? r.lattice(-9, 9) : a, static_cast<float>(r.between(0, 4))};
    if (r.one_in(3)) c.b.x = p.x;
    Box s;
    if constexpr (std::is_same_v<Box, Aabb>) {
      s = {minus(p, h), plus(p, h)};
    } else {
      s = frame(Obb{p, h, turn});
    }
    const bool meets = clearance({c.a, c.b}, s).distance <= c.radius;
    ASSERT_EQ(overlaps(c, s), meets) << "seed " << seed;
    const oracle::QuadSegment wide{QuadVec(c.a), QuadVec(c.b)};
    if (seed % 16 == 0) {
      ASSERT_EQ(meets, oracle::clearance_truth(wide, s) <= Quad(c.radius) + 1e-25) << seed;
    }
    over += meets;
    c.a.y = std::numeric_limits<float>::quiet_NaN();
    ASSERT_FALSE(overlaps(c, s) || overlaps(Sphere{c.a, c.radius}, s)) << "seed " << seed;
  }
  if (test_scale() >= 0.01) {
    EXPECT_GT(over, cases / 20);
    EXPECT_LT(over, cases - cases / 20);
  }
}
TEST(Distance, OfSegmentsToAabbsIsWhatCapsulesReach) { check_reach<Aabb>(); }
TEST(Distance, OfSegmentsToObbsIsWhatCapsulesReach) { check_reach<ObbFrame>(); }

// Capsules side by side, from crossing to as nearly parallel as floats go.
TEST(Distance, OfSegmentsIsWhatCapsulesReach) {
  std::uint64_t over = 0, judged = 0;
  for (std::uint64_t seed = 1; seed <= scaled(300'000); ++seed) {
    Random r(seed);
    const float size = r.power_of_two(0, 12);
    const Vec3 d = times(r.vec(-1, 1), size), a = times(r.vec(-1, 1), r.power_of_two(-10, 0));
    const Vec3 off = times(r.vec(-1, 1), r.power_of_two(-6, 2));
    const Vec3 turn = times(r.vec(-1, 1), size * r.power_of_two(-34, -3));
    const Segment p{a, plus(a, d)};
    const Vec3 b = plus(plus(a, times(d, r.uniform(0, 1))), off);
    const Segment q{b, plus(plus(b, times(d, r.uniform(-2, 2))), turn)};
    const float part = 1 + (r.one_in(2) ? 1.0f : -1.0f) * r.power_of_two(-22, -4);
    const float radius = closest_approach(p, q).distance * 0.5f * part;
    const Quad apart = oracle::approach_truth(oracle::QuadSegment{QuadVec(p.a), QuadVec(p.b)},
                                              oracle::QuadSegment{QuadVec(q.a), QuadVec(q.b)})
                           .distance;
    const Quad numbers = std::max({largest(p.a), largest(p.b), largest(q.a), largest(q.b)});
    if (oracle::magnitude(apart - 2 * Quad(radius)) <= numbers * 1e-14) continue;
    const bool meets = overlaps(Capsule{p.a, p.b, radius}, Capsule{q.a, q.b, radius});
    ASSERT_EQ(meets, apart <= 2 * Quad(radius)) << "seed " << seed;
    ++judged, over += meets;
  }
  if (test_scale() >= 0.01) {
    EXPECT_GT(over, judged / 4);
    EXPECT_LT(over, judged - judged / 4);
  }
}

// At the surface, too, and to the bit: both ask for the sign of the same difference of squares.
template <class Shape>
void check_signs() {
  std::uint64_t over = 0;
  const std::uint64_t cases = scaled(200'000);
  for (std::uint64_t seed = 1; seed <= cases; ++seed) {
    Random r(seed);
    const Place at{r.vec(-2, 2), 1};
    const Shape s = shape_at<Shape>(r, at);
    const Vec3 p = nearest(s, point_about(r, at)).point;
    const bool meets = overlaps(Sphere{p, 0}, s);
    ASSERT_EQ(nearest(s, p).distance <= 0, meets) << "seed " << seed;
    over += meets;
  }
  if (test_scale() >= 0.01) {
    EXPECT_GT(over, cases / 10);
    EXPECT_LT(over, cases - cases / 10);
  }
}
TEST(Distance, OfSpheresHasTheSignOfOverlap) { check_signs<Sphere>(); }
TEST(Distance, OfCapsulesHasTheSignOfOverlap) { check_signs<Capsule>(); }

// A clearance is the distance of the nearest of the segment's points.
TYPED_TEST(DistanceTo, IsNowhereBelowTheClearance) {
  for (std::uint64_t seed = 1; seed <= scaled(20'000); ++seed) {
    Random r(seed);
    const Place at = random_place(r);
    const TypeParam s = shape_at<TypeParam>(r, at);
    const Segment p{point_about(r, at), point_about(r, at)};
    const Clearance got = clearance(p, s);
    const double numbers =
        static_cast<double>(std::max({extent_of(s), largest(p.a), largest(p.b)}));
    const double rounding = numbers * 1.5e-7 + 0x1p-148;
    for (int i = 0; i <= 32; ++i) {
      const Vec3 on = narrowed(point_at(p, i / 32.0));
      ASSERT_GE(max(nearest(s, on).distance, 0), double{got.distance} - rounding)
          << "seed " << seed;
    }
    ASSERT_NEAR(max(nearest(s, got.on_segment).distance, 0), got.distance, rounding)
        << "seed " << seed;
  }
}

TYPED_TEST(DistanceTo, NumbersThatAreNoneMiss) {
  Random r(1);
  const Place at{{1, 2, 3}, 1};
  const auto s = random_shape<TypeParam>(r, at.center, at.size);
  constexpr std::size_t numbers = sizeof(TypeParam) / sizeof(float);
  const Segment segment{{4, 5, 6}, {7, 8, 9}};
  const auto is_miss = [](const Nearest& n) {
    return n.distance == infinity && max_abs(n.point) == 0 && max_abs(n.direction) == 0;
  };
  const auto missed = [](const Clearance& c) {
    return c.distance == infinity && c.t == 0 && max_abs(c.on_segment) == 0 &&
           max_abs(c.on_shape) == 0;
  };
  for (const float bad : {std::numeric_limits<float>::quiet_NaN(), infinity, -infinity}) {
    for (std::size_t i = 0; i < numbers; ++i) {
      TypeParam shape = s;
      std::memcpy(reinterpret_cast<char*>(&shape) + i * sizeof(float), &bad, sizeof(float));
      EXPECT_TRUE(is_miss(nearest(shape, at.center))) << i;
      EXPECT_TRUE(is_miss(nearest(shape, Vec3{9, 9, 9}))) << i;
      EXPECT_TRUE(missed(clearance(segment, shape))) << i;
    }
    EXPECT_TRUE(is_miss(nearest(s, Vec3{1, bad, 3})));
    EXPECT_TRUE(missed(clearance(Segment{{1, 2, bad}, {1, 2, 3}}, s)));
    EXPECT_TRUE(missed(clearance(Segment{{1, 2, 3}, {bad, 2, 3}}, s)));
  }
}

TEST(Distance, SegmentsThatAreNoneMiss) {
  const float bad = std::numeric_limits<float>::quiet_NaN();
  const Segment s{{1, 2, 3}, {4, 5, 6}}, broken{{1, 2, 3}, {4, bad, 6}};
  EXPECT_EQ(nearest(s, Vec3{bad, 0, 0}).distance, infinity);
  EXPECT_EQ(nearest(broken, Vec3{0, 0, 0}).distance, infinity);
  EXPECT_EQ(closest_approach(s, broken).distance, infinity);
  EXPECT_EQ(closest_approach(broken, s).distance, infinity);
  EXPECT_EQ(max_abs(closest_approach(broken, s).on_second), 0);
}

/// A quarter turn about z, exact.
Vec3 turned(const Vec3& v) { return {-v.y, v.x, v.z}; }
Aabb turned(const Aabb& s) { return {{-s.max.y, s.min.x, s.min.z}, {-s.min.y, s.max.x, s.max.z}}; }
ObbFrame turned(const ObbFrame& s) {
  return {
      turned(s.center), s.half_extents, {turned(s.axis[0]), turned(s.axis[1]), turned(s.axis[2])}};
}
Sphere turned(const Sphere& s) { return {turned(s.center), s.radius}; }
Capsule turned(const Capsule& s) { return {turned(s.a), turned(s.b), s.radius}; }
Triangle turned(const Triangle& s) { return {turned(s.a), turned(s.b), turned(s.c)}; }
Plane turned(const Plane& s) { return {turned(s.normal), s.offset}; }

TYPED_TEST(DistanceTo, TurnsWithTheShapeToTheBit) {
  for (std::uint64_t seed = 1; seed <= scaled(50'000); ++seed) {
    Random r(seed);
    const Place at = random_place(r);
    const TypeParam s = shape_at<TypeParam>(r, at);
    const Vec3 p = point_about(r, at), q = point_about(r, at);
    const Nearest a = nearest(s, p), b = nearest(turned(s), turned(p));
    ASSERT_EQ(bits_of(a.distance), bits_of(b.distance)) << "seed " << seed;
    if (a.distance > 0) {  // inside, ties go by axes
      ASSERT_TRUE(same_bits(plus(turned(a.point), {0, 0, 0}), b.point)) << "seed " << seed;
      ASSERT_TRUE(same_bits(plus(turned(a.direction), {0, 0, 0}), b.direction)) << "seed " << seed;
    }
    const Clearance c = clearance({p, q}, s), d = clearance({turned(p), turned(q)}, turned(s));
    const double numbers = static_cast<double>(std::max({extent_of(s), largest(p), largest(q)}));
    ASSERT_NEAR(c.distance, d.distance, numbers * 1e-14 + c.distance * 0x1p-23) << "seed " << seed;
  }
}

TEST(Distance, OfBoxesInAnyTurnIsThatAlongTheAxes) {
  for (std::uint64_t seed = 1; seed <= scaled(50'000); ++seed) {
    Random r(seed);
    const auto turn = random_shape<ObbFrame>(r, {0, 0, 0}, 1);
    const Vec3 h = turn.half_extents, p = times(r.vec(-1, 1), r.power_of_two(-1, 4));
    const auto world = [&](const Vec3& v) {
      return plus(plus(times(turn.axis[0], v.x), times(turn.axis[1], v.y)),
                  times(turn.axis[2], v.z));
    };
    const Nearest along = nearest(Aabb{-h, h}, p), any = nearest(turn, world(p));
    const float rounding = 1e-6f * (1 + max_abs(p));
    ASSERT_NEAR(along.distance, any.distance, rounding) << "seed " << seed;
    if (along.distance < 0.1f) continue;
    ASSERT_LE(max_abs(minus(world(along.point), any.point)), rounding) << "seed " << seed;
    ASSERT_LE(max_abs(minus(world(along.direction), any.direction)), 20 * rounding)
        << "seed " << seed;
  }
}

}  // namespace
}  // namespace sightline::testing
