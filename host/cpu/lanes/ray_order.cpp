#include "host/cpu/lanes/ray_order.hpp"

#include <algorithm>

namespace sightline::detail {
namespace {

constexpr int coarse_bits = 9;       // of the cell's Morton code: eight cells an axis
constexpr std::uint32_t ahead = 16;  // rays whose positions are fetched early

}  // namespace

RayGrid grid_over(const RaysView& rays, bool by_midpoint) {
  RayGrid grid = grid_over(rays.count, [&](std::uint64_t i) {
    return by_midpoint ? middle_of(rays, i) : rays.origin[i];
  });
  grid.by_midpoint = by_midpoint;
  return grid;
}

// One pass that moves the rays themselves: they are then read in a row.
template <int cell_bits>
void SortedRays::sort(const RawRay* from, std::uint32_t* keys, std::uint32_t count) {
  constexpr int shift = 3 * grid_bits - cell_bits;
  constexpr std::uint32_t buckets = 8u << cell_bits;
  next_.assign(buckets + 1, 0);
  std::uint32_t* const next = next_.data();
  for (std::uint32_t i = 0; i < count; ++i) ++next[(keys[i] >> shift) + 1];
  for (std::uint32_t b = 0; b < buckets; ++b) next[b + 1] += next[b];
  for (std::uint32_t octant = 0; octant <= 8; ++octant) {
    octant_begin[octant] = next[octant << cell_bits];
  }
  RawRay* const to = rays.data();
  for (std::uint32_t i = 0; i < count; ++i) {
    if constexpr (cell_bits > 0) {
      __builtin_prefetch(to + next[keys[std::min(i + ahead, count - 1)] >> shift], 1);
    }
    const std::uint32_t position = next[keys[i] >> shift]++;
    to[position] = from[i];
    keys[i] = position;
  }
}

void SortedRays::assign(const RawRay* from, std::uint32_t* keys, std::uint32_t count,
                        bool by_place) {
  if (rays.size() < count) rays.resize(count);
  by_place ? sort<coarse_bits>(from, keys, count) : sort<0>(from, keys, count);
}

}  // namespace sightline::detail
