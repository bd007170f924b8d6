#include "host/program/results/run.hpp"

#include "host/files/core/file_format.hpp"
#include "host/program/jobs/bakes.hpp"
#include "host/program/jobs/bytes.hpp"
#include "host/program/jobs/long_job.hpp"
#include "host/program/jobs/memory.hpp"
#include "host/program/jobs/ranks.hpp"
#include "host/program/jobs/row_cuts.hpp"
#include "host/program/results/shard_layout.hpp"

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
std::uint64_t answer_bytes(ColumnBuffer& buffer) {
  std::uint64_t bytes = 0;
  for (const Column& c : buffer.columns()) {
    if (c.layout == Layout::cells) bytes += buffer.width(c) * io::dtype_bytes(c.dtype);
    if (c.layout == Layout::bits) bytes += 1;
    if (c.layout == Layout::offsets) bytes += sizeof(std::uint64_t);
  }
  return bytes;
}

Plan make_plan(const Job& job, const Result& r, const Grid& grid, ColumnBuffer& buffer) {
  Plan plan;
  const std::uint64_t limit = job.common().max_memory, copies = copies_in_memory(r.backend());
  if (grid.pairs) {
    plan.side = r.tile_side(job);
    plan.cells = plan.side * plan.side;
    plan.bytes_per_cell = answer_bytes(buffer) * (grid.mirrored ? 2 : 1);
    return plan;
  }
  const Cost cost = r.cost();
  plan.bytes_per_cell = copies * answer_bytes(buffer) + cost.input_bytes;
  std::uint64_t parts = 1;
  if (offsets_of(buffer.columns()) != nullptr) {
    // Half of the memory for rows, half for their items.
    parts = 2;
    plan.items = buffer_elements(limit, parts * r.item_bytes(), most_items_per_chunk);
  }
  const std::uint64_t most = chunk_size(r.backend(), r.shapes(), cost.most_cells);
  // In elements, of which a cell may have many; bits and rows go by whole words.
  const std::uint64_t width = buffer.widest();
  const std::uint64_t cells = std::max<std::uint64_t>(1, std::min(most, cost.never_more));
  plan.cells = buffer_elements(limit, parts * plan.bytes_per_cell / width + (width > 1 ? 1 : 0),
                               cells * width) /
               width;
  if (plan.cells > 0 && limit != 0) return plan;
  plan.cells = std::max<std::uint64_t>(1, plan.cells);
  require_memory(limit, plan.cells * plan.bytes_per_cell, "the smallest buffer");
  return plan;
}

/// Of the file, but for items of rows that are not counted yet.
std::uint64_t file_bytes(Result& r, const ShardLayout& layout) {
  return io::container_bytes(layout.tensors(r), layout.metadata(metadata_of(r)));
}

