#include "host/files/import/doom/geometry.hpp"

#include "host/files/core/file.hpp"

#include <algorithm>
#include <set>

namespace sightline::io {
namespace {

// Doubled coordinates are below 2^17, their differences below 2^18, products below 2^36; the square
// of a product needs more than 64 bits.
__extension__ typedef __int128 Wide;

DoubledPoint doubled(const DoomVertex& v) { return {2 * std::int64_t{v.x}, 2 * std::int64_t{v.y}}; }

std::int64_t floor_div(std::int64_t a, std::int64_t b) {
  const std::int64_t q = a / b;
  return q - (a % b != 0 && (a < 0) != (b < 0) ? 1 : 0);
}

/// How many of the row's points lie to the left of where the line crosses it; 0 if it does not.
/// A line includes its lower end, not its upper one.
std::uint64_t points_left_of(const DoomMap& map, const DoomLine& line, const DoubledRow& row) {
  DoubledPoint a = doubled(map.vertices[line.start]), b = doubled(map.vertices[line.end]);
  if (a.y > b.y) std::swap(a, b);
  if (row.y < a.y || row.y >= b.y) return 0;
  const std::int64_t dy = b.y - a.y;
  // x < numerator / dy, in integers: x <= ceil(numerator / dy) - 1.
  const std::int64_t numerator = (b.x - a.x) * (row.y - a.y) + dy * a.x;
  const std::int64_t last = -floor_div(-numerator, dy) - 1;
  const std::int64_t k = floor_div(last - row.first, row.step) + 1;
  return static_cast<std::uint64_t>(
      std::clamp<std::int64_t>(k, 0, static_cast<std::int64_t>(row.count)));
}

/// The grid's coordinates (2i + 1) * grid, doubled, within [low, high] map units.
struct GridRange {
  std::int64_t first;
  std::uint64_t count;
};

GridRange grid_range(std::int64_t low, std::int64_t high, std::int64_t grid) {
  // From one cell before `low` on, so that no division of a negative number need be rounded down.
  std::int64_t first = (2 * (2 * low / (2 * grid)) - 1) * grid;
  while (first < 2 * low) first += 2 * grid;
  if (first > 2 * high) return {first, 0};
  return {first, static_cast<std::uint64_t>((2 * high - first) / (2 * grid)) + 1};
}

void toggle(std::set<std::uint32_t>& odd, const DoomLine& line) {
  for (const std::uint32_t sector : {line.front_sector, line.back_sector}) {
    if (sector == doom_none) continue;
    if (!odd.insert(sector).second) odd.erase(sector);
  }
}

}  // namespace

std::vector<DoubledRow> rows_of_cells(const DoomMap& map, std::uint32_t grid) {
  if (map.vertices.empty()) return {};
  const auto [left, right] = std::ranges::minmax(map.vertices, {}, &DoomVertex::x);
  const auto [bottom, top] = std::ranges::minmax(map.vertices, {}, &DoomVertex::y);
  const GridRange columns = grid_range(left.x, right.x, grid);
  const GridRange rows = grid_range(bottom.y, top.y, grid);
  const std::int64_t step = 2 * std::int64_t{grid};
  std::vector<DoubledRow> all;
  for (std::uint64_t j = 0; j < rows.count; ++j) {
    all.push_back(
        {rows.first + step * static_cast<std::int64_t>(j), columns.first, step, columns.count});
  }
  return all;
}

std::vector<std::uint32_t> sectors_along(const DoomMap& map, const DoubledRow& row,
                                         std::uint64_t& several) {
  struct Crossing {
    std::uint64_t points_left;
    std::uint32_t line;
  };
  std::vector<Crossing> crossings;
  std::set<std::uint32_t> odd;
  for (std::uint32_t i = 0; i < map.lines.size(); ++i) {
    const DoomLine& line = map.lines[i];
    if (line.front_sector == line.back_sector) continue;
    const std::uint64_t left = points_left_of(map, line, row);
    if (left == 0) continue;
    crossings.push_back({left, i});
    toggle(odd, line);
  }
  std::sort(crossings.begin(), crossings.end(),
            [](const Crossing& a, const Crossing& b) { return a.points_left < b.points_left; });
  std::vector<std::uint32_t> sectors(row.count, doom_none);
  auto next = crossings.begin();
  for (std::uint64_t k = 0; k < row.count; ++k) {
    for (; next != crossings.end() && next->points_left == k; ++next) {
      toggle(odd, map.lines[next->line]);
    }
    if (odd.size() == 1) sectors[k] = *odd.begin();
    if (odd.size() > 1) ++several;
  }
  return sectors;
}

std::uint32_t sector_by_nodes(const DoomMap& map, DoubledPoint p) {
  if (map.subsectors.empty()) return doom_none;
  std::uint32_t at = doom_subsector;
  if (!map.nodes.empty())
    at = static_cast<std::uint32_t>(map.nodes.size() - 1);  // the root is last
  std::uint64_t steps = 0;
  while ((at & doom_subsector) == 0) {
    if (steps++ == map.nodes.size()) {
      refuse(map.file, "map {}, lump NODES, record {}: the nodes loop", map.name, at);
    }
    const DoomNode& n = map.nodes[at];
    const std::int64_t along_y = n.dy * (p.x - 2 * std::int64_t{n.x});
    const std::int64_t along_x = n.dx * (p.y - 2 * std::int64_t{n.y});
    at = n.child[along_x < along_y ? 0 : 1];
  }
  const DoomSeg& seg = map.segs[map.subsectors[at - doom_subsector].first_seg];
  const DoomLine& line = map.lines[seg.line];
  return seg.side == 0 ? line.front_sector : line.back_sector;
}

bool is_closer(const DoomMap& map, std::uint32_t line, DoubledPoint p, std::int32_t radius) {
  const DoubledPoint a = doubled(map.vertices[map.lines[line].start]);
  const DoubledPoint b = doubled(map.vertices[map.lines[line].end]);
  const std::int64_t square = 4 * std::int64_t{radius} * radius;
  const std::int64_t dx = b.x - a.x, dy = b.y - a.y;
  const std::int64_t px = p.x - a.x, py = p.y - a.y;
  const std::int64_t along = px * dx + py * dy;
  const std::int64_t length_squared = dx * dx + dy * dy;
  if (along <= 0) return px * px + py * py < square;
  if (along >= length_squared) {
    const std::int64_t qx = p.x - b.x, qy = p.y - b.y;
    return qx * qx + qy * qy < square;
  }
  const Wide cross = dx * py - dy * px;
  return cross * cross < Wide{square} * length_squared;
}

}  // namespace sightline::io
