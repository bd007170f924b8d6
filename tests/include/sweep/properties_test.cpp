// What must hold of sweeps whatever the shapes: they begin where overlaps do, agree with
// clearances, come no later for a larger radius, and have normals along the gradient of the
// distance.
#include "tests/include/sweep/sweep_test.hpp"

#include <sightline/geometry/distance/distance.hpp>

#include <gtest/gtest.h>

#include <iostream>

namespace sightline::testing {
namespace {

using oracle::magnitude;

/// A shape with a ray past it, and what moves along it.
template <class Mover, class Shape>
struct SweepCase {
  Shape shape;
  Ray ray;
  Mover mover;
  Long size;

  explicit SweepCase(Random& r) {
    const Pair<Shape> p = random_pair<Shape>(r);
    shape = p.shape;
    ray.origin = p.ray.origin;
    ray.direction = p.ray.direction;
    mover = random_mover<Mover>(r, ray.origin, static_cast<float>(size_of(shape)) + 0x1p-8f);
    size = size_of(shape) + mover.radius + length_of(mover);
  }
  /// What doubles leave open; a plane is as large as its distance from the origin.
  Long hair() const { return 1e-14L * (size + max_abs(ray.origin)); }
  Moving<Long> way() const { return moving(mover, ray.origin, ray.direction); }
  Hit cast(Inside inside = Inside::solid) const { return cast_mover(ray, mover, shape, inside); }
};

/// Touching or overlapping at t = 0 is a hit there, and nothing else is; but within a hair of
/// touching.
template <class Mover, class Shape>
void expect_begins_as_overlaps() {
  std::uint64_t inside = 0;
  for (std::uint64_t seed = 1; seed <= scaled(50'000); ++seed) {
    Random r(seed);
    SweepCase<Mover, Shape> c(r);
    Ray still_ray = c.ray;
    still_ray.direction = {0, 0, 0};
    const Line begin = scale(still_ray).line;
    const bool both = overlaps(at_origin(begin, c.mover), c.shape);
    const Hit hit = c.cast();
    const bool at_once = is_hit(hit) && hit.t == 0;
    inside += both;
    if (at_once != both) {
      EXPECT_LT(magnitude(oracle::gap_at(c.way(), c.shape, Long(0))), c.hair()) << seed;
    }
    EXPECT_TRUE(at_once || !started_inside(hit)) << seed;
    c.ray.direction = {0, 0, 0};
    const Hit still = c.cast();
    ASSERT_EQ(is_hit(still), both) << seed;
    ASSERT_FALSE(is_hit(c.cast(Inside::ignore))) << seed;
    ASSERT_TRUE(!both || (still.t == 0 && started_inside(still))) << seed;
  }
  EXPECT_GT(inside, scaled(50'000) / 100);
}
TEST(SweepProperties, BeginAsOverlapsDo) {
  for_each_mover_and_kind(
      []<class M, class S>(ShapeTag<M>, ShapeTag<S>) { expect_begins_as_overlaps<M, S>(); });
}

/// A thick segment hits what it comes within its radius of.
template <class Shape>
void expect_agrees_with_clearance() {
  std::uint64_t hits = 0;
  for (std::uint64_t seed = 1; seed <= scaled(50'000); ++seed) {
    Random r(seed);
    SweepCase<MovingSphere, Shape> c(r);
    const Vec3 end = plus(c.ray.origin, r.one_in(2) ? c.ray.direction : times(r.vec(-1, 1), 4));
    c.ray.direction = minus(end, c.ray.origin);
    c.ray.t_max = 1;
    const Long apart = clearance(Segment{c.ray.origin, end}, c.shape).distance;
    const Long reach = std::max({Long(max_abs(c.ray.origin)), Long(max_abs(end)), c.size});
    hits += is_hit(c.cast());
    if (magnitude(apart - c.mover.radius) < 1e-6L * reach) continue;
    ASSERT_EQ(is_hit(c.cast()), apart < c.mover.radius) << seed;
  }
  EXPECT_GT(hits, scaled(50'000) / 20);
}
TEST(SweepProperties, AgreeWithClearance) {
  for_each_swept_kind([]<class S>(ShapeTag<S>) { expect_agrees_with_clearance<S>(); });
}

bool no_later(float a, float b) { return a <= b || a <= b + 4e-7f * abs(b); }

/// What is larger touches no later, and a capsule touches no later than a ball at any of its
/// places.
template <class Shape>
void expect_larger_is_no_later() {
  for (std::uint64_t seed = 1; seed <= scaled(50'000); ++seed) {
    Random r(seed);
    const SweepCase<Capsule, Shape> c(r);
    const Line line = scale(c.ray).line;
    if (line.is_point || (c.mover.a.x == c.mover.b.x && c.mover.a.y == c.mover.b.y)) continue;
    const float less = c.mover.radius * r.uniform(0.1f, 0.99f);
    const Interval all = sweep_interval(line, c.mover, c.shape);
    const Interval thinner = sweep_interval(line, Capsule{c.mover.a, c.mover.b, less}, c.shape);
    const auto expect_within = [&](const Interval& part) {
      if (!part.hit) return;
      EXPECT_TRUE(all.hit) << seed;
      EXPECT_TRUE(no_later(all.t_in, part.t_in)) << seed;
      EXPECT_TRUE(no_later(part.t_out, all.t_out)) << seed;
    };
    expect_within(thinner);
    expect_within(sweep_interval(line, MovingSphere{less}, c.shape));
    // The ball at its other end, whose line is another.
    Line of_b = line;
    of_b.origin = c.mover.b;
    expect_within(sweep_interval(of_b, MovingSphere{less}, c.shape));
  }
}
TEST(SweepProperties, LargerIsNoLater) {
  for_each_swept_kind([]<class S>(ShapeTag<S>) { expect_larger_is_no_later<S>(); });
}

/// A capsule's ends are alike.
template <class Shape>
void expect_ends_alike() {
  for (std::uint64_t seed = 1; seed <= scaled(50'000); ++seed) {
    Random r(seed);
    const SweepCase<Capsule, Shape> c(r);
    const Line line = scale(c.ray).line;
    if (line.is_point) continue;
    Line of_b = line;
    of_b.origin = c.mover.b;
    const Interval a = sweep_interval(line, c.mover, c.shape);
    const Interval b = sweep_interval(of_b, Capsule{c.mover.b, c.mover.a, c.mover.radius}, c.shape);
    ASSERT_EQ(a.hit, b.hit) << seed;
    if (!a.hit) continue;
    // Each end is a time at which the two touch, to within a step of floats and a hair.
    const auto alike = [&](float x, float y) {
      const Long room = 10 * c.hair();
      const auto gap = [&](float t) {
        const Moving<Long> way = moving(c.mover, line.origin, line.direction);
        return oracle::gap_at(way, c.shape, Long(t));
      };
      return bits_of(x) == bits_of(y) || next_up(x) == y || x == next_up(y) ||
             magnitude(gap(x) - gap(y)) < room;
    };
    EXPECT_TRUE(alike(a.t_in, b.t_in)) << seed;
    EXPECT_TRUE(alike(a.t_out, b.t_out)) << seed;
  }
}
TEST(SweepProperties, EndsAreAlike) {
  for_each_swept_kind([]<class S>(ShapeTag<S>) { expect_ends_alike<S>(); });
}

/// The normal is the way in which the gap grows fastest.
template <class Mover, class Shape>
void expect_normals() {
  Long worst = 0;
  std::uint64_t seen = 0;
  for (std::uint64_t seed = 1; seed <= scaled(4'000); ++seed) {
    Random r(seed);
    const SweepCase<Mover, Shape> c(r);
    const Line line = scale(c.ray).line;
    // A radius too small for differences of the gap is left out.
    if (line.is_point || c.mover.radius < 1e-3L * c.size) continue;
    const LocalLine local = local_line(line, reference_point(c.shape));
    const WideInterval i = wide_interval(local, c.mover, c.shape);
    if (!i.hit) continue;
    const bool at_exit = r.one_in(2);
    const Long t = Long(at_exit ? i.t_out : i.t_in) + local.moved;
    const Vec3 n = sweep_normal(line, c.mover, c.shape, at_exit);
    const Long h = 1e-6L * c.mover.radius;
    const auto slope = [&](const LongVec& along) {
      Moving<Long> up = moving(c.mover, line.origin, line.direction), down = up;
      up.core = {up.core.a + along * h, up.core.b + along * h};
      down.core = {down.core.a - along * h, down.core.b - along * h};
      return (oracle::gap_at(up, c.shape, t) - oracle::gap_at(down, c.shape, t)) / (2 * h);
    };
    const LongVec gradient(slope({1, 0, 0}), slope({0, 1, 0}), slope({0, 0, 1}));
    worst = std::max(worst, oracle::length_of(gradient - long_vec(n)));
    ++seen;
  }
  std::cout << seen << " normals, off by " << static_cast<double>(worst) << "\n";
  EXPECT_GT(seen, scaled(4'000) / 4);
  EXPECT_LT(worst, 1e-5L);
}
TEST(SweepProperties, NormalsAreGradients) {
  for_each_mover_and_kind([]<class M, class S>(ShapeTag<M>, ShapeTag<S>) {
    if constexpr (is_bounded<S>) expect_normals<M, S>();
  });
}

}  // namespace
}  // namespace sightline::testing
