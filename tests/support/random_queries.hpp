// Seeded shapes that query what they overlap, over a whole scene.
#pragma once

#include "tests/support/random_scene.hpp"

namespace sightline::testing {

/// Shapes of every kind but planes around the places of the scene's own, from points to shapes as
/// large as the scene; half of the sets have masks.
inline Scene query_scene(const Scene& scene, int count, std::uint64_t seed) {
  Random r(seed);
  const Aabb all = scene.bounds();
  const Vec3 extent = is_empty(all) ? Vec3{1, 1, 1} : minus(all.max, all.min);
  const Vec3 low = is_empty(all) ? Vec3{0, 0, 0} : all.min;
  const bool masks = r.one_in(2);
  Scene queries;
  for (int k = 0; k < count; ++k) {
    const Vec3 u = r.vec(-0.1f, 1.1f);
    const Vec3 at = plus(low, {u.x * extent.x, u.y * extent.y, u.z * extent.z});
    const float size = max_abs(extent) * r.power_of_two(-10, r.one_in(20) ? 0 : -4);
    Attributes a;
    if (masks) a.mask = static_cast<std::uint32_t>(r.bits());
    const int kind = r.below(5);
    if (kind == 0) queries.add_aabb(random_shape<Aabb>(r, at, size), a);
    if (kind == 1) {
      queries.add_obb(
          {at, times(r.vec(0, 1), size), r.one_in(3) ? Quat{} : Quat{0.5f, 0.5f, 0.5f, 0.5f}}, a);
    }
    if (kind == 2) queries.add_sphere(random_shape<Sphere>(r, at, size), a);
    if (kind == 3) queries.add_capsule(random_shape<Capsule>(r, at, size), a);
    if (kind == 4) queries.add_sphere({at, 0}, a);  // a point
  }
  return queries;
}

/// The same, a fifth of them triangles, some with a corner in a corner of the scene's own.
inline Scene query_scene_with_triangles(const Scene& scene, int count, std::uint64_t seed) {
  Scene queries = query_scene(scene, count - count / 5, seed);
  Random r(seed + 1);
  const Aabb all = scene.bounds();
  const Vec3 extent = is_empty(all) ? Vec3{1, 1, 1} : minus(all.max, all.min);
  const Vec3 low = is_empty(all) ? Vec3{0, 0, 0} : all.min;
  const std::uint32_t triangles = scene.count(Kind::triangle);
  for (int k = 0; k < count / 5; ++k) {
    const Vec3 u = r.vec(-0.1f, 1.1f);
    const Vec3 at = plus(low, {u.x * extent.x, u.y * extent.y, u.z * extent.z});
    Triangle t = random_shape<Triangle>(r, at, max_abs(extent) * r.power_of_two(-10, -2));
    if (triangles > 0 && r.one_in(3)) {
      const Triangle other =
          scene.triangle(static_cast<std::uint32_t>(r.below(static_cast<int>(triangles))));
      t.a = other.b;
      if (r.one_in(2)) t.b = other.c;
    }
    Attributes a;
    if (r.one_in(2)) a.mask = static_cast<std::uint32_t>(r.bits());
    queries.add_triangle(t, a);
  }
  return queries;
}

}  // namespace sightline::testing
