// Which shapes a ray or a point meets at all: masks, and excluded shapes and groups.
#pragma once

#include <sightline/geometry/shapes/shapes_view.hpp>

namespace sightline {

/// Whether masks and exclusions admit the shape of this id, mask and group. A Filter has mask,
/// exclude and exclude_group, as Query does.
template <class Filter>
SIGHTLINE_HD bool passes_filter(const Filter& q, std::uint32_t id, std::uint32_t mask,
                                std::uint32_t group) {
  if (id == q.exclude[0] || id == q.exclude[1]) return false;
  if ((mask & q.mask) == 0) return false;
  return group == none || (group != q.exclude_group[0] && group != q.exclude_group[1]);
}
template <class Filter>
SIGHTLINE_HD bool passes_filter(const Filter& q, const ShapesView& shapes, std::uint32_t id) {
  return passes_filter(q, id, shapes.mask_of(id), shapes.group_of(id));
}

}  // namespace sightline
