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

Plan make_plan(const Job& job, const Result& r, ColumnBuffer& buffer) {
  Plan plan;
  const Cost cost = r.cost(job);
  if (const Grid grid = r.grid(); grid.pairs) {
    plan.side = cost.tile_side;
    plan.cells = plan.side * plan.side;
    plan.bytes_per_cell = answer_bytes(buffer) * (grid.mirrored ? 2 : 1);
    return plan;
  }
  const std::uint64_t limit = job.common().max_memory;
  plan.bytes_per_cell = copies_in_memory(r.backend()) * answer_bytes(buffer) + cost.input_bytes;
  std::uint64_t parts = 1;
  if (rows_of(r) != nullptr) {
    // Half of the memory for rows, half for their items.
    parts = 2;
    plan.items = buffer_elements(limit, parts * cost.item_bytes, most_items_per_chunk);
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

/// A run whose inputs are loaded, of all of a result or of a shard.
class Run {
 public:
  Run(Job& job, Result& r, const ResultArguments& a, const RunHooks& hooks)
      : job_(job),
        r_(r),
        a_(a),
        hooks_(hooks),
        verb_(r.names().verb),
        unit_(r.names().unit),
        grid_(r.grid()),
        layout_(grid_, r.columns(), a.shard),
        buffer_(layout_.columns(r.columns()), layout_.grid()) {}

  void write() {
    job_.set("/query/kind", std::string(r_.names().query));
    Parameters reported(job_);
    r_.visit(reported);
    plan_ = make_plan(job_, r_, buffer_);
    report_chunks();
    if (job_.common().dry_run) return report_plan();
    require_yes(job_, file_bytes(r_, layout_), a_.file());
    const auto begin = std::chrono::steady_clock::now();
    io::JobCounts counts;
    std::optional<RowSums> sums;
    if (Rows* const rows = rows_of(r_)) {
      sums.emplace(layout_.grid().rows);
      counts = job_.timed("count", [&] { return count_all(*rows, *sums); });
      rows->items = sums->elements();
    }
    io::ContainerWriter writer = open_output();
    // A further file, which is the same of all shards.
    if (hooks_.write_also && (!a_.shard || a_.shard->index == 0)) hooks_.write_also(job_);
    refuse_bad(done_before(writer).counts);
    job_.timed(verb_, [&] {
      if (sums) return find_items(*sums, writer);
      counts = answer_all(writer);
    });
    if (a_.shard) writer.write(shard_counts, 0, shard_counts_size, numbers_of(counts).data());
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
    // Drawn before the result takes its name, so that a failure leaves neither.
    if (!a_.picture.empty()) hooks_.draw(job_, writer, a_.picture);
    const WorkDone before = done_before(writer);
    report_run({counts, before.counts, layout_.cells() - std::min(before.cells, layout_.cells()),
                seconds.count()});
    commit(job_, writer);
  }

 private:
  void report_chunks() {
    if (a_.shard) {
      job_.set("/shard/index", a_.shard->index);
      job_.set("/shard/count", a_.shard->count);
      job_.set("/shard/cells", layout_.cells());
    }
    grid_.pairs ? job_.set("/chunk/tile_side", plan_.side)
                : job_.set("/chunk/" + unit_, std::min(plan_.cells, grid_.rows));
    if (plan_.items > 0) job_.set(fmt::format("/chunk/{}", r_.names().items), plan_.items);
  }
  void report_plan() {
    const std::uint64_t at_a_time = std::min(plan_.cells, layout_.cells());
    const std::uint64_t memory = r_.memory_bytes() + at_a_time * plan_.bytes_per_cell;
    const std::uint64_t bytes = file_bytes(r_, layout_);
    report_cells();
    job_.set("/bytes/result", bytes);
    job_.set("/bytes/memory", memory);
    job_.say("would answer {}, {} at a time", plural(layout_.cells(), unit_), grouped(at_a_time));
    job_.say("would write {}{}", format_bytes(bytes),
             plan_.items > 0 ? fmt::format(", and items, {} at a time", grouped(plan_.items)) : "");
    job_.say("would hold {} for scene, tree and buffers, and the inputs", format_bytes(memory));
  }
  void report_cells() { job_.set("/counts/" + std::string(r_.names().counts), grid_.cells()); }
  /// Says and reports what a finished run counted, and how fast it was.
  void report_run(const Done& done) {
    const Rate& rate = r_.rate;
    const std::string_view rate_unit = rate.unit.empty() ? r_.names().unit : rate.unit;
    const std::uint64_t now = rate.sum ? done.counts.sum[*rate.sum] - done.before.sum[*rate.sum]
                                       : done.cells * rate.per_cell;
    const double per_second = static_cast<double>(now) / std::max(done.seconds, 1e-9);
    report_cells();
    job_.set(fmt::format("/rates/{}_per_second", rate_unit), per_second);
    const std::string resumed =
        done.cells == grid_.cells() ? "" : fmt::format("{} of ", grouped(done.cells));
    const std::string cells = plural(grid_.cells(), unit_);
    const std::string line =
        done.cells == 0
            ? fmt::format("{:<7} {}, none left to answer", verb_, cells)
            : fmt::format("{:<7} {}{} in {:.2f} s ({} {}/s, files included)", verb_, resumed, cells,
                          done.seconds, short_number(per_second), rate_unit);
    // Percentages would be of the whole.
    job_.say(line + counted_in_words(job_, r_, done.counts, !a_.shard));
    r_.report(job_, done);
  }

  void refuse_bad(const io::JobCounts& counts) const {
    if (!hooks_.refuse_bad || counts.first_bad == io::JobCounts::no_bad) return;
    hooks_.refuse_bad(counts.first_bad);
  }

  io::ContainerWriter open_output() {
    io::ContainerWriter writer(a_.file(), layout_.tensors(r_), layout_.metadata(metadata_of(r_)),
                               {grid_.rows, grid_.columns, a_.resume, layout_.cells()});
    report_resumed(job_, writer);
    for (const Column& c : r_.columns()) {
      if (c.layout != Layout::whole) continue;
      writer.write(c.name, 0, *io::element_count(c.shape), c.content().data());
    }
    return writer;
  }

  io::JobCounts answer_all(io::ContainerWriter& writer) {
    // A device each has buffers of its own.
    const std::size_t devices = 1 + job_.common().more_devices.size();
    std::vector<ColumnBuffer> buffers(devices, buffer_), images(devices, buffer_);
    const auto work = [&](const io::GridPart& part, std::size_t device) {
      Result::use_device(device);
      ColumnBuffer &buffer = buffers[device], &mirrored = images[device];
      buffer.begin(*layout_.place(part));
      io::JobCounts counts = r_.answer(part, buffer);
      refuse_bad(counts);
      buffer.write(writer);
      r_.tally(buffer, counts);
      if (grid_.mirrored && part.row != part.column) {
        // It counts also where a shard leaves it to merge.
        const io::GridPart image = part.mirrored();
        const std::optional<io::GridPart> place = layout_.place(image);
        mirrored.begin(place.value_or(image));
        buffer.mirror(mirrored);
        if (place) mirrored.write(writer);
        r_.tally(mirrored, counts);
      }
      return counts;
    };
    return work_on_grid(job_, writer,
                        {verb_, unit_, layout_.units(), grid_.pairs,
                         grid_.pairs ? plan_.side : plan_.cells, grid_.mirrored, devices},
                        work);
  }

  /// Counts the items of rows [first, first + counts.size()) of the file.
  io::JobCounts count_rows(const Rows& rows, std::uint64_t first, std::span<std::uint32_t> counts) {
    io::JobCounts total;
    layout_.for_each_run(first, counts.size(), [&](const io::GridPart& part, std::uint64_t before) {
      total.add(rows.count_items(part.row, counts.subspan(before, part.rows), buffer_));
    });
    return total;
  }

  /// Counts the items of all rows of the file, and sums them up by where they will be cut.
  io::JobCounts count_all(const Rows& rows, RowSums& sums) {
    io::JobCounts total;
    std::vector<std::uint32_t> counts;
    Progress progress("count", unit_, sums.rows(), job_.common().quiet);
    for (std::uint64_t first = 0; first < sums.rows(); first += plan_.cells) {
      progress.update(first);
      counts.resize(std::min(plan_.cells, sums.rows() - first));
      const io::JobCounts counted = count_rows(rows, first, counts);
      refuse_bad(counted);
      total.add(counted);
      sums.add(first, counts, none);
    }
    return total;
  }

  /// Finds the items of rows that were counted, from the first that is not done.
  void find_items(const RowSums& sums, io::ContainerWriter& writer) {
    const Rows& of = *rows_of(r_);
    const std::string offsets = offsets_of(buffer_.columns())->name;
    const std::uint64_t rows = sums.rows(), done = rows_done(writer, layout_.units());
    std::uint64_t begin = 0;
    if (done > 0) writer.read(offsets, done, 1, &begin);
    if (done == 0) writer.write(offsets, 0, 1, &begin);
    Progress progress(verb_, unit_, rows, job_.common().quiet, done);
    std::vector<std::uint32_t> counts;
    const auto count = [&](std::uint64_t first, std::uint64_t n) -> std::span<const std::uint32_t> {
      counts.resize(n);
      count_rows(of, first, counts);
      return counts;
    };
    const auto find = [&](const io::GridPart& part, std::uint64_t first) {
      buffer_.begin({first, part.rows, 0, 1});
      r_.answer(part, buffer_);
      const std::span<std::uint64_t> ends = buffer_.of<std::uint64_t>(offsets);
      if (ends.back() > sums.elements() - begin) {
        throw Error(ErrorKind::internal, "there are more items than were counted");
      }
      buffer_.write_items(writer, begin);
      for (std::uint64_t& end : ends) end += begin;
      writer.write(offsets, first, ends.size(), ends.data());
      buffer_.write(writer);
      begin = ends.back();
      writer.mark_done({part, 0, part.rows, {}, 0});
      show_progress(progress, first + part.rows, writer);
    };
    const auto use = [&](std::uint64_t first, std::uint64_t n, std::uint64_t most) {
      layout_.for_each_run(first, n, [&](const io::GridPart& part, std::uint64_t before) {
        if (most > plan_.items) of.require_items(job_, part.row, most, plan_.items);
        find(part, first + before);
      });
    };
    for_each_cut(sums, {plan_.cells, plan_.items}, count, use, done);
  }

  Job& job_;
  Result& r_;
  const ResultArguments& a_;
  const RunHooks& hooks_;
  const std::string verb_, unit_;
  const Grid grid_;
  const ShardLayout layout_;
  ColumnBuffer buffer_;
  Plan plan_;
};

/// That share the work with the first.
void add_devices(Job& job, Result& r) {
  const std::vector<std::string>& more = job.common().more_devices;
  if (more.empty()) return;
  if (rows_of(r) != nullptr) {
    io::fail(ErrorKind::usage, "--device: {} in rows are found by one device", r.names().items);
  }
  if (job.common().max_memory != 0) {
    throw Error(ErrorKind::usage, "--max-memory is kept by one device, not by several");
  }
  for (const std::string& device : more) r.add_device(job, device);
  job.set("/device/count", std::uint64_t{1 + more.size()});
}

/// Shard by shard what other ranks have not taken; then rank 0 joins them.
void write_shards(Job& job, Result& r, const ResultArguments& a, const RunHooks& hooks,
                  Ranks& ranks) {
  std::string parameters = fmt::format("{}", a.mpi);
  for (const auto& [key, value] : metadata_of(r)) parameters += fmt::format("\n{} {}", key, value);
  ranks.require_same(parameters);
  std::vector<std::string> files;
  for (std::uint64_t i = 0; i < a.mpi; ++i) files.push_back(shard_file(a.output, {i, a.mpi}));
  if (job.common().dry_run) {
    if (ranks.rank() == 0) Run(job, r, a, hooks).write();
    return;
  }
  require_yes(job, file_bytes(r, ShardLayout(r.grid(), r.columns(), {})), a.output);
  while (const auto number = ranks.next()) {
    a.shard = Shard{*number, a.mpi};
    if (is_shard_of(a.file(), r, *a.shard)) continue;
    Run(job, r, a, hooks).write();
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
    job.set(c.place(), c.value);
    if (c.shown == Shown::in_reports) continue;
    words += fmt::format("{}{}", words.empty() ? ": " : ", ", plural(c.value, c.words));
    if (c.of > 0 && with_percent) words += fmt::format(" ({:.2f}%)", percent(c.value, c.of));
  }
  return words;
}

int run_result(Job& job, Result& r, const ResultArguments& a, const RunHooks& hooks) {
  std::optional<Ranks> ranks;
  if (a.mpi > 0) ranks.emplace(a.mpi);
  const bool first = !ranks || ranks->rank() == 0;
  if (!first) job.be_quiet();
  InputFiles inputs(job, a.inputs);
  if ((a.shard || ranks) && !a.picture.empty()) {
    throw Error(ErrorKind::usage, "--picture: a shard has none; draw what merge has joined");
  }
  // Of ranks one looks for all: each would find another at work on the output.
  if (first) {
    OutputFile output(a.file(), a.shard ? shard_kind : r.names().kind);
    output.can_restart = true;
    output.restart = a.resume.restart;
    check_files(job, inputs.names(), {{hooks.also, "points"}, a.picture, output});
  }
  io::refuse_other_ending(a.output);
  if (!a.picture.empty()) require_ending(a.picture, {".png"});
  r.load(inputs);
  add_devices(job, r);
  ranks ? write_shards(job, r, a, hooks, *ranks) : Run(job, r, a, hooks).write();
  return 0;
}

}  // namespace sightline::cli
