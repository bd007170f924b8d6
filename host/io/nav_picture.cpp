#include "host/io/nav_picture.hpp"

#include "host/io/map_view.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace sightline::io {
namespace {

constexpr Color steep{196, 60, 56}, low{92, 92, 100}, near{236, 178, 152}, edge{240, 214, 150};
constexpr Color both_ways{20, 60, 160}, one_way{150, 20, 20};
constexpr int margin = 40, line_height = 26, text_size = 2;
constexpr int longest_side = 1600;

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
  if ((flags & nav_flags::walkable) != 0) return region_color(rank[map.region[i]]);
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

struct MapFrame {
  double left, top, scale;
  Pixel operator()(const MapPoint& p) const {
    return {margin + (p.x - left) * scale, margin + (top - p.y) * scale};
  }
};

void draw_columns(Canvas& canvas, const MapFrame& frame, const NavMap& map) {
  const std::vector<std::uint32_t> rank = ranks(map);
  const double half = double{map.grid.cell} / 2;
  for (std::uint64_t c = 0; c < map.grid.columns(); ++c) {
    const std::optional<std::uint64_t> span = shown(map, c);
    if (!span) continue;
    const MapPoint at = on_map(map.grid.at(c, 0), map.grid.up);
    fill_rectangle(canvas, frame({at.x - half, at.y + half}), frame({at.x + half, at.y - half}),
                   color_of(map, *span, rank));
  }
}

/// Of what nobody could stand on: floors show by their colors.
void draw_outlines(Canvas& canvas, const MapFrame& frame, const NavMap& map, const Scene& scene) {
  const ShapesView shapes = scene.view();
  std::vector<bool> is_floor(shapes.size(), false);
  for (std::uint64_t i = 0; i < map.spans(); ++i) {
    if ((map.flags[i] & nav_flags::surface) != 0) is_floor[map.shape[i]] = true;
  }
  for (std::uint32_t id = 0; id < shapes.bounded(); ++id) {
    if (is_floor[id]) continue;
    const std::vector<MapPoint> outline = footprint(shapes, id, map.grid.up);
    const std::size_t lines = outline.size() == 2 ? 1 : outline.size();
    for (std::size_t k = 0; k < lines; ++k) {
      draw_line(canvas, frame(outline[k]), frame(outline[(k + 1) % outline.size()]), 1.2, ink, 0.6);
    }
  }
}

/// A bow from start to landing, with a dot where one lands.
void draw_jumps(Canvas& canvas, const MapFrame& frame, const NavMap& map) {
  for (std::uint64_t k = 0; k < map.jumps.size(); ++k) {
    const Pixel a = frame(on_map(map.jumps.from[k], map.grid.up));
    const Pixel b = frame(on_map(map.jumps.to[k], map.grid.up));
    const Color color = map.jumps.both_ways[k] != 0 ? both_ways : one_way;
    constexpr int pieces = 8;
    const auto at = [&](int piece) {
      const double s = double{1} * piece / pieces, bend = 0.8 * s * (1 - s);
      return Pixel{a.x + (b.x - a.x) * s - (b.y - a.y) * bend,
                   a.y + (b.y - a.y) * s + (b.x - a.x) * bend};
    };
    for (int s = 0; s < pieces; ++s) draw_line(canvas, at(s), at(s + 1), 1.5, color);
    fill_disc(canvas, b, 2.5, color);
  }
}

void draw_legend(Canvas& canvas, double y, const NavMap& map, const std::string& unit) {
  const auto line = [&](int row, double x, Color color, const std::string& words) {
    const double at = y + row * line_height;
    fill_rectangle(canvas, {x, at}, {x + 30, at + 18}, color);
    draw_text(canvas, {x + 40, at}, text_size, words, ink);
  };
  const Agent& a = map.agent;
  const std::size_t most = map.regions.size();
  line(0, margin, region_color(0), fmt::format("walkable, a color per region ({} regions)", most));
  line(1, margin, near, fmt::format("obstacle nearer than {:.4g} {}", a.radius, unit));
  line(2, margin, edge, fmt::format("border nearer than {:.4g} {}", a.radius, unit));
  line(0, margin + 560, steep, fmt::format("steeper than {:.4g} deg", a.slope));
  line(1, margin + 560, low,
       fmt::format("no room for {:.4g} {}, or out of bounds", a.height, unit));
  line(2, margin + 560, both_ways, "jump, both ways");
  line(3, margin + 560, one_way, "drop, to the dot");
  draw_text(canvas, {margin + 40.0, y + 3 * line_height}, text_size,
            fmt::format("cell {:.4g} {}", map.grid.cell, unit), ink);
}

}  // namespace

void write_nav_picture(const std::string& name, const NavMap& map, const Scene& scene,
                       const std::string& unit) {
  const double side = map.grid.cell;
  const double width = side * map.grid.width, depth = side * map.grid.depth;
  const double scale = longest_side / std::max(width, depth);
  const MapPoint a = on_map(map.grid.at(0, 0), map.grid.up);
  const MapPoint b = on_map(map.grid.at(map.grid.columns() - 1, 0), map.grid.up);
  const MapFrame frame = {std::min(a.x, b.x) - side / 2, std::max(a.y, b.y) + side / 2, scale};
  const int rows = static_cast<int>(std::ceil(depth * scale)) + 2 * margin;
  constexpr int least_width = 1100;  // of the legend
  Canvas canvas(std::max(static_cast<int>(std::ceil(width * scale)) + 2 * margin, least_width),
                rows + 5 * line_height, paper);
  canvas.clip = {0, 0, canvas.width, rows};
  draw_columns(canvas, frame, map);
  draw_outlines(canvas, frame, map, scene);
  draw_jumps(canvas, frame, map);
  canvas.clip.bottom = canvas.height;
  draw_legend(canvas, rows, map, unit);
  write_png(name, canvas);
}

}  // namespace sightline::io
