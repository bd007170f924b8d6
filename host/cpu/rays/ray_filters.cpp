#include "host/cpu/rays/ray_filters.hpp"

#include <algorithm>

namespace sightline::detail {
namespace {

bool is_always(const Column<std::uint32_t>& column, std::uint32_t value) {
  return column.data == nullptr && column.common == value;
}
bool is_filtered(const ShapesView& shapes, const PointsView& points) {
  return !is_always(points.mask, ~0u) || !is_always(points.exclude, none) ||
         (shapes.group != nullptr && !is_always(points.exclude_group, none));
}

}  // namespace

bool has_zero_mask(const ShapesView& shapes) {
  if (shapes.mask == nullptr) return false;
  return std::find(shapes.mask, shapes.mask + shapes.size(), 0u) != shapes.mask + shapes.size();
}

bool is_filtered(const TraceScene& scene, const RaysView& rays) {
  bool some = scene.has_zero_mask || !is_always(rays.mask, ~0u);
  for (int k = 0; k < 2; ++k) {
    some = some || !is_always(rays.exclude[k], none) ||
           (scene.shapes.group != nullptr && !is_always(rays.exclude_group[k], none));
  }
  return some;
}
bool is_filtered(const TraceScene& scene, const Sights& sights) {
  return scene.has_zero_mask || is_filtered(scene.shapes, sights.from) ||
         is_filtered(scene.shapes, sights.to);
}

RayFilter filter_of(const RaysView& rays, std::uint64_t i) {
  return {rays.mask[i],
          {rays.exclude[0][i], rays.exclude[1][i]},
          {rays.exclude_group[0][i], rays.exclude_group[1][i]}};
}
RayFilter filter_of(const Sights& sights, std::uint64_t i) {
  const PointsView &from = sights.from, &to = sights.to;
  return {from.mask[i] & to.mask[i],
          {from.exclude[i], to.exclude[i]},
          {from.exclude_group[i], to.exclude_group[i]}};
}

}  // namespace sightline::detail
