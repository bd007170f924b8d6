// Where doubles round and the truth is a single point: intervals stay in order, on the segment and
// on the shape.
#include "tests/oracle/flat_oracle.hpp"
#include "tests/support/random_flat.hpp"
#include "tests/support/scale.hpp"

#include <gtest/gtest.h>

namespace sightline::testing {
namespace {

/// A hit in order, on the segment, and touching at t.
void expect_touch(const FlatInterval& i, double t, std::uint64_t seed) {
  ASSERT_TRUE(i.hit) << "seed " << seed;
  ASSERT_LE(i.t_in, i.t_out) << "seed " << seed;
  ASSERT_TRUE(i.t_in <= 1 && i.t_out >= 0) << "seed " << seed;
  ASSERT_NEAR(i.t_in, t, 1e-7) << "seed " << seed;
  ASSERT_NEAR(i.t_out, t, 1e-7) << "seed " << seed;
}

// A line through a point that is a shape: its quotients along two axes need not round alike.
TEST(FlatRounding, PointsAreHitOnce) {
  for (std::uint64_t seed = 1; seed <= scaled(200'000); ++seed) {
    Random r(seed);
    const Vec2 turn = random_turn(r), d = lattice2(r, 4000), at = lattice2(r, 4000);
    if (d.x == 0 && d.y == 0) continue;
    const int before = r.between(0, 9), after = r.between(before == 0, 9);
    const Segment2 s = {moved(at, times(d, static_cast<float>(-before))),
                        moved(at, times(d, static_cast<float>(after)))};
    const double t = before / static_cast<double>(before + after);
    expect_touch(interval(s, Obb2{at, {0, 0}, turn.x, turn.y}), t, seed);
    expect_touch(interval(s, Sector{at, turn, 0.6f, 0.8f, 0}), t, seed);
    expect_touch(interval(s, Sector{at, turn, -0.6f, 0.8f, 0}), t, seed);
    expect_touch(interval(s, Circle{at, 0}), t, seed);
    expect_touch(interval(s, Capsule2{at, at, 0}), t, seed);
    if (HasFatalFailure()) return;
  }
}

// Tangents at a Pythagorean point, turned in or out by less than doubles can tell, that begin or
// end there. The other end is near 0, where floats are fine enough for that.
TEST(FlatRounding, TangentsFromTheBoundaryTouch) {
  for (std::uint64_t seed = 1; seed <= scaled(300'000); ++seed) {
    Random r(seed);
    const int m = r.between(2, 60), n = r.between(1, m - 1);
    const Vec2 out = vec2(m * m - n * n, 2 * m * n);
    const float radius = static_cast<float>(m * m + n * n);
    const float far = static_cast<float>(r.between(1, 100));
    const Vec2 at = {out.y * far, -out.x * far}, center = moved(at, times(out, -1));
    const Vec2 end = times(out, r.power_of_two(-60, -28) * (r.one_in(2) ? 1.0f : -1.0f));
    const bool back = r.one_in(2);
    const Segment2 s = back ? Segment2{end, at} : Segment2{at, end};
    expect_touch(interval(s, Circle{center, radius}), back, seed);
    const Vec2 other = moved(center, times(out, -1));
    expect_touch(interval(s, Capsule2{center, other, radius}), back, seed);
    expect_touch(interval(s, Sector{center, out, 0.6f, 0.8f, radius}), back, seed);
    expect_touch(interval(s, Sector{center, out, -0.6f, 0.8f, radius}), back, seed);
    if (HasFatalFailure()) return;
  }
}

// Of round shapes and sectors: what contains an end is hit.
TEST(FlatRounding, EndsInsideAreHits) {
  const auto judge = [](Random& r, const auto& shape, const Vec2& center, std::uint64_t seed) {
    const Segment2 s = {moved(center, vec2(r, 2)), moved(center, vec2(r, 2))};
    const bool inside = overlaps(Circle{s.a, 0}, shape) || overlaps(Circle{s.b, 0}, shape);
    ASSERT_TRUE(!inside || interval(s, shape).hit) << "seed " << seed;
  };
  for (std::uint64_t seed = 1; seed <= scaled(200'000); ++seed) {
    Random r(seed);
    const Vec2 center = random_place(r, 1);
    judge(r, random_flat<Circle>(r, center, 1), center, seed);
    judge(r, random_flat<Capsule2>(r, center, 1), center, seed);
    judge(r, random_flat<Sector>(r, center, 1), center, seed);
    if (HasFatalFailure()) return;
  }
}

// A line from a million away along a short edge: where it crosses is hardly known, but not off it.
TEST(FlatRounding, CrossingsStayOnTheirEdges) {
  std::uint64_t hits = 0;
  for (std::uint64_t seed = 1; seed <= scaled(300'000); ++seed) {
    Random r(seed);
    const Vec2 u = random_turn(r);
    const float from = r.uniform(-1, 1), to = r.uniform(-1, 1), end = r.uniform(-4, -2);
    const Vec2 corners[2] = {times(u, from), times(u, to)};
    const Segment2 s = {times(u, 1e6f), times(u, end)};
    const FlatInterval i = interval(s, ConvexPolygon{corners, 2});
    hits += i.hit;
    if (!i.hit) continue;
    const oracle::Real length = oracle::length(oracle::point(s.b) - oracle::point(s.a));
    for (const double t : {i.t_in, i.t_out}) {
      const oracle::Real d = oracle::distance(oracle::at(s, t), ConvexPolygon{corners, 2});
      ASSERT_LT(d, 1e-12L * length) << "seed " << seed;
    }
  }
  EXPECT_GT(hits, scaled(1000));
}

}  // namespace
}  // namespace sightline::testing
