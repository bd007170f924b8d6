// Nearest points of every shape, against binary128.
#include "tests/include/distance/distance_test.hpp"

#include <gtest/gtest.h>

#include <iostream>

namespace sightline::testing {
namespace {

template <class Shape>
class PointToShape : public ::testing::Test {};
using NearestShapes = ::testing::Types<Aabb, ObbFrame, Sphere, Capsule, Triangle, Plane>;
TYPED_TEST_SUITE(PointToShape, NearestShapes);

/// The largest errors of one kind of shape.
struct NearestErrors {
  WorstError distance, point, direction, surface;
  std::uint64_t inside = 0;
};

template <class Shape>
void judge(const Shape& s, const Vec3& p, NearestErrors& errors) {
  const Nearest got = nearest(s, p);
  const oracle::QuadNearest truth = oracle::nearest_truth(s, QuadVec(p));
  const Quad numbers = std::max(extent_of(s), largest(p));
  errors.distance.add(got.distance, truth.distance, numbers);
  // The nearest point is one of a kind outside; inside, any that is as near and on the surface.
  if (truth.distance > 0) {
    errors.point.add(got.point, truth.point, numbers);
  } else {
    const Quad from = oracle::length_of(QuadVec(p) - QuadVec(got.point));
    const Quad off = oracle::nearest_truth(s, QuadVec(got.point)).distance;
    const Quad rounding = rounding_of(got.point);
    const auto part = [&](Quad x) {
      return numbers > 0 ? static_cast<double>((oracle::magnitude(x) - rounding) / numbers) : 0.0;
    };
    double& worst = errors.surface.beyond_rounding;
    worst = std::max({worst, part(from + truth.distance), part(off)});
    ++errors.inside;
  }
  // The way is known as far as the distance is.
  if (oracle::magnitude(truth.distance) > numbers * 1e-6 && truth.distance > 0) {
    const QuadVec way = (QuadVec(p) - truth.point) * (1 / truth.distance);
    errors.direction.add(got.direction, way, 1);
  }
  ASSERT_NEAR(length(got.direction), 1, 1.5e-7);
  ASSERT_NE(bits_of(got.distance), 0x80000000u);
  ASSERT_FALSE(has_negative_zero(got.point) || has_negative_zero(got.direction));
}

TYPED_TEST(PointToShape, AgreesWithBinary128) {
  NearestErrors errors;
  for (std::uint64_t seed = 1; seed <= scaled(10'000); ++seed) {
    Random r(seed);
    const Place at = random_place(r);
    const TypeParam s = shape_at<TypeParam>(r, at);
    for (int i = 0; i < 4; ++i) {
      Vec3 p = point_about(r, at);
      // Another at the surface.
      if (i % 2 == 1) p = nearest(s, p).point;
      ASSERT_NO_FATAL_FAILURE(judge(s, p, errors)) << "seed " << seed << " point " << text(p);
    }
  }
  std::cout << errors.distance.cases << " points, " << errors.inside
            << " inside; beyond rounding: distance " << errors.distance.beyond_rounding
            << ", point " << errors.point.beyond_rounding << ", from inside "
            << errors.surface.beyond_rounding << ", direction " << errors.direction.beyond_rounding
            << "\n";
  EXPECT_LE(errors.distance.beyond_rounding, 1e-15);
  EXPECT_LE(errors.point.beyond_rounding, 1e-12);
  EXPECT_LE(errors.surface.beyond_rounding, 1e-12);
  EXPECT_LE(errors.direction.beyond_rounding, 1e-8);
  if (test_scale() >= 0.01) {
    EXPECT_GT(errors.inside, errors.distance.cases / 100);
    EXPECT_GT(errors.point.cases, errors.distance.cases / 4);
  }
}

}  // namespace
}  // namespace sightline::testing
