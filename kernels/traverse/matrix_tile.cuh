// Tiles of bit matrices: what one warp traces of one, row after row.
#pragma once

#include "kernels/launch/grid.hpp"
#include "kernels/traverse/wide_search.cuh"

namespace sightline::kernels {

inline constexpr std::uint32_t tile_words = tile_columns / warp_size;

/// A word of a bit matrix.
struct MatrixWord {
  std::uint64_t row, word;
};

/// Strips of tile_columns from word `word` of the matrix on, each of rows [row, row + rows).
struct Tile {
  std::uint64_t row, word;
  std::uint32_t rows, strips;

  /// How many words it has, most_tile_words at most.
  SIGHTLINE_HD std::uint32_t words() const { return rows * strips * tile_words; }
  /// Word k as its row and place in the tile, 16 bits each.
  SIGHTLINE_HD std::uint32_t place(std::uint32_t k) const {
    const std::uint32_t strip = k / (rows * tile_words);
    return k / tile_words % rows << 16 | (strip * tile_words + k % tile_words);
  }
  SIGHTLINE_HD MatrixWord at(std::uint32_t place) const {
    return {row + (place >> 16), word + (place & 0xFFFFu)};
  }
};

/// How a matrix is cut into tiles of at most `rays` pairs: of few rows only where it has few.
struct Tiles {
  std::uint32_t rows, strips;          ///< of a tile; the last ones perhaps of fewer
  std::uint64_t across, down;          ///< of the matrix
  std::uint64_t row_count, row_words;  ///< of the matrix, in words of 32 pairs

  SIGHTLINE_HD Tiles(std::uint64_t matrix_rows, std::uint64_t matrix_row_words, std::uint32_t rays)
      : row_count(matrix_rows), row_words(matrix_row_words) {
    const std::uint32_t most_strips = rays < tile_columns ? 1 : rays / tile_columns;
    down = pieces(row_count, most_strips);
    rows = static_cast<std::uint32_t>(pieces(row_count, down));
    strips = most_strips / rows;
    across = pieces(row_words / tile_words, strips);
  }
  SIGHTLINE_HD Tile operator[](std::uint64_t k) const {
    const std::uint64_t i = k / across, j = k % across;
    return {i * rows, j * strips * tile_words, part_of_batch(row_count, rows, i),
            part_of_batch(row_words / tile_words, strips, j)};
  }
};

/// The most pairs of a tile, where a matrix has so many.
inline std::uint32_t tile_size(std::uint64_t pairs, const Schedule& schedule) {
  const std::uint32_t small = batches_for(pairs, schedule.batch, schedule.enough_batches).size;
  const std::uint32_t large = batches_for(pairs, schedule.tile, schedule.enough_tiles).size;
  return small > large ? small : large;
}
/// The tiles of a matrix.
inline Batches tiles_of(std::uint64_t rows, std::uint64_t row_words, const Schedule& schedule) {
  const std::uint64_t pairs = rows * row_words * warp_size;
  const std::uint32_t size = tile_size(pairs, schedule);
  if (pairs == 0) return {size, 0};
  const Tiles tiles(rows, row_words, size);
  return {size, tiles.across * tiles.down};
}

/// The pairs of a tile's open words, one ray a bit.
template <class Team>
struct TilePairs {
  const Tile& tile;
  const TileMemory<Team>& memory;

  /// Where in the matrix a ray's word is.
  SIGHTLINE_HD MatrixWord at(std::uint32_t ray) const {
    return tile.at(memory.open.read(static_cast<int>(ray / warp_size)));
  }
  SIGHTLINE_HD std::uint64_t row(std::uint32_t ray) const { return at(ray).row; }
  SIGHTLINE_HD std::uint64_t column(std::uint32_t ray) const {
    return at(ray).word * warp_size + ray % warp_size;
  }
  /// The column of the tile: see Blockers.
  SIGHTLINE_HD std::uint32_t tile_column(std::uint32_t ray) const {
    return static_cast<std::uint32_t>(column(ray) % tile_columns);
  }
};

/// Lists the tile's words that is_open(word) holds for, and returns their number.
template <class Team, class IsOpen>
SIGHTLINE_HD std::uint32_t list_open_words(const Team& team, const Tile& tile,
                                           TileMemory<Team>& memory, IsOpen&& is_open) {
  typename Team::template Lanes<bool> is_one;
  std::uint32_t count = 0;
  team.sync();  // after the reads of the tile before
  for (std::uint32_t first = 0; first < tile.words(); first += warp_size) {
    team.each([&](int lane) {
      const std::uint32_t k = first + static_cast<std::uint32_t>(lane);
      is_one[lane] = k < tile.words() && is_open(tile.at(tile.place(k)));
    });
    const std::uint32_t ones = team.ballot(is_one);
    team.each([&](int lane) {
      if (!is_one[lane]) return;
      const std::uint32_t before = count_ones(ones & ((1u << lane) - 1));
      memory.open.write(static_cast<int>(count + before),
                        tile.place(first + static_cast<std::uint32_t>(lane)));
    });
    count += count_ones(ones);
  }
  return count;
}

/// Traces the first `count` listed words and calls store(word, marked) with the bits of each.
template <class Team, class Rays, class Store>
SIGHTLINE_HD void search_words(const Team& team, const DeviceScene& scene, const Rays& rays,
                               const Tile& tile, std::uint32_t count, TileMemory<Team>& memory,
                               Store&& store) {
  search_batch(team, scene, rays, count * warp_size, memory);
  team.each([&](int lane) {
    for (int k = lane; k < static_cast<int>(count); k += warp_size) {
      store(tile.at(memory.open.read(k)), memory.marked.read(k));
    }
  });
}

}  // namespace sightline::kernels
