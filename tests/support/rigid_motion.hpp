// Scenes whose shapes move.
#pragma once

#include "tests/support/adversarial_pairs.hpp"

#include <sightline/scene.hpp>

namespace sightline::testing {

/// Moves every shape but one in four by up to `distance` along each axis, planes along their
/// normals. Ids and attributes stay.
inline void move_shapes(Scene& scene, std::uint64_t seed, float distance) {
  Random r(seed);
  const auto for_each = [&](Kind kind, auto&& move) {
    for (std::uint32_t i = 0; i < scene.count(kind); ++i) {
      const Vec3 step = r.vec(-distance, distance);
      if (!r.one_in(4)) move(i, step);
    }
  };
  for_each(Kind::aabb, [&](std::uint32_t i, const Vec3& step) {
    const Aabb s = scene.aabb(i);
    scene.set<Aabb>(i, {plus(s.min, step), plus(s.max, step)});
  });
  for_each(Kind::obb, [&](std::uint32_t i, const Vec3& step) {
    Obb s = scene.obb(i);
    s.center = plus(s.center, step);
    scene.set<Obb>(i, s);
  });
  for_each(Kind::sphere, [&](std::uint32_t i, const Vec3& step) {
    const Sphere s = scene.sphere(i);
    scene.set<Sphere>(i, {plus(s.center, step), s.radius});
  });
  for_each(Kind::capsule, [&](std::uint32_t i, const Vec3& step) {
    const Capsule s = scene.capsule(i);
    scene.set<Capsule>(i, {plus(s.a, step), plus(s.b, step), s.radius});
  });
  for_each(Kind::cylinder, [&](std::uint32_t i, const Vec3& step) {
    const Cylinder s = scene.cylinder(i);
    scene.set<Cylinder>(i, {plus(s.a, step), plus(s.b, step), s.radius});
  });
  for_each(Kind::triangle, [&](std::uint32_t i, const Vec3& step) {
    const Triangle s = scene.triangle(i);
    scene.set<Triangle>(i, {plus(s.a, step), plus(s.b, step), plus(s.c, step)});
  });
  for_each(Kind::plane, [&](std::uint32_t i, const Vec3& step) {
    const Plane s = scene.plane(i);
    scene.set<Plane>(i, {s.normal, s.offset + step.x});
  });
}

}  // namespace sightline::testing
