// [t_min, t_max]: closed, monotone, and the frame in which every t lies.
#include <sightline/geometry/queries/traverse.hpp>

#include "tests/support/adversarial_pairs.hpp"
#include "tests/support/scale.hpp"

#include <gtest/gtest.h>

namespace sightline::testing {
namespace {

template <class Shape>
class Intervals : public ::testing::Test {};
using IntervalShapes = ::testing::Types<Aabb, ObbFrame, Sphere, Capsule, Cylinder, Triangle, Plane>;
TYPED_TEST_SUITE(Intervals, IntervalShapes);

TYPED_TEST(Intervals, ShrinkingThemNeverAddsAHit) {
  int hits = 0;
  for (std::uint64_t seed = 1; seed <= scaled(200'000); ++seed) {
    Random r(seed);
    Pair<TypeParam> p = random_pair<TypeParam>(r);
    if (r.one_in(4)) p.ray.t_max = infinity;
    Ray sub = p.ray;
    const float reach = r.uniform(0, 2) / r.power_of_two(-20, 20);
    sub.t_min = sightline::min(sub.t_min + (r.one_in(2) ? reach : 0.0f), sub.t_max);
    if (r.one_in(2)) sub.t_max = sightline::max(sub.t_min, sub.t_max * r.uniform(0, 1));
    if (is_bad(sub)) continue;  // inf * 0
    for (const Inside policy : every_policy) {
      const bool hit_of_sub = is_hit(cast(sub, p.shape, policy));
      hits += hit_of_sub;
      ASSERT_TRUE(!hit_of_sub || is_hit(cast(p.ray, p.shape, policy)))
          << "seed " << seed << " policy " << int(policy) << " " << text(p.ray) << " sub "
          << text(sub);
    }
  }
  if (test_scale() >= 0.01) {
    EXPECT_GT(hits, 100);
  }
}

TYPED_TEST(Intervals, EveryAnswerIsWithinThemAndMissesAreWritten) {
  for (std::uint64_t seed = 1; seed <= scaled(200'000); ++seed) {
    Random r(seed);
    const Pair<TypeParam> p = random_pair<TypeParam>(r);
    for (const Inside policy : every_policy) {
      const Hit h = cast(p.ray, p.shape, policy);
      if (!is_hit(h)) {
        ASSERT_TRUE(same_bits(h, Hit{})) << "seed " << seed;
        continue;
      }
      ASSERT_EQ(h.id, 0u);
      ASSERT_GE(h.t, p.ray.t_min) << "seed " << seed;
      ASSERT_LE(h.t, p.ray.t_max) << "seed " << seed;
      ASSERT_LE(h.t, largest_float) << "seed " << seed;
      for (const float x : {h.t, h.normal.x, h.normal.y, h.normal.z}) {
        ASSERT_NE(bits_of(x), 0x80000000u) << "-0, seed " << seed;
      }
    }
  }
}

/// A tree of one shape: what any-hit and closest-hit traverse.
template <class Shape>
BvhNode tree_of(const Shape& s) {
  const Aabb empty{{infinity, infinity, infinity}, {-infinity, -infinity, -infinity}};
  return {{bounds(s), empty}, {bvh_leaf_bit | 0u, bvh_leaf_bit | 0u}};
}
ShapesView view_of(const Aabb& s, const Aabb& box) {
  ShapesView v;
  for (int k = 1; k <= kind_count; ++k) v.begin[k] = 1;
  v.of<Aabb>().min = &s.min, v.of<Aabb>().max = &s.max, v.bounds = &box;
  return v;
}
ShapesView view_of(const Sphere& s, const Aabb& box) {
  ShapesView v;
  for (int k = 3; k <= kind_count; ++k) v.begin[k] = 1;
  v.of<Sphere>().center = &s.center, v.of<Sphere>().radius = &s.radius, v.bounds = &box;
  return v;
}
ShapesView view_of(const Capsule& s, const Aabb& box) {
  ShapesView v;
  for (int k = 4; k <= kind_count; ++k) v.begin[k] = 1;
  v.of<Capsule>().a = &s.a, v.of<Capsule>().b = &s.b, v.of<Capsule>().radius = &s.radius,
  v.bounds = &box;
  return v;
}
ShapesView view_of(const ObbFrame& s, const Aabb& box) {
  ShapesView v;
  for (int k = 2; k <= kind_count; ++k) v.begin[k] = 1;
  v.of<ObbFrame>().center = &s.center, v.of<ObbFrame>().half_extents = &s.half_extents,
  v.bounds = &box;
  for (int i = 0; i < 3; ++i) v.of<ObbFrame>().axis[i] = &s.axis[i];
  return v;
}
ShapesView view_of(const Cylinder& s, const Aabb& box) {
  ShapesView v;
  for (int k = 5; k <= kind_count; ++k) v.begin[k] = 1;
  v.of<Cylinder>().a = &s.a, v.of<Cylinder>().b = &s.b, v.of<Cylinder>().radius = &s.radius,
  v.bounds = &box;
  return v;
}
ShapesView view_of(const Triangle& s, const Aabb& box) {
  ShapesView v;
  for (int k = 6; k <= kind_count; ++k) v.begin[k] = 1;
  v.of<Triangle>().a = &s.a, v.of<Triangle>().b = &s.b, v.of<Triangle>().c = &s.c;
  v.bounds = &box;
  return v;
}
ShapesView view_of(const Plane& s) {
  ShapesView v;
  v.begin[kind_count] = 1;
  v.of<Plane>().normal = &s.normal, v.of<Plane>().offset = &s.offset;
  return v;
}

TYPED_TEST(Intervals, AnyHitIsTrueExactlyWhenClosestHitHits) {
  for (std::uint64_t seed = 1; seed <= scaled(200'000); ++seed) {
    Random r(seed);
    const Pair<TypeParam> p = random_pair<TypeParam>(r);
    Aabb box{};
    BvhNode node{};
    BvhView bvh;
    ShapesView shapes;
    if constexpr (std::is_same_v<TypeParam, Plane>) {
      shapes = view_of(p.shape);
    } else {
      box = bounds(p.shape);
      node = tree_of(p.shape);
      bvh = {&node, 1};
      shapes = view_of(p.shape, box);
    }
    for (const Inside policy : every_policy) {
      const Query q = make_query(p.ray, policy);
      const Best best = closest_hit(bvh, shapes, q);
      const Hit alone = cast(p.ray, p.shape, policy);
      ASSERT_EQ(any_hit(bvh, shapes, q), best.id != none) << "seed " << seed;
      ASSERT_EQ(best.id != none, is_hit(alone)) << "seed " << seed;
      const Hit h = hit_of(q, shapes, best, p.ray, false);
      ASSERT_EQ(bits_of(h.t), bits_of(alone.t)) << "seed " << seed;
      ASSERT_EQ(h.flags, alone.flags) << "seed " << seed;
    }
  }
}

// Unit-sized shapes from x = 4 to x = 6, hit head-on: every end is exact.
template <class Shape>
void expect_closed_ends(const Shape& shape) {
  const auto at = [&](float t_min, float t_max, Inside policy) {
    Ray r{{0, 0, 0}, {1, 0, 0}};
    r.t_min = t_min, r.t_max = t_max;
    return cast(r, shape, policy);
  };
  for (const Inside policy : every_policy) {
    EXPECT_EQ(at(0, 4, policy).t, 4);
    EXPECT_EQ(at(4, 4, policy).t, 4);
    EXPECT_FALSE(is_hit(at(0, next_down(4), policy)));
    EXPECT_FALSE(is_hit(at(next_up(6), 9, policy)));
  }
  EXPECT_EQ(at(5, 9, Inside::solid).t, 5);
  EXPECT_EQ(at(6, 9, Inside::solid).t, 6);
  EXPECT_EQ(at(5, 9, Inside::surface).t, 6);
  EXPECT_EQ(at(6, 6, Inside::surface).t, 6);
  EXPECT_FALSE(is_hit(at(5, next_down(6), Inside::surface)));
  EXPECT_TRUE(is_hit(at(5, next_down(6), Inside::solid)));
  EXPECT_FALSE(is_hit(at(5, 9, Inside::ignore)));
  EXPECT_FALSE(is_hit(at(next_up(4), 9, Inside::ignore)));
}
TEST(IntervalEnds, AreClosed) {
  expect_closed_ends(Aabb{{4, -1, -1}, {6, 1, 1}});
  expect_closed_ends(frame(Obb{{5, 0, 0}, {1, 1, 1}, {}}));
  expect_closed_ends(frame(Obb{{5, 0, 0}, {2, 1, 3}, {0, 0, 1, 1}}));
  expect_closed_ends(Sphere{{5, 0, 0}, 1});
  expect_closed_ends(Capsule{{5, -2, 0}, {5, 2, 0}, 1});
  expect_closed_ends(Capsule{{4.5f, 0, 0}, {5.5f, 0, 0}, 0.5f});
}

}  // namespace
}  // namespace sightline::testing
