#include "host/program/engine/long_job.hpp"

#include "host/program/engine/interrupt.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace sightline::cli {
namespace {

/// The first row from `row` on that is not done, and how many more after it are not.
struct Gap {
  std::uint64_t first, rows;
};
Gap next_gap(const std::vector<io::JournalEntry>& done, std::uint64_t row, std::uint64_t end) {
  Gap gap = {row, end - row};
  for (bool moved = true; moved;) {
    moved = false;
    for (const io::JournalEntry& entry : done) {
      const io::GridPart& part = entry.part;
      if (part.rows == 0 || gap.first < part.row || gap.first - part.row >= part.rows) continue;
      gap.first = part.row + part.rows;
      moved = true;
    }
  }
  std::uint64_t next = end;
  for (const io::JournalEntry& entry : done) {
    if (entry.part.row > gap.first) next = std::min(next, entry.part.row);
  }
  gap.rows = next - std::min(gap.first, next);
  return gap;
}

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

void report_resumed(Job& job, const io::ContainerWriter& writer) {
  const std::uint64_t done = done_before(writer).cells, all = writer.cells();
  if (done == 0) return;
  job.set("/resumed/done", done);
  job.set("/resumed/of", all);
  job.say(fmt::format("goes on from {}: {:.2f}% was done", io::partial_name(writer.name()),
                      100 * static_cast<double>(done) / static_cast<double>(all)));
}

WorkDone done_before(const io::ContainerWriter& writer) {
  WorkDone done;
  for (const io::JournalEntry& entry : writer.taken_up()) {
    done.cells += entry.cells;
    done.counts.add(entry.counts);
  }
  return done;
}

void show_progress(Progress& progress, std::uint64_t done, io::ContainerWriter& writer) {
  try {
    progress.update(done);
  } catch (const Interrupted&) {
    writer.keep_done();
    throw;
  }
}

io::JobCounts work_on_grid(const Job& job, io::ContainerWriter& writer, const GridWork& m,
                           const WorkOnPart& work) {
  const std::uint64_t side = least_side(writer, m.step);
  WorkDone done = done_before(writer);
  Progress progress(m.verb, m.unit, m.rows * m.columns, job.common().quiet, done.cells);
  const auto work_on = [&](const io::GridPart& part, std::uint64_t images) {
    const std::uint64_t cells = images * part.rows * part.columns;
    const io::JobCounts counts = work(part);
    writer.mark_done({part, m.tiled ? side : 0, cells, counts, 0});
    done.counts.add(counts);
    done.cells += cells;
    show_progress(progress, done.cells, writer);
  };
  for (std::uint64_t row = 0; !m.tiled;) {
    const Gap gap = next_gap(writer.taken_up(), row, m.rows);
    if (gap.rows == 0) break;
    const std::uint64_t n = std::min(m.step, gap.rows);
    work_on({gap.first, n, 0, 1}, 1);
    row = gap.first + n;
  }
  for (std::uint64_t row = 0; m.tiled && row < m.rows; row += side) {
    const std::uint64_t rows = std::min(side, m.rows - row);
    for (std::uint64_t column = m.mirrored ? row : 0; column < m.columns; column += side) {
      const io::GridPart tile = {row, rows, column, std::min(side, m.columns - column)};
      if (is_done(writer, tile)) continue;
      const std::uint64_t images = m.mirrored && row != column ? 2 : 1;
      work_on(tile, images);
    }
  }
  return done.counts;
}

std::uint64_t rows_done(const io::ContainerWriter& writer, std::uint64_t rows) {
  return std::min(rows, next_gap(writer.taken_up(), 0, rows).first);
}

}  // namespace sightline::cli
