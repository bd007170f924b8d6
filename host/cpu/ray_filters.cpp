#include "host/cpu/ray_filters.hpp"

namespace sightline::detail {
namespace {

bool is_always(const Column<std::uint32_t>& column, std::uint32_t value) {
  return column.data == nullptr && column.common == value;
}
bool is_filtered(const PointsView& points) {
  return !is_always(points.mask, ~0u) || !is_always(points.exclude, none);
}

}  // namespace

bool is_filtered(const ShapesView& shapes, const RaysView& rays) {
  return shapes.mask != nullptr || shapes.group != nullptr || !is_always(rays.mask, ~0u) ||
         !is_always(rays.exclude[0], none) || !is_always(rays.exclude[1], none);
}
bool is_filtered(const ShapesView& shapes, const Sights& sights) {
  return shapes.mask != nullptr || shapes.group != nullptr || is_filtered(sights.from) ||
         is_filtered(sights.to);
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
