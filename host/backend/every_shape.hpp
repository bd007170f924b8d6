// Loops over shapes by id: brute force, and the shapes that are in no tree.
#pragma once

#include <cstdint>

namespace sightline::detail {

/// Calls use(id) for ids [begin, end) until it returns true; returns whether it did.
template <class Use>
bool any_of_ids(std::uint32_t begin, std::uint32_t end, const Use& use) {
  for (std::uint32_t id = begin; id < end; ++id) {
    if (use(id)) return true;
  }
  return false;
}
template <class Shapes, class Use>
bool any_of_all(const Shapes& shapes, const Use& use) {
  return any_of_ids(0, shapes.size(), use);
}
/// The same for the shapes without bounds.
template <class Shapes, class Use>
bool any_unbounded(const Shapes& shapes, const Use& use) {
  return any_of_ids(shapes.bounded(), shapes.size(), use);
}

}  // namespace sightline::detail
