// Long jobs: chunk by chunk into a file with a journal, so that a stopped job goes on.
#pragma once

#include "host/files/core/container.hpp"
#include "host/program/jobs/job.hpp"
#include "host/program/jobs/progress.hpp"

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

/// Rows, or the elements of a matrix, and how many are worked out at a time.
struct GridWork {
  std::string verb, unit;
  std::vector<io::GridPart> parts;  ///< all of the grid or some parts, by row and column
  bool tiled = false;               ///< in square tiles; else so many whole rows
  std::uint64_t step = 1;  ///< rows or the side of a tile; of other runs' sides, one is a multiple
                           ///< of the other
  bool mirrored = false;   ///< a tile above the diagonal gives the one below, too
  std::size_t workers = 1;
};
/// Does a part, with its mirror image, and writes it; returns what it counted. Each worker calls it
/// from a thread of its own.
using WorkOnPart = std::function<io::JobCounts(const io::GridPart& part, std::size_t worker)>;

/// Calls work for the parts that are left, in order, and marks them as done: tiles as small as
/// those of an earlier run, if those were smaller. A worker that is done with a part takes the
/// next. Returns what was counted over all of the grid. Throws Interrupted, after what was done is
/// kept, and what work throws, after the other workers have done the parts that they were at.
io::JobCounts work_on_grid(const Job& job, io::ContainerWriter& writer, const GridWork& grid,
                           const WorkOnPart& work);

/// How many rows of these parts are done, from the first on; for work that goes from the first to
/// the last.
std::uint64_t rows_done(const io::ContainerWriter& writer, const std::vector<io::GridPart>& parts);

}  // namespace sightline::cli
