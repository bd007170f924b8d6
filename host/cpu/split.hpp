// Where the builder cuts a range of shapes in two.
#pragma once

#include <sightline/aabb.hpp>

#include <cstdint>
#include <span>

namespace sightline::detail {

/// A shape while the tree is built.
struct BuildItem {
  Aabb box;
  std::uint32_t id;
};

/// What the builder knows of a range: the union of its boxes, and the box of their centres, the
/// centres doubled.
struct BuildExtent {
  Aabb box, centers;
};
BuildExtent extent_of(std::span<const BuildItem> items);

/// Reorders the items (two or more) and returns how many go left, at least 1 and fewer than all:
/// the cheapest of the binned SAH splits, or equal halves where the centres coincide.
std::uint32_t split_by_sah(std::span<BuildItem> items, const BuildExtent& extent);

/// Reorders the items and returns half their number, rounded down.
std::uint32_t split_equally(std::span<BuildItem> items, const BuildExtent& extent);

}  // namespace sightline::detail