void report_plan(Job& job, Result& r, const Plan& plan, const ShardLayout& layout) {
  const std::uint64_t at_a_time = std::min(plan.cells, layout.cells());
  const std::uint64_t memory = r.memory_bytes() + at_a_time * plan.bytes_per_cell;
  const std::uint64_t bytes = file_bytes(r, layout);
  job.set("/bytes/result", bytes);
  job.set("/bytes/memory", memory);
  job.say("would answer {}, {} at a time", plural(layout.cells(), r.names().unit),
          grouped(at_a_time));
  job.say("would write {}{}", format_bytes(bytes),
          plan.items > 0 ? fmt::format(", and items, {} at a time", grouped(plan.items)) : "");
  job.say("would hold {} for scene, tree and buffers, and the inputs", format_bytes(memory));
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

io::JobCounts answer_all(const Job& job, const Result& r, const Plan& plan,
                         const ShardLayout& layout, io::ContainerWriter& writer) {
  const Grid& grid = layout.whole();
  // A device each has buffers of its own.
  const std::size_t devices = 1 + job.common().more_devices.size();
  const ColumnBuffer empty(layout.columns(r.columns()), layout.grid());
  std::vector<ColumnBuffer> buffers(devices, empty), images(devices, empty);
  const auto work = [&](const io::GridPart& part, std::size_t device) {
    Result::use_device(device);
    ColumnBuffer &buffer = buffers[device], &mirrored = images[device];
    buffer.begin(*layout.place(part));
    io::JobCounts counts = r.answer(part, buffer);
    refuse_bad(r, counts);
    buffer.write(writer);
    r.tally(buffer, counts);
    if (grid.mirrored && part.row != part.column) {
      // It counts also where a shard leaves it to merge.
      const io::GridPart image = part.mirrored();
      const std::optional<io::GridPart> place = layout.place(image);
      mirrored.begin(place.value_or(image));
      buffer.mirror(mirrored);
      if (place) mirrored.write(writer);
      r.tally(mirrored, counts);
    }
    return counts;
  };
  return work_on_grid(job, writer,
                      {std::string(r.names().verb), std::string(r.names().unit), layout.units(),
                       grid.pairs, grid.pairs ? plan.side : plan.cells, grid.mirrored, devices},
                      work);
}

/// Counts the items of rows [first, first + counts.size()) of the file.
io::JobCounts count_rows(const Result& r, const ShardLayout& layout, std::uint64_t first,
                         std::span<std::uint32_t> counts, ColumnBuffer& buffer) {
  io::JobCounts total;
  layout.for_each_run(first, counts.size(), [&](const io::GridPart& part, std::uint64_t before) {
    total.add(r.count_items(part.row, counts.subspan(before, part.rows), buffer));
  });
  return total;
}

/// Counts the items of all rows of the file, and sums them up by where they will be cut.
io::JobCounts count_all(const Job& job, const Result& r, const Plan& plan,
                        const ShardLayout& layout, ColumnBuffer& buffer, RowSums& sums) {
  io::JobCounts total;
  std::vector<std::uint32_t> counts;
  Progress progress("count", std::string(r.names().unit), sums.rows(), job.common().quiet);
  for (std::uint64_t first = 0; first < sums.rows(); first += plan.cells) {
    progress.update(first);
    counts.resize(std::min(plan.cells, sums.rows() - first));
    const io::JobCounts counted = count_rows(r, layout, first, counts, buffer);
    refuse_bad(r, counted);
    total.add(counted);
    sums.add(first, counts, none);
  }
  return total;
}

/// Finds the items of rows that were counted, from the first that is not done.
void find_items(const Job& job, const Result& r, const Plan& plan, const ShardLayout& layout,
                const RowSums& sums, ColumnBuffer& buffer, io::ContainerWriter& writer) {
  const std::string offsets = offsets_of(buffer.columns())->name;
  const std::uint64_t rows = sums.rows(), done = rows_done(writer, layout.units());
  std::uint64_t begin = 0;
  if (done > 0) writer.read(offsets, done, 1, &begin);
  if (done == 0) writer.write(offsets, 0, 1, &begin);
  Progress progress(std::string(r.names().verb), std::string(r.names().unit), rows,
                    job.common().quiet, done);
  std::vector<std::uint32_t> counts;
  const auto count = [&](std::uint64_t first, std::uint64_t n) -> std::span<const std::uint32_t> {
    counts.resize(n);
    count_rows(r, layout, first, counts, buffer);
    return counts;
  };
  const auto find = [&](const io::GridPart& part, std::uint64_t first) {
    buffer.begin({first, part.rows, 0, 1});
    r.answer(part, buffer);
    const std::span<std::uint64_t> ends = buffer.of<std::uint64_t>(offsets);
    if (ends.back() > sums.elements() - begin) {
      throw Error(ErrorKind::internal, "there are more items than were counted");
    }
    buffer.write_items(writer, begin);
    for (std::uint64_t& end : ends) end += begin;
    writer.write(offsets, first, ends.size(), ends.data());
    buffer.write(writer);
    begin = ends.back();
    writer.mark_done({part, 0, part.rows, {}, 0});
    show_progress(progress, first + part.rows, writer);
  };
  const auto use = [&](std::uint64_t first, std::uint64_t n, std::uint64_t most) {
    layout.for_each_run(first, n, [&](const io::GridPart& part, std::uint64_t before) {
      if (most > plan.items) r.require_items(job, part.row, most, plan.items);
      find(part, first + before);
    });
  };
  for_each_cut(sums, {plan.cells, plan.items}, count, use, done);
}

/// Says and reports what a finished run counted, and how fast it was.
void report_run(Job& job, const Result& r, const ShardLayout& layout, const Done& done) {
  const Grid& grid = layout.whole();
  const Rate rate = r.rate(done);
  const double per_second = static_cast<double>(rate.now) / std::max(done.seconds, 1e-9);
  job.set("/counts/" + std::string(r.names().counts), grid.cells());
  job.set(fmt::format("/rates/{}_per_second", rate.unit), per_second);
  const std::string resumed =
      done.cells == grid.cells() ? "" : fmt::format("{} of ", grouped(done.cells));
  const std::string cells = plural(grid.cells(), r.names().unit);
  std::string line =
      done.cells == 0
          ? fmt::format("{:<7} {}, none left to answer", r.names().verb, cells)
          : fmt::format("{:<7} {}{} in {:.2f} s ({} {}/s, files included)", r.names().verb, resumed,
                        cells, done.seconds, short_number(per_second), rate.unit);
  // Percentages would be of the whole.
  job.say(line + counted_in_words(job, r, done.counts, !layout.shard()));
  r.report(job, done);
}

io::ContainerWriter open_output(Job& job, Result& r, const ShardLayout& layout,
                                const ResultArguments& a) {
  const Grid& grid = layout.whole();
  io::ContainerWriter writer(a.file(), layout.tensors(r), layout.metadata(metadata_of(r)),
                             {grid.rows, grid.columns, a.resume, layout.cells()});
  report_resumed(job, writer);
  write_whole_columns(r, writer);
  return writer;
}

void write_result(Job& job, Result& r, const ResultArguments& a) {
  job.set("/query/kind", std::string(r.names().query));
  Parameters reported(job);
  r.visit(reported);
  const Grid grid = r.grid();
  const ShardLayout layout(grid, r.columns(), a.shard);
  ColumnBuffer buffer(layout.columns(r.columns()), layout.grid());
  const Plan plan = make_plan(job, r, grid, buffer);
  if (a.shard) {
    job.set("/shard/index", a.shard->index);
    job.set("/shard/count", a.shard->count);
    job.set("/shard/cells", layout.cells());
  }
  if (grid.pairs) job.set("/chunk/tile_side", plan.side);
  if (!grid.pairs)
    job.set(fmt::format("/chunk/{}", r.names().unit), std::min(plan.cells, grid.rows));
  if (plan.items > 0) job.set(fmt::format("/chunk/{}", r.names().items), plan.items);
  if (job.common().dry_run) {
    job.set("/counts/" + std::string(r.names().counts), grid.cells());
    return report_plan(job, r, plan, layout);
  }
  require_yes(job, file_bytes(r, layout), a.file());
  const auto begin = std::chrono::steady_clock::now();
  const std::string verb(r.names().verb);
  io::JobCounts counts;
  std::optional<RowSums> sums;
  if (plan.items > 0) {
    sums.emplace(layout.grid().rows);
    counts = job.timed("count", [&] { return count_all(job, r, plan, layout, buffer, *sums); });
    r.set_items(sums->elements());
  }
  io::ContainerWriter writer = open_output(job, r, layout, a);
  // A further file, which is the same of all shards.
  if (!a.shard || a.shard->index == 0) r.begun(job);
  refuse_bad(r, done_before(writer).counts);
  job.timed(verb, [&] {
    if (sums) return find_items(job, r, plan, layout, *sums, buffer, writer);
    counts = answer_all(job, r, plan, layout, writer);
  });
  if (a.shard) writer.write(shard_counts, 0, shard_counts_size, numbers_of(counts).data());
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
  // Drawn before the result takes its name, so that a failure leaves neither.
  if (!a.picture.empty()) r.draw(job, writer, a.picture);
  const WorkDone before = done_before(writer);
  report_run(job, r, layout,
             {counts, before.counts, layout.cells() - std::min(before.cells, layout.cells()),
              seconds.count()});
  commit(job, writer);
}

/// That share the work with the first.
void add_devices(Job& job, Result& r) {
  const std::vector<std::string>& more = job.common().more_devices;
  if (more.empty()) return;
  if (offsets_of(r.columns()) != nullptr) {
    io::fail(ErrorKind::usage, "--device: {} in rows are found by one device", r.names().items);
  }
  if (job.common().max_memory != 0) {
    throw Error(ErrorKind::usage, "--max-memory is kept by one device, not by several");
  }
  for (const std::string& device : more) r.add_device(job, device);
  job.set("/device/count", std::uint64_t{1 + more.size()});
}

/// Shard by shard what other ranks have not taken; then rank 0 joins them.
void write_shards(Job& job, Result& r, const ResultArguments& a, Ranks& ranks) {
  std::string parameters = fmt::format("{}", a.mpi);
  for (const auto& [key, value] : metadata_of(r)) parameters += fmt::format("\n{} {}", key, value);
  ranks.require_same(parameters);
  std::vector<std::string> files;
  for (std::uint64_t i = 0; i < a.mpi; ++i) files.push_back(shard_file(a.output, {i, a.mpi}));
  if (job.common().dry_run) {
    if (ranks.rank() == 0) write_result(job, r, a);
    return;
  }
  require_yes(job, file_bytes(r, ShardLayout(r.grid(), r.columns(), {})), a.output);
  while (const auto number = ranks.next()) {
    a.shard = Shard{*number, a.mpi};
    if (is_shard_of(a.file(), r, *a.shard)) continue;
    write_result(job, r, a);
  }
  if (ranks.rank() == 0) merge_shards(job, a.output, files, true);
}

}  // namespace

