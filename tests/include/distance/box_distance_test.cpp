// The culling bound: monotone to the bit, never above the truth, and culling by it drops nothing.
#include <sightline/geometry/distance/box_distance.hpp>

#include "tests/include/distance/distance_test.hpp"

#include <gtest/gtest.h>

#include <utility>

namespace sightline::testing {
namespace {

/// Of every size that floats have, subnormal ones and both zeros included.
float any_float(Random& r, int highest) {
  const float sign = r.one_in(2) ? 1.0f : -1.0f;
  if (r.one_in(16)) return 0.0f * sign;
  return sign * std::ldexp(r.uniform(1, 2), r.between(-149, highest));
}

/// Of one size, so that differences cancel; or of all sizes.
struct Numbers {
  int highest;
  bool of_one_size;
  float draw(Random& r) const {
    if (!of_one_size) return any_float(r, highest);
    return std::ldexp(r.uniform(-1, 1), highest);
  }
  Vec3 vec(Random& r) const {
    const float x = draw(r), y = draw(r);
    return {x, y, draw(r)};
  }
};

void order(float& low, float& high) {
  if (high < low) std::swap(low, high);
}
Aabb ordered(Vec3 a, Vec3 b) {
  order(a.x, b.x), order(a.y, b.y), order(a.z, b.z);
  return {a, b};
}

/// Larger by nothing, by one float or by any number, side by side.
float at_most(Random& r, const Numbers& numbers, float x) {
  if (r.one_in(3)) return x;
  return r.one_in(2) ? next_down(x) : min(x, numbers.draw(r));
}
Aabb larger(Random& r, const Numbers& n, const Aabb& s) {
  return {{at_most(r, n, s.min.x), at_most(r, n, s.min.y), at_most(r, n, s.min.z)},
          {-at_most(r, n, -s.max.x), -at_most(r, n, -s.max.y), -at_most(r, n, -s.max.z)}};
}

/// On a face of the box or beside it, coordinate by coordinate, or anywhere.
Vec3 point_by(Random& r, const Numbers& numbers, const Aabb& s) {
  const auto by = [&](float low, float high) {
    const float face = r.one_in(2) ? low : high;
    switch (r.below(4)) {
      case 0:
        return face;
      case 1:
        return r.one_in(2) ? next_up(face) : next_down(face);
      default:
        return numbers.draw(r);
    }
  };
  const float x = by(s.min.x, s.max.x), y = by(s.min.y, s.max.y);
  return {x, y, by(s.min.z, s.max.z)};
}

TEST(BoxDistance, IsMonotoneAndNeverAboveTheTruth) {
  std::uint64_t outside = 0, counted = 0;
  double loosest = 0;
  const std::uint64_t cases = scaled(3'000'000);
  for (std::uint64_t seed = 1; seed <= cases; ++seed) {
    Random r(seed);
    const Numbers numbers{r.between(-149, r.one_in(4) ? 126 : 39), r.one_in(2)};
    const Aabb inner = ordered(numbers.vec(r), numbers.vec(r));
    const Aabb outer = larger(r, numbers, inner);
    const Vec3 p = point_by(r, numbers, r.one_in(2) ? inner : outer);
    const float of_inner = box_distance(inner, p), of_outer = box_distance(outer, p);
    ASSERT_LE(of_outer, of_inner) << "seed " << seed;
    ASSERT_LE(signed_distance_bound(outer, p), signed_distance_bound(inner, p)) << "seed " << seed;
    const float true_one = nearest(inner, p).distance;
    if (true_one <= 0) {
      ASSERT_EQ(of_inner, 0) << "seed " << seed;
      continue;
    }
    ++outside;
    ASSERT_LE(of_inner, true_one) << "seed " << seed;
    if (seed % 64 == 0) {
      const Quad truth = oracle::nearest_in(oracle::box_in<Quad>(inner), QuadVec(p)).distance;
      ASSERT_LE(of_inner, static_cast<float>(truth)) << "seed " << seed;
    }
    if (true_one < 0x1p-49f || true_one > 0x1p63f) continue;
    ++counted;
    loosest = std::max(loosest, 1 - double{of_inner} / double{true_one});
  }
  EXPECT_LE(loosest, 0x1p-20);
  if (test_scale() >= 0.01) {
    EXPECT_GT(outside, cases / 2);
    EXPECT_GT(counted, cases / 8);
  }
}

/// How far two boxes are apart, by the gaps along the axes.
Quad apart(const Aabb& a, const Aabb& b) {
  const auto gap = [](float a_low, float a_high, float b_low, float b_high) {
    const Quad up = Quad(b_low) - Quad(a_high), down = Quad(a_low) - Quad(b_high);
    return std::max({up, down, Quad(0)});
  };
  const Quad x = gap(a.min.x, a.max.x, b.min.x, b.max.x);
  const Quad y = gap(a.min.y, a.max.y, b.min.y, b.max.y);
  const Quad z = gap(a.min.z, a.max.z, b.min.z, b.max.z);
  return oracle::root((x * x + y * y) + z * z);
}

TEST(BoxDistance, OfTwoBoxesIsMonotoneInBothAndNeverAboveTheTruth) {
  std::uint64_t counted = 0;
  double loosest = 0;
  const std::uint64_t cases = scaled(3'000'000);
  for (std::uint64_t seed = 1; seed <= cases; ++seed) {
    Random r(seed);
    const Numbers numbers{r.between(-149, r.one_in(4) ? 126 : 39), r.one_in(2)};
    const Aabb inner = ordered(numbers.vec(r), numbers.vec(r));
    const Aabb outer = larger(r, numbers, inner);
    const Aabb other = ordered(point_by(r, numbers, outer), point_by(r, numbers, inner));
    const float distance = box_distance(inner, other);
    ASSERT_LE(box_distance(outer, other), distance) << "seed " << seed;
    ASSERT_LE(box_distance(inner, larger(r, numbers, other)), distance) << "seed " << seed;
    ASSERT_EQ(distance, box_distance(other, inner)) << "seed " << seed;
    if (seed % 16 != 0) continue;
    const Quad truth = apart(inner, other);
    ASSERT_LE(distance, static_cast<float>(truth)) << "seed " << seed;
    if (truth < 0x1p-49 || truth > 0x1p63) continue;
    ++counted;
    loosest = std::max(loosest, static_cast<double>(1 - Quad(distance) / truth));
  }
  EXPECT_LE(loosest, 0x1p-20);
  if (test_scale() >= 0.01) {
    EXPECT_GT(counted, cases / 200);
  }
}

TEST(BoxDistance, KnowsItsLimits) {
  const Aabb box{{0, 0, 0}, {1, 1, 1}};
  EXPECT_EQ(box_distance(box, Vec3{4, 5, 0.5f}), 5 * (1 - 0x1p-21f));
  EXPECT_EQ(box_distance(box, Vec3{0x1p100f, 0, 0}), 0x1p64f * (1 - 0x1p-21f));
  EXPECT_EQ(box_distance(box, Vec3{-0x1p-60f, 0, 0}), 0);
  EXPECT_EQ(box_distance(empty_aabb(), Vec3{1, 2, 3}), 0x1p64f * (1 - 0x1p-21f));
  EXPECT_EQ(signed_distance_bound(box, Vec3{1, 1, 1}), -infinity);
  EXPECT_EQ(signed_distance_bound(box, Vec3{1, 1, 1 + 0x1p-20f}), 0x1p-20f * (1 - 0x1p-21f));
}

// The ball ends at 0, so its box does, too, all but one float; of -2^-60 - 1 doubles keep -1 only.
TEST(BoxDistance, GateRaisesWhatDoublesLose) {
  const Sphere s{{1, 0, 0}, 1};
  const Vec3 p{-0x1p-60f, 0, 0}, q{-0x1p-40f, 0, 0};
  EXPECT_EQ(nearest(s, p).distance, 0);
  const Vec3 near_by{-0x1p-49f, 0, 0};
  EXPECT_GE(gated_distance(nearest(s, near_by).distance, bounds(s), near_by),
            box_distance(bounds(s), near_by));
  EXPECT_EQ(gated_distance(-0.5f, bounds(s), near_by), 0x1p-49f * (1 - 0x1p-21f));
  EXPECT_EQ(gated_distance(nearest(s, q).distance, bounds(s), q), 0x1p-40f);
  EXPECT_EQ(gated_distance(-0.5f, bounds(s), Vec3{0.5f, 0, 0}), -0.5f);
}

// What a tree asks: no box above a shape is further than the shape's gated distance.
template <class Shape>
class CulledBy : public ::testing::Test {};
using BoundedShapes = ::testing::Types<Aabb, ObbFrame, Sphere, Capsule, Triangle>;
TYPED_TEST_SUITE(CulledBy, BoundedShapes);

TYPED_TEST(CulledBy, TheBoundDropsNothing) {
  for (std::uint64_t seed = 1; seed <= scaled(20'000); ++seed) {
    Random r(seed);
    const Place at = random_place(r);
    const auto a = shape_at<TypeParam>(r, at), b = shape_at<TypeParam>(r, at);
    const Aabb both = unite(bounds(a), bounds(b));
    for (int i = 0; i < 8; ++i) {
      Vec3 p = point_about(r, at);
      if (i % 2 == 1) p = nearest(a, p).point;
      if (i % 4 == 3) p.x = next_up(p.x);
      const float plain = nearest(a, p).distance, gated = gated_distance(plain, bounds(a), p);
      ASSERT_GE(gated, signed_distance_bound(bounds(a), p)) << "seed " << seed;
      ASSERT_GE(gated, signed_distance_bound(both, p)) << "seed " << seed;
      ASSERT_LE(gated - plain, 1e-6f * max(gated, max_abs(p) * 1e-6f)) << "seed " << seed;
    }
  }
}

}  // namespace
}  // namespace sightline::testing
