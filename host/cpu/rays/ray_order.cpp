#include "host/cpu/rays/ray_order.hpp"

#include <numeric>

namespace sightline::detail {
namespace {

constexpr int coarse_bits = 9;  // of the cell's Morton code: eight cells an axis

}  // namespace

RayGrid grid_over(const RaysView& rays, bool by_midpoint) {
  RayGrid grid = grid_over(rays.count, [&](std::uint64_t i) {
    return by_midpoint ? middle_of(rays, i) : rays.origin[i];
  });
  grid.by_midpoint = by_midpoint;
  return grid;
}

void RayBuckets::count(const std::uint32_t* keys, std::uint32_t count, bool by_place) {
  const int cell_bits = by_place ? coarse_bits : 0;
  shift = 3 * grid_bits - cell_bits;
  next.assign((std::size_t{8} << cell_bits) + 1, 0);
  for (std::uint32_t i = 0; i < count; ++i) ++next[(keys[i] >> shift) + 1];
  std::partial_sum(next.begin(), next.end(), next.begin());
  for (std::uint32_t octant = 0; octant <= 8; ++octant) {
    octant_begin[octant] = next[std::size_t{octant} << cell_bits];
  }
}

}  // namespace sightline::detail
