// Floors: tops of spans with headroom for the agent, and their slopes.
#include "host/bakes/nav/stages.hpp"

#include <sightline/geometry/base/degrees.hpp>
#include <sightline/geometry/base/lane.hpp>

#include <algorithm>

namespace sightline::detail {
namespace {

constexpr std::uint64_t floors_per_chunk = 1 << 16;

struct Floors {
  std::vector<std::uint64_t> span;
  std::vector<Vec3> eye;  ///< above it, with nothing in between
};

/// Sets the cosine of each floor's slope, from the normal that a downward ray finds, and the flags.
void set_slopes(NavBake& bake, const Floors& floors, float least) {
  NavMap& map = bake.map;
  const UpAxis up = map.grid.up;
  const Vec3 down = upright(Vec3{0, 0, -1}, up);
  std::vector<Vec3> normal(floors.span.size());
  RaysView rays;
  rays.origin = Vec3Column::rows(floors.eye);
  rays.direction = down;
  rays.t_max = map.agent.height;
  rays.mask = bake.options.mask;
  bake.caster.closest_hit(rays, {.normal = normal});
  for (std::size_t k = 0; k < normal.size(); ++k) {
    const std::uint64_t i = floors.span[k];
    map.slope_cosine[i] = upright(normal[k], up).z;
    map.flags[i] = nav_flags::floor;
    if (map.slope_cosine[i] >= least) map.flags[i] |= nav_flags::surface;
  }
}

/// The cosine of the steepest slope; a slack of 2^-20 admits slopes that are exactly as steep.
float least_slope_cosine(float degrees) { return narrowed(cosine_of_degrees(degrees) - 0x1p-20); }

}  // namespace

void find_floors(NavBake& bake) {
  NavMap& map = bake.map;
  map.slope_cosine.assign(map.spans(), 0.0f);
  map.flags.assign(map.spans(), 0);
  const float least = least_slope_cosine(map.agent.slope), half = map.agent.height / 2;
  const double lowest = map.grid.lowest() - bake.slack, highest = map.grid.highest() + bake.slack;
  // A span, an eye, a ray, a normal, and the caster's memory.
  bake.require(std::min(map.spans(), floors_per_chunk) * 128);
  Floors floors;
  const auto flush = [&] {
    set_slopes(bake, floors, least);
    floors = {};
  };
  bake.for_each_span([&](std::uint64_t i, std::uint64_t column) {
    const bool stands = map.headroom[i] >= map.agent.height - bake.slack && map.top[i] >= lowest &&
                        map.top[i] <= highest;
    if (!stands) return;
    floors.span.push_back(i);
    floors.eye.push_back(map.grid.at(column, map.top[i] + half));
    if (floors.span.size() < floors_per_chunk) return;
    bake.report("floors", i, map.spans());
    flush();
  });
  flush();
  bake.report("floors", map.spans(), map.spans());
}

}  // namespace sightline::detail
