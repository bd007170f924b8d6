// Sweeps that are something else as well: a thin ray, a sphere's cast, another shape.
#include "tests/include/sweep/sweep_test.hpp"

#include <gtest/gtest.h>

namespace sightline::testing {
namespace {

template <class Shape>
class SameSweeps : public ::testing::Test {};
using EveryShape = ::testing::Types<Aabb, ObbFrame, Sphere, Capsule, Triangle, Plane>;
TYPED_TEST_SUITE(SameSweeps, EveryShape);

TYPED_TEST(SameSweeps, RadiusZeroIsTheThinRayToTheBit) {
  std::uint64_t hits = 0;
  for (std::uint64_t seed = 1; seed <= scaled(200'000); ++seed) {
    Random r(seed);
    Pair<TypeParam> p = random_pair<TypeParam>(r);
    if (r.one_in(16)) p.ray.direction = {0, 0, 0};
    const Inside inside = every_policy[seed % 3];
    const Hit thin = cast(p.ray, p.shape, inside);
    ASSERT_TRUE(same_bits(cast_sphere(p.ray, 0, p.shape, inside), thin)) << seed << text(p.ray);
    hits += is_hit(thin);
  }
  EXPECT_GT(hits, scaled(200'000) / 32);
}

TYPED_TEST(SameSweeps, LengthZeroIsTheSphereToTheBit) {
  for (std::uint64_t seed = 1; seed <= scaled(100'000); ++seed) {
    Random r(seed);
    const Pair<TypeParam> p = random_pair<TypeParam>(r);
    const float radius = r.one_in(8) ? 0 : random_mover<MovingSphere>(r, {}, 1).radius;
    const Vec3 o = p.ray.origin;
    const Inside inside = every_policy[seed % 3];
    const Hit sphere = cast_sphere(p.ray, radius, p.shape, inside);
    const Hit capsule =
        cast_capsule({o, o, radius}, p.ray.direction, p.shape, inside, p.ray.t_min, p.ray.t_max);
    ASSERT_TRUE(same_bits(capsule, sphere)) << seed << " " << radius << " " << text(p.ray);
  }
}

/// Whether two intervals are the same but for the last bits: of lines that graze, as far as floats
/// know when they enter and leave.
::testing::AssertionResult same_interval(const Interval& a, const Interval& b) {
  const auto same = [](float x, float y) {
    return bits_of(x) == bits_of(y) || abs(x - y) <= 4e-7f * max(abs(x), abs(y));
  };
  if (a.hit != b.hit) return ::testing::AssertionFailure() << a.hit << b.hit;
  if (!a.hit || (same(a.t_in, b.t_in) && same(a.t_out, b.t_out)))
    return ::testing::AssertionSuccess();
  return ::testing::AssertionFailure()
         << std::hexfloat << a.t_in << " " << a.t_out << ", not " << b.t_in << " " << b.t_out;
}

/// A line that passes the origin within some four sizes, from 30 away.
Line some_line(Random& r) {
  const Vec3 aim = r.vec(-4, 4), from = plus(aim, times(unit(r.vec(-1, 1)), 30));
  Ray ray;
  ray.origin = from;
  ray.direction = minus(aim, from);
  return scale(ray).line;
}
Capsule moving_from(const Line& line, const Vec3& edge, float radius) {
  return {line.origin, plus(line.origin, edge), radius};
}
/// Few bits, so that sums of it are exact.
float some_radius(Random& r) { return static_cast<float>(r.between(1, 64)) / 32; }

/// Rays against grown shapes, in two-floats.
TEST(SweepsAsOtherShapes, RoundShapesGrow) {
  for (std::uint64_t seed = 1; seed <= scaled(100'000); ++seed) {
    Random r(seed);
    const Line line = some_line(r);
    const MovingSphere m{some_radius(r)};
    const float radius = some_radius(r), both = radius + m.radius;
    const Vec3 a = r.lattice(-2, 2), b = r.lattice(-2, 2);
    ASSERT_TRUE(
        same_interval(sweep_interval(line, m, Sphere{a, radius}), interval(line, Sphere{a, both})))
        << seed;
    ASSERT_TRUE(same_interval(sweep_interval(line, m, Capsule{a, b, radius}),
                              interval(line, Capsule{a, b, both})))
        << seed;
  }
}

TEST(SweepsAsOtherShapes, ACapsuleAndASphereTakeTurns) {
  for (std::uint64_t seed = 1; seed <= scaled(100'000); ++seed) {
    Random r(seed);
    Line line = some_line(r);
    line.origin = times(r.lattice(-30, 30), 1);
    const Vec3 edge = r.lattice(-3, 3), at = r.lattice(-2, 2);
    if (edge.x == 0 && edge.y == 0 && edge.z == 0) continue;
    const float radius = some_radius(r), other = some_radius(r);
    ASSERT_TRUE(same_interval(
        sweep_interval(line, moving_from(line, edge, radius), Sphere{at, other}),
        sweep_interval(line, MovingSphere{radius}, Capsule{minus(at, edge), at, other})))
        << seed;
  }
}

/// Boxes without one, two or three of their extents.
TEST(SweepsAsOtherShapes, FlatBoxesAreSegmentsAndPoints) {
  for (std::uint64_t seed = 1; seed <= scaled(100'000); ++seed) {
    Random r(seed);
    const Line line = some_line(r);
    const MovingSphere m{some_radius(r)};
    const Vec3 at = r.lattice(-2, 2);
    Vec3 half = r.lattice(0, 3);
    (r.one_in(2) ? half.x : half.y) = 0;
    half.z = 0;
    const Aabb box{minus(at, half), plus(at, half)};
    const ObbFrame turned = frame(Obb{at, half, {0, 0, 1, 0}});
    const Capsule core{box.min, box.max, 0};
    ASSERT_TRUE(same_interval(sweep_interval(line, m, box), sweep_interval(line, m, core))) << seed;
    ASSERT_TRUE(same_interval(sweep_interval(line, m, turned), sweep_interval(line, m, core)));
    const Capsule moving = moving_from(line, r.vec(-3, 3), m.radius);
    ASSERT_TRUE(
        same_interval(sweep_interval(line, moving, box), sweep_interval(line, moving, core)))
        << seed << text(moving);
    ASSERT_TRUE(
        same_interval(sweep_interval(line, moving, turned), sweep_interval(line, moving, core)))
        << seed;
  }
}

/// A box in every quarter turn is the upright one.
TEST(SweepsAsOtherShapes, QuarterTurnsOfBoxes) {
  const Quat turns[] = {{0, 0, 0, 1}, {1, 0, 0, 1}, {0, 1, 0, 1}, {0, 0, 1, 1},
                        {1, 1, 1, 1}, {1, 0, 0, 0}, {1, 1, 0, 0}, {-1, 1, 1, 1}};
  for (std::uint64_t seed = 1; seed <= scaled(100'000); ++seed) {
    Random r(seed);
    const Line line = some_line(r);
    const ObbFrame turned = frame(Obb{r.lattice(-2, 2), r.lattice(0, 3), turns[r.below(8)]});
    const Vec3* a = turned.axis;
    const Vec3 h = turned.half_extents, c = turned.center;
    const Vec3 reach = {abs(a[0].x) * h.x + abs(a[1].x) * h.y + abs(a[2].x) * h.z,
                        abs(a[0].y) * h.x + abs(a[1].y) * h.y + abs(a[2].y) * h.z,
                        abs(a[0].z) * h.x + abs(a[1].z) * h.y + abs(a[2].z) * h.z};
    const Aabb upright{minus(c, reach), plus(c, reach)};
    const MovingSphere m{some_radius(r)};
    const Capsule moving = moving_from(line, r.vec(-3, 3), m.radius);
    ASSERT_TRUE(same_interval(sweep_interval(line, m, turned), sweep_interval(line, m, upright)));
    ASSERT_TRUE(
        same_interval(sweep_interval(line, moving, turned), sweep_interval(line, moving, upright)));
  }
}

}  // namespace
}  // namespace sightline::testing