double percent(std::uint64_t part, std::uint64_t whole) {
  return 100 * static_cast<double>(part) / static_cast<double>(std::max<std::uint64_t>(whole, 1));
}

std::string counted_in_words(Job& job, const Result& r, const io::JobCounts& counts,
                             bool with_percent) {
  std::string words;
  for (const Counted& c : r.counted(counts)) {
    if (c.shown == Shown::by_info) continue;
    job.set(Result::key_of(c), c.value);
    if (c.shown == Shown::in_reports) continue;
    words += fmt::format("{}{}", words.empty() ? ": " : ", ", plural(c.value, c.words));
    if (c.of > 0 && with_percent) words += fmt::format(" ({:.2f}%)", percent(c.value, c.of));
  }
  return words;
}

int run_result(Job& job, Result& r, const ResultArguments& a) {
  std::optional<Ranks> ranks;
  if (a.mpi > 0) ranks.emplace(a.mpi);
  const bool first = !ranks || ranks->rank() == 0;
  if (!first) job.be_quiet();
  InputFiles inputs(job, a.inputs);
  const std::string other = r.check_options(inputs);
  if ((a.shard || ranks) && !a.picture.empty()) {
    throw Error(ErrorKind::usage, "--picture: a shard has none; draw what merge has joined");
  }
  // Of ranks one looks for all: each would find another at work on the output.
  if (first) {
    OutputFile output(a.file(), a.shard ? shard_kind : r.names().kind);
    output.can_restart = true;
    output.restart = a.resume.restart;
    check_files(job, inputs.names(), {{other, "points"}, a.picture, output});
  }
  io::refuse_other_ending(a.output);
  if (!a.picture.empty()) require_ending(a.picture, {".png"});
  r.load(inputs);
  add_devices(job, r);
  ranks ? write_shards(job, r, a, *ranks) : write_result(job, r, a);
  return 0;
}

}  // namespace sightline::cli
