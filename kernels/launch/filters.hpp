// Masks and exclusions, read again for each candidate rather than kept in registers.
#pragma once

#include <sightline/geometry/queries/cast.hpp>
#include <sightline/points.hpp>

namespace sightline::kernels {

/// Whether every element of the column is `value`.
template <class T>
SIGHTLINE_HD bool always(const Column<T>& column, T value) {
  return column.data == nullptr && column.common == value;
}

/// Whether any ray may leave out any shape.
SIGHTLINE_HD bool may_filter(const ShapesView& shapes, const RaysView& rays) {
  if (shapes.mask != nullptr || !always(rays.mask, 0xFFFFFFFFu)) return true;
  if (!always(rays.exclude[0], none) || !always(rays.exclude[1], none)) return true;
  return shapes.group != nullptr &&
         !(always(rays.exclude_group[0], none) && always(rays.exclude_group[1], none));
}
SIGHTLINE_HD bool may_filter(const ShapesView& shapes, const PointsView& points) {
  if (shapes.mask != nullptr || !always(points.mask, 0xFFFFFFFFu)) return true;
  return !always(points.exclude, none) ||
         (shapes.group != nullptr && !always(points.exclude_group, none));
}

/// A query that holds only mask and exclusions.
SIGHTLINE_HD Query filters_of(const RaysView& rays, std::uint64_t i) {
  Query q{};
  q.mask = rays.mask[i];
  for (int k = 0; k < 2; ++k) {
    q.exclude[k] = rays.exclude[k][i];
    q.exclude_group[k] = rays.exclude_group[k][i];
  }
  return q;
}
/// The same for the ray between two points.
SIGHTLINE_HD Query filters_of(const PointsView& from, std::uint64_t i, const PointsView& to,
                              std::uint64_t j) {
  Query q{};
  q.mask = from.mask[i] & to.mask[j];
  q.exclude[0] = from.exclude[i], q.exclude[1] = to.exclude[j];
  q.exclude_group[0] = from.exclude_group[i], q.exclude_group[1] = to.exclude_group[j];
  return q;
}

}  // namespace sightline::kernels
