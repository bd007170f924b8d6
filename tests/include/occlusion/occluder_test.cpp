// What a triangle hides as a whole: every line of sight into the box is blocked, by the exact test.
#include "tests/support/clustered_scenes.hpp"
#include "tests/support/scale.hpp"
#include "tests/support/triangle_cases.hpp"

#include <sightline/geometry/occlusion/occluder.hpp>

#include <gtest/gtest.h>

namespace sightline::testing {
namespace {

using View = BoxViewT<OneCorner>;

TargetBox box_of(const Vec3& low, const Vec3& high) {
  TargetBox box(low);
  box.add(high);
  return box;
}

/// Whether the reference says that the triangle blocks the pair, or that there is no sight anyway.
bool is_blocked(const Triangle& s, const Vec3& p, const Vec3& q, const SightOptions& options) {
  const SightQuery asked = sight_query({p}, {q}, options);
  if (!asked.possible) return true;
  const ScaledRay& ray = asked.query.ray;
  const SlabInterval gate = slab(ray.line, ray.t_min, ray.t_max, bounds(s));
  return !is_empty(gate) && blocks(asked.query, s, gate.t_near);
}

/// A triangle, a viewpoint, and a box of targets that is often hidden or not by a hair.
struct HiddenCase {
  Triangle triangle;
  Vec3 from, low, high;
  SightOptions options;
};

HiddenCase hidden_case(const TriangleCase& drawn, Random& r) {
  HiddenCase c = {drawn.triangle, drawn.ray.origin, {}, {}, {}};
  const Vec3 way =
      r.one_in(2) ? drawn.ray.direction : minus(point_of(c.triangle, r), drawn.ray.origin);
  const float beyond = r.power_of_two(-4, 3), away = max_abs(way) * (1 + beyond);
  const Vec3 middle = plus(c.from, times(way, 1 + beyond));
  const auto extent = [&] { return r.one_in(4) ? 0 : away * r.power_of_two(-24, -1); };
  const float spread = extent();
  Vec3 half = {spread, spread, spread};
  if (r.one_in(2)) half = {extent(), extent(), extent()};
  c.low = minus(middle, half), c.high = plus(middle, half);
  c.options.inside = every_policy[r.below(3)];
  if (r.one_in(2)) {  // often where the triangle is, from either end
    const float t = 1 / (1 + beyond), least = std::min(t, 1 - t);
    c.options.margin = std::min(0.49f, least * (1 - r.uniform(-1, 4) * r.power_of_two(-24, -1)));
  }
  return c;
}

/// A point of the box, often its middle or a corner, sometimes at the height of the viewpoint or
/// nearly.
Vec3 target_of(const HiddenCase& c, Random& r) {
  if (r.one_in(4)) return times(plus(c.low, c.high), 0.5f);
  const auto one = [&](float from, float low, float high) {
    const int k = r.below(8);
    const float between = k < 3   ? low
                          : k < 6 ? high
                          : k < 7 ? low + r.uniform(0, 1) * (high - low)
                                  : from + r.power_of_two(-149, -60);
    return std::min(std::max(between, low), high);
  };
  const float x = one(c.from.x, c.low.x, c.high.x), y = one(c.from.y, c.low.y, c.high.y);
  return {x, y, one(c.from.z, c.low.z, c.high.z)};
}

TEST(TriangleOccluder, BlocksEveryTargetOfAHiddenBox) {
  const std::uint64_t cases = std::max<std::uint64_t>(30000, scaled(100000));
  std::uint64_t all = 0;
  for (int kind = 0; kind < triangle_case_kinds; ++kind) {
    TriangleCases drawn(kind, 5);
    Random r(static_cast<std::uint64_t>(kind) + 40);
    std::uint64_t hidden = 0;
    for (std::uint64_t k = 0; k < cases; ++k) {
      const HiddenCase c = hidden_case(drawn.next(), r);
      if (!View(c.from, box_of(c.low, c.high), c.options).hidden_by(c.triangle)) continue;
      ++hidden;
      for (int i = 0; i < 24; ++i) {
        const Vec3 to = target_of(c, r);
        ASSERT_TRUE(is_blocked(c.triangle, c.from, to, c.options))
            << triangle_case_names[kind] << ", case " << k << ", target " << i;
      }
    }
    if (kind == 6) {
      EXPECT_EQ(hidden, 0u) << triangle_case_names[kind];
    }
    all += hidden;
  }
  EXPECT_GT(all, cases / 5);
}

// Two triangles with an edge in common, whichever way their corners run, and a box behind the edge.
// Flat and folded: also where one is not behind the other's plane.
TEST(TriangleOccluder, TwoHalvesBlockEveryTargetOfAHiddenBox) {
  const std::uint64_t cases = std::max<std::uint64_t>(30000, scaled(100000));
  std::uint64_t all = 0;
  for (int kind = 0; kind < triangle_case_kinds; ++kind) {
    TriangleCases drawn(kind, 6);
    Random r(static_cast<std::uint64_t>(kind) + 60);
    for (std::uint64_t k = 0; k < cases; ++k) {
      HiddenCase c = hidden_case(drawn.next(), r);
      const Triangle s = c.triangle;
      const Vec3 edge = point_of(Triangle{s.b, s.b, s.c}, r);
      const Vec3 half = times(minus(c.high, c.low), 0.5f);
      const Vec3 middle = plus(edge, times(minus(edge, c.from), r.power_of_two(-4, 3)));
      c.low = minus(middle, half), c.high = plus(middle, half);
      const float fold = max_abs(minus(s.b, s.a)) * (r.one_in(2) ? 0 : r.power_of_two(-20, 0));
      const Vec3 d = plus(minus(plus(s.b, s.c), s.a), r.vec(-fold, fold));
      const Triangle other[] = {{s.c, s.b, d}, {d, s.c, s.b}, {s.b, d, s.c}, {s.b, s.c, d}};
      const Triangle& o = other[r.below(4)];
      const View view(c.from, box_of(c.low, c.high), c.options);
      const Cover one = view.cover_of<true>(s), two = view.cover_of<true>(o);
      if (one.side == 0 || two.side == 0 || one.open_edge < 0 || two.open_edge < 0) continue;
      if (!HalfOccluder(s, one).completes(HalfOccluder(o, two))) continue;
      ++all;
      for (int i = 0; i < 24; ++i) {
        const Vec3 to = target_of(c, r);
        ASSERT_TRUE(is_blocked(s, c.from, to, c.options) || is_blocked(o, c.from, to, c.options))
            << triangle_case_names[kind] << ", case " << k << ", target " << i;
      }
    }
  }
  EXPECT_GT(all, cases / 5);
}

// The halves of a wall hide what neither of them does; with a gap between them, or where one is
// folded over the other, they do not.
TEST(TriangleOccluder, HalvesMeetAtOneEdge) {
  const Vec3 a = {5, -30, -30}, b = {5, 30, -30}, c = {5, 30, 30}, d = {5, -30, 30};
  const View view({0, 0, 0}, box_of({9, -3, -3}, {12, 3, 3}), {});
  const auto half = [&](const Triangle& s) {
    const Cover cover = view.cover_of<true>(s);
    EXPECT_FALSE(view.hidden_by(s));
    EXPECT_NE(cover.side, 0);
    EXPECT_GE(cover.open_edge, 0);
    return HalfOccluder(s, cover);
  };
  const HalfOccluder first = half({a, b, c});
  for (const Triangle& s : {Triangle{a, c, d}, Triangle{c, d, a}, Triangle{d, a, c},
                            Triangle{c, a, d}, Triangle{a, d, c}, Triangle{d, c, a}}) {
    EXPECT_TRUE(first.completes(half(s)));
    EXPECT_TRUE(half(s).completes(first));
  }
  const Vec3 beside = {5, -30, std::nextafter(-30.0f, 0.0f)};
  EXPECT_FALSE(first.completes(half({beside, c, d}))) << "a gap";
  EXPECT_FALSE(first.completes(first)) << "itself";
  EXPECT_FALSE(first.completes(half({a, c, {5, 60, -30}}))) << "folded over";
  EXPECT_FALSE(first.completes(half({c, a, {5, 60, -30}}))) << "folded over";
  EXPECT_EQ(view.cover_of<true>({{5, -1, -1}, {5, 1, -1}, {5, 0, 1}}).side, 0) << "three edges";
}

// A wall: what is behind it is hidden, under every policy and whichever way its corners run; what
// is before it, beside it, across it or in its plane is not.
TEST(TriangleOccluder, HidesWhatIsBehindIt) {
  const Triangle wall = {{5, -30, -30}, {5, 30, -30}, {5, 0, 40}};
  const Triangle turned = {wall.b, wall.a, wall.c};
  const auto hides = [&](const Vec3& from, const Vec3& low, const Vec3& high,
                         const SightOptions& options) {
    const View view(from, box_of(low, high), options);
    EXPECT_EQ(view.hidden_by(wall), view.hidden_by(turned));
    return view.hidden_by(wall);
  };
  for (const Inside inside : every_policy) {
    const SightOptions o{infinity, 0, inside};
    EXPECT_TRUE(hides({0, 0, 0}, {9, -3, -3}, {12, 3, 3}, o));
    EXPECT_TRUE(hides({12, 1, 0}, {-4, -3, -3}, {4, 3, 3}, o));
    EXPECT_FALSE(hides({0, 0, 0}, {2, -3, -3}, {4, 3, 3}, o)) << "before it";
    EXPECT_FALSE(hides({0, 0, 0}, {4, -3, -3}, {6, 3, 3}, o)) << "across it";
    EXPECT_FALSE(hides({0, 0, 0}, {-9, -3, -3}, {-7, 3, 3}, o)) << "behind the viewpoint";
    EXPECT_FALSE(hides({5, 0, 0}, {9, -3, -3}, {12, 3, 3}, o)) << "from its plane";
    EXPECT_FALSE(hides({0, 0, 0}, {5, -3, -3}, {5, 3, 3}, o)) << "in its plane";
    for (int k = 0; k < 3; ++k) {
      const Vec3 beyond[] = {{9, -3, -80}, {9, 80, -3}, {9, -80, -3}};
      EXPECT_FALSE(hides({0, 0, 0}, beyond[k], plus(beyond[k], {3, 6, 6}), o)) << "beside it";
      EXPECT_FALSE(hides({0, 0, 0}, beyond[k], plus(beyond[k], {3, 83, 83}), o)) << "half of it";
    }
  }
}

// Within the margin of an end a triangle does not block.
TEST(TriangleOccluder, HidesBetweenTheMarginsAlone) {
  const Triangle wall = {{5, -30, -30}, {5, 30, -30}, {5, 0, 40}};
  const auto hides = [&](float x, float margin) {
    const View view({0, 0, 0}, box_of({x, -1, -1}, {x, 1, 1}), {infinity, margin, Inside::surface});
    return view.hidden_by(wall);
  };
  EXPECT_TRUE(hides(10, 0.49f));
  EXPECT_TRUE(hides(20, 0.24f));
  EXPECT_FALSE(hides(20, 0.26f));
  EXPECT_TRUE(hides(20.0f / 3, 0.24f));
  EXPECT_FALSE(hides(20.0f / 3, 0.26f));
}

TEST(TriangleOccluder, HidesNothingWhereNumbersAreNotFiniteOrThereIsNoArea) {
  const Triangle wall = {{5, -30, -30}, {5, 30, -30}, {5, 0, 40}};
  const TargetBox box = box_of({9, -1, -1}, {10, 1, 1});
  ASSERT_TRUE(View({0, 0, 0}, box, {}).hidden_by(wall));
  for (const Triangle& s :
       {Triangle{wall.a, wall.a, wall.c}, Triangle{wall.a, wall.b, wall.b},
        Triangle{wall.a, {5, 0, 0}, {5, 30, 30}}, Triangle{wall.a, wall.a, wall.a}}) {
    EXPECT_FALSE(View({0, 0, 0}, box, {}).hidden_by(s));
  }
  for (const float bad : {std::nanf(""), infinity, -infinity, 0x1p41f}) {
    EXPECT_FALSE(View({bad, 0, 0}, box, {}).hidden_by(wall)) << bad;
    EXPECT_FALSE(View({0, 0, 0}, box_of({9, bad, 0}, {9, bad, 0}), {}).hidden_by(wall)) << bad;
  }
  EXPECT_FALSE(View({0, 0, 0}, box_of({9, -1, -1}, {9, infinity, 1}), {}).hidden_by(wall));
}

}  // namespace
}  // namespace sightline::testing
