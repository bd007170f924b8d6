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

  /// `by_place`: by the whole key; else by octant alone.
  void assign(const std::uint32_t* keys, std::uint32_t count, bool by_place);

 private:
  struct Keyed {
    std::uint32_t key, index;
  };
  void sort(const std::uint32_t* keys, std::uint32_t count);

  std::vector<Keyed> by_low_digit_;
  std::vector<std::uint32_t> low_, high_;
};

}  // namespace sightline::detail
