#include "host/files/pictures/map_view.hpp"

#include <sightline/geometry/shapes/shapes_view.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <numeric>

namespace sightline::io {
namespace {

constexpr Color steep{196, 60, 56}, low{92, 92, 100}, near{236, 178, 152}, edge{240, 214, 150};
constexpr Color not_reached_grey{206, 206, 214};

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
  std::iota(order.begin(), order.end(), 0u);
  std::ranges::stable_sort(order, std::greater(),
                           [&](std::uint32_t r) { return map.regions[r].spans; });
  for (std::uint32_t k = 0; k < order.size(); ++k) rank[order[k]] = k;
  return rank;
}

/// What walking over surfaces leads to from one: nothing, what the bake's points do not reach, or
/// regions.
enum class Reach : std::uint8_t { apart, not_reached, reached };

/// Of every span, by the nearest floor to walk on: so the rim of a room belongs to the room, and
/// that of a roof over it to the roof.
std::vector<Reach> reach_of(const NavMap& map) {
  const auto own = [&](std::uint64_t i) {
    const int flags = map.flags[i];
    if ((flags & nav_flags::walkable) != 0) return Reach::reached;
    const bool fits = (flags & nav_flags::clear) != 0 && map.border[i] >= map.agent.radius;
    return fits ? Reach::not_reached : Reach::apart;
  };
  std::vector<Reach> reach(map.spans());
  for (std::uint64_t i = 0; i < map.spans(); ++i) reach[i] = own(i);
  std::vector<std::uint64_t> front, next;
  const auto spread = [&](std::uint64_t i, std::uint64_t column) {
    for (int side = 0; side < 4; ++side) {
      const std::optional<std::uint64_t> k = map.linked(i, column, side);
      if (!k || reach[*k] != Reach::apart || (map.flags[*k] & nav_flags::surface) == 0) continue;
      reach[*k] = reach[i];
      next.push_back(*k);
    }
  };
  for (const Reach first : {Reach::reached, Reach::not_reached}) {
    for (std::uint64_t c = 0; c < map.grid.columns(); ++c) {
      for (std::uint64_t i = map.offsets[c]; i < map.offsets[c + 1]; ++i) {
        if (own(i) == first) spread(i, c);
      }
    }
  }
  while (!next.empty()) {
    front.swap(next);
    next.clear();
    for (const std::uint64_t i : front) {
      const auto after = std::upper_bound(map.offsets.begin(), map.offsets.end(), i);
      spread(i, static_cast<std::uint64_t>(after - map.offsets.begin()) - 1);
    }
  }
  return reach;
}

/// What a floor is drawn as.
enum class Ground : std::uint8_t {
  walkable,
  by_obstacle,
  by_border,
  too_steep,
  no_room,
  not_reached
};

/// What every column shows, and in which color.
struct Floors {
  const NavMap& map;
  Slice slice;
  std::vector<Reach> reach = reach_of(map);
  std::vector<std::uint32_t> rank = ranks(map);

