#include "host/program/results/run.hpp"

#include "host/files/core/file_format.hpp"
#include "host/program/engine/bakes.hpp"
#include "host/program/engine/bytes.hpp"
#include "host/program/engine/long_job.hpp"
#include "host/program/engine/memory.hpp"
#include "host/program/engine/row_cuts.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace sightline::cli {
namespace {

constexpr std::uint64_t most_items_per_chunk = std::uint64_t{1} << 22;

/// What is worked out at a time.
struct Plan {
  std::uint64_t cells = 1;           ///< rows, or the square of a tile's side
  std::uint64_t side = 0;            ///< of a tile; 0 where there are none
  std::uint64_t items = 0;           ///< of rows of different length
  std::uint64_t bytes_per_cell = 0;  ///< in memory while it is worked out
};

/// Of a cell's answer in memory; a bit rounds up to a byte.
std::uint64_t answer_bytes(Block& block) {
  std::uint64_t bytes = 0;
  for (const Column& c : block.columns()) {
    if (c.layout == Layout::cells) bytes += block.width(c) * io::dtype_bytes(c.dtype);
    if (c.layout == Layout::bits) bytes += 1;
    if (c.layout == Layout::offsets) bytes += sizeof(std::uint64_t);
  }
  return bytes;
}

Plan make_plan(const Job& job, const Result& r, Block& block) {
  Plan plan;
  const std::uint64_t limit = job.common().max_memory, copies = copies_in_memory(r.backend());
  if (block.grid().pairs) {
    plan.side = r.tile_side(job);
    plan.cells = plan.side * plan.side;
    plan.bytes_per_cell = answer_bytes(block) * (block.grid().mirrored ? 2 : 1);
    return plan;
  }
  const Cost cost = r.cost();
  plan.bytes_per_cell = copies * answer_bytes(block) + cost.input_bytes;
  std::uint64_t parts = 1;
  if (offsets_of(block.columns()) != nullptr) {
    // Half of the memory for rows, half for their items.
    parts = 2;
    plan.items = buffer_elements(limit, parts * r.item_bytes(), most_items_per_chunk);
  }
  const std::uint64_t most = chunk_size(r.backend(), r.shapes(), cost.most_cells);
  // In elements, of which a cell may have many; bits and rows go by whole words.
  const std::uint64_t width = block.widest();
  const std::uint64_t cells = std::max<std::uint64_t>(1, std::min(most, cost.never_more));
  plan.cells = buffer_elements(limit, parts * plan.bytes_per_cell / width + (width > 1 ? 1 : 0),
                               cells * width) /
               width;
  if (plan.cells > 0) return plan;
  require_memory(limit, plan.bytes_per_cell, "the smallest buffer");
  plan.cells = 1;
  return plan;
}

/// Of the file, but for items of rows that are not counted yet.
std::uint64_t result_bytes(const Result& r) {
  std::uint64_t bytes = 0;
  for (const io::TensorSpec& t : tensors_of(r)) {
    bytes += io::tensor_bytes(t.dtype, t.shape).value_or(0);
  }
  return bytes;
}

void report_plan(Job& job, const Result& r, const Plan& plan, const Grid& grid) {
  const std::uint64_t at_a_time = std::min(plan.cells, grid.cells());
  const std::uint64_t memory = r.memory_bytes() + at_a_time * plan.bytes_per_cell;
  const std::uint64_t bytes = result_bytes(r);
  job.set("/bytes/result", bytes);
  job.set("/bytes/memory", memory);
  job.say(fmt::format("would answer {} {}, {} at a time", grouped(grid.cells()), r.names().unit,
                      grouped(at_a_time)));
  job.say(fmt::format(
      "would write {}{}", format_bytes(bytes),
      plan.items > 0 ? fmt::format(", and items, {} at a time", grouped(plan.items)) : ""));
  job.say(fmt::format("would hold {} for scene, tree and buffers, and the inputs",
                      format_bytes(memory)));
}

void write_whole_columns(const Result& r, io::ContainerWriter& writer) {
  for (const Column& c : r.columns()) {
    if (c.layout != Layout::whole) continue;
    const std::vector<std::byte> bytes = r.whole_column(c);
    writer.write(c.name, 0, *io::element_count(c.shape), bytes.data());
  }
}

void refuse_bad(const Result& r, const io::JobCounts& counts) {
  if (counts.first_bad != io::JobCounts::no_bad) r.refuse_bad(counts.first_bad);
}

io::JobCounts answer_all(const Job& job, const Result& r, const Plan& plan, Block& block,
                         io::ContainerWriter& writer) {
  const Grid& grid = block.grid();
  Block mirrored(block.columns(), grid);
  const auto keep = [&](Block& answered, io::JobCounts& counts) {
    answered.write(writer);
    r.tally(answered, counts);
  };
  const auto work = [&](const io::GridPart& part) {
    block.begin(part);
    io::JobCounts counts = r.answer(part, block);
    refuse_bad(r, counts);
    keep(block, counts);
    if (grid.mirrored && part.row != part.column) {
      block.mirror(mirrored);
      keep(mirrored, counts);
    }
    return counts;
  };
  return work_on_grid(
      job, writer,
      {std::string(r.names().verb), std::string(r.names().unit), grid.rows, grid.columns,
       grid.pairs, grid.pairs ? plan.side : plan.cells, grid.mirrored},
      work);
}

/// Counts the items of all rows, and sums them up by where they will be cut.
io::JobCounts count_all(const Job& job, const Result& r, const Plan& plan, Block& block,
                        RowSums& sums) {
  io::JobCounts total;
  std::vector<std::uint32_t> counts;
  Progress progress("count", std::string(r.names().unit), sums.rows(), job.common().quiet);
  for (std::uint64_t first = 0; first < sums.rows(); first += plan.cells) {
    progress.update(first);
    counts.resize(std::min(plan.cells, sums.rows() - first));
    const io::JobCounts counted = r.count_items(first, counts, block);
    refuse_bad(r, counted);
    total.add(counted);
    sums.add(first, counts, none);
  }
  return total;
}

/// Finds the items of rows that were counted, from the first that is not done.
void find_items(const Job& job, const Result& r, const Plan& plan, const RowSums& sums,
                Block& block, io::ContainerWriter& writer) {
  const std::string offsets = offsets_of(block.columns())->name;
  const std::uint64_t rows = sums.rows(), done = rows_done(writer, rows);
  std::uint64_t begin = 0;
  if (done > 0) writer.read(offsets, done, 1, &begin);
  if (done == 0) writer.write(offsets, 0, 1, &begin);
  Progress progress(std::string(r.names().verb), std::string(r.names().unit), rows,
                    job.common().quiet, done);
  std::vector<std::uint32_t> counts;
  const auto count = [&](std::uint64_t first, std::uint64_t n) -> std::span<const std::uint32_t> {
    counts.resize(n);
    r.count_items(first, counts, block);
    return counts;
  };
  const auto use = [&](std::uint64_t first, std::uint64_t n, std::uint64_t most) {
    if (most > plan.items) r.require_items(job, first, most, plan.items);
    block.begin({first, n, 0, 1});
    r.answer(block.part(), block);
    const std::span<std::uint64_t> ends = block.of<std::uint64_t>(offsets);
    if (ends.back() > sums.elements() - begin) {
      throw Error(ErrorKind::internal, "there are more items than were counted");
    }
    block.write_items(writer, begin);
    for (std::uint64_t& end : ends) end += begin;
    writer.write(offsets, first, ends.size(), ends.data());
    block.write(writer);
    begin = ends.back();
    writer.mark_done({{first, n, 0, 1}, 0, n, {}, 0});
    show_progress(progress, first + n, writer);
  };
  for_each_cut(sums, {plan.cells, plan.items}, count, use, done);
}

/// Says and reports what a finished run counted, and how fast it was.
void report_run(Job& job, const Result& r, const Done& done) {
  const Grid grid = r.grid();
  const Rate rate = r.rate(done);
  const double per_second = static_cast<double>(rate.now) / std::max(done.seconds, 1e-9);
  job.set("/counts/" + std::string(r.names().counts), grid.cells());
  job.set(fmt::format("/rates/{}_per_second", rate.unit), per_second);
  const std::string resumed =
      done.cells == grid.cells() ? "" : fmt::format("{} of ", grouped(done.cells));
  const std::string_view unit = grid.cells() == 1 ? r.names().one : r.names().unit;
  std::string line = done.cells == 0
                         ? fmt::format("{:<7} {} {}, none left to answer", r.names().verb,
                                       grouped(grid.cells()), unit)
                         : fmt::format("{:<7} {}{} {} in {:.2f} s ({} {}/s, files included)",
                                       r.names().verb, resumed, grouped(grid.cells()), unit,
                                       done.seconds, short_number(per_second), rate.unit);
  const char* before = ": ";
  for (const Counted& c : r.counted(done.counts)) {
    if (c.shown == Shown::by_info) continue;
    job.set(Result::key_of(c), c.value);
    if (c.shown == Shown::in_reports) continue;
    line += fmt::format("{}{} {}", before, grouped(c.value), c.words);
    if (c.of > 0) line += fmt::format(" ({:.2f}%)", percent(c.value, c.of));
    before = ", ";
  }
  job.say(line);
  r.report(job, done);
}

io::ContainerWriter open_output(Job& job, Result& r, const ResultArguments& a) {
  const Grid grid = r.grid();
  io::ContainerWriter writer(a.output, tensors_of(r), metadata_of(r),
                             {grid.rows, grid.columns, a.resume});
  report_resumed(job, writer);
  write_whole_columns(r, writer);
  return writer;
}

void write_result(Job& job, Result& r, const ResultArguments& a) {
  job.set("/query/kind", std::string(r.names().query));
  Parameters reported(job);
  r.visit(reported);
  Block block(r.columns(), r.grid());
  const Grid grid = block.grid();
  const Plan plan = make_plan(job, r, block);
  if (grid.pairs) job.set("/chunk/tile_side", plan.side);
  if (!grid.pairs)
    job.set(fmt::format("/chunk/{}", r.names().unit), std::min(plan.cells, grid.rows));
  if (plan.items > 0) job.set(fmt::format("/chunk/{}", r.names().items), plan.items);
  if (job.common().dry_run) {
    job.set("/counts/" + std::string(r.names().counts), grid.cells());
    return report_plan(job, r, plan, grid);
  }
  require_yes(a.yes, result_bytes(r), a.output);
  const auto begin = std::chrono::steady_clock::now();
  const std::string verb(r.names().verb);
  io::JobCounts counts;
  std::optional<RowSums> sums;
  if (plan.items > 0) {
    sums.emplace(grid.rows);
    counts = job.timed("count", [&] { return count_all(job, r, plan, block, *sums); });
    r.set_items(sums->elements());
  }
  io::ContainerWriter writer = open_output(job, r, a);
  r.begun(job);
  refuse_bad(r, done_before(writer).counts);
  job.timed(verb, [&] {
    if (sums) return find_items(job, r, plan, *sums, block, writer);
    counts = answer_all(job, r, plan, block, writer);
  });
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
  // Drawn before the result takes its name, so that a failure leaves neither.
  if (!a.picture.empty()) r.draw(job, writer, a.picture);
  const WorkDone before = done_before(writer);
  report_run(job, r,
             {counts, before.counts, grid.cells() - std::min(before.cells, grid.cells()),
              seconds.count()});
  commit(job, writer);
}

}  // namespace

double percent(std::uint64_t part, std::uint64_t whole) {
  return 100 * static_cast<double>(part) / static_cast<double>(std::max<std::uint64_t>(whole, 1));
}

int run_result(Job& job, Result& r, const ResultArguments& a) {
  InputFiles inputs(job, a.inputs);
  const std::string other = r.check_options(inputs);
  check_files(job, inputs.names(), {other, a.picture, a.output});
  io::refuse_other_ending(a.output);
  if (!a.picture.empty()) require_ending(a.picture, {".png"});
  r.load(inputs);
  write_result(job, r, a);
  return 0;
}

}  // namespace sightline::cli
