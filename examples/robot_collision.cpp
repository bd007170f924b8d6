// Which poses of a robot collide: an arm of eight spheres in each of many poses, one bit a pose;
// then how far the upright arm may move, and how near its shoulder is to anything.
#include <sightline/sightline.hpp>

#include <cmath>
#include <cstdio>
#include <vector>

int main() {
  using namespace sightline;
  Scene shelf;
  for (const float z : {0.0f, 1.0f, 2.0f}) shelf.add_aabb({{2, -2, z}, {3, 2, z + 0.1f}});
  shelf.add_plane({{0, 0, 1}, 0});  // the floor, z = 0
  const Caster caster(std::move(shelf));

  constexpr std::uint32_t spheres_per_arm = 8;
  constexpr int poses = 90;
  std::vector<Sphere> arms;
  for (int pose = 0; pose < poses; ++pose) {
    const float angle = static_cast<float>(pose) * 3.14159265f / 180;  // 0: level, 89: upright
    for (std::uint32_t i = 0; i < spheres_per_arm; ++i) {
      const float r = 0.35f * static_cast<float>(i);
      arms.push_back({{r * std::cos(angle), 0, 0.5f + r * std::sin(angle)}, 0.15f});
    }
  }
  Scene robots;
  robots.add(arms);

  const Bits collides = caster.overlap_any(robots, {.shapes_per_body = spheres_per_arm});
  int free = 0, first_hit = -1;
  for (int pose = 0; pose < poses; ++pose) {
    if (!collides[static_cast<std::size_t>(pose)])
      ++free;
    else if (first_hit < 0)
      first_hit = pose;
  }
  std::printf("%d of %d poses are free; the first that collides is at %d degrees\n", free, poses,
              first_hit);

  // The arm of the last pose, pushed forwards: the first contact of any of its spheres.
  const std::uint32_t last = (poses - 1) * spheres_per_arm;
  const std::vector<Vec3> forwards(spheres_per_arm, Vec3{1, 0, 0});
  const Hits contact = caster.sweep(robots, forwards, {.of = {last, spheres_per_arm}});
  float room = infinity;
  for (const float t : contact.t) room = t < room ? t : room;
  std::printf("the upright arm can move %.3f forwards\n", room);

  const NearestRows near = caster.nearest({Vec3{0, 0, 0.5f}});
  std::printf("its shoulder is %.3f from shape %u\n", near.distance[0], near.id[0]);
  return free > 0 && free < poses ? 0 : 1;
}