  /// The floor that an agent would stand on: the highest walkable one, or else what most can be
  /// said of. Of floors that are not reached the lowest: above it are its ceilings.
  std::optional<std::uint64_t> shown(std::uint64_t column) const {
    std::optional<std::uint64_t> best;
    for (std::uint64_t i = map.offsets[column]; i < map.offsets[column + 1]; ++i) {
      if (!slice.holds(map.top[i])) continue;
      if (!best || known(i) > known(*best) || (known(i) == known(*best) && known(i) != 1)) best = i;
    }
    return best;
  }
  int known(std::uint64_t i) const {
    const int flags = map.flags[i];
    if ((flags & nav_flags::walkable) != 0) return 5;
    if ((flags & nav_flags::surface) == 0) return (flags & nav_flags::floor) != 0 ? 2 : 0;
    return reach[i] == Reach::reached ? 4 : reach[i] == Reach::apart ? 3 : 1;
  }
  Ground ground_of(std::uint64_t i) const {
    const int flags = map.flags[i];
    if ((flags & nav_flags::surface) == 0) {
      return (flags & nav_flags::floor) != 0 ? Ground::too_steep : Ground::no_room;
    }
    if (reach[i] == Reach::not_reached) return Ground::not_reached;
    if ((flags & nav_flags::walkable) != 0 && map.region[i] < rank.size()) return Ground::walkable;
    return (flags & nav_flags::clear) != 0 ? Ground::by_border : Ground::by_obstacle;
  }
  Color color_of(std::uint64_t i) const {
    constexpr Color colors[] = {{}, near, edge, steep, low, not_reached_grey};
    const Ground ground = ground_of(i);
    return ground == Ground::walkable ? region_color(rank[map.region[i]])
                                      : colors[static_cast<int>(ground)];
  }
  /// In how many columns the walkable floor that is shown hides another.
  std::uint64_t hidden() const {
    std::uint64_t columns = 0;
    for (std::uint64_t c = 0; c < map.grid.columns(); ++c) {
      int walkable = 0;
      for (std::uint64_t i = map.offsets[c]; i < map.offsets[c + 1]; ++i) {
        walkable += slice.holds(map.top[i]) && known(i) == 5 ? 1 : 0;
      }
      columns += walkable > 1 ? 1 : 0;
    }
    return columns;
  }
  /// Whether any column shows it.
  std::array<bool, 6> grounds() const {
    std::array<bool, 6> any{};
    for (std::uint64_t c = 0; c < map.grid.columns(); ++c) {
      if (const auto i = shown(c)) any[static_cast<std::size_t>(ground_of(*i))] = true;
    }
    return any;
  }
};

void draw_columns(Canvas& canvas, const MapView& view, const Floors& floors) {
  const NavGrid& grid = floors.map.grid;
  for (std::uint64_t c = 0; c < grid.columns(); ++c) {
    const std::optional<std::uint64_t> span = floors.shown(c);
    if (!span) continue;
    fill_cell(canvas, view, on_map(grid.at(c, 0), grid.up), grid.cell, floors.color_of(*span));
  }
}

/// The least width of a convex outline.
double width_of(const std::vector<MapPoint>& outline) {
  double least = INFINITY;
  for (std::size_t k = 0; k < outline.size(); ++k) {
    const MapPoint &a = outline[k], &b = outline[(k + 1) % outline.size()];
    const double length = std::hypot(b.x - a.x, b.y - a.y);
    double most = 0;
    for (const MapPoint& p : outline) {
      most = std::max(most, ((b.x - a.x) * (p.y - a.y) - (b.y - a.y) * (p.x - a.x)) / length);
    }
    least = std::min(least, most);
  }
  return outline.size() < 3 ? 0 : least;
}

/// The column of a place, or nothing outside of the grid.
std::optional<std::uint64_t> column_of(const NavGrid& grid, const MapPoint& p) {
  const Vec3 first = upright(grid.bounds.min, grid.up);
  const double i = std::floor((p.x - first.x) / grid.cell);
  const double j = std::floor(((grid.up == UpAxis::z ? p.y : -p.y) - first.y) / grid.cell);
  if (!(i >= 0 && j >= 0 && i < grid.width && j < grid.depth)) return std::nullopt;
  return static_cast<std::uint64_t>(j) * grid.width + static_cast<std::uint64_t>(i);
}

/// Whether somewhere along its outline a shape is as high as the body of an agent that stands
/// beside it.
bool is_obstacle(const Floors& floors, const Slice& heights, const std::vector<MapPoint>& outline) {
  const NavMap& map = floors.map;
  const double cell = map.grid.cell;
  const auto stops_at = [&](const MapPoint& p) {
    const std::optional<std::uint64_t> column = column_of(map.grid, p);
    const std::optional<std::uint64_t> span = column ? floors.shown(*column) : std::nullopt;
    return span && heights.high > double{map.top[*span]} + map.agent.climb &&
           heights.low < double{map.top[*span]} + map.agent.height;
  };
  for (std::size_t k = 0; k < outline.size(); ++k) {
    const MapPoint &a = outline[k], &b = outline[(k + 1) % outline.size()];
    const double length = std::max(1e-30, std::hypot(b.x - a.x, b.y - a.y));
    // As far to the side as that it is another column.
    const double x = 0.6 * cell * (b.y - a.y) / length, y = 0.6 * cell * (a.x - b.x) / length;
    const double steps = std::clamp(std::ceil(length / cell), 1.0, 1e4);
    for (double s = 0.5; s < steps; ++s) {
      const MapPoint p = {a.x + (b.x - a.x) * s / steps, a.y + (b.y - a.y) * s / steps};
      if (stops_at({p.x + x, p.y + y}) || stops_at({p.x - x, p.y - y})) return true;
    }
  }
  return false;
}

/// Of thin obstacles, which columns may miss: all others show by the colors of columns. Where
/// shapes are few, also of these, faintly.
void draw_obstacles(Canvas& canvas, const MapView& view, const Floors& floors, const Scene& scene) {
  const ShapesView shapes = scene.view();
  const UpAxis up = floors.map.grid.up;
  for (std::uint32_t id = 0; id < shapes.bounded(); ++id) {
    const std::vector<MapPoint> outline = footprint(shapes, id, up);
    const Slice heights = heights_of(shapes.bounds[id], up);
    if (width_of(outline) < floors.map.grid.cell && is_obstacle(floors, heights, outline)) {
      draw_outline(canvas, view(outline), 1.8, ink, 0.8);
    } else if (has_few_shapes(shapes) && floors.slice.meets(heights)) {
      draw_outline(canvas, view(outline), 1.5, ink, 0.4);
    }
  }
}

std::vector<ColorClass> classes_of(const Floors& floors, const std::string& unit) {
  const NavMap& map = floors.map;
  const auto nearer = [&](const char* what) {
    return fmt::format("{} nearer than {}", what, with_unit(map.agent.radius, unit));
  };
  const std::pair<Color, std::string> all[] = {
      {region_color(0), fmt::format("a color per region, {} in all", map.regions.size())},
      {near, nearer("obstacle")},
      {edge, nearer("border")},
      {steep, fmt::format("steeper than {:.4g} deg", map.agent.slope)},
      {low, fmt::format("no room for {}, or out of bounds", with_unit(map.agent.height, unit))},
      {not_reached_grey, "not reached from the points"}};
  const auto is_shown = floors.grounds();
  std::vector<ColorClass> classes;
  for (std::size_t k = 0; k < std::size(all); ++k) {
    if (is_shown[k]) classes.push_back({all[k].first, all[k].second});
  }
  return classes;
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

std::uint64_t write_nav_picture(const std::string& name, const NavMap& map, const Scene& scene,
                                const std::string& unit, const Slice& slice) {
  SceneMap picture;
  picture.scene = &scene;
  picture.unit = unit;
  picture.up = map.grid.up;
  picture.slice = slice;
  const Floors floors{map, slice};
  if (map.jumps.size() > 0) picture.jumps = &map.jumps;
  const MapView view(bounds_of(map.grid), picture.longest_side);
  Legend legend{fmt::format("walkable floors, cell {}", with_unit(map.grid.cell, unit)),
                classes_of(floors, unit)};
  const std::uint64_t hidden = floors.hidden();
  add_sentences(legend.classes, "walkable cell", 0, hidden);
  write_map(name, view, picture, legend, [&](Canvas& canvas) {
    draw_columns(canvas, view, floors);
    draw_obstacles(canvas, view, floors, scene);
    draw_jumps(canvas, view, map.jumps, map.grid.up, slice);
  });
  return hidden;
}

}  // namespace sightline::io
