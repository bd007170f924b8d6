// Long jobs that fill a matrix, tile by tile.
#pragma once

#include "host/program/engine/long_job.hpp"

namespace sightline::cli {

/// A matrix that is worked out in square tiles.
struct TiledMatrix {
  std::string verb, unit;  ///< units are its elements
  std::uint64_t rows = 0, columns = 0;
  std::uint64_t side = 1;  ///< of a tile; of other runs' sides, one is a multiple of the other
  bool mirrored = false;   ///< a tile above the diagonal gives the one below, too
};
/// Does a tile, with its mirror image, and writes it; returns what it counted.
using WorkOnTile = std::function<io::JobCounts(const io::GridPart& tile)>;

/// Calls work for the tiles that are left, row by row, and marks them as done: as small as those
/// of an earlier run, if those were smaller. Returns what was counted over the whole matrix.
/// Throws Interrupted, after what was done is kept.
io::JobCounts work_on_tiles(const Job& job, io::ContainerWriter& writer, const TiledMatrix& matrix,
                            const WorkOnTile& work);

}  // namespace sightline::cli
