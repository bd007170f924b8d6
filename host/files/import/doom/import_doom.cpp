#include "host/files/import/doom/import_doom.hpp"

#include "host/files/core/text_file.hpp"
#include "host/files/import/doom/level.hpp"

namespace sightline::io {
namespace {

/// Places in a WAD file have 32 bits, and so have those in a text.
std::vector<std::uint8_t> read_file(const std::filesystem::path& path) {
  const std::string bytes = read_text(path, "a WAD file");
  return {bytes.begin(), bytes.end()};
}

void count_wall(DoomCounts& counts, const DoomWall& wall, Kind kind) {
  ++counts.walls;
  ++(kind == Kind::aabb ? counts.axis_parallel : counts.oblique);
  if (wall.kind == DoomWallKind::one_sided) ++counts.one_sided;
  if (wall.kind == DoomWallKind::lower_step) ++counts.lower_steps;
  if (wall.kind == DoomWallKind::upper_step) ++counts.upper_steps;
}

}  // namespace

std::vector<std::string> doom_maps(const std::filesystem::path& path) {
  return doom_map_names(path.string(), read_file(path));
}

DoomImport import_doom(const std::filesystem::path& path, const std::string& map_name,
                       std::uint32_t grid, std::optional<std::uint32_t> floor_cell,
                       DoomReach reach) {
  if (grid < 1 || grid > 4096) {
    fail(ErrorKind::usage, "the grid has 1 to 4096 map units, not {}", grid);
  }
  if (floor_cell && (*floor_cell < 1 || *floor_cell > 4096)) {
    fail(ErrorKind::usage, "floors have cells of 1 to 4096 map units, not {}", *floor_cell);
  }
  const DoomMap map = read_doom_map(path.string(), read_file(path), map_name);
  const DoomWalls walls = doom_walls(map, reach);
  DoomImport result;
  result.map = map.name;
  result.counts.linedefs = map.lines.size();
  result.counts.sectors = map.sectors.size();
  result.counts.things = map.things.size();
  result.counts.zero_length_lines = walls.zero_length_lines;
  result.counts.zero_height_walls = walls.zero_height_walls;
  for (const DoomWall& wall : walls.walls) {
    count_wall(result.counts, wall, add_wall(result.scene, map, wall));
  }
  if (floor_cell) result.counts.floors = add_floors(result.scene, map, *floor_cell);
  // Closed walls would leave out the same: where one of them alone is too near, a step is nearer.
  // Drawn ones say so of maps whose lines contradict each other as well.
  const DoomWalls drawn = doom_walls(map, DoomReach::drawn);
  DoomViewpoints viewpoints = doom_viewpoints(map, drawn.walls, grid);
  result.viewpoints = std::move(viewpoints.points);
  result.viewpoint_sector = std::move(viewpoints.sectors);
  result.counts.viewpoints = result.viewpoints.size();
  result.counts.points_in_several_sectors = viewpoints.in_several_sectors;
  result.counts.nodes_disagree = viewpoints.nodes_disagree;
  return result;
}

}  // namespace sightline::io
