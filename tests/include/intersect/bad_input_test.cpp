// NaN, infinite, denormal and out-of-domain numbers in a ray: flagged, or ordinary.
#include <sightline/geometry/queries/cast.hpp>
#include <sightline/geometry/queries/line_of_sight.hpp>

#include "tests/support/adversarial_pairs.hpp"
#include "tests/support/scale.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace sightline::testing {
namespace {

constexpr float nan = std::numeric_limits<float>::quiet_NaN();

template <class Function>
void for_each_kind(Function f) {
  f(Aabb{{-1, -1, -1}, {1, 1, 1}});
  f(frame(Obb{{0, 0, 0}, {1, 1, 1}, {0, 0, 1, 1}}));
  f(Sphere{{0, 0, 0}, 1});
  f(Capsule{{-1, 0, 0}, {1, 0, 0}, 1});
  f(Cylinder{{-1, 0, 0}, {1, 0, 0}, 1});
  f(Triangle{{-1, -1, 0}, {1, -1, 0}, {0, 1, 0}});
  f(Plane{{0, 0, 1}, 1});
}

void expect_bad(const Ray& ray) {
  EXPECT_TRUE(is_bad(ray)) << text(ray);
  for_each_kind([&](const auto& shape) {
    for (const Inside policy : every_policy) {
      Hit expected;
      expected.flags = hit_flags::bad_ray;
      EXPECT_TRUE(same_bits(cast(ray, shape, policy), expected)) << text(ray);
    }
  });
}

TEST(BadRays, AreMissesAndFlagged) {
  const Ray good{{0, 0, -3}, {0, 0, 1}};
  ASSERT_FALSE(is_bad(good));
  for (const float bad : {nan, infinity, -infinity, next_up(domain_limit), -0x1p41f}) {
    for (int axis = 0; axis < 3; ++axis) {
      Ray ray = good;
      (axis == 0 ? ray.origin.x : axis == 1 ? ray.origin.y : ray.origin.z) = bad;
      expect_bad(ray);
    }
  }
  for (const float bad : {nan, infinity, -infinity}) {
    for (int axis = 0; axis < 3; ++axis) {
      Ray ray = good;
      (axis == 0 ? ray.direction.x : axis == 1 ? ray.direction.y : ray.direction.z) = bad;
      expect_bad(ray);
      ray.direction = {0, 0, 0};
      (axis == 0 ? ray.direction.x : axis == 1 ? ray.direction.y : ray.direction.z) = bad;
      expect_bad(ray);
    }
  }
  const float ends[][2] = {{nan, 1},        {0, nan}, {nan, nan},     {2, 1},       {-1, 1},
                           {-0x1p-149f, 1}, {0, -1},  {-infinity, 1}, {infinity, 1}};
  for (const auto& e : ends) {
    Ray ray = good;
    ray.t_min = e[0], ray.t_max = e[1];
    expect_bad(ray);
  }
}

TEST(BadRays, TheEdgesOfTheDomainAreGood) {
  Ray ray{{domain_limit, -domain_limit, domain_limit}, {largest_float, -largest_float, 0}};
  EXPECT_FALSE(is_bad(ray));
  ray.t_min = infinity;  // an empty stretch at the end, but no contradiction
  EXPECT_FALSE(is_bad(ray));
  for_each_kind([&](const auto& shape) { EXPECT_FALSE(is_hit(cast(ray, shape))); });
  ray = {{0, 0, -3}, {0, 0, 1}};
  ray.t_min = ray.t_max = 3;
  EXPECT_TRUE(is_hit(cast(ray, Sphere{{0, 0, 0}, 1})));
  ray.t_min = -0.0f;
  ray.t_max = 3;
  EXPECT_FALSE(is_bad(ray));
}

TEST(BadRays, AnInfiniteTNeverHits) {
  for_each_kind([](const auto& shape) {
    for (const Inside policy : every_policy) {
      Ray ray{{0, 0, 0}, {1, 0, 0}};
      ray.t_min = infinity;
      EXPECT_FALSE(is_hit(cast(ray, shape, policy)));
      EXPECT_FALSE(cast_past_gate(make_query(ray, policy), shape, infinity).hit);
      ray.direction = {0, 0, 0};
      EXPECT_FALSE(is_hit(cast(ray, shape, policy)));
      EXPECT_FALSE(cast_past_gate(make_query(ray, policy), shape, infinity).hit);
    }
  });
}

TEST(BadPoints, SeeNothing) {
  EXPECT_FALSE(is_bad(SightPoint{{domain_limit, 0, 0}}));
  for (const float bad : {nan, infinity, -infinity, next_up(domain_limit)}) {
    EXPECT_TRUE(is_bad(SightPoint{{bad, 0, 0}}));
    EXPECT_TRUE(is_bad(SightPoint{{0, bad, 0}}));
    EXPECT_TRUE(is_bad(SightPoint{{0, 0, bad}}));
  }
}

template <class Shape>
class ExtremeNumbers : public ::testing::Test {};
using ExtremeShapes = ::testing::Types<Aabb, ObbFrame, Sphere, Capsule, Cylinder, Triangle, Plane>;
TYPED_TEST_SUITE(ExtremeNumbers, ExtremeShapes);

/// A number from the ends of the range: denormal, tiny, one, the domain's limit, huge.
float extreme(Random& r) {
  static const std::vector<float> numbers = {
      0, -0.0f, 0x1p-149f, -0x1p-149f,   0x1p-127f,     0x1p-126f,     0x1p-60f,
      1, -1,    0x1p24f,   domain_limit, -domain_limit, 0x1.fffffep39f};
  return numbers[static_cast<std::size_t>(r.below(static_cast<int>(numbers.size())))];
}
float extreme_direction(Random& r) {
  return r.one_in(4) ? (r.one_in(2) ? 1 : -1) * largest_float : extreme(r);
}

// No accuracy is promised here: but every element is written, t lies in the interval, normals are
// unit, and nothing is NaN.
TYPED_TEST(ExtremeNumbers, StillGiveWellFormedAnswers) {
  for (std::uint64_t seed = 1; seed <= scaled(300'000); ++seed) {
    Random r(seed);
    const auto vec = [&r] { return Vec3{extreme(r), extreme(r), extreme(r)}; };
    TypeParam shape{};
    if constexpr (std::is_same_v<TypeParam, Aabb>) {
      const Vec3 a = vec(), b = vec();
      shape = {{sightline::min(a.x, b.x), sightline::min(a.y, b.y), sightline::min(a.z, b.z)},
               {sightline::max(a.x, b.x), sightline::max(a.y, b.y), sightline::max(a.z, b.z)}};
      if (shape.min.x > shape.max.x || shape.min.y > shape.max.y) continue;
    } else if constexpr (std::is_same_v<TypeParam, ObbFrame>) {
      const Vec3 h = vec();
      shape = frame(Obb{vec(),
                        {std::fabs(h.x), std::fabs(h.y), std::fabs(h.z)},
                        {r.uniform(-1, 1), 1, r.uniform(-1, 1), 0}});
    } else if constexpr (std::is_same_v<TypeParam, Sphere>) {
      shape = {vec(), std::fabs(extreme(r))};
    } else if constexpr (std::is_same_v<TypeParam, Capsule> ||
                         std::is_same_v<TypeParam, Cylinder>) {
      shape = {vec(), vec(), std::fabs(extreme(r))};
    } else if constexpr (std::is_same_v<TypeParam, Triangle>) {
      shape = {vec(), vec(), vec()};
    } else {
      shape = {unit(Vec3{r.uniform(-1, 1), 1, extreme(r) * 0x1p-40f}), extreme(r)};
    }
    Ray ray{vec(), {extreme_direction(r), extreme_direction(r), extreme_direction(r)}};
    if (r.one_in(2)) ray.t_max = std::fabs(extreme(r));
    ASSERT_FALSE(is_bad(ray)) << text(ray);
    for (const Inside policy : every_policy) {
      const Hit h = cast(ray, shape, policy);
      if (!is_hit(h)) {
        ASSERT_TRUE(same_bits(h, Hit{})) << "seed " << seed;
        continue;
      }
      ASSERT_TRUE(h.t >= ray.t_min && h.t <= ray.t_max && h.t <= largest_float)
          << "seed " << seed << " " << text(ray) << " t " << h.t;
      const float n = h.normal.x * h.normal.x + h.normal.y * h.normal.y + h.normal.z * h.normal.z;
      ASSERT_TRUE(std::fabs(n - 1) < 1e-5f || n == 0)
          << "seed " << seed << " " << text(ray) << " normal " << text(h.normal);
    }
  }
}

}  // namespace
}  // namespace sightline::testing
