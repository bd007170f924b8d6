#include "host/files/pictures/map_view.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace sightline::io {
namespace {

constexpr Color steep{196, 60, 56}, low{92, 92, 100}, near{236, 178, 152}, edge{240, 214, 150};

/// The largest region alone is green.
Color region_color(std::uint64_t rank) {
  constexpr Color largest{86, 166, 98};
  constexpr Color others[] = {{88, 140, 200},  {150, 110, 190}, {70, 170, 170}, {150, 168, 70},
                              {112, 112, 214}, {180, 120, 160}, {84, 128, 112}};
  return rank == 0 ? largest : others[rank % std::size(others)];
}

/// The rank of each region by its size; of equals the first.
std::vector<std::uint32_t> ranks(const NavMap& map) {
  std::vector<std::uint32_t> order(map.regions.size()), rank(map.regions.size());
  for (std::uint32_t r = 0; r < order.size(); ++r) order[r] = r;
  std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
    return map.regions[a].spans > map.regions[b].spans;
  });
  for (std::uint32_t k = 0; k < order.size(); ++k) rank[order[k]] = k;
  return rank;
}

/// The color of a span by how far walking gets there.
Color color_of(const NavMap& map, std::uint64_t i, const std::vector<std::uint32_t>& rank) {
  const int flags = map.flags[i];
  const bool walkable = (flags & nav_flags::walkable) != 0;
  if (walkable && map.region[i] < rank.size()) return region_color(rank[map.region[i]]);
  if ((flags & nav_flags::clear) != 0) return edge;
  if ((flags & nav_flags::surface) != 0) return near;
  return (flags & nav_flags::floor) != 0 ? steep : low;
}

/// The highest walkable span of a column, or else the one that most can be said of.
std::optional<std::uint64_t> shown(const NavMap& map, std::uint64_t column) {
  std::optional<std::uint64_t> best;
  for (std::uint64_t i = map.offsets[column]; i < map.offsets[column + 1]; ++i) {
    if (!best || map.flags[i] >= map.flags[*best]) best = i;
  }
  return best;
}

void draw_columns(Canvas& canvas, const MapView& view, const NavMap& map) {
  const std::vector<std::uint32_t> rank = ranks(map);
  const double half = double{map.grid.cell} / 2;
  for (std::uint64_t c = 0; c < map.grid.columns(); ++c) {
    const std::optional<std::uint64_t> span = shown(map, c);
    if (!span) continue;
    const MapPoint at = on_map(map.grid.at(c, 0), map.grid.up);
    fill_rectangle(canvas, view({at.x - half, at.y + half}), view({at.x + half, at.y - half}),
                   color_of(map, *span, rank));
  }
}

/// Of what nobody could stand on: floors show by their colors.
void draw_outlines(Canvas& canvas, const MapView& view, const NavMap& map, const Scene& scene) {
  const ShapesView shapes = scene.view();
  std::vector<bool> is_floor(shapes.size(), false);
  for (std::uint64_t i = 0; i < map.spans(); ++i) {
    const bool surface = (map.flags[i] & nav_flags::surface) != 0;
    if (surface && map.shape[i] < shapes.size()) is_floor[map.shape[i]] = true;
  }
  for (std::uint32_t id = 0; id < shapes.bounded(); ++id) {
    if (is_floor[id]) continue;
    draw_outline(canvas, view(footprint(shapes, id, map.grid.up)), 1.2, ink, 0.6);
  }
}

std::vector<ColorClass> classes_of(const NavMap& map, const std::string& unit) {
  const auto nearer = [&](const char* what) {
    return fmt::format("{} nearer than {:.4g} {}", what, map.agent.radius, unit);
  };
  return {{region_color(0), fmt::format("a color per region ({} regions)", map.regions.size())},
          {near, nearer("obstacle")},
          {edge, nearer("border")},
          {steep, fmt::format("steeper than {:.4g} deg", map.agent.slope)},
          {low, fmt::format("no room for {:.4g} {}, or out of bounds", map.agent.height, unit)}};
}

MapBounds bounds_of(const NavGrid& grid) {
  MapBounds bounds;
  if (grid.columns() > 0) {
    bounds.add(on_map(grid.at(0, 0), grid.up));
    bounds.add(on_map(grid.at(grid.columns() - 1, 0), grid.up));
    bounds.grow(double{grid.cell} / 2);
  }
  return bounds.longest() > 0 ? bounds : MapBounds{{0, 0}, {1, 1}};
}

}  // namespace

void write_nav_picture(const std::string& name, const NavMap& map, const Scene& scene,
                       const std::string& unit) {
  SceneMap picture;
  picture.scene = &scene;
  picture.unit = unit;
  picture.up = map.grid.up;
  if (map.jumps.size() > 0) picture.jumps = &map.jumps;
  const MapView view(bounds_of(map.grid), picture.longest_side);
  const Legend legend{fmt::format("walkable floors, cell {:.4g} {}", double{map.grid.cell}, unit),
                      classes_of(map, unit)};
  write_map(name, view, picture, legend, [&](Canvas& canvas) {
    draw_columns(canvas, view, map);
    draw_outlines(canvas, view, map, scene);
    draw_jumps(canvas, view, map.jumps, map.grid.up);
  });
}

}  // namespace sightline::io
