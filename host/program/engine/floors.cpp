#include "host/program/engine/floors.hpp"

#include "host/program/engine/interrupt.hpp"

#include <algorithm>

namespace sightline::cli {

std::vector<bool> floors_under(const Caster& caster, const PointsView& points, UpAxis up,
                               float lift) {
  constexpr std::uint64_t batch = 1 << 16;
  std::vector<bool> floors(caster.scene().size(), false);
  std::vector<Vec3> origin;
  std::vector<std::uint32_t> id;
  RaysView rays;
  (up == UpAxis::z ? rays.direction.z : rays.direction.y).common = -1;
  for (std::uint64_t first = 0; first < points.count; first += batch) {
    poll_interrupt();
    origin.clear();
    for (std::uint64_t i = first; i < std::min(first + batch, points.count); ++i) {
      Vec3 p = points.position[i];
      (up == UpAxis::z ? p.z : p.y) += lift;
      origin.push_back(p);
    }
    id.resize(origin.size());
    rays.count = origin.size();
    rays.origin = Vec3Column::rows(origin);
    caster.closest_hit(rays, {.id = id}, {Inside::ignore, false});
    for (const std::uint32_t shape : id) {
      if (shape != none) floors[shape] = true;
    }
  }
  return floors;
}

}  // namespace sightline::cli
