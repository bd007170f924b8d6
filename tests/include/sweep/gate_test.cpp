// The gate of sweeps: it contains what it must, boxes within boxes stay so, and it drops no hit and
// delays none.
#include "tests/include/sweep/sweep_test.hpp"

#include <gtest/gtest.h>

namespace sightline::testing {
namespace {

bool contains_box(const Aabb& outer, const Aabb& inner) {
  return contains(outer, inner.min) && contains(outer, inner.max);
}
Aabb random_box(Random& r, const Vec3& center, float size) {
  const Vec3 a = times(r.vec(-1, 1), size), b = times(r.vec(-1, 1), size);
  const Aabb both = unite({a, a}, {b, b});
  return {plus(center, both.min), plus(center, both.max)};
}
/// A capsule of any size.
Capsule random_pill(Random& r) {
  const Vec3 a = times(r.vec(-1, 1), r.power_of_two(-20, 20));
  const float size = r.power_of_two(-30, 20);
  const Vec3 edge = r.one_in(8) ? Vec3{0, 0, 0} : times(r.vec(-1, 1), size);
  return {a, plus(a, edge), r.one_in(8) ? 0 : size * r.power_of_two(-20, 20)};
}

TEST(SweepGate, HoldsAllThatTouches) {
  for (std::uint64_t seed = 1; seed <= scaled(200'000); ++seed) {
    Random r(seed);
    const Capsule m = random_pill(r);
    const Aabb box =
        random_box(r, times(r.vec(-1, 1), r.power_of_two(-20, 20)), r.power_of_two(-30, 20));
    // The exact ends, in long double: a sum of four floats of like sizes.
    const auto holds = [](const Aabb& got, const LongVec& low, const LongVec& high) {
      return got.min.x <= low.x && got.min.y <= low.y && got.min.z <= low.z &&
             got.max.x >= high.x && got.max.y >= high.y && got.max.z >= high.z;
    };
    const Long radius = m.radius;
    const LongVec grow(radius, radius, radius), e = long_vec(m.a) - long_vec(m.b);
    const LongVec down(std::min<Long>(e.x, 0), std::min<Long>(e.y, 0), std::min<Long>(e.z, 0));
    const LongVec up(std::max<Long>(e.x, 0), std::max<Long>(e.y, 0), std::max<Long>(e.z, 0));
    const LongVec low = long_vec(box.min) - grow, high = long_vec(box.max) + grow;
    ASSERT_TRUE(holds(grown(box, MovingSphere{m.radius}), low, high)) << seed;
    ASSERT_TRUE(holds(grown(box, m), low + down, high + up)) << seed << text(m);
  }
}

TEST(SweepGate, BoxesWithinBoxesStaySo) {
  for (std::uint64_t seed = 1; seed <= scaled(200'000); ++seed) {
    Random r(seed);
    const Capsule m = random_pill(r);
    const Vec3 center = times(r.vec(-1, 1), r.power_of_two(-20, 20));
    const Aabb inner = random_box(r, center, r.power_of_two(-30, 20));
    Aabb outer = inner;
    for (float* side : {&outer.min.x, &outer.min.y, &outer.min.z})
      if (r.one_in(2)) *side = r.one_in(2) ? next_down(*side) : *side - r.power_of_two(-30, 10);
    for (float* side : {&outer.max.x, &outer.max.y, &outer.max.z})
      if (r.one_in(2)) *side = r.one_in(2) ? next_up(*side) : *side + r.power_of_two(-30, 10);
    ASSERT_TRUE(contains_box(grown(outer, m), grown(inner, m))) << seed;
    const MovingSphere ball{m.radius};
    ASSERT_TRUE(contains_box(grown(outer, ball), grown(inner, ball))) << seed;
    const Capsule point{m.a, m.a, m.radius};
    ASSERT_TRUE(contains_box(grown(inner, point), grown(inner, ball)));
    ASSERT_TRUE(contains_box(grown(inner, ball), grown(inner, point)));
  }
}

template <class Mover, class Shape>
void expect_open_gate() {
  std::uint64_t hits = 0;
  for (std::uint64_t seed = 1; seed <= scaled(50'000); ++seed) {
    Random r(seed);
    const Pair<Shape> p = random_pair<Shape>(r);
    const float size = static_cast<float>(size_of(p.shape)) + 0x1p-8f;
    const Mover m = random_mover<Mover>(r, p.ray.origin, size);
    const Query q = make_query(p.ray, m, Inside::solid);
    const Found found = sweep_past_gate(q, m, p.shape, q.ray.t_min);
    if (!found.hit) continue;
    ++hits;
    const SlabInterval gate = slab(q.ray.line, q.ray.t_min, q.ray.t_max, grown(bounds(p.shape), m));
    ASSERT_FALSE(is_empty(gate)) << seed << text(p.ray) << text(m);
    ASSERT_LE(gate.t_near, found.t) << seed << text(p.ray) << text(m);
  }
  EXPECT_GT(hits, scaled(50'000) / 4);
}
TEST(SweepGate, DropsAndDelaysNothing) {
  for_each_mover_and_kind([]<class M, class S>(ShapeTag<M>, ShapeTag<S>) {
    if constexpr (is_bounded<S>) expect_open_gate<M, S>();
  });
}

}  // namespace
}  // namespace sightline::testing
