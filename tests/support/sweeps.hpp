// Seeded thick rays, and shapes that move, over a whole scene.
#pragma once

#include "tests/support/adversarial_rays.hpp"
#include "tests/support/random_scene.hpp"

#include <sightline/caster.hpp>

#include <limits>

namespace sightline::testing {

/// One for each ray: 0, around the size of shapes, larger than the scene; one in 64 is bad.
inline std::vector<float> random_radii(const Scene& scene, std::uint64_t n, std::uint64_t seed) {
  Random r(seed);
  const Aabb b = scene.bounds();
  const float size = is_empty(b) ? 1.0f : max_abs(minus(b.max, b.min));
  const float bad[] = {-1, -0x1p-149f, infinity, 0x1p41f, std::numeric_limits<float>::quiet_NaN()};
  std::vector<float> radii(n);
  for (float& radius : radii) {
    if (r.one_in(64)) {
      radius = bad[r.below(5)];
    } else if (!r.one_in(4)) {
      const bool lattice = r.one_in(3);
      radius = lattice ? static_cast<float>(r.between(0, 3))
                       : sightline::min(size * r.power_of_two(-12, 2), 0x1p39f);
    }
  }
  return radii;
}

/// Spheres and capsules as random as those of scenes, and a direction for each.
struct RandomMovers {
  Scene scene;
  std::vector<Vec3> directions;

  RandomMovers(const Scene& around, std::uint64_t n, std::uint64_t seed) {
    const std::vector<Ray> rays = trouble(around, n, seed);
    const std::vector<float> radii = random_radii(around, n, seed + 1);
    Random r(seed + 2);
    std::vector<Vec3> of_capsules;
    for (std::size_t i = 0; i < n; ++i) {
      const Ray& ray = rays[i];
      const float radius = 0 <= radii[i] && radii[i] <= domain_limit ? radii[i] : 0;
      const Vec3 a = in_domain(ray.origin) ? ray.origin : Vec3{0, 0, 0};
      const Vec3 along = r.vec(-1, 1);
      Vec3 b = plus(a, times(along, r.power_of_two(-4, 1) * (radius + 1)));
      if (r.one_in(3)) b = {a.x, a.y, a.z + static_cast<float>(r.between(0, 3))};
      if (!in_domain(b)) b = a;
      Attributes attributes;
      if (r.one_in(4)) attributes.mask = static_cast<std::uint32_t>(r.bits()) & 7u;
      if (r.one_in(2)) {
        scene.add_sphere({a, radius}, attributes);
        directions.push_back(ray.direction);
      } else {
        scene.add_capsule({a, b, radius}, attributes);
        of_capsules.push_back(ray.direction);
      }
    }
    directions.insert(directions.end(), of_capsules.begin(), of_capsules.end());
  }
};

}  // namespace sightline::testing
