#include "host/program/engine/tiled_job.hpp"

#include <algorithm>

namespace sightline::cli {
namespace {

/// Tiles must fit into each other.
std::uint64_t least_side(const io::ContainerWriter& writer, std::uint64_t side) {
  for (const io::JournalEntry& entry : writer.taken_up()) side = std::min(side, entry.step);
  return side;
}

bool is_done(const io::ContainerWriter& writer, const io::GridPart& tile) {
  const std::vector<io::JournalEntry>& done = writer.taken_up();
  return std::any_of(done.begin(), done.end(),
                     [&](const io::JournalEntry& entry) { return entry.part.holds(tile); });
}

}  // namespace

io::JobCounts work_on_tiles(const Job& job, io::ContainerWriter& writer, const TiledMatrix& m,
                            const WorkOnTile& work) {
  const std::uint64_t side = least_side(writer, m.side);
  WorkDone done = done_before(writer);
  Progress progress(m.verb, m.unit, m.rows * m.columns, job.common().quiet, done.cells);
  for (std::uint64_t row = 0; row < m.rows; row += side) {
    const std::uint64_t rows = std::min(side, m.rows - row);
    for (std::uint64_t column = m.mirrored ? row : 0; column < m.columns; column += side) {
      const io::GridPart tile = {row, rows, column, std::min(side, m.columns - column)};
      if (is_done(writer, tile)) continue;
      const std::uint64_t images = m.mirrored && row != column ? 2 : 1;
      const std::uint64_t cells = images * rows * tile.columns;
      const io::JobCounts counts = work(tile);
      writer.mark_done({tile, side, cells, counts, 0});
      done.counts.add(counts);
      done.cells += cells;
      show_progress(progress, done.cells, writer);
    }
  }
  return done.counts;
}

}  // namespace sightline::cli
