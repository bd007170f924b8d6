// Regions: walkable floors connected by links, numbered in the order of their first spans.
#include "host/bakes/nav/stages.hpp"

#include <sightline/geometry/shapes/aabb.hpp>

namespace sightline::detail {
namespace {

struct SpanPosition {
  std::uint64_t span, column;
};

void add(NavRegion& region, const NavMap& map, const SpanPosition& at) {
  const Vec3 p = map.grid.at(at.column, map.top[at.span]);
  if (region.spans == 0) region.min = region.max = p;
  ++region.spans;
  const Aabb box = unite({region.min, region.max}, {p, p});
  region.min = box.min;
  region.max = box.max;
}

}  // namespace

void find_regions(NavBake& bake) {
  NavMap& map = bake.map;
  map.region.assign(map.spans(), none);
  const double cell_area = double{map.grid.cell} * map.grid.cell;
  std::vector<SpanPosition> todo, next_todo;  // the current front, and the next
  const auto add_region = [&](const NavRegion& region) {
    if (map.regions.size() == map.regions.capacity()) {
      bake.require(2 * map.regions.size() * sizeof(NavRegion));
    }
    map.regions.push_back(region);
  };
  bake.for_each_span([&](std::uint64_t first, std::uint64_t first_column) {
    if (!bake.is(first, nav_flags::walkable) || map.region[first] != none) return;
    const auto number = static_cast<std::uint32_t>(map.regions.size());
    NavRegion region;
    map.region[first] = number;
    todo.push_back({first, first_column});
    while (!todo.empty()) {
      for (const SpanPosition& at : todo) {
        add(region, map, at);
        for (int side = 0; side < 4; ++side) {
          const std::optional<std::uint64_t> next = map.linked(at.span, at.column, side);
          if (!next || !bake.is(*next, nav_flags::walkable) || map.region[*next] != none) continue;
          map.region[*next] = number;
          next_todo.push_back({*next, *map.neighbour(at.column, side)});
        }
      }
      bake.require(2 * (todo.capacity() + next_todo.capacity()) * sizeof(SpanPosition));
      todo.swap(next_todo);
      next_todo.clear();
    }
    region.area = static_cast<double>(region.spans) * cell_area;
    add_region(region);
  });
  bake.report("regions", map.spans(), map.spans());
}

}  // namespace sightline::detail
