// Curves through the cells of a grid: what is close along them is close in space.
#pragma once

#include "host/cpu/rays/ray_record.hpp"

#include <bit>
#include <cstdint>

namespace sightline::detail {

/// Where the cell of a position lies in Morton order; arbitrary for NaN.
inline std::uint32_t morton_code(const RayGrid& grid, const Vec3& p) {
  const auto cell = [&](float above_low) {
    const float x = above_low * grid.scale, last = static_cast<float>(grid_cells - 1);
    return static_cast<std::uint32_t>(x > 0 ? (x < last ? x : last) : 0);
  };
  // Spreads the bits of a cell's index, with two zeros between them.
  const auto spread = [](std::uint32_t v) {
    v = (v | v << 8) & 0x0300F00Fu;
    v = (v | v << 4) & 0x030C30C3u;
    return (v | v << 2) & 0x09249249u;
  };
  return spread(cell(p.x - grid.low.x)) | spread(cell(p.y - grid.low.y)) << 1 |
         spread(cell(p.z - grid.low.z)) << 2;
}
static_assert(grid_bits <= 10);

/// Hilbert's curve, from the largest cubes down: in each of its 24 positions in a cube the rank of
/// the octant, in the low three bits, and the position in it. By Gray codes, after Hamilton and
/// Rau-Chaplin, "Compact Hilbert indices" (2008).
struct HilbertSteps {
  std::uint8_t of[24][8] = {};

  constexpr HilbertSteps() {
    const auto gray = [](unsigned rank) { return rank ^ rank >> 1; };
    for (unsigned position = 0; position < 24; ++position) {
      const unsigned entry = position / 3, axis = position % 3;  // corner and direction
      const auto turned = [&](unsigned v) { return (v << (axis + 1) | v >> (2 - axis)) & 7; };
      for (unsigned rank = 0; rank < 8; ++rank) {
        const unsigned corner = rank == 0 ? 0 : gray((rank - 1) & 6);
        const int turns = rank == 0 ? 0 : std::countr_one(rank % 2 == 0 ? rank - 1 : rank);
        const unsigned next =
            (entry ^ turned(corner)) * 3 + (axis + static_cast<unsigned>(turns) + 1) % 3;
        of[position][entry ^ turned(gray(rank))] = static_cast<std::uint8_t>(next << 3 | rank);
      }
    }
  }
};
inline constexpr HilbertSteps hilbert_steps;

/// The same in Hilbert's order, in which each cell touches the next. It takes longer.
inline std::uint32_t hilbert_code(const RayGrid& grid, const Vec3& p) {
  const std::uint32_t morton = morton_code(grid, p);
  std::uint32_t code = 0, position = 0;
  for (int shift = 3 * (grid_bits - 1); shift >= 0; shift -= 3) {
    const std::uint32_t step = hilbert_steps.of[position][morton >> shift & 7];
    code = code << 3 | (step & 7);
    position = step >> 3;
  }
  return code;
}

}  // namespace sightline::detail
