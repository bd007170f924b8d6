// The exact scaling of rays: directions of any finite nonzero length give corresponding answers.
#include <sightline/geometry/queries/cast.hpp>

#include "tests/support/adversarial_pairs.hpp"
#include "tests/support/scale.hpp"

#include <gtest/gtest.h>

namespace sightline::testing {
namespace {

TEST(Scaling, BringsTheLargestComponentIntoOneToTwo) {
  for (std::uint64_t seed = 1; seed <= scaled(200'000); ++seed) {
    Random r(seed);
    const float length = r.power_of_two(-148, 127);
    Ray ray{{1, 2, 3}, times(r.vec(-1, 1), length)};
    if (max_abs(ray.direction) == 0) continue;
    const ScaledRay q = scale(ray);
    const float largest = max_abs(q.line.direction);
    ASSERT_TRUE(largest >= 1 && largest < 2) << "seed " << seed << " " << text(ray);
    ASSERT_EQ(std::ldexp(largest, q.exponent), max_abs(ray.direction)) << "seed " << seed;
    for (const float c : {q.line.direction.x, q.line.direction.y, q.line.direction.z}) {
      ASSERT_TRUE(bits_of(c) == 0 || std::fabs(c) >= 0x1p-126f) << "seed " << seed;
    }
    ASSERT_EQ(q.line.inverse.x, q.line.direction.x == 0 ? infinity : 1 / q.line.direction.x)
        << "seed " << seed;
    ASSERT_FALSE(q.line.is_point);
  }
}

TEST(Scaling, TinyComponentsAndMinusZeroBecomeZero) {
  const ScaledRay q = scale(Ray{{0, 0, 0}, {1, -0x1p-127f, -0.0f}});
  EXPECT_EQ(bits_of(q.line.direction.y), 0u);
  EXPECT_EQ(bits_of(q.line.direction.z), 0u);
  EXPECT_EQ(q.line.inverse.y, infinity);
  EXPECT_EQ(q.line.inverse.z, infinity);
  const ScaledRay kept = scale(Ray{{0, 0, 0}, {1, -0x1p-126f, 0x1p-126f}});
  EXPECT_EQ(kept.line.direction.y, -0x1p-126f);
  EXPECT_EQ(kept.line.direction.z, 0x1p-126f);
  const ScaledRay large = scale(Ray{{0, 0, 0}, {0x1p100f, 0x1p-26f, 0x1p-27f}});
  EXPECT_EQ(large.line.direction.y, 0x1p-126f);
  EXPECT_EQ(bits_of(large.line.direction.z), 0u);
}

TEST(Scaling, PowersAndExponentsAreExact) {
  for (std::uint64_t seed = 1; seed <= scaled(100'000); ++seed) {
    Random r(seed);
    const float x = r.uniform(1, 2) * r.power_of_two(-149, 127);
    ASSERT_EQ(exponent_of(x), std::ilogb(x)) << "seed " << seed;
    if (x >= 0x1p-126f && x < 0x1p127f) {
      const float scaled_x = x * normalising_power(x);
      ASSERT_TRUE(scaled_x >= 1 && scaled_x < 2) << "seed " << seed;
    }
    const int n = r.between(-252, 252);
    const float once = std::ldexp(1.5f, n);
    if (n >= -125) {  // no second rounding below
      ASSERT_EQ(times_power_of_two(1.5f, n), once) << n;
    }
  }
  EXPECT_EQ(times_power_of_two(1, -149), 0x1p-149f);
  EXPECT_EQ(times_power_of_two(0x1p-149f, 252), 0x1p103f);
  EXPECT_EQ(times_power_of_two(1, 200), infinity);
  EXPECT_EQ(times_power_of_two(infinity, -200), infinity);
}

template <class Shape>
class ScaledDirections : public ::testing::Test {};
using ScaledShapes = ::testing::Types<Aabb, ObbFrame, Sphere, Capsule, Cylinder, Triangle, Plane>;
TYPED_TEST_SUITE(ScaledDirections, ScaledShapes);

// Directions of integers times 2^-149 to 2^124 (1e-45 to 2e37): t is scaled by the inverse,
// exactly, until it saturates or is too small for an exact float.
TYPED_TEST(ScaledDirections, GiveExactlyTheCorrespondingAnswer) {
  int hits = 0, saturated = 0;
  for (std::uint64_t seed = 1; seed <= scaled(200'000); ++seed) {
    Random r(seed);
    const Pair<TypeParam> p = random_pair<TypeParam>(r);
    Ray ray = p.ray;
    ray.t_min = 0, ray.t_max = infinity;
    ray.direction = r.lattice(-7, 7);
    ray.origin = minus(ray.origin, times(ray.direction, r.power_of_two(-4, 4)));
    const int n = r.between(-149, 124);
    Ray other = ray;
    other.direction = {std::ldexp(ray.direction.x, n), std::ldexp(ray.direction.y, n),
                       std::ldexp(ray.direction.z, n)};
    for (const Inside policy : every_policy) {
      const Hit a = cast(ray, p.shape, policy), b = cast(other, p.shape, policy);
      ASSERT_EQ(a.flags, b.flags) << "seed " << seed << " n " << n << " " << text(ray);
      if (!is_hit(a)) continue;
      ++hits;
      const double t = std::ldexp(static_cast<double>(a.t), -n);
      const double largest = largest_float;
      if (t > largest) {
        ++saturated;
        ASSERT_EQ(b.t, largest_float) << "seed " << seed << " n " << n << " " << text(ray);
      } else if (t >= 0x1p-126 || t == 0) {
        ASSERT_EQ(static_cast<double>(b.t), t) << "seed " << seed << " n " << n;
      }
      ASSERT_EQ(bits_of(a.normal.x), bits_of(b.normal.x)) << "seed " << seed;
      ASSERT_EQ(bits_of(a.normal.y), bits_of(b.normal.y)) << "seed " << seed;
      ASSERT_EQ(bits_of(a.normal.z), bits_of(b.normal.z)) << "seed " << seed;
    }
  }
  if (test_scale() >= 0.01) {
    EXPECT_GT(hits, 20);
    EXPECT_GT(saturated, 2);
  }
}

TEST(Scaling, LengthsAtWhichUnscaledFormsFailAreOrdinary) {
  const Sphere ball{{100, 0, 0}, 1};
  const Aabb box{{99, -1, -1}, {101, 1, 1}};
  const Capsule post{{100, -1, 0}, {100, 1, 0}, 1};
  for (const float length : {1e-36f, 1e-30f, 1e-23f, 2e19f, 1e30f, 1e38f}) {
    const Ray ray{{0, 0, 0}, {length, 0, 0}};
    const auto t = static_cast<double>(99) / static_cast<double>(length);
    EXPECT_NEAR(static_cast<double>(cast(ray, ball).t) / t, 1, 1e-6) << length;
    EXPECT_NEAR(static_cast<double>(cast(ray, box).t) / t, 1, 1e-6) << length;
    EXPECT_NEAR(static_cast<double>(cast(ray, post).t) / t, 1, 1e-6) << length;
  }
}

TEST(Scaling, TheIntervalIsScaledAsTIs) {
  const Sphere ball{{5, 0, 0}, 1};
  const auto at = [&](float speed, float t_min, float t_max) {
    Ray ray{{0, 0, 0}, {speed, 0, 0}};
    ray.t_min = t_min, ray.t_max = t_max;
    return cast(ray, ball);
  };
  for (const float speed : {4.0f, 0.25f, 0x1p100f, 0x1p-100f}) {
    const float in = 4 / speed, out = 6 / speed;
    EXPECT_EQ(at(speed, 0, in).t, in);
    EXPECT_FALSE(is_hit(at(speed, 0, next_down(in))));
    EXPECT_FALSE(is_hit(at(speed, next_up(out), infinity)));
    EXPECT_FALSE(started_inside(at(speed, in, out)));
    EXPECT_TRUE(started_inside(at(speed, next_up(in), out)));
    EXPECT_EQ(at(speed, out, out).t, out);
  }
}

TEST(Scaling, TSaturatesAndStaysInTheCallersInterval) {
  const Sphere far{{0x1p39f, 0, 0}, 1};
  Ray ray{{0, 0, 0}, {0x1p-120f, 0, 0}};
  EXPECT_EQ(cast(ray, far).t, largest_float);  // 2^159
  EXPECT_TRUE(is_hit(cast(ray, far)));
  ray.t_max = largest_float;
  EXPECT_FALSE(is_hit(cast(ray, far)));  // 2^128 is nearer than 2^159
  // The caller's interval survives the way there and back, where its ends round.
  ray = {{0, 0, 0}, {0x1p-130f, 0, 0}};
  ray.t_min = ray.t_max = 0x1.fffffep-10f;
  EXPECT_EQ(cast(ray, Aabb{{-1, -1, -1}, {1, 1, 1}}).t, ray.t_min);
  // A t_max that overflows when scaled is no end at all.
  ray = {{0, 0, 0}, {0x1p100f, 0, 0}};
  ray.t_max = 0x1p100f;
  EXPECT_EQ(cast(ray, far).t, std::ldexp(0x1p39f - 1, -100));
}

}  // namespace
}  // namespace sightline::testing
