// Triangles are exact: hits, both ends of the interval, weights and sides are those of whole
// numbers, in twelve kinds of trouble, in every order of the corners and in every lane.
#include <sightline/geometry/intersect/half_open.hpp>
#include <sightline/geometry/intersect/slab.hpp>
#include <sightline/geometry/intersect/triangle_weights.hpp>

#include "tests/support/pack_rays.hpp"
#include "tests/support/scale.hpp"
#include "tests/support/triangle_judge.hpp"

#include <gtest/gtest.h>

#include <utility>

namespace sightline::testing {
namespace {

/// One kind of cases each; 0 to 11.
class TriangleKind : public ::testing::TestWithParam<int> {
 protected:
  template <class Check>
  void for_each_case(std::uint64_t count, const Check& check) {
    TriangleCases draw(GetParam(), 1);
    for (std::uint64_t i = 0; i < scaled(count); ++i) {
      const TriangleCase c = draw.next();
      const ScaledRay q = scale(c.ray);
      if (q.bad) continue;
      check(c, q);
      ASSERT_FALSE(HasFatalFailure()) << triangle_case_names[GetParam()] << " case " << i;
    }
  }
};
INSTANTIATE_TEST_SUITE_P(Triangles, TriangleKind, ::testing::Range(0, triangle_case_kinds));

oracle::TriangleTruth truth_of(const ScaledRay& q, const Triangle& t) {
  return oracle::truth(q.line.origin, q.line.direction, t);
}

TEST_P(TriangleKind, AnswersAreThoseOfWholeNumbers) {
  TriangleCases draw(GetParam(), 7);
  TriangleCounts n;
  for (std::uint64_t i = 0; i < scaled(85'000); ++i) {
    ASSERT_TRUE(judge(draw.next(), n))
        << triangle_case_names[GetParam()] << " case " << i << ": hits " << n.wrong_hits << ", t "
        << n.wrong_t << ", sides " << n.wrong_sides << ", stages " << n.wrong_stages;
  }
  EXPECT_GT(n.hits, n.cases / 500);
}

TEST_P(TriangleKind, NoOrderOfTheCornersMatters) {
  for_each_case(5'000, [](const TriangleCase& c, const ScaledRay& q) {
    const Triangle& t = c.triangle;
    const Interval want = interval(q.line, t);
    const Triangle same[] = {{t.b, t.c, t.a}, {t.c, t.a, t.b}};
    const Triangle mirrored[] = {{t.b, t.a, t.c}, {t.a, t.c, t.b}, {t.c, t.b, t.a}};
    const auto expect = [&](const Triangle& other, bool turned) {
      const Interval got = interval(q.line, other);
      ASSERT_EQ(got.hit, want.hit);
      const int sense = crossing_sign(q.line, t);
      ASSERT_EQ(crossing_sign(q.line, other), turned ? -sense : sense);
      if (!want.hit) return;
      ASSERT_EQ(bits_of(got.t_in), bits_of(want.t_in));
      ASSERT_EQ(bits_of(got.t_out), bits_of(want.t_out));
      const Meeting was = meeting(q.line, t), is = meeting(q.line, other);
      if (was == Meeting::in_plane) {
        ASSERT_EQ(is, was);
      } else {
        ASSERT_EQ(is == was, !turned);
      }
    };
    for (const Triangle& other : same) expect(other, false);
    for (const Triangle& other : mirrored) expect(other, true);
  });
}

TEST_P(TriangleKind, WeightsAndSidesAreThoseOfWholeNumbers) {
  for_each_case(10'000, [](const TriangleCase& c, const ScaledRay& q) {
    const oracle::TriangleTruth truth = truth_of(q, c.triangle);
    if (!truth.hit) return;
    const CornerWeights w = corner_weights(q.line, c.triangle);
    ASSERT_TRUE(is_rounded(w.b, truth.weight_b)) << w.b;
    ASSERT_TRUE(is_rounded(w.c, truth.weight_c)) << w.c;
    ASSERT_EQ(meets_side(q.line, c.triangle, Side::back), truth.facing > 0);
  });
}

/// The angle between the normal and an edge, and to the direction.
TEST_P(TriangleKind, NormalsPointToTheOrigin) {
  for_each_case(5'000, [](const TriangleCase& c, const ScaledRay& q) {
    const oracle::TriangleTruth truth = truth_of(q, c.triangle);
    if (!truth.hit) return;
    const Vec3 n = surface_normal(q.line, c.triangle, false), d = q.line.direction;
    const auto dot = [](const Vec3& a, const Vec3& b) {
      return double{a.x} * b.x + double{a.y} * b.y + double{a.z} * b.z;
    };
    ASSERT_NEAR(dot(n, n), 1, 4e-7);
    if (truth.in_plane) {
      const Vec3 back = -unit(d);
      ASSERT_TRUE(n.x == back.x && n.y == back.y && n.z == back.z);
      return;
    }
    // The exact normal, rounded.
    const oracle::WholePair whole(q.line.origin, d, c.triangle);
    const oracle::WholeVec exact =
        oracle::cross(whole.corner[1] - whole.corner[0], whole.corner[2] - whole.corner[0]);
    const long double x = exact.x.approximately(), y = exact.y.approximately();
    const long double z = exact.z.approximately(), size = std::sqrt(x * x + y * y + z * z);
    const long double side = truth.facing > 0 ? -size : size;
    ASSERT_NEAR(n.x, static_cast<double>(x / side), 1e-7);
    ASSERT_NEAR(n.y, static_cast<double>(y / side), 1e-7);
    ASSERT_NEAR(n.z, static_cast<double>(z / side), 1e-7);
  });
}

