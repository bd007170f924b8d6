// An order in which rays that meet the same nodes come together.
#pragma once

#include "host/cpu/lanes/ray_record.hpp"

#include <vector>

namespace sightline::detail {

/// A grid over the places of the rays, or of a sample of them.
RayGrid grid_over(const RaysView& rays, bool by_midpoint);

/// Indices of rays by their keys, equal ones as they come, and where each octant begins.
struct RayOrder {
  std::vector<std::uint32_t> index;
  std::uint32_t octant_begin[9];

  /// `by_place`: by the whole key; else by octant alone. Takes 16 bytes a key while it runs.
  void assign(const std::uint32_t* keys, std::uint32_t count, bool by_place);

 private:
  struct Keyed {
    std::uint32_t key, index;
  };
  std::vector<Keyed> a_, b_;
  static void sort_pass(const std::vector<Keyed>& from, std::vector<Keyed>& to, int shift);
};

}  // namespace sightline::detail
