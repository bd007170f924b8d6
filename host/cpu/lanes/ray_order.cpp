#include "host/cpu/lanes/ray_order.hpp"

#include <algorithm>
#include <array>
#include <numeric>

namespace sightline::detail {
namespace {

constexpr int octant_shift = 3 * grid_bits;
constexpr int digit_bits = octant_shift / 2 + 2;
static_assert(2 * digit_bits >= octant_shift + 3);
constexpr std::uint32_t digits = 1u << digit_bits;
constexpr std::uint32_t few = 2048;  // below this size a comparison sort is faster

}  // namespace

RayGrid grid_over(const RaysView& rays, bool by_midpoint) {
  RayGrid grid = grid_over(rays.count, [&](std::uint64_t i) {
    return by_midpoint ? middle_of(rays, i) : rays.origin[i];
  });
  grid.by_midpoint = by_midpoint;
  return grid;
}

/// A radix sort of two stable passes; the second writes indices only.
void RayOrder::sort(const std::uint32_t* keys, std::uint32_t count) {
  low_.assign(digits + 1, 0);
  high_.assign(digits + 1, 0);
  for (std::uint32_t i = 0; i < count; ++i) {
    ++low_[(keys[i] & (digits - 1)) + 1];
    ++high_[(keys[i] >> digit_bits) + 1];
  }
  for (std::size_t d = 1; d < digits; ++d) {
    low_[d] += low_[d - 1];
    high_[d] += high_[d - 1];
  }
  by_low_digit_.resize(count);
  for (std::uint32_t i = 0; i < count; ++i) {
    by_low_digit_[low_[keys[i] & (digits - 1)]++] = {keys[i], i};
  }
  for (const Keyed& k : by_low_digit_) index[high_[k.key >> digit_bits]++] = k.index;
}

void RayOrder::assign(const std::uint32_t* keys, std::uint32_t count, bool by_place) {
  const auto octant_of = [&](std::uint32_t i) { return keys[i] >> octant_shift; };
  std::fill(std::begin(octant_begin), std::end(octant_begin), 0);
  // Bytes of one word count up to 255 rays, in a register.
  for (std::uint32_t i = 0; i < count;) {
    std::uint64_t counts = 0;
    for (const std::uint32_t end = std::min(count, i + 255); i < end; ++i) {
      counts += std::uint64_t{1} << 8 * octant_of(i);
    }
    for (int o = 0; o < 8; ++o) octant_begin[o + 1] += counts >> 8 * o & 255;
  }
  for (int o = 0; o < 8; ++o) octant_begin[o + 1] += octant_begin[o];
  index.resize(count);
  if (!by_place) {
    std::array<std::uint32_t, 8> next;
    std::copy(octant_begin, octant_begin + 8, next.begin());
    for (std::uint32_t i = 0; i < count; ++i) index[next[octant_of(i)]++] = i;
    return;
  }
  if (count >= few) return sort(keys, count);
  std::iota(index.begin(), index.end(), 0u);
  std::sort(index.begin(), index.end(), [keys](std::uint32_t x, std::uint32_t y) {
    return keys[x] < keys[y] || (keys[x] == keys[y] && x < y);
  });
}

}  // namespace sightline::detail