/// A point is in the triangle where any line through it meets the triangle there.
TEST_P(TriangleKind, ContainsIsExact) {
  for_each_case(10'000, [](const TriangleCase& c, const ScaledRay& q) {
    const Interval i = interval(q.line, c.triangle);
    Vec3 p = q.line.origin;
    if (i.hit && i.t_in < 0x1p30f) p = moved(p, i.t_in, q.line.direction);
    for (const Vec3& point : {q.line.origin, p, c.triangle.a, c.triangle.b, c.triangle.c}) {
      oracle::TriangleTruth truth = oracle::truth(point, q.line.direction, c.triangle);
      const bool inside = truth.hit && truth.t_in.n.sign() <= 0 && truth.t_out.n.sign() >= 0;
      ASSERT_EQ(contains(c.triangle, point), inside);
      Line still = q.line;
      still.origin = point, still.direction = {0, 0, 0}, still.is_point = true;
      const Interval stays = interval(still, c.triangle);
      ASSERT_EQ(stays.hit, inside);
      ASSERT_TRUE(stays.t_in == -infinity && stays.t_out == infinity);
    }
  });
}

/// Within the promise, differences of 0 or at least 2^-60, no gate closes on a hit.
TEST_P(TriangleKind, NoGateClosesOnAHit) {
  for_each_case(30'000, [](const TriangleCase& c, const ScaledRay& q) {
    const Interval i = interval(q.line, c.triangle);
    if (!i.hit || !(i.t_out >= 0) || i.t_in > largest_float) return;
    for (const Vec3* v : {&c.triangle.a, &c.triangle.b, &c.triangle.c}) {
      const Vec3 w = difference(*v, q.line.origin);
      for (const float x : {w.x, w.y, w.z}) {
        if (x != 0 && std::fabs(x) < 0x1p-60f) return;
      }
    }
    const SlabInterval gate = slab(q.line, 0.0f, infinity, bounds(c.triangle));
    ASSERT_FALSE(is_empty(gate));
  });
}

