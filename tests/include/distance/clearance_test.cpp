// Clearances of segments, against binary128.
#include "tests/include/distance/distance_test.hpp"

#include <gtest/gtest.h>

#include <iostream>

namespace sightline::testing {
namespace {

template <class Shape>
class SegmentToShape : public ::testing::Test {};
using PassedShapes = ::testing::Types<Aabb, ObbFrame, Sphere, Capsule, Triangle, Plane>;
TYPED_TEST_SUITE(SegmentToShape, PassedShapes);

/// Near the shape: between two points about it, often along one of its own directions.
template <class Shape>
Segment passing(Random& r, const Place& at, const Shape& s) {
  Segment p{point_about(r, at), point_about(r, at)};
  if (r.one_in(4)) {
    // From one place on the surface to another, both moved a little.
    const Vec3 a = nearest(s, p.a).point, b = nearest(s, p.b).point;
    const Vec3 off = times(r.vec(-1, 1), at.size * r.power_of_two(-20, 0));
    p = {plus(a, off), plus(b, off)};
  }
  if (r.one_in(8)) p.b = {p.a.x, p.a.y, p.b.z};
  if (r.one_in(16)) p.b = p.a;
  return p;
}
/// Parallel to an edge, or as nearly as floats go; at such angles the turn of stored axes tells.
Segment passing(Random& r, const Place& at, const ObbFrame& s) {
  Segment p = passing<ObbFrame>(r, at, s);
  if (!r.one_in(2)) return p;
  const Vec3 along = times(s.axis[r.below(3)], max_abs(s.half_extents) * r.uniform(-4, 4));
  const Vec3 tilt = times(r.vec(-1, 1), max_abs(along) * r.power_of_two(-30, -16));
  p.a = minus(p.a, times(along, r.uniform(0, 1)));
  p.b = plus(p.a, plus(along, tilt));
  return p;
}

TYPED_TEST(SegmentToShape, AgreesWithBinary128) {
  WorstError distance;
  std::uint64_t meeting = 0, within = 0;
  for (std::uint64_t seed = 1; seed <= scaled(20'000); ++seed) {
    Random r(seed);
    const Place at = random_place(r);
    const TypeParam s = shape_at<TypeParam>(r, at);
    const Segment p = passing(r, at, s);
    const Clearance got = clearance(p, s);
    const oracle::QuadSegment wide{QuadVec(p.a), QuadVec(p.b)};
    const Quad truth = oracle::clearance_truth(wide, s);
    const Quad numbers = std::max({extent_of(s), largest(p.a), largest(p.b)});
    distance.add(got.distance, truth, numbers);
    // Another pair may be as close; this one lies on segment and shape, and is as far apart.
    ASSERT_LE(off_segment(wide, got.on_segment), numbers * 1e-15) << "seed " << seed;
    const Quad off = oracle::nearest_truth(s, QuadVec(got.on_shape)).distance;
    // Less than half of the least float is 0, and then both points are that of the segment.
    const Quad least = got.distance == 0 ? half_ulp(0) : Quad(0);
    ASSERT_LE(off, rounding_of(got.on_shape) + numbers * 1e-14 + least) << "seed " << seed;
    const Quad apart = oracle::length_of(QuadVec(got.on_segment) - QuadVec(got.on_shape));
    const Quad rounding = rounding_of(got.on_segment) + rounding_of(got.on_shape);
    ASSERT_LE(oracle::magnitude(apart - truth), rounding + numbers * 1e-14 + least)
        << "seed " << seed;
    ASSERT_TRUE(0 <= got.t && got.t <= 1) << "seed " << seed;
    ASSERT_TRUE(got.distance > 0 || same_bits(got.on_segment, got.on_shape)) << "seed " << seed;
    ASSERT_FALSE(has_negative_zero(got.on_segment) || has_negative_zero(got.on_shape));
    meeting += got.distance == 0;
    within += 0 < got.t && got.t < 1 && got.distance > 0;
  }
  std::cout << distance.cases << " segments, " << meeting << " meet, " << within
            << " closest inside; beyond rounding: distance " << distance.beyond_rounding << "\n";
  EXPECT_LE(distance.beyond_rounding, 1e-13);
  if (test_scale() >= 0.01) {
    EXPECT_GT(meeting, distance.cases / 20);
    EXPECT_TRUE(within > distance.cases / 50 || (std::is_same_v<TypeParam, Plane>));
  }
}

// Through the middle of a solid, in any turn, there is no rounding to pass beside it.
TYPED_TEST(SegmentToShape, IsExactlyZeroThroughTheMiddle) {
  for (std::uint64_t seed = 1; seed <= scaled(50'000); ++seed) {
    Random r(seed);
    const Vec3 center = r.vec(-4, 4), w = r.vec(-20, 20);
    const auto s = random_shape<TypeParam>(r, center, 1);
    const Nearest in = nearest(s, center);
    if (in.distance > -1e-5f) continue;
    const Segment p{minus(center, times(w, r.uniform(0.1f, 2))), plus(center, w)};
    const Clearance got = clearance(p, s);
    ASSERT_EQ(got.distance, 0) << "seed " << seed;
    ASSERT_LE(nearest(s, got.on_segment).distance, 1e-5f) << "seed " << seed;
  }
}

// Beams, and segments so nearly along them that which end is nearer hangs on how far the stored
// axes are from right angles: as floats, 1e-7, on a length of 1e4 sizes.
TEST(SegmentToBeam, KnowsTheNearerEnd) {
  WorstError distance;
  double closest = 0;
  for (std::uint64_t seed = 1; seed <= scaled(20'000); ++seed) {
    Random r(seed);
    ObbFrame s = random_shape<ObbFrame>(r, r.vec(-4, 4), 1);
    s.half_extents = {r.uniform(0.5f, 1), r.uniform(0.5f, 1), r.power_of_two(4, 14)};
    const Vec3 along = times(s.axis[2], s.half_extents.z * r.uniform(2, 4));
    const Vec3 tilt = times(r.vec(-1, 1), max_abs(along) * r.power_of_two(-26, -20));
    const Vec3 off = times(s.axis[r.below(2)], r.uniform(1.01f, 4) * (r.one_in(2) ? 1.0f : -1.0f));
    const Vec3 middle = plus(s.center, off);
    const Segment p{minus(middle, along), plus(plus(middle, along), tilt)};
    const Clearance got = clearance(p, s);
    const Quad truth = oracle::clearance_truth(oracle::QuadSegment{QuadVec(p.a), QuadVec(p.b)}, s);
    distance.add(got.distance, truth, std::max(largest(p.a), largest(p.b)));
    closest = std::max(closest, static_cast<double>(oracle::magnitude(truth - got.distance)));
  }
  std::cout << distance.cases << " segments; beyond rounding: distance " << distance.beyond_rounding
            << ", in sizes " << closest << "\n";
  EXPECT_LE(distance.beyond_rounding, 1e-14);
}

}  // namespace
}  // namespace sightline::testing
