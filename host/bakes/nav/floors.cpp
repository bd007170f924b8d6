// Floors: tops of spans with room for the agent's head, and how steep they are.
#include "host/bakes/nav/stages.hpp"

#include <sightline/math/degrees.hpp>

#include <algorithm>

namespace sightline::detail {
namespace {

constexpr std::uint64_t floors_per_chunk = 1 << 16;

struct Floors {
  std::vector<std::uint64_t> span;
  std::vector<Vec3> eye;  ///< above it, with nothing in between
};

/// The upward part of the normals, as a ray that looks down sees them.
void look_down(NavBake& bake, const Floors& floors, float least) {
  NavMap& map = bake.map;
  const UpAxis up = map.grid.up;
  const Vec3 down = upright(Vec3{0, 0, -1}, up);
  std::vector<Vec3> normal(floors.span.size());
  RaysView rays;
  rays.count = floors.span.size();
  rays.origin = Vec3Column::rows(floors.eye);
  rays.direction = down;
  rays.t_max = map.agent.height;
  rays.mask = bake.options.mask;
  bake.caster.closest_hit(rays, {.normal = normal});
  for (std::size_t k = 0; k < normal.size(); ++k) {
    const std::uint64_t i = floors.span[k];
    map.upness[i] = upright(normal[k], up).z;
    map.flags[i] = nav_flags::floor;
    if (map.upness[i] >= least) map.flags[i] |= nav_flags::surface;
  }
}

/// The cosine of the steepest slope; a slack of 2^-20 lets through what is as steep as that.
float least_upness(float degrees) { return narrowed(cosine_of_degrees(degrees) - 0x1p-20); }

}  // namespace

void find_floors(NavBake& bake) {
  NavMap& map = bake.map;
  map.upness.assign(map.spans(), 0.0f);
  map.flags.assign(map.spans(), 0);
  const float least = least_upness(map.agent.slope), half = map.agent.height / 2;
  const double lowest = map.grid.lowest() - bake.slack, highest = map.grid.highest() + bake.slack;
  // A span, an eye, a ray, a normal, and what the caster makes of them.
  bake.require(std::min(map.spans(), floors_per_chunk) * 128);
  Floors floors;
  const auto flush = [&] {
    look_down(bake, floors, least);
    floors = {};
  };
  bake.for_each_span([&](std::uint64_t i, std::uint64_t column) {
    const bool stands = map.headroom[i] >= map.agent.height - bake.slack && map.top[i] >= lowest &&
                        map.top[i] <= highest;
    if (!stands) return;
    floors.span.push_back(i);
    floors.eye.push_back(map.grid.at(column, map.top[i] + half));
    if (floors.span.size() < floors_per_chunk) return;
    bake.tell("floors", i, map.spans());
    flush();
  });
  flush();
  bake.tell("floors", map.spans(), map.spans());
}

}  // namespace sightline::detail
