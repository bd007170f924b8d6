// Cutting a range of shapes in two.
#pragma once

#include "host/tree/box8.hpp"

#include <span>

namespace sightline::detail {

/// Ranges of so many shapes or fewer are cut between sorted shapes, larger ones between bins.
inline constexpr std::uint32_t small_range = 16;

/// The extent of a range: the union of its boxes, and that of their centres, doubled. Small ranges
/// need no centres, and have none.
struct BuildExtent {
  Box8 box = empty_box8(), centers = empty_box8();

  void add(const BuildItem& item) {
    box = minimum(box, item.box);
    centers = minimum(centers, box8_of_point(doubled_center(item.box)));
  }
  void add(const BuildExtent& other) {
    box = minimum(box, other.box);
    centers = minimum(centers, other.centers);
  }
};

/// A range of shapes cut in two.
struct Cut {
  std::uint32_t left = 0;  ///< how many go left: at least 1 and fewer than all
  BuildExtent extent[2];   ///< of both sides
  bool moved = false;      ///< to the other array; else reordered in place
};

/// The cheapest cut of two or more shapes by the surface area heuristic; equal halves where the
/// centres of many coincide. `to` has room for the items. Large ranges are cut on all threads of
/// the arena, with the same result.
Cut cut_by_sah(std::span<BuildItem> items, std::span<BuildItem> to, const BuildExtent& extent);

/// Cuts two or more shapes into halves, the left one no larger, along the axis of the largest
/// extent of their centres; in place.
Cut cut_equally(std::span<BuildItem> items);

}  // namespace sightline::detail