template <int N>
void expect_lanes_like_scalar(int kind) {
  using P = Pack<N>;
  for (std::uint64_t seed = 1; seed <= scaled(1'000); ++seed) {
    TriangleCase c[N];
    LineT<P> line;
    TriangleT<P> t;
    P t_min, t_max;
    PackMask<N> wanted;
    ScaledRay q[N];
    const auto put = [](Vec3T<P>& to, int i, const Vec3& v) {
      to.x.lane[i] = v.x, to.y.lane[i] = v.y, to.z.lane[i] = v.z;
    };
    TriangleCases draw(kind, seed), others(9, seed);
    for (int i = 0; i < N; ++i) {
      c[i] = (seed + static_cast<std::uint64_t>(i)) % 3 == 0 ? others.next() : draw.next();
      if (seed % 16 == 0 && i == 1) c[i].ray.direction = {0, 0, 0};
      c[i].ray.t_max = seed % 2 == 0 ? infinity : 3.0f;
      q[i] = scale(c[i].ray);
      put(line.origin, i, q[i].line.origin), put(line.direction, i, q[i].line.direction);
      line.dd.hi.lane[i] = q[i].line.dd.hi, line.is_point.lane[i] = q[i].line.is_point;
      put(t.a, i, c[i].triangle.a), put(t.b, i, c[i].triangle.b), put(t.c, i, c[i].triangle.c);
      t_min.lane[i] = q[i].t_min, t_max.lane[i] = q[i].t_max;
      wanted.lane[i] = (seed + static_cast<std::uint64_t>(i)) % 5 != 0;
    }
    const IntervalT<P> all = interval(line, t);
    const CertainT<P> sure = certainly(line, t, t_min, t_max, Inside::solid, false);
    const IntervalT<P> ahead = interval_ahead(line, t, t_min, t_max, Inside::solid, wanted);
    const FoundT<P> found = apply_policy(ahead, t_min, t_max, t_min, Inside::solid);
    const Vec3T<P> n = surface_normal(line, t, wanted);
    const PackMask<N> in = contains(t, line.origin);
    for (int i = 0; i < N; ++i) {
      const Interval one = interval(q[i].line, c[i].triangle);
      ASSERT_EQ(all.hit[i], one.hit) << seed;
      ASSERT_TRUE(!one.hit || (bits_of(all.t_in[i]) == bits_of(one.t_in) &&
                               bits_of(all.t_out[i]) == bits_of(one.t_out)));
      const Found want = apply_policy(one, q[i].t_min, q[i].t_max, q[i].t_min, Inside::solid);
      ASSERT_TRUE((!sure.hit[i] || want.hit) && (!sure.miss[i] || !want.hit)) << seed;
      if (wanted[i]) {
        ASSERT_EQ(found.hit[i], want.hit) << seed << " lane " << i;
        ASSERT_TRUE(!want.hit || bits_of(found.t[i]) == bits_of(want.t)) << seed;
      }
      ASSERT_EQ(in[i], contains(c[i].triangle, q[i].line.origin));
      const Vec3 normal = surface_normal(q[i].line, c[i].triangle, false);
      ASSERT_EQ(n.x[i], normal.x);
      ASSERT_EQ(n.y[i], normal.y);
      ASSERT_EQ(n.z[i], normal.z);
    }
  }
}
TEST_P(TriangleKind, LanesAnswerAsOne) {
  expect_lanes_like_scalar<4>(GetParam());
  expect_lanes_like_scalar<8>(GetParam());
}

// ---- answers that can be told by hand

Interval see(const Vec3& o, const Vec3& d, const Triangle& t) {
  Ray ray;
  ray.origin = o, ray.direction = d;
  return interval(scale(ray).line, t);
}
void expect_seen(const Interval& i, float t_in, float t_out) {
  EXPECT_TRUE(i.hit);
  EXPECT_EQ(i.t_in, t_in);
  EXPECT_EQ(i.t_out, t_out);
}
constexpr Triangle right_triangle{{0, 0, 0}, {4, 0, 0}, {0, 4, 0}};

// Lanes that nobody asks may hold anything.
TEST(Triangle, SumsOfNumbersThatAreNotFiniteKeepTheirRoom) {
  for (const double bad : {std::nan(""), static_cast<double>(infinity)}) {
    Expansion sum;
    for (int i = 0; i < 1000; ++i) {
      add(sum, i % 3 == 0 ? bad : i);
      ASSERT_LE(sum.size, Expansion::capacity);
    }
  }
}

TEST(Triangle, IsClosed) {
  for (const Vec3& p :
       {Vec3{0, 0, 3}, Vec3{4, 0, 3}, Vec3{2, 2, 3}, Vec3{0, 1, 3}, Vec3{1, 1, 3}}) {
    expect_seen(see(p, {0, 0, -1}, right_triangle), 3, 3);
  }
  EXPECT_FALSE(see({2, next_up(2.0f), 3}, {0, 0, -1}, right_triangle).hit);
  EXPECT_FALSE(see({-0x1p-149f, 1, 3}, {0, 0, -1}, right_triangle).hit);
}
TEST(Triangle, LinesInThePlaneHaveAnInterval) {
  expect_seen(see({-2, 1, 0}, {1, 0, 0}, right_triangle), 2, 5);
  expect_seen(see({-2, 0, 0}, {1, 0, 0}, right_triangle), 2, 6);   // along an edge
  expect_seen(see({-2, 4, 0}, {1, 0, 0}, right_triangle), 2, 2);   // through a corner alone
  expect_seen(see({-1, -1, 0}, {1, 1, 0}, right_triangle), 1, 3);  // a corner and an edge
  expect_seen(see({1, 1, 0}, {-1, 0, 0}, right_triangle), -2, 1);
  EXPECT_FALSE(see({-2, 5, 0}, {1, 0, 0}, right_triangle).hit);
  EXPECT_FALSE(see({-2, 1, 1}, {1, 0, 0}, right_triangle).hit);
}
TEST(Triangle, WithoutAreaIsASegmentOrAPoint) {
  const Triangle segment{{0, 0, 0}, {1, 1, 1}, {3, 3, 3}}, point{{1, 2, 3}, {1, 2, 3}, {1, 2, 3}};
  const Triangle two{{0, 0, 0}, {0, 0, 0}, {2, 0, 0}};
  expect_seen(see({2, 2, 7}, {0, 0, -1}, segment), 5, 5);
  expect_seen(see({-1, -1, -1}, {1, 1, 1}, segment), 1, 4);
  EXPECT_FALSE(see({2, 2.5f, 7}, {0, 0, -1}, segment).hit);
  EXPECT_FALSE(see({4, 4, 7}, {0, 0, -1}, segment).hit);
  expect_seen(see({1, 2, 5}, {0, 0, -1}, point), 2, 2);
  EXPECT_FALSE(see({1, next_up(2.0f), 5}, {0, 0, -1}, point).hit);
  expect_seen(see({1, 0, 5}, {0, 0, -1}, two), 5, 5);
  expect_seen(see({-1, 0, 0}, {1, 0, 0}, two), 1, 3);
  EXPECT_FALSE(see({1, 1, 0}, {1, 0, 0}, two).hit);
}
TEST(Triangle, BoundsAreExact) {
  const Aabb box = bounds(Triangle{{1, -2, 3}, {-4, 5, 6}, {7, 8, -9}});
  EXPECT_TRUE(box.min.x == -4 && box.min.y == -2 && box.min.z == -9);
  EXPECT_TRUE(box.max.x == 7 && box.max.y == 8 && box.max.z == 6);
}
TEST(Triangle, SidesAreThoseOfTheCornersOrder) {
  Ray ray;
  ray.origin = {1, 1, 5}, ray.direction = {0, 0, -1};
  EXPECT_FALSE(meets_side(scale(ray).line, right_triangle, Side::back));
  EXPECT_EQ(crossing_sign(scale(ray).line, right_triangle), -1);
  ray.origin.z = -5, ray.direction.z = 1;
  EXPECT_TRUE(meets_side(scale(ray).line, right_triangle, Side::back));
  EXPECT_EQ(crossing_sign(scale(ray).line, right_triangle), 1);
  const Vec3 n = surface_normal(scale(ray).line, right_triangle, false);
  EXPECT_TRUE(n.x == 0 && n.y == 0 && n.z == -1);
  EXPECT_EQ(hit_flags::back, 16);
}
TEST(Triangle, QuotientsNextToAMiddleAreRoundedByWhatIsBeyondDoubles) {
  const auto quotient = [](double high, double low, double by) {
    Expansion n, d;
    add(n, high), add(n, low), add(d, by);
    return rounded_quotient(n, d);
  };
  for (const double sign : {1.0, -1.0}) {
    const auto want = [&](float x) { return static_cast<float>(sign) * x; };
    const double middle = sign * (0x1p24 + 1), last = sign * 0x1.ffffffp127;
    EXPECT_EQ(quotient(middle, 0, 1), want(0x1p24f));
    EXPECT_EQ(quotient(middle, sign * 0x1p-80, 1), want(0x1p24f + 2));
    EXPECT_EQ(quotient(middle, -sign * 0x1p-80, 1), want(0x1p24f));
    EXPECT_EQ(quotient(middle + 2 * sign, 0, 1), want(0x1p24f + 4));
    EXPECT_EQ(quotient(-middle, sign * 0x1p-80, -1), want(0x1p24f));
    EXPECT_EQ(quotient(last, 0, 1), want(infinity));
    EXPECT_EQ(quotient(last, -sign, 1), want(largest_float));
  }
}
TEST(Triangle, ATinyTIsNeverSureInDoubles) {
  const Triangle wide{{-0x1p39f, -0x1p39f, 0x1p-130f}, {0x1p39f, 0, 0x1p-130f}, {0, 0x1p39f, 0}};
  Ray ray;
  ray.direction = {0, 0, 1};
  const WideEntryT<float> t = plane_crossing(scale(ray).line, wide);
  EXPECT_GE(t.error, 0x1p-110f);
  EXPECT_FALSE(rounded(t).sure);
}
TEST(Triangle, TIsRoundedOnceToTheEndOfTheFloats) {
  // t = 3 * 2^126 / 2^-1, and beyond: a plane so steep that the line takes that long.
  const Triangle steep{{0x1p40f, 0, 0}, {0x1p40f, 1, 0}, {0x1p40f, 0, 1}};
  const auto at = [&](float speed) {
    Line line = {};
    line.origin = {0, 0, 0}, line.direction = {speed, 0x1p-126f, 1};
    return exact_crossing<float>(line.origin, line.direction, steep);
  };
  EXPECT_EQ(at(0x1p-87f), 0x1p127f);
  EXPECT_EQ(at(0x1p-88f), infinity);
  EXPECT_EQ(at(0x1.000002p-88f), largest_float - 0x1p104f);
  EXPECT_EQ(at(-0x1p-88f), -infinity);
}

}  // namespace
}  // namespace sightline::testing
