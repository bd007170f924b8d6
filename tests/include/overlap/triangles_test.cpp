// Triangles against triangles, points and segments: never wrong, judged by whole numbers.
#include "tests/support/scale.hpp"
#include "tests/support/triangle_pairs.hpp"

#include <gtest/gtest.h>

#include <iostream>

namespace sightline::testing {
namespace {

TEST(TrianglesOverlap, ExactInEveryKindOfCase) {
  const std::uint64_t pairs = scaled(100'000);
  std::uint64_t in_plane = 0;
  for (int kind = 0; kind < triangle_pair_kinds; ++kind) {
    TrianglePairs draw(kind, 1);
    TrianglePairCounts n;
    for (std::uint64_t i = 0; i < pairs; ++i) {
      ASSERT_TRUE(judge(draw.next(), n)) << triangle_pair_names[kind] << ", seed 1, pair " << i;
    }
    std::cout << triangle_pair_names[kind] << ": overlapping " << n.overlapping << ", in one plane "
              << n.in_plane << "\n";
    EXPECT_GT(n.overlapping, pairs / 10) << triangle_pair_names[kind];
    EXPECT_LT(n.overlapping, pairs - pairs / 50) << triangle_pair_names[kind];
    in_plane += n.in_plane;
  }
  EXPECT_GT(in_plane, pairs);
}

/// The sphere and the capsule without a radius are the point and the segment, to the bit.
TEST(TrianglesOverlap, PointsAndSegmentsAreExact) {
  const std::uint64_t pairs = scaled(50'000);
  std::uint64_t points = 0, segments = 0;
  for (int kind = 0; kind < triangle_pair_kinds; ++kind) {
    TrianglePairs draw(kind, 2);
    for (std::uint64_t i = 0; i < pairs; ++i) {
      const TrianglePair p = draw.next();
      const bool has_point = oracle::truly_meet(p.s, {p.t.a, p.t.a, p.t.a});
      const bool meets = oracle::truly_meet(p.s, {p.t.a, p.t.b, p.t.b});
      ASSERT_EQ(overlaps(p.s, Sphere{p.t.a, 0}), has_point) << triangle_pair_names[kind] << i;
      ASSERT_EQ(overlaps(p.s, Capsule{p.t.a, p.t.b, 0}), meets) << triangle_pair_names[kind] << i;
      points += has_point, segments += meets;
    }
  }
  std::cout << "points " << points << ", segments " << segments << "\n";
  EXPECT_GT(points, pairs / 2);
  EXPECT_GT(segments, 2 * pairs);
}

/// A corner, half of it, and a corner next to the origin: heights down to 2^-45 of the length, and
/// differences of up to 70 bits, whose products agree in their first bits.
TEST(TrianglesOverlap, NormalsOfNeedlesKeepTheirDirection) {
  oracle::Dice dice(31);
  std::uint64_t flat = 0;
  const std::uint64_t n = scaled(20'000);
  for (std::uint64_t i = 0; i < n; ++i) {
    const auto part = [&] { return static_cast<float>(dice.uniform(-1, 1)); };
    const auto tiny = static_cast<float>(std::ldexp(1.0, -dice.between(15, 45)));
    const Vec3 c = {part(), part(), part()};
    const Triangle t = {{part() * tiny, part() * tiny, part() * tiny}, c * 0.5f, c};
    const oracle::Unit unit = {t.a, t.b, t.c};
    const auto a = unit.of<oracle::Whole>(t.a), b = unit.of<oracle::Whole>(t.b);
    const auto truth = oracle::cross(b - a, unit.of<oracle::Whole>(t.c) - a);
    const WideVec3 got = face_normal(t);
    const auto scaled_down = [&](const oracle::Whole& x) {
      return static_cast<double>(std::ldexp(x.approximately(), -2 * unit.shift));
    };
    const WideVec3 want = {scaled_down(truth.x), scaled_down(truth.y), scaled_down(truth.z)};
    const double sizes = square(wide_diff(t.b, t.a)) * square(wide_diff(t.c, t.a));
    const bool is_flat = square(got) <= 0x1p-46 * sizes;
    EXPECT_LE(square(got - want), is_flat ? 0x1p-100 * square(want) : 0x1p-102 * sizes) << i;
    flat += is_flat;
  }
  EXPECT_GT(flat, n / 2);
  EXPECT_LT(flat, n - n / 50);
}

}  // namespace
}  // namespace sightline::testing
