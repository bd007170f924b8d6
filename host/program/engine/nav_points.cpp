#include "host/program/engine/nav_points.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

namespace sightline::cli {
namespace {

/// How many steps come closest to a length; at least one, and no more than a product of two holds.
std::uint64_t whole_steps(double length, double step) {
  return static_cast<std::uint64_t>(std::clamp(std::round(length / step), 1.0, 1e9));
}

}  // namespace

io::Points nav_points(const NavMap& map, const NavPointOptions& o) {
  const std::uint64_t step = whole_steps(o.spacing, map.grid.cell);
  const double spacing = static_cast<double>(step) * static_cast<double>(map.grid.cell);
  const std::uint64_t side = step * whole_steps(o.area_side, spacing);
  std::map<std::tuple<std::uint32_t, std::uint64_t, std::uint64_t>, std::uint32_t> areas;
  io::Points points;
  for (std::uint64_t c = 0; c < map.grid.columns(); ++c) {
    const std::uint64_t i = c % map.grid.width, j = c / map.grid.width;
    if (i % step != step / 2 || j % step != step / 2) continue;
    for (std::uint64_t s = map.offsets[c]; s < map.offsets[c + 1]; ++s) {
      if ((map.flags[s] & nav_flags::walkable) == 0) continue;
      const Vec3 p = map.grid.at(c, map.top[s] + o.eye);
      points.position.insert(points.position.end(), {p.x, p.y, p.z});
      const auto next = static_cast<std::uint32_t>(areas.size());
      points.area.push_back(
          areas.try_emplace({map.region[s], i / side, j / side}, next).first->second);
    }
  }
  return points;
}

}  // namespace sightline::cli
