#include "host/program/jobs/long_job.hpp"

#include "host/program/jobs/interrupt.hpp"

#include <algorithm>
#include <atomic>
#include <mutex>

namespace sightline::cli {
namespace {

/// A number that no part has, nor has one after it, of workers that end.
constexpr std::uint64_t no_part = std::uint64_t{1} << 63;

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

/// Calls use(part, images) for the parts that are left, in order: as many images as it has cells
/// of the grid for each of its own.
template <class Use>
void for_each_left(const io::ContainerWriter& writer, const GridWork& m, std::uint64_t side,
                   const Use& use) {
  const auto rows_of = [&](const io::GridPart& part) {
    for (std::uint64_t row = part.row;;) {
      const Gap gap = next_gap(writer.taken_up(), row, part.row + part.rows);
      if (gap.rows == 0) break;
      const std::uint64_t n = std::min(m.step, gap.rows);
      use({gap.first, n, 0, 1}, 1);
      row = gap.first + n;
    }
  };
  const auto tiles_of = [&](const io::GridPart& part) {
    const std::uint64_t end = part.row + part.rows, right = part.column + part.columns;
    const bool diagonal = m.mirrored && part.row == part.column;
    for (std::uint64_t row = part.row; row < end; row += side) {
      for (std::uint64_t column = diagonal ? row : part.column; column < right; column += side) {
        const io::GridPart tile = {row, std::min(side, end - row), column,
                                   std::min(side, right - column)};
        if (!is_done(writer, tile)) use(tile, m.mirrored && row != column ? 2 : 1);
      }
    }
  };
  for (const io::GridPart& part : m.parts) m.tiled ? tiles_of(part) : rows_of(part);
}

}  // namespace

void report_resumed(Job& job, const io::ContainerWriter& writer) {
  const std::uint64_t done = done_before(writer).cells, all = writer.cells();
  if (done == 0) return;
  job.set("/resumed/done", done);
  job.set("/resumed/of", all);
  job.say("resumes {}: {:.2f}% was done", io::partial_name(writer.name()),
          100 * static_cast<double>(done) / static_cast<double>(all));
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
  Progress progress(m.verb, m.unit, writer.cells(), job.common().quiet, done.cells);
  std::mutex marking;
  std::atomic<std::uint64_t> next{0};
  const auto work_as = [&](std::size_t worker) {
    std::uint64_t mine = next++, number = 0;
    for_each_left(writer, m, side, [&](const io::GridPart& part, std::uint64_t images) {
      if (number++ != mine) return;
      const std::uint64_t cells = images * part.rows * part.columns;
      const io::JobCounts counts = work(part, worker);
      const std::lock_guard lock(marking);
      writer.mark_done({part, m.tiled ? side : 0, cells, counts, 0});
      done.counts.add(counts);
      done.cells += cells;
      show_progress(progress, done.cells, writer);
      mine = next++;
    });
  };
  const std::size_t at_work = at_once(m.workers, work_as, [&] { next = no_part; });
  if (at_work < m.workers) {
    job.say("threads {} of {}: the system refuses more, so that the other devices did nothing",
            at_work, m.workers);
  }
  return done.counts;
}

std::uint64_t rows_done(const io::ContainerWriter& writer, const std::vector<io::GridPart>& parts) {
  std::uint64_t done = 0;
  for (const io::GridPart& part : parts) {
    const std::uint64_t end = part.row + part.rows;
    const std::uint64_t first = std::min(end, next_gap(writer.taken_up(), part.row, end).first);
    done += first - part.row;
    if (first < end) break;
  }
  return done;
}

}  // namespace sightline::cli
