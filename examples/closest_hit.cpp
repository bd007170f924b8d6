// What rays hit first: rays from above a row of boxes and balls, with normals, and thick rays.
#include <sightline/sightline.hpp>

#include <cstdio>
#include <vector>

int main() {
  using namespace sightline;
  Scene scene;
  scene.add_aabb({{-50, -50, -1}, {50, 50, 0}});  // shape 0: the ground
  for (int i = 0; i < 5; ++i) {
    const float x = 4.0f * static_cast<float>(i);
    scene.add_aabb({{x, -1, 0}, {x + 1, 1, 3}});
    scene.add_sphere({{x + 2.5f, 0, 1}, 1}, {.mask = 2});  // for rays whose mask has bit 1
  }
  const Caster caster(std::move(scene));
  std::printf("%s\n", caster.description().c_str());

  std::vector<Vec3> origins;
  for (int i = 0; i < 8; ++i) origins.push_back({0.25f + 2.5f * static_cast<float>(i), 0, 10});
  const Vec3 down = {0, 0, -1};  // one direction for all

  const Hits hits = caster.closest_hit({origins, down}, {.normals = true});
  for (std::size_t i = 0; i < hits.size(); ++i) {
    std::printf("ray %zu: shape %u at t = %g, normal (%g, %g, %g)\n", i, hits.id[i], hits.t[i],
                hits.normal[i].x, hits.normal[i].y, hits.normal[i].z);
  }

  // Mask 1 meets the boxes and the ground, which have every bit. Spheres of 0.5 move along the
  // rays.
  const Hits thick =
      caster.closest_hit({.origin = origins, .direction = down, .mask = 1u, .radius = 0.5f});
  std::printf("without the balls, as spheres of 0.5: ray 1 stops at t = %g\n", thick.t[1]);

  const Bits blocked = caster.any_hit({.origin = origins, .direction = down, .t_max = 8.0f});
  std::printf("blocked within 8: ");
  for (std::size_t i = 0; i < blocked.size(); ++i) std::printf("%d", int{blocked[i]});
  std::printf("\n");
  return hits.report.hits == origins.size() ? 0 : 1;
}
