// Reachability: the regions that contain the caller's points, and those that jumps lead to.
#include "host/bakes/nav/stages.hpp"

#include <cmath>

namespace sightline::detail {
namespace {

/// The region of the highest walkable floor below the point, or none.
std::uint32_t region_below(const NavBake& bake, const Vec3& point) {
  const NavMap& map = bake.map;
  const Vec3 p = upright(point, map.grid.up), low = upright(map.grid.bounds.min, map.grid.up);
  const double i = std::floor((double{p.x} - low.x) / map.grid.cell);
  const double j = std::floor((double{p.y} - low.y) / map.grid.cell);
  if (!(i >= 0 && j >= 0 && i < map.grid.width && j < map.grid.depth)) return none;
  const std::uint64_t column =
      static_cast<std::uint64_t>(j) * map.grid.width + static_cast<std::uint64_t>(i);
  std::uint32_t region = none;
  for (std::uint64_t k = map.offsets[column]; k < map.offsets[column + 1]; ++k) {
    if (map.top[k] <= p.z + bake.slack && map.region[k] != none) region = map.region[k];
  }
  return region;
}

/// Adds the regions that jumps lead to from reached ones.
void follow_jumps(const NavMap& map, std::vector<bool>& reached) {
  std::vector<std::vector<std::uint32_t>> next(map.regions.size());
  for (std::uint64_t k = 0; k < map.jumps.size(); ++k) {
    const std::uint32_t a = map.region[map.jumps.spans[k][0]];
    const std::uint32_t b = map.region[map.jumps.spans[k][1]];
    next[a].push_back(b);
    if (map.jumps.both_ways[k] != 0) next[b].push_back(a);
  }
  std::vector<std::uint32_t> todo;
  for (std::uint32_t r = 0; r < reached.size(); ++r) {
    if (reached[r]) todo.push_back(r);
  }
  while (!todo.empty()) {
    const std::uint32_t at = todo.back();
    todo.pop_back();
    for (const std::uint32_t r : next[at]) {
      if (!reached[r]) todo.push_back(r);
      reached[r] = true;
    }
  }
}

void drop_jumps(NavMap& map, const std::vector<bool>& reached) {
  NavJumps kept;
  for (std::uint64_t k = 0; k < map.jumps.size(); ++k) {
    const auto [from, to] = map.jumps.spans[k];
    if (!reached[map.region[from]] || !reached[map.region[to]]) continue;
    kept.from.push_back(map.jumps.from[k]);
    kept.to.push_back(map.jumps.to[k]);
    kept.spans.push_back(map.jumps.spans[k]);
    kept.both_ways.push_back(map.jumps.both_ways[k]);
  }
  map.jumps = std::move(kept);
}

}  // namespace

void keep_reached(NavBake& bake) {
  NavMap& map = bake.map;
  const PointsView from = detail::counted(bake.options.from);
  if (from.count == 0) return;
  std::vector<bool> reached(map.regions.size(), false);
  for (std::uint64_t k = 0; k < from.count; ++k) {
    const std::uint32_t region = region_below(bake, from.position[k]);
    if (region != none) reached[region] = true;
  }
  follow_jumps(map, reached);
  drop_jumps(map, reached);
  std::vector<std::uint32_t> number(map.regions.size(), none);
  std::vector<NavRegion> kept;
  for (std::size_t r = 0; r < reached.size(); ++r) {
    if (!reached[r]) continue;
    number[r] = static_cast<std::uint32_t>(kept.size());
    kept.push_back(map.regions[r]);
  }
  map.regions = std::move(kept);
  for (std::uint64_t i = 0; i < map.spans(); ++i) {
    if (map.region[i] == none) continue;
    map.region[i] = number[map.region[i]];
    if (map.region[i] == none) map.flags[i] &= static_cast<std::uint8_t>(~nav_flags::walkable);
  }
}

}  // namespace sightline::detail
