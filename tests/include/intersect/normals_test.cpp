// Normals: unit, outward, where the ray meets the surface; and the cases that are conventions.
#include <sightline/geometry/queries/cast.hpp>

#include "tests/support/adversarial_pairs.hpp"
#include "tests/support/scale.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace sightline::testing {
namespace {

double dot(const Vec3& a, const Vec3& b) {
  return static_cast<double>(a.x) * b.x + static_cast<double>(a.y) * b.y +
         static_cast<double>(a.z) * b.z;
}
double length(const Vec3& v) { return std::sqrt(dot(v, v)); }
void expect_normal(const Hit& h, const Vec3& n) {
  EXPECT_TRUE(is_hit(h));
  EXPECT_TRUE(h.normal.x == n.x && h.normal.y == n.y && h.normal.z == n.z)
      << text(h.normal) << " not " << text(n);
}

/// The outward normal at a point of the surface, in binary64; some face's for a box.
Vec3 true_normal(const Sphere& s, const Vec3& p) { return unit(minus(p, s.center)); }
Vec3 true_normal(const Capsule& s, const Vec3& p) {
  const Vec3 e = minus(s.b, s.a), w = minus(p, s.a);
  const double ee = dot(e, e);
  const double along = ee > 0 ? std::clamp(dot(w, e) / ee, 0.0, 1.0) : 0.0;
  return unit(minus(w, times(e, static_cast<float>(along))));
}

template <class Shape>
class Normals : public ::testing::Test {};
using Shapes = ::testing::Types<Aabb, ObbFrame, Sphere, Capsule, Cylinder, Plane>;
TYPED_TEST_SUITE(Normals, Shapes);

TYPED_TEST(Normals, AreUnitAndFaceTheRayAtTheEntryAndAwayAtTheExit) {
  int entries = 0, exits = 0;
  for (std::uint64_t seed = 1; seed <= scaled(200'000); ++seed) {
    Random r(seed);
    Pair<TypeParam> p = random_pair<TypeParam>(r);
    p.ray.t_max = infinity;
    const Hit h = cast(p.ray, p.shape, Inside::surface);
    if (!is_hit(h)) continue;
    (started_inside(h) ? exits : entries) += 1;
    ASSERT_NEAR(length(h.normal), 1, 3e-7) << "seed " << seed << " " << text(p.ray);
    const double cosine = dot(h.normal, p.ray.direction) / length(p.ray.direction);
    if (started_inside(h)) {
      ASSERT_GE(cosine, -4e-7) << "seed " << seed << " " << text(p.ray);
    } else {
      ASSERT_LE(cosine, 4e-7) << "seed " << seed << " " << text(p.ray);
    }
  }
  if (test_scale() >= 0.01) {
    EXPECT_GT(entries, 50);
    EXPECT_GT(exits, 50);
  }
}

template <class Shape>
class RoundNormals : public ::testing::Test {};
using RoundShapes = ::testing::Types<Sphere, Capsule>;
TYPED_TEST_SUITE(RoundNormals, RoundShapes);

TYPED_TEST(RoundNormals, PointFromTheNearestPointOfTheMiddle) {
  int checked = 0;
  for (std::uint64_t seed = 1; seed <= scaled(200'000); ++seed) {
    Random r(seed);
    Pair<TypeParam> p = random_pair<TypeParam>(r);
    p.ray.t_min = 0, p.ray.t_max = infinity;
    const Hit h = cast(p.ray, p.shape, Inside::surface);
    if (!is_hit(h) || p.shape.radius == 0) continue;
    const Vec3 at = plus(p.ray.origin, times(p.ray.direction, h.t));
    // The point that we compute here is off by its own rounding, and by t's.
    const double reach = static_cast<double>(max_abs(p.ray.origin)) +
                         static_cast<double>(max_abs(at)) +
                         static_cast<double>(h.t) * length(p.ray.direction);
    const double tolerance = 1e-6 * (1 + reach / static_cast<double>(p.shape.radius));
    if (tolerance > 0.05) continue;
    ++checked;
    ASSERT_LE(length(minus(h.normal, true_normal(p.shape, at))), tolerance)
        << "seed " << seed << " " << text(p.ray) << " normal " << text(h.normal);
  }
  if (test_scale() >= 0.01) {
    EXPECT_GT(checked, 50);
  }
}

TEST(BoxNormals, AreThoseOfTheFaceThatIsMet) {
  const Aabb box{{-1, -2, -3}, {1, 2, 3}};
  const ObbFrame same = frame(Obb{{0, 0, 0}, {1, 2, 3}, {}});
  const ObbFrame turned = frame(Obb{{0, 0, 0}, {2, 1, 3}, {0, 0, 1, 1}});  // x and y exchanged
  const auto expect = [&](const Vec3& origin, const Vec3& direction, const Vec3& entry,
                          const Vec3& exit) {
    const Ray from_outside{origin, direction};
    Ray from_inside = from_outside;
    from_inside.t_min = cast(from_outside, box).t + 0.25f;
    const auto check = [&](const auto& b) {
      for (const Inside policy : every_policy) expect_normal(cast(from_outside, b, policy), entry);
      expect_normal(cast(from_inside, b, Inside::surface), exit);
    };
    check(box);
    check(same);
    check(turned);
  };
  expect({-5, 0.5f, 1}, {1, 0, 0}, {-1, 0, 0}, {1, 0, 0});
  expect({5, 0.5f, 1}, {-1, 0, 0}, {1, 0, 0}, {-1, 0, 0});
  expect({0.5f, -9, 1}, {0, 2, 0}, {0, -1, 0}, {0, 1, 0});
  expect({0.5f, 9, 1}, {0, -1, 0}, {0, 1, 0}, {0, -1, 0});
  expect({0.5f, 1, -9}, {0, 0, 1}, {0, 0, -1}, {0, 0, 1});
  expect({0.5f, 1, 9}, {0, 0, -2}, {0, 0, 1}, {0, 0, -1});
  expect({-5, -1, 0}, {4, 1, 0.5f}, {-1, 0, 0}, {1, 0, 0});
  expect({-1.5f, -5, 0}, {1, 4, 0}, {0, -1, 0}, {0, 1, 0});
  // In by one axis, out by another.
  expect({-2, 0, 0}, {1, 1, 0}, {-1, 0, 0}, {0, 1, 0});
  expect({-2, 0, 1}, {1, 0, 1}, {-1, 0, 0}, {0, 0, 1});
  expect({0, -3, 1}, {0, 1, 1}, {0, -1, 0}, {0, 0, 1});
  expect({0.5f, 3, 1}, {0.125f, -2, -2}, {0, 1, 0}, {0, 0, -1});
}

TEST(BoxNormals, OnEdgesAndCornersTheLowestAxisWins) {
  const Aabb box{{0, 0, 0}, {2, 2, 2}};
  const ObbFrame same = frame(Obb{{1, 1, 1}, {1, 1, 1}, {}});
  const auto expect = [&](const Ray& ray, Inside policy, const Vec3& n) {
    expect_normal(cast(ray, box, policy), n);
    expect_normal(cast(ray, same, policy), n);
  };
  // Through a corner into the opposite one.
  expect(Ray{{-1, -1, -1}, {1, 1, 1}}, Inside::solid, {-1, 0, 0});
  expect(Ray{{3, 3, 3}, {-1, -1, -1}}, Inside::solid, {1, 0, 0});
  expect(Ray{{1, 1, 1}, {1, 1, 1}}, Inside::surface, {1, 0, 0});
  expect(Ray{{1, 1, 1}, {-1, 1, -1}}, Inside::surface, {-1, 0, 0});
  // Through edges.
  expect(Ray{{-1, -1, 1}, {1, 1, 0}}, Inside::solid, {-1, 0, 0});
  expect(Ray{{-1, 1, -1}, {1, 0, 1}}, Inside::solid, {-1, 0, 0});
  expect(Ray{{1, -1, -1}, {0, 1, 1}}, Inside::solid, {0, -1, 0});
  expect(Ray{{1, 3, 3}, {0, -1, -1}}, Inside::solid, {0, 1, 0});
  expect(Ray{{1, 1, 1}, {0, 1, 1}}, Inside::surface, {0, 1, 0});
  expect(Ray{{1, 1, 1}, {1, 0, -1}}, Inside::surface, {1, 0, 0});
  // Along a face: the axis that is entered, not the one that is grazed.
  expect(Ray{{0, 1, -1}, {0, 0, 1}}, Inside::solid, {0, 0, -1});
  expect(Ray{{2, -1, 2}, {0, 1, 0}}, Inside::solid, {0, -1, 0});
}

TEST(NormalsByConvention, InsideUnderSolidAndRadiusZeroPointAgainstTheDirection) {
  const Vec3 against{-0.6f, 0, -0.8f};
  const Ray ray{{0, 0, 0}, {3, 0, 4}};
  const auto expect = [&](const auto& shape, const Ray& from, Inside policy) {
    const Hit h = cast(from, shape, policy);
    ASSERT_TRUE(is_hit(h));
    EXPECT_NEAR(h.normal.x, against.x, 1e-7);
    EXPECT_EQ(h.normal.y, 0);
    EXPECT_NEAR(h.normal.z, against.z, 1e-7);
  };
  expect(Aabb{{-1, -1, -1}, {1, 1, 1}}, ray, Inside::solid);
  expect(frame(Obb{{0, 0, 0}, {1, 1, 1}, {0, 0, 1, 1}}), ray, Inside::solid);
  expect(Sphere{{0.5f, 0, 0}, 1}, ray, Inside::solid);
  expect(Capsule{{-1, 0, 0}, {1, 0, 0}, 1}, ray, Inside::solid);
  expect(Plane{{0, 1, 0}, 1}, ray, Inside::solid);
  for (const Inside policy : every_policy) {
    const Ray to_zero{{-3, 0, -4}, {3, 0, 4}};
    expect(Sphere{{0, 0, 0}, 0}, to_zero, policy);
    expect(Capsule{{-1, 0, 0}, {1, 0, 0}, 0}, to_zero, policy);
    expect(Capsule{{0, 0, 0}, {0, 0, 0}, 0}, to_zero, policy);
    // t = 1/k is not a float, so the hit point is not quite the center.
    for (float k = 3; k < 100; k += 2) {
      const Ray inexact{{-3, 0, -4}, {3 * k, 0, 4 * k}};
      expect(Sphere{{0, 0, 0}, 0}, inexact, policy);
      expect(Capsule{{0, 0, 0}, {0, 0, 0}, 0}, inexact, policy);
    }
  }
}

// From so far that two-floats keep little or nothing of the shape.
TEST(NormalsByConvention, AreOfUnitLengthFromAnyDistance) {
  Random r(31);
  for (int i = 0; i < 20000; ++i) {
    const Vec3 center{0, 0, 0};  // so that the aim is exact
    const float radius = r.power_of_two(-50, -20);
    Ray ray;
    ray.origin = times(r.vec(-1, 1), r.power_of_two(10, 39));
    ray.direction = -ray.origin;
    for (const Hit& h :
         {cast(ray, Sphere{center, radius}), cast(ray, Capsule{center, center, radius})}) {
      ASSERT_TRUE(is_hit(h));
      const Vec3 n = h.normal;
      ASSERT_NEAR(n.x * n.x + n.y * n.y + n.z * n.z, 1, 1e-6) << "ray " << i << ": " << text(ray);
    }
  }
}

TEST(NormalsByConvention, OnlyTheReportedNormalOfAPlaneIsNormalised) {
  const Plane p{{0, 0, 1.00005f}, 2};
  const Hit h = cast(Ray{{0, 0, 5}, {0, 0, -1}}, p);
  expect_normal(h, {0, 0, 1});
  EXPECT_NEAR(h.t, 5 - 2 / 1.00005, 1e-6);
  expect_normal(cast(Ray{{0, 0, 0}, {0, 0, 1}}, p, Inside::surface), {0, 0, 1});
}

TEST(NormalsByConvention, OfCapsulesAreTheCylindersBetweenTheEndsAndTheBallsBeyond) {
  const Capsule post{{0, 0, -2}, {0, 0, 2}, 1};
  expect_normal(cast(Ray{{-5, 0, 1}, {1, 0, 0}}, post), {-1, 0, 0});
  expect_normal(cast(Ray{{0, 5, -1}, {0, -1, 0}}, post), {0, 1, 0});
  expect_normal(cast(Ray{{0, 0, 9}, {0, 0, -1}}, post), {0, 0, 1});
  expect_normal(cast(Ray{{0, 0, -9}, {0, 0, 1}}, post), {0, 0, -1});
  expect_normal(cast(Ray{{0, 0, 0}, {0, 0, 1}}, post, Inside::surface), {0, 0, 1});
  expect_normal(cast(Ray{{0, 0, 0}, {0, 1, 0}}, post, Inside::surface), {0, 1, 0});
  const Hit cap = cast(Ray{{-5, 0, 2.6f}, {1, 0, 0}}, post);
  EXPECT_NEAR(cap.normal.x, -0.8f, 1e-6);
  EXPECT_NEAR(cap.normal.z, 0.6f, 1e-6);
}

TEST(Unit, HasLengthOneWhateverTheSize) {
  for (std::uint64_t seed = 1; seed <= scaled(100'000); ++seed) {
    Random r(seed);
    const Vec3 v = times(r.vec(-1, 1), r.power_of_two(-120, 120));
    ASSERT_NEAR(length(unit(v)), 1, 2e-7) << "seed " << seed;
  }
  const Vec3 zero = unit(Vec3{0, 0, 0});
  EXPECT_TRUE(zero.x == 0 && zero.y == 0 && zero.z == 0);
}

}  // namespace
}  // namespace sightline::testing
