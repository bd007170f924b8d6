// Stage 1 (`may_hit`) never rejects what stage 2 or the oracle hits, and rejects nearly every miss.
#include <sightline/geometry/queries/cast.hpp>

#include "tests/accuracy/twists.hpp"
#include "tests/oracle/oracle.hpp"
#include "tests/support/scale.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace sightline::accuracy {
namespace {

/// Whether stage 1 may well be unsure of a clear miss: along a capsule, or next to one whose
/// segment is so short that its square underflows.
template <class Shape>
bool is_hard(const Line&, const Shape&) {
  return false;
}
bool is_hard(const Line& line, const Capsule& s) {
  const Vec3 e{s.b.x - s.a.x, s.b.y - s.a.y, s.b.z - s.a.z};
  return max_abs(e) < 0x1p-48f || oracle::cancels(line.origin, line.direction, s);
}

bool is_hard(const Line& line, const Cylinder& s) {
  return oracle::cancels(line.origin, line.direction, s);
}

/// The longest size of a shape: what stage 1 of a box pads in proportion to.
double largest_size(const Sample<ObbFrame>& s) {
  return static_cast<double>(max_abs(s.shape.half_extents));
}
double largest_size(const Sample<Sphere>& s) { return s.size; }
double largest_size(const Sample<Aabb>&) { return 0; }
double largest_size(const Sample<Capsule>& s) {
  const Capsule& c = s.shape;
  const Vec3 e{c.b.x - c.a.x, c.b.y - c.a.y, c.b.z - c.a.z};
  return std::max(s.size, static_cast<double>(max_abs(e)));
}

double largest_size(const Sample<Cylinder>& s) {
  const Cylinder& c = s.shape;
  return largest_size(Sample<Capsule>{s.ray, {c.a, c.b, c.radius}, double{c.radius}});
}

/// The error of an end in float ulps; 0 where t is small beside the shape or astronomically large.
double end_error(float got, long double want, double size) {
  if (!(oracle::magnitude(want) >= static_cast<long double>(size)) || std::fabs(want) > 1e25L) {
    return 0;
  }
  const long double place = std::ldexp(1.0L, std::ilogb(want) - 23);
  return static_cast<double>(std::fabs(static_cast<long double>(got) - want) / place);
}

template <class Shape>
void check_stages(std::uint64_t seed) {
  Dice dice(seed);
  double worst_end = 0;
  // Misses by more than 1e-5, not hard, and those of them that stage 1 let pass.
  std::uint64_t clear = 0, kept = 0;
  std::uint64_t misses = 0, hits = 0, near = 0;
  for (std::uint64_t i = 0; i < scaled(1'000'000); ++i) {
    const Cell cell = some_cell(dice);
    Sample<Shape> s = draw<Shape>(dice, cell);
    if (dice.chance(0.4)) twist(dice, s);
    const Query q = make_query(s.ray, Inside::solid);
    if (q.ray.bad || q.ray.line.is_point) continue;
    const Line& line = q.ray.line;
    const bool may = may_hit(line, s.shape);
    const Interval seen = interval(line, s.shape);
    const bool hit = seen.hit;
    ASSERT_TRUE(may || !hit) << "stage 1 rejects a hit of stage 2: seed " << seed << " case " << i;
    const auto truth = oracle::truth(line.origin, line.direction, s.shape, s.size);
    ASSERT_TRUE(may || !truth.hit) << "stage 1 rejects a true hit: seed " << seed << " case " << i;

    const double reach =
        static_cast<double>(max_abs(Vec3{line.origin.x, line.origin.y, line.origin.z}));
    const double outside = static_cast<double>(truth.outside);
    if (hit != truth.hit) {
      ++near;
      ASSERT_LE(std::fabs(outside), 4e-7 * s.size + 0x1p-40 * reach)
          << "stage 2 is wrong: seed " << seed << " case " << i;
    }
    if (hit && truth.hit) {
      const double in = end_error(seen.t_in, truth.t_in, s.size);
      const double out = end_error(seen.t_out, truth.t_out, s.size);
      worst_end = std::max({worst_end, in, out});
    }
    hits += truth.hit;
    misses += !truth.hit;
    if (outside > 1e-5 * largest_size(s) + 0x1p-36 * (reach + 1) && !is_hard(line, s.shape)) {
      ++clear;
      kept += may;
    }
  }
  ::testing::Test::RecordProperty("clear_misses", std::to_string(clear));
  ::testing::Test::RecordProperty("kept", std::to_string(kept));
  std::printf(
      "  hits %llu, misses %llu, clear misses %llu, of them not rejected %llu, "
      "stage 2 against the oracle %llu, t within %.3g ulp\n",
      static_cast<unsigned long long>(hits), static_cast<unsigned long long>(misses),
      static_cast<unsigned long long>(clear), static_cast<unsigned long long>(kept),
      static_cast<unsigned long long>(near), worst_end);
  if constexpr (!std::is_same_v<Shape, Aabb>) {
    EXPECT_LE(kept, clear / 100);
  }
}

TEST(StagesTest, Aabb) { check_stages<Aabb>(71); }
TEST(StagesTest, Obb) { check_stages<ObbFrame>(72); }
TEST(StagesTest, Sphere) { check_stages<Sphere>(73); }
TEST(StagesTest, Capsule) { check_stages<Capsule>(74); }
TEST(StagesTest, Cylinder) { check_stages<Cylinder>(75); }

/// By a rim, nearly along the end's plane: the squares of the ways in that plane underflow.
TEST(StagesTest, RimOfATinyDisc) {
  const Cylinder s{{0x1.50b7b6p-52f, 0x1.5b7aacp-46f, -0x1.770b8ap-52f},
                   {-0x1.c00594p-61f, 0x1.30078p-60f, -0x1.2e5d64p-60f},
                   0x1.00e25p-59f};
  const Ray ray{{-0x1.115ad2p-45f, 0x1.0d7502p-51f, 0x1.8e4ee8p-50f},
                {0x1.74c808p+0f, -0x1.6ea472p-6f, -0x1.0f7528p-4f}};
  const Line line = scale(ray).line;
  EXPECT_FALSE(oracle::truth(line.origin, line.direction, s, 0x1p-59).hit);
  EXPECT_FALSE(interval(line, s).hit);
}

/// The square of |e x d| underflows for so short a segment; an earlier form took it for 0.
TEST(StagesTest, ShortSegmentNearlyAlongTheLine) {
  Ray ray;
  ray.direction = {1, 0x1p-16f, 0};
  for (const float height : {0.25f, 0.5f, 0.75f, 0.99f}) {
    ray.origin = {-8, -0x1p-13f, height};
    const Capsule s{{0, 0, 0}, {0x1p-60f, 0, 0}, 1};
    EXPECT_TRUE(may_hit(scale(ray).line, s)) << height;
    EXPECT_EQ(cast(ray, s).flags, hit_flags::hit) << height;
  }
}

}  // namespace
}  // namespace sightline::accuracy
