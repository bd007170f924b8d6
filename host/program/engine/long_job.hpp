// Long jobs: chunk by chunk into a file with a journal, so that a stopped job goes on.
#pragma once

#include "host/files/core/container.hpp"
#include "host/program/engine/job.hpp"
#include "host/program/engine/progress.hpp"

#include <sightline/answers.hpp>

#include <functional>

namespace sightline::cli {

/// Work that an earlier run of the same job left, or has done altogether.
struct WorkDone {
  std::uint64_t cells = 0;  ///< rays, points, pairs ...
  io::JobCounts counts;
};

/// Says and reports what an earlier run left of the work of a writer.
void report_resumed(Job& job, const io::ContainerWriter& writer);
WorkDone done_before(const io::ContainerWriter& writer);

/// Shows progress after a chunk. Throws Interrupted once a signal has come, after what was done is
/// kept: a run that has begun keeps at least the chunk that it was at.
void show_progress(Progress& progress, std::uint64_t done, io::ContainerWriter& writer);

/// The rows of a file, and how many at a time.
struct Chunks {
  std::string verb, unit;
  std::uint64_t rows = 0, rows_at_a_time = 1;
};
/// Does rows [first, first + n) and writes them; returns what it counted.
using WorkOnRows = std::function<io::JobCounts(std::uint64_t first, std::uint64_t n)>;

/// Calls work for the rows that are left, in order, and marks them as done. Returns what was
/// counted over all rows. Throws Interrupted, after what was done is kept.
io::JobCounts work_on_chunks(const Job& job, io::ContainerWriter& writer, const Chunks& chunks,
                             const WorkOnRows& work);

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

/// How many rows from the first on are done; for work that goes from the first to the last.
std::uint64_t rows_done(const io::ContainerWriter& writer, std::uint64_t rows);

/// A report of visibility as counts. A part counts viewpoints, or targets, where no other part
/// counts them.
io::JobCounts visibility_counts(const VisibilityReport& report, bool viewpoints, bool targets);

}  // namespace sightline::cli
