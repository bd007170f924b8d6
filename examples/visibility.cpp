// Who sees whom: guards and visitors between walls, all around and within fields of view.
#include <sightline/sightline.hpp>

#include <cstdio>
#include <vector>

int main() {
  using namespace sightline;
  Scene scene;
  scene.add_aabb({{5, -6, 0}, {6, 2, 3}});       // a wall with a gap to the north
  scene.add_capsule({{2, 3, 0}, {2, 3, 4}, 1});  // a pillar
  const Caster caster(std::move(scene));

  const std::vector<Vec3> guards = {{0, 0, 1.7f}, {10, -4, 1.7f}};
  std::vector<Vec3> visitors;
  for (int i = 0; i < 12; ++i) visitors.push_back({static_cast<float>(i), 4, 1.7f});

  const BitMatrix seen = caster.visibility(guards, visitors);
  // 60 degrees of view to the north: the half angle is 30 degrees.
  FieldsView north;
  north.direction = Vec3{0, 1, 0};
  north.cosine = 0.8660254f, north.sine = 0.5f;
  const BitMatrix watched = caster.visibility(guards, north, visitors, {.range = 9});

  for (std::size_t g = 0; g < guards.size(); ++g) {
    std::printf("guard %zu sees ", g);
    for (std::size_t v = 0; v < visitors.size(); ++v) std::printf("%d", int{seen(g, v)});
    std::printf(", looking north ");
    for (std::size_t v = 0; v < visitors.size(); ++v) std::printf("%d", int{watched(g, v)});
    std::printf("\n");
  }

  const Counts exposed = exposure(caster, guards, {}, visitors);
  std::size_t safest = 0;
  for (std::size_t v = 0; v < exposed.size(); ++v)
    safest = exposed[v] < exposed[safest] ? v : safest;
  std::printf("visitor %zu is seen by %u of %zu guards\n", safest, exposed[safest], guards.size());
  return watched.report.visible < seen.report.visible ? 0 : 1;
}
