#include "host/files/import/doom/level.hpp"

#include "host/files/core/file.hpp"
#include "host/files/import/doom/geometry.hpp"

#include <algorithm>

namespace sightline::io {
namespace {

/// Marks as doom_none the points of the row where a wall leaves a player no room.
void drop_crowded(const DoomMap& map, const std::vector<DoomWall>& walls, const DoubledRow& row,
                  std::vector<std::uint32_t>& sectors) {
  constexpr std::int64_t reach = 2 * doom_player_radius;
  for (const DoomWall& wall : walls) {
    const DoomVertex a = map.vertices[map.lines[wall.line].start];
    const DoomVertex b = map.vertices[map.lines[wall.line].end];
    if (2 * std::min(a.y, b.y) - reach > row.y || 2 * std::max(a.y, b.y) + reach < row.y) continue;
    const std::int64_t low = 2 * std::min(a.x, b.x) - reach;
    const std::int64_t high = 2 * std::max(a.x, b.x) + reach;
    const std::int64_t begin = std::max<std::int64_t>(0, (low - row.first) / row.step);
    for (auto k = static_cast<std::uint64_t>(begin); k < row.count; ++k) {
      const std::int64_t x = row.first + row.step * static_cast<std::int64_t>(k);
      if (x > high) break;
      if (sectors[k] == doom_none) continue;
      const std::int32_t floor = map.sectors[sectors[k]].floor;
      const bool in_the_way =
          wall.z_high > floor + doom_step_height && wall.z_low < floor + doom_player_height;
      if (in_the_way && is_closer(map, wall.line, {x, row.y}, doom_player_radius)) {
        sectors[k] = doom_none;
      }
    }
  }
}

/// Whether the BSP names another sector, and not just because its partitions, which pass through
/// rounded points, run up to 2 units beside the lines.
bool nodes_disagree(const DoomMap& map, DoubledPoint p, std::uint32_t sector) {
  const std::uint32_t by_nodes = sector_by_nodes(map, p);
  if (by_nodes == doom_none || by_nodes == sector) return false;
  for (std::uint32_t i = 0; i < map.lines.size(); ++i) {
    if (is_closer(map, i, p, 2)) return false;
  }
  return true;
}

void add_row(DoomViewpoints& found, const DoomMap& map, const DoubledRow& row,
             const std::vector<std::uint32_t>& sectors) {
  for (std::uint64_t k = 0; k < row.count; ++k) {
    if (sectors[k] == doom_none) continue;
    const std::int64_t x = row.first + row.step * static_cast<std::int64_t>(k);
    const std::int32_t eye = map.sectors[sectors[k]].floor + doom_eye_height;
    found.points.push_back(
        {static_cast<float>(x) / 2, static_cast<float>(row.y) / 2, static_cast<float>(eye)});
    found.sectors.push_back(sectors[k]);
    if (nodes_disagree(map, {x, row.y}, sectors[k])) ++found.nodes_disagree;
  }
}

}  // namespace

DoomViewpoints doom_viewpoints(const DoomMap& map, const std::vector<DoomWall>& walls,
                               std::uint32_t grid) {
  DoomViewpoints found;
  for (const DoubledRow& row : rows_of_cells(map, grid)) {
    poll();
    std::vector<std::uint32_t> sectors = sectors_along(map, row, found.in_several_sectors);
    for (std::uint32_t& s : sectors) {
      if (s == doom_none) continue;
      if (map.sectors[s].ceiling - map.sectors[s].floor < doom_player_height) s = doom_none;
    }
    drop_crowded(map, walls, row, sectors);
    add_row(found, map, row, sectors);
    if (found.points.size() > std::uint64_t{1} << 26) {
      fail(ErrorKind::usage, "{}: map {}: a grid of {} units gives more than 67108864 viewpoints",
           map.file, map.name, grid);
    }
  }
  return found;
}

}  // namespace sightline::io
