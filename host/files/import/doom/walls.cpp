#include "host/files/import/doom/level.hpp"

#include <algorithm>
#include <cmath>

namespace sightline::io {
namespace {

/// The heights between which all floors and ceilings are.
struct Heights {
  std::int32_t low = 0, high = 0;
};
Heights heights_of(const DoomMap& map) {
  Heights h{map.sectors[0].floor, map.sectors[0].ceiling};
  for (const DoomSector& s : map.sectors) {
    h = {std::min({h.low, s.floor, s.ceiling}), std::max({h.high, s.floor, s.ceiling})};
  }
  return h;
}

/// What of a line is solid: as one sees it, or from the map's lowest floor to its highest ceiling.
void add_sides(DoomWalls& found, const DoomMap& map, std::uint32_t i, bool closed,
               const Heights& all) {
  const DoomLine& line = map.lines[i];
  if (closed && line.front_sector == line.back_sector) return;
  const auto add = [&](std::int32_t low, std::int32_t high, DoomWallKind kind) {
    if (low < high) {
      found.walls.push_back({i, low, high, kind});
    } else if (!closed && kind == DoomWallKind::one_sided) {
      ++found.zero_height_walls;
    }
  };
  if (line.front_sector == doom_none || line.back_sector == doom_none) {
    if (closed) return add(all.low, all.high, DoomWallKind::one_sided);
    const DoomSector& s = map.sectors[std::min(line.front_sector, line.back_sector)];
    return add(s.floor, s.ceiling, DoomWallKind::one_sided);
  }
  const DoomSector& a = map.sectors[line.front_sector];
  const DoomSector& b = map.sectors[line.back_sector];
  const auto [lower, higher] = std::minmax(a.floor, b.floor);
  add(closed ? all.low : lower, higher, DoomWallKind::lower_step);
  const auto [below, above] = std::minmax(a.ceiling, b.ceiling);
  add(below, closed ? all.high : above, DoomWallKind::upper_step);
}

/// The rotation about z that turns x onto (dx, dy) / length, dx > 0: half-angle formulas, with the
/// larger component from the square root, so that the smaller loses no digits.
Quat turn_onto(double dx, double dy, double length) {
  const double w = std::sqrt(0.5 * (1 + dx / length));
  const double z = 0.5 * (dy / length) / w;
  return {0, 0, static_cast<float>(z), static_cast<float>(w)};
}

}  // namespace

DoomWalls doom_walls(const DoomMap& map, DoomReach reach) {
  DoomWalls found;
  if (map.sectors.empty()) return found;
  const Heights all = heights_of(map);
  for (std::uint32_t i = 0; i < map.lines.size(); ++i) {
    const DoomVertex a = map.vertices[map.lines[i].start], b = map.vertices[map.lines[i].end];
    if (a.x == b.x && a.y == b.y) {
      ++found.zero_length_lines;
    } else {
      add_sides(found, map, i, reach == DoomReach::closed, all);
    }
  }
  return found;
}

Kind add_wall(Scene& scene, const DoomMap& map, const DoomWall& wall) {
  const DoomLine& line = map.lines[wall.line];
  DoomVertex a = map.vertices[line.start], b = map.vertices[line.end];
  if (a.x > b.x || (a.x == b.x && a.y > b.y)) std::swap(a, b);
  Attributes attributes;
  attributes.group = line.front_sector != doom_none ? line.front_sector : line.back_sector;
  attributes.label = wall.line;
  const auto low = static_cast<float>(wall.z_low), high = static_cast<float>(wall.z_high);
  if (a.x == b.x || a.y == b.y) {
    scene.add_aabb({{static_cast<float>(a.x), static_cast<float>(a.y), low},
                    {static_cast<float>(b.x), static_cast<float>(b.y), high}},
                   attributes);
    return Kind::aabb;
  }
  const double dx = b.x - a.x, dy = b.y - a.y;
  const double length = std::sqrt(dx * dx + dy * dy);
  constexpr double overlap = 1.0 / 256;
  Obb box;  // the middle of two integers below 2^17 is a float
  box.center = {static_cast<float>(0.5 * (a.x + b.x)), static_cast<float>(0.5 * (a.y + b.y)),
                static_cast<float>(0.5 * (wall.z_low + wall.z_high))};
  box.half_extents = {static_cast<float>(0.5 * length + overlap), 0, (high - low) / 2};
  box.rotation = turn_onto(dx, dy, length);
  scene.add_obb(box, attributes);
  return Kind::obb;
}

}  // namespace sightline::io
