// Triangles: integers on lattices; exactly 0 where a point or a segment touches, and nowhere else;
// needles, and triangles without area.
#include "tests/include/distance/distance_test.hpp"
#include "tests/oracle/lattice_triangle.hpp"
#include "tests/support/lattice_shapes.hpp"

#include <sightline/geometry/distance/distance.hpp>
#include <sightline/geometry/distance/horizontal_distance.hpp>

#include <gtest/gtest.h>

#include <iostream>

namespace sightline::testing {
namespace {

using oracle::LatticeTriangle;
using Long = long double;
struct LongAt {
  Long x, y;
};

IntVec in_range(Dice& dice, int range) {
  return {dice.between(-range, range), dice.between(-range, range), dice.between(-range, range)};
}
/// Of corners up to `range` away; often flat along an axis, a needle or on a line.
LatticeTriangle some_triangle(Dice& dice, int range) {
  LatticeTriangle s = {{in_range(dice, range), in_range(dice, range), in_range(dice, range)}};
  const IntVec a = s.corner[0], e = s.corner[1] - a;
  if (dice.chance(0.2)) s.corner[0].z = s.corner[1].z = s.corner[2].z = dice.between(-2, 2);
  if (dice.chance(0.15)) s.corner[2] = near_by(dice, s.corner[1], 1);
  if (dice.chance(0.1)) s.corner[2] = a + e * dice.between(-1, 2);
  if (dice.chance(0.03)) s.corner[1] = s.corner[0];
  return s;
}

/// Whether got is the root of the quotient, rounded once or as if that were off by 2^-50 of
/// itself; integers of up to 2^113 are exact in Quad.
bool is_root(float got, const oracle::SquaredDistance& d) {
  const Quad truth = oracle::root(Quad(d.num) / Quad(d.den)), slack = truth * 0x1p-50;
  return static_cast<float>(truth - slack) <= got && got <= static_cast<float>(truth + slack);
}

TEST(TriangleDistance, IsThatOfIntegersOnLattices) {
  Dice dice(1);
  std::uint64_t touching = 0, over = 0;
  const std::uint64_t cases = scaled(300'000);
  for (std::uint64_t i = 0; i < cases; ++i) {
    const LatticeTriangle s = some_triangle(dice, dice.chance(0.5) ? 3 : 40);
    const IntVec p = dice.chance(0.7) ? in_range(dice, 4) : in_range(dice, 20'000);
    const oracle::SquaredDistance truth = distance(p, s);
    const Nearest got = nearest(triangle_of(s), floats(p));
    ASSERT_TRUE(is_root(got.distance, truth)) << i;
    ASSERT_EQ(got.distance == 0, truth.num == 0) << i;
    touching += truth.num == 0, over += truth.den > 1;
  }
  EXPECT_GT(touching, cases / 500);
  EXPECT_GT(over, cases / 10);
}

TEST(TriangleClearance, IsThatOfIntegersOnLattices) {
  Dice dice(2);
  std::uint64_t touching = 0, through = 0;
  const std::uint64_t cases = scaled(200'000);
  for (std::uint64_t i = 0; i < cases; ++i) {
    const LatticeTriangle s = some_triangle(dice, 4);
    const IntVec p = in_range(dice, 6), q = dice.chance(0.1) ? p : in_range(dice, 6);
    const oracle::SquaredDistance truth = distance(p, q, s);
    const Clearance got = clearance({floats(p), floats(q)}, triangle_of(s));
    ASSERT_TRUE(is_root(got.distance, truth)) << i;
    ASSERT_EQ(got.distance == 0, truth.num == 0) << i;
    touching += truth.num == 0, through += goes_through(p, q - p, s);
  }
  EXPECT_GT(touching, cases / 40);
  if (test_scale() >= 0.1) {
    EXPECT_GT(touching - through, cases / 1000);  // in the plane, or without area
  }
}

/// Coordinates of up to 23 bits: products of two are beyond doubles, sums of three are not beyond
/// integers. Points on the triangle, on its edges, and one step beside it.
TEST(TriangleDistance, IsZeroExactlyOnTheTriangle) {
  Dice dice(3);
  std::uint64_t on = 0, off = 0;
  const std::uint64_t cases = scaled(300'000);
  for (std::uint64_t i = 0; i < cases; ++i) {
    // Sides that are multiples of 2^k, so that p is a whole point of the plane.
    const int parts = 1 << dice.between(1, 8), range = (1 << 22) / parts;
    const IntVec a = in_range(dice, 1 << 21);
    IntVec u = in_range(dice, range), v = in_range(dice, range);
    if (dice.chance(0.3)) v = u + in_range(dice, 3);
    const LatticeTriangle s = {{a, a + u * parts, a + v * parts}};
    const int x = dice.between(0, parts), y = dice.chance(0.4) ? parts - x : dice.between(0, parts);
    IntVec p = a + u * x + v * y;
    if (dice.chance(0.4)) p = near_by(dice, p, 1);
    const auto exact = [](IntVec w) {
      const auto fine = [](Int c) { return static_cast<Int>(static_cast<float>(c)) == c; };
      return fine(w.x) && fine(w.y) && fine(w.z);
    };
    if (!exact(p) || !exact(s.corner[1]) || !exact(s.corner[2])) continue;
    const bool truth = lies_on(p, s);
    const Nearest got = nearest(triangle_of(s), floats(p));
    ASSERT_EQ(got.distance == 0, truth) << i;
    (truth ? on : off) += 1;
    if (truth) {
      ASSERT_TRUE(same_bits(got.point, floats(p))) << i;
      const Clearance c = clearance({floats(p), {9e6f, 0, 1e6f}}, triangle_of(s));
      ASSERT_TRUE(c.distance == 0) << i;
    }
  }
  EXPECT_GT(on, cases / 20);
  EXPECT_GT(off, cases / 20);
}

/// Segments whose ends are whole points, through a whole point of the triangle or beside it by one
/// step.
TEST(TriangleClearance, IsZeroExactlyWhereTheyMeet) {
  Dice dice(4);
  std::uint64_t on = 0, off = 0, in_plane = 0;
  const std::uint64_t cases = scaled(200'000);
  for (std::uint64_t i = 0; i < cases; ++i) {
    const int parts = 1 << dice.between(1, 6), range = (1 << 18) / parts;
    const IntVec a = in_range(dice, 1 << 19), u = in_range(dice, range), v = in_range(dice, range);
    const LatticeTriangle s = {{a, a + u * parts, a + v * parts}};
    const int x = dice.between(0, parts), y = dice.chance(0.7) ? parts - x : dice.between(0, parts);
    const IntVec at = a + u * x + v * y;
    IntVec along = in_range(dice, 1 << 18);
    if (dice.chance(0.3)) along = u * dice.between(-3, 3) + v * dice.between(-3, 3);
    IntVec p = at - along * dice.between(0, 2), q = at + along * dice.between(0, 2);
    if (dice.chance(0.3)) p = near_by(dice, p, 1);
    // By signs alone: squares would not fit.
    const auto sign_of = [](IntVec r, IntVec e, IntVec f) {
      return oracle::sign(dot(r, cross(e, f)));
    };
    const IntVec e = q - p;
    if (dot(cross(u, v), e) == 0) {
      const bool within = sign_of(p - a, u, v) == 0;
      if (!within) continue;
      ++in_plane;
    }
    bool truth = goes_through(p, e, s);
    if (sign_of(p - a, u, v) == 0 && sign_of(q - a, u, v) == 0) {
      truth = lies_on(p, s) || lies_on(q, s);
      for (int k = 0; k < 3 && !truth; ++k) {
        const IntVec c = s.corner[k], g = s.edge(k), n = cross(e, g), w = c - p;
        const Int nn = dot(n, n);
        if (nn == 0) {
          const Int ee = dot(e, e), t = dot(w, e);
          const IntVec m = cross(w, e);
          truth = ee > 0 && dot(m, m) == 0 && 0 <= t && t <= ee;
          continue;
        }
        // Signs of the projection that shows most of n.
        const Int t = dot(cross(w, g), n), r = dot(cross(w, e), n);
        truth = 0 <= t && t <= nn && 0 <= r && r <= nn;
      }
    }
    const Clearance got = clearance({floats(p), floats(q)}, triangle_of(s));
    ASSERT_EQ(got.distance == 0, truth) << i;
    (truth ? on : off) += 1;
  }
  std::cout << on << " meet, " << off << " do not, " << in_plane << " in the plane\n";
  EXPECT_GT(on, cases / 10);
  EXPECT_GT(off, cases / 20);
  EXPECT_GT(in_plane, cases / 20);
}

void expect_near(const Nearest& got, float distance, const Vec3& point, const Vec3& direction) {
  EXPECT_EQ(got.distance, distance);
  EXPECT_TRUE(same_bits(got.point, point)) << text(got.point) << ", not " << text(point);
  EXPECT_TRUE(same_bits(got.direction, direction))
      << text(got.direction) << ", not " << text(direction);
}

TEST(TriangleDistance, HasStatedDirections) {
  const Triangle s{{0, 0, 0}, {4, 0, 0}, {0, 4, 0}};
  expect_near(nearest(s, {1, 1, 3}), 3, {1, 1, 0}, {0, 0, 1});
  expect_near(nearest(s, {1, 1, -3}), 3, {1, 1, 0}, {0, 0, -1});
  expect_near(nearest(s, {1, 1, 0}), 0, {1, 1, 0}, {0, 0, 1});
  expect_near(nearest(Triangle{s.a, s.c, s.b}, {1, 1, 0}), 0, {1, 1, 0}, {0, 0, -1});
  expect_near(nearest(s, {2, 2, 0}), 0, {2, 2, 0}, {0, 0, 1});
  expect_near(nearest(s, {4, 0, 0}), 0, {4, 0, 0}, {0, 0, 1});
  expect_near(nearest(s, {2, -3, 4}), 5, {2, 0, 0}, {0, -0.6f, 0.8f});
  expect_near(nearest(s, {-3, -4, 0}), 5, {0, 0, 0}, {-0.6f, -0.8f, 0});
  expect_near(nearest(s, {2, -0x1p-100f, 0}), 0x1p-100f, {2, 0, 0}, {0, -1, 0});
  expect_near(nearest(s, {1, 1, -0x1p-140f}), 0x1p-140f, {1, 1, 0}, {0, 0, -1});
}

TEST(TriangleDistance, WithoutAreaIsThatOfSegmentsAndPoints) {
  const Triangle line{{0, 0, 0}, {4, 0, 0}, {1, 0, 0}}, point{{1, 2, 3}, {1, 2, 3}, {1, 2, 3}};
  expect_near(nearest(line, {2, 3, 4}), 5, {2, 0, 0}, {0, 0.6f, 0.8f});
  expect_near(nearest(line, {3, 0, 0}), 0, {3, 0, 0}, {0, 1, 0});
  expect_near(nearest(Triangle{{0, 0, 0}, {4, 0, 0}, {0, 0, 0}}, {0, 0, 0}), 0, {0, 0, 0},
              {0, 1, 0});
  expect_near(nearest(line, {7, 0, 4}), 5, {4, 0, 0}, {0.6f, 0, 0.8f});
  expect_near(nearest(point, {1, 2, 3}), 0, {1, 2, 3}, {1, 0, 0});
  expect_near(nearest(point, {4, 6, 3}), 5, {1, 2, 3}, {0.6f, 0.8f, 0});
  EXPECT_EQ(clearance({{3, -1, 0}, {3, 1, 0}}, line).distance, 0);
  EXPECT_EQ(clearance({{5, -1, 0}, {5, 1, 0}}, line).distance, 1);
  EXPECT_EQ(clearance({{-1, 0, 0}, {0, 0, 0}}, line).t, 1);
  EXPECT_EQ(clearance({{1, 2, 9}, {1, 2, 3}}, point).distance, 0);
}

TEST(TriangleClearance, IsAtStatedPlaces) {
  const Triangle s{{0, 0, 0}, {4, 0, 0}, {0, 4, 0}};
  const Clearance through = clearance({{1, 1, -1}, {1, 1, 3}}, s);
  EXPECT_EQ(through.distance, 0);
  EXPECT_EQ(through.t, 0.25f);
  EXPECT_TRUE(same_bits(through.on_segment, {1, 1, 0}) && same_bits(through.on_shape, {1, 1, 0}));
  const Clearance level = clearance({{1, 1, 2}, {-5, 1, 2}}, s);  // equally near up to x = 0
  EXPECT_EQ(level.distance, 2);
  EXPECT_EQ(level.t, 0);
  const Clearance down = clearance({{1, 1, 5}, {1, 2, 3}}, s);
  EXPECT_EQ(down.distance, 3);
  EXPECT_TRUE(down.t == 1 && same_bits(down.on_shape, {1, 2, 0}));
  const Clearance beside = clearance({{-3, 1, -1}, {-3, 1, 5}}, s);
  EXPECT_EQ(beside.distance, 3);
  EXPECT_TRUE(same_bits(beside.on_shape, {0, 1, 0}) && same_bits(beside.on_segment, {-3, 1, 0}));
}

/// A needle up to 2^24 times as long as wide, far away or at the origin, and points about it.
TEST(TriangleDistance, OfNeedlesAgreesWithBinary128) {
  WorstError distance, clear;
  Quad in_sizes = 0;
  for (std::uint64_t seed = 1; seed <= scaled(20'000); ++seed) {
    Random r(seed);
    const float length = r.power_of_two(-4, 20), width = length * r.power_of_two(-24, -6);
    const Vec3 at = r.one_in(2) ? Vec3{0, 0, 0} : times(r.vec(-1, 1), length * 16);
    const Vec3 e = times(r.vec(-1, 1), length);
    Triangle s = {at, plus(at, e), plus(at, times(e, r.uniform(-1, 2)))};
    s.c = plus(s.c, times(r.vec(-1, 1), width));
    const Vec3 along = plus(at, times(e, r.uniform(-1, 2)));
    const auto beside = [&] {
      return plus(along, times(r.vec(-1, 1), width * r.power_of_two(-4, 9)));
    };
    const Vec3 p = beside(), q = r.one_in(2) ? beside() : plus(at, times(r.vec(-1, 1), length));
    const Quad numbers = std::max({testing::extent_of(s), largest(p), largest(q)});
    const Quad truth = oracle::nearest_truth(s, QuadVec(p)).distance;
    const float got = nearest(s, p).distance;
    distance.add(got, truth, numbers);
    in_sizes =
        std::max(in_sizes, (oracle::magnitude(got - truth) - half_ulp(truth)) / Quad(length));
    const oracle::QuadSegment wide{QuadVec(p), QuadVec(q)};
    clear.add(clearance({p, q}, s).distance, oracle::clearance_truth(wide, s), numbers);
  }
  std::cout << distance.cases << " needles; beyond rounding: points " << distance.beyond_rounding
            << " (" << static_cast<double>(in_sizes) << " lengths), segments "
            << clear.beyond_rounding << "\n";
  EXPECT_LE(distance.beyond_rounding, 1e-15);
  EXPECT_LE(clear.beyond_rounding, 1e-14);
}

/// Corners and points of unlike exponents, whose differences doubles round.
TEST(TriangleDistance, OfUnlikeNumbersAgreesWithBinary128) {
  WorstError distance, clear;
  for (std::uint64_t seed = 1; seed <= scaled(20'000); ++seed) {
    Random r(seed);
    const auto any = [&] {
      return Vec3{r.uniform(-1, 1) * r.power_of_two(-40, 20),
                  r.uniform(-1, 1) * r.power_of_two(-40, 20),
                  r.uniform(-1, 1) * r.power_of_two(-40, 20)};
    };
    Triangle s = {any(), any(), any()};
    const Vec3 q = any();
    Vec3 p = r.one_in(2) ? nearest(s, any()).point : any();
    if (r.one_in(4)) p.x = next_up(p.x);
    const Quad numbers = std::max({testing::extent_of(s), largest(p), largest(q)});
    distance.add(nearest(s, p).distance, oracle::nearest_truth(s, QuadVec(p)).distance, numbers);
    const oracle::QuadSegment wide{QuadVec(p), QuadVec(q)};
    clear.add(clearance({p, q}, s).distance, oracle::clearance_truth(wide, s), numbers);
  }
  std::cout << distance.cases << " triangles; beyond rounding: points " << distance.beyond_rounding
            << ", segments " << clear.beyond_rounding << "\n";
  EXPECT_LE(distance.beyond_rounding, 4e-15);
  EXPECT_LE(clear.beyond_rounding, 1e-14);
}

/// The pillar over the part of a triangle between two heights: the least over the part's points.
TEST(TriangleRoom, IsTheLeastOfTheTrianglesPoints) {
  std::uint64_t none = 0, met = 0;
  const std::uint64_t cases = scaled(1'000);
  for (std::uint64_t seed = 1; seed <= cases; ++seed) {
    Random r(seed);
    Triangle s = random_shape<Triangle>(r, {0, 0, 0}, 2);
    if (r.one_in(8)) s.a.x = s.b.x = s.c.x;  // on edge from above
    const double low = r.uniform(-2, 1), high = low + r.uniform(0, 2);
    const VerticalSegment p = {r.uniform(-2, 2), r.uniform(-2, 2), low, high};
    const double got = horizontal_distance(p, s);
    // Each height's section of a triangle that is not level is a segment, whose ends are on two
    // edges.
    const Vec3 corner[4] = {s.a, s.b, s.c, s.a};
    Long least = infinity;
    const auto add_section = [&](Long h) {
      LongAt ends[6];
      int count = 0;
      for (int k = 0; k < 3; ++k) {
        const Vec3 &a = corner[k], &b = corner[k + 1];
        if (std::min(a.z, b.z) > h || std::max(a.z, b.z) < h) continue;
        const Long rise = Long(b.z) - a.z, t = rise != 0 ? (h - a.z) / rise : Long(0);
        ends[count++] = {a.x + t * (Long(b.x) - a.x) - p.x, a.y + t * (Long(b.y) - a.y) - p.y};
        if (rise == 0) ends[count++] = {Long(b.x) - p.x, Long(b.y) - p.y};
      }
      for (int i = 0; i < count; ++i) {
        for (int k = i; k < count; ++k) {
          for (int part = 0; part <= 64; ++part) {
            const Long t = part / 64.0L;
            least = std::min(least, std::hypot(ends[i].x + t * (ends[k].x - ends[i].x),
                                               ends[i].y + t * (ends[k].y - ends[i].y)));
          }
        }
      }
    };
    const Long from = std::max<Long>(low, bounds(s).min.z),
               to = std::min<Long>(high, bounds(s).max.z);
    for (int i = 0; from <= to && i <= 256; ++i) add_section(from + (to - from) * i / 256.0L);
    for (int k = 0; k < 3; ++k) {
      if (low <= corner[k].z && corner[k].z <= high) add_section(corner[k].z);
    }
    for (int i = 0; i <= 64 && s.a.z == s.b.z && s.b.z == s.c.z; ++i) {
      for (int k = 0; i + k <= 64 && low <= s.a.z && s.a.z <= high; ++k) {
        const Long u = i / 64.0L, v = k / 64.0L, w = 1 - u - v;
        least = std::min(least, std::hypot(s.a.x * u + s.b.x * v + s.c.x * w - p.x,
                                           s.a.y * u + s.b.y * v + s.c.y * w - p.y));
      }
    }
    none += got == infinity, met += got == 0;
    if (!(least < infinity)) {
      ASSERT_EQ(got, infinity) << seed;
      continue;
    }
    ASSERT_LE(got, static_cast<double>(least) + 1e-12) << seed;
    ASSERT_GE(got, static_cast<double>(least) - 0.1) << seed;
  }
  if (test_scale() >= 0.1) {
    EXPECT_GT(none, cases / 100);
    EXPECT_GT(met, cases / 100);
  }
}

}  // namespace
}  // namespace sightline::testing
