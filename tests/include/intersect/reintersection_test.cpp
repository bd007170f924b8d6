// A point that a hit reports is on the surface: rays spawned there find it behind, not in front.
#include <sightline/geometry/queries/cast.hpp>

#include "tests/support/adversarial_pairs.hpp"
#include "tests/support/scale.hpp"

#include <gtest/gtest.h>

namespace sightline::testing {
namespace {

template <class Shape>
class Reintersection : public ::testing::Test {};
using Shapes = ::testing::Types<Aabb, ObbFrame, Sphere, Capsule, Cylinder, Plane>;
TYPED_TEST_SUITE(Reintersection, Shapes);

/// How far the reported point, computed in floats, may be from the surface: it is off by the
/// rounding of t * d and of the sum, and the surface by what the shape's own numbers leave.
float slack(const Ray& ray, const Vec3& at) {
  return 0x1p-21f * (max_abs(ray.origin) + max_abs(at));
}

/// Whether a point of a box's surface is so close to an edge that moving it by `off` may leave the
/// face that it is on.
bool near_edge(const ObbFrame& s, const Vec3& at, float off) {
  const float half[3] = {s.half_extents.x, s.half_extents.y, s.half_extents.z};
  const Vec3 w = minus(at, s.center);
  int faces = 0;
  for (int i = 0; i < 3; ++i) {
    const float along = s.axis[i].x * w.x + s.axis[i].y * w.y + s.axis[i].z * w.z;
    faces += std::fabs(along) > half[i] - off;
  }
  return faces > 1;
}
bool near_edge(const Aabb& s, const Vec3& at, float off) {
  const Vec3 center = times(plus(s.min, s.max), 0.5f);
  return near_edge(frame(Obb{center, minus(s.max, center), {}}), at, off);
}
template <class Shape>
bool near_edge(const Shape&, const Vec3&, float) {
  return false;
}

TYPED_TEST(Reintersection, FromJustOutsideTheHitTheSurfaceIsBehindAndNearby) {
  int checked = 0;
  for (std::uint64_t seed = 1; seed <= scaled(200'000); ++seed) {
    Random r(seed);
    Pair<TypeParam> p = random_pair<TypeParam>(r);
    p.ray.t_min = 0, p.ray.t_max = infinity;
    const Hit h = cast(p.ray, p.shape, Inside::ignore);
    if (!is_hit(h)) continue;
    const Vec3 at = plus(p.ray.origin, times(p.ray.direction, h.t));
    const float off = 4 * slack(p.ray, at);
    const float cosine = -(h.normal.x * p.ray.direction.x + h.normal.y * p.ray.direction.y +
                           h.normal.z * p.ray.direction.z);
    const float length =
        std::sqrt(p.ray.direction.x * p.ray.direction.x + p.ray.direction.y * p.ray.direction.y +
                  p.ray.direction.z * p.ray.direction.z);
    if (cosine < 0.1f * length) continue;  // where the ray grazes, "nearby" is far along it
    Ray out;
    out.origin = plus(at, times(h.normal, off));
    out.direction = h.normal;
    ASSERT_FALSE(is_hit(cast(out, p.shape, Inside::solid)))
        << "seed " << seed << " " << text(p.ray) << " point " << text(at);

    if (near_edge(p.shape, at, off)) continue;
    ++checked;
    Ray back = out;
    back.direction = -h.normal;
    const Hit again = cast(back, p.shape, Inside::solid);
    ASSERT_TRUE(is_hit(again)) << "seed " << seed << " " << text(p.ray) << " point " << text(at);
    ASSERT_LE(again.t, 3 * off) << "seed " << seed << " " << text(p.ray) << " point " << text(at);
  }
  if (test_scale() >= 0.01) {
    EXPECT_GT(checked, 50);
  }
}

TYPED_TEST(Reintersection, TheExitIsTheEntryOfTheReversedRay) {
  if constexpr (!std::is_same_v<TypeParam, Plane>) {
    int checked = 0;
    for (std::uint64_t seed = 1; seed <= scaled(200'000); ++seed) {
      Random r(seed);
      const Pair<TypeParam> p = random_pair<TypeParam>(r);
      const Line line = scale(p.ray).line;
      Ray reversed = p.ray;
      reversed.direction = -p.ray.direction;
      const Interval a = interval(line, p.shape);
      const Interval b = interval(scale(reversed).line, p.shape);
      ASSERT_EQ(a.hit, b.hit) << "seed " << seed << " " << text(p.ray);
      if (!a.hit) continue;
      ++checked;
      ASSERT_EQ(a.t_in, -b.t_out) << "seed " << seed << " " << text(p.ray);
      ASSERT_EQ(a.t_out, -b.t_in) << "seed " << seed << " " << text(p.ray);
      ASSERT_LE(a.t_in, a.t_out) << "seed " << seed << " " << text(p.ray);
    }
    if (test_scale() >= 0.01) {
      EXPECT_GT(checked, 50);
    }
  }
}

}  // namespace
}  // namespace sightline::testing
