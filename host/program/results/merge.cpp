// merge: joins the shards of a job to its result.
#include "host/files/core/file_format.hpp"
#include "host/program/jobs/bakes.hpp"
#include "host/program/jobs/bytes.hpp"
#include "host/program/jobs/progress.hpp"
#include "host/program/results/run.hpp"
#include "host/program/results/shard_layout.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <filesystem>
#include <map>
#include <utility>

namespace sightline::cli {
namespace {

/// What is copied at a time, images of tiles beside.
constexpr std::uint64_t bytes_at_a_time = 8 << 20;

[[noreturn]] void refuse(const std::string& file, const std::string& reason) {
  throw Error(ErrorKind::bad_input, file + ": " + reason);
}

/// The shard's file, opened to be read; its sizes and parameters fit each other.
class ShardFile : public ResultFile {
 public:
  explicit ShardFile(const std::string& name)
      : ResultFile(name, metadata_of_result),
        shard_(*shard_of(reader_.metadata())),
        layout_(checked_layout()),
        columns_(layout_.columns(result_->columns())),
        items_(ColumnBuffer(columns_, layout_.grid()).items()) {
    expect_tensors(reader_, layout_.tensors(*result_));
  }

  const Shard& shard() const { return shard_; }
  const ShardLayout& layout() const { return layout_; }
  const std::vector<Column>& columns() const { return columns_; }

  /// Of the whole result, where it has so many items.
  io::Metadata whole_metadata(std::uint64_t items) const {
    if (Rows* const rows = rows_of(*result_)) rows->items = items;
    return metadata_of(*result_, answers());
  }
  io::JobCounts counts() const {
    std::array<std::uint64_t, shard_counts_size> numbers{};
    std::ranges::copy(read<std::uint64_t>(shard_counts, 0, numbers.size()), numbers.begin());
    return counts_from(numbers);
  }
  /// Where the items of the rows [first, first + n) of the file begin. Throws Error{bad_input}
  /// where they do not ascend within the items.
  std::vector<std::uint64_t> offsets(std::uint64_t first, std::uint64_t n) const {
    std::vector<std::uint64_t> offsets = read<std::uint64_t>(offsets_of(columns_)->name, first, n);
    if (std::ranges::is_sorted(offsets) && offsets.back() <= items_) return offsets;
    refuse(name(), fmt::format("its offsets of rows {} to {} are bad", first, first + n - 1));
  }

 private:
  static io::Metadata metadata_of_result(const io::ContainerReader& reader) {
    reader.expect_kind(shard_kind, true);
    io::Metadata metadata = reader.metadata();
    if (!shard_of(metadata)) {
      refuse(reader.name(), "bad metadata: it does not say which shard it is");
    }
    if (const std::string cut = reader.metadata(shard_cut_key); cut != shard_cut) {
      refuse(reader.name(),
             fmt::format("is cut in way {}, this program knows way {}: merge it by its own program",
                         io::in_quotes(cut), shard_cut));
    }
    metadata[io::kind_key] = metadata[shard_of_key];
    return metadata;
  }
  ShardLayout checked_layout() const {
    // A file may claim any number of cells; those of a shard take a bit each at least.
    const Grid grid = result_->grid();
    const double cells = static_cast<double>(grid.rows) * static_cast<double>(grid.columns);
    const auto bytes = static_cast<double>(reader_.file_bytes());
    if (cells / static_cast<double>(shard_.count) > 64 * (bytes + (1 << 20))) {
      refuse(name(), fmt::format("{} bytes are too few for a shard of {} x {} cells",
                                 reader_.file_bytes(), grid.rows, grid.columns));
    }
    return {grid, result_->columns(), shard_};
  }

  Shard shard_;
  ShardLayout layout_;
  std::vector<Column> columns_;  ///< of the file
  std::uint64_t items_;
};

/// The shards of one job, each once. Their files are opened one at a time: there may be thousands.
class Shards {
 public:
  /// Throws Error{bad_input} where they are of different jobs, or one is missing or unfinished.
  Shards(Job& job, const std::string& output, const std::vector<std::string>& files)
      : output_(output) {
    if (files.empty()) {
      refuse(output, fmt::format("there are no shards beside it, such as {}: name their files",
                                 shard_file(output, {0, 2})));
    }
    for (const std::string& file : files) add(job, file);
    for (std::uint64_t i = 0; i < size(); ++i) {
      if (files_[i].empty()) refuse_missing(i);
    }
    if (cells_ != all_cells_) {
      throw Error(ErrorKind::internal, output + ": its shards do not cover the grid");
    }
    place_items();
  }

  std::uint64_t size() const { return files_.size(); }
  ShardFile open(std::uint64_t index) const { return ShardFile(files_[index]); }
  std::uint64_t cells() const { return cells_; }
  const io::JobCounts& counts() const { return counts_; }
  /// Of all rows.
  std::uint64_t items() const { return items_; }
  /// Of the rows before a unit that begins with this one.
  std::uint64_t items_before(std::uint64_t row) const { return items_before_.at(row); }

 private:
  void add(Job& job, const std::string& name) {
    if (!io::exists(name) && io::exists(io::partial_name(name))) refuse_unfinished(name);
    const ShardFile file(name);
    // Each has a number of items of its own.
    io::Metadata parameters = file.whole_metadata(0);
    parameters[shard_count_key] = std::to_string(file.shard().count);
    if (files_.empty()) {
      files_.resize(file.shard().count);
      first_ = name;
      parameters_ = parameters;
      all_cells_ = file.layout().whole().cells();
    }
    const auto difference = io::first_difference(parameters, parameters_, "that of " + first_);
    if (!difference.empty()) refuse(name, "is a shard of another job: " + difference);
    std::string& place = files_[file.shard().index];
    if (!place.empty()) return job.say("{} is left out: so is {}", name, place);
    place = name;
    cells_ += file.layout().cells();
    counts_.add(file.counts());
  }

  [[noreturn]] static void refuse_unfinished(const std::string& name) {
    const auto journal = io::read_journal(name);
    const std::uint64_t all = journal ? io::cells_in(name, journal->header) : 0;
    refuse(name, fmt::format("is not finished ({:.2f}% is done): run its command again",
                             percent(journal ? io::cells_of(*journal) : 0, all)));
  }
  [[noreturn]] void refuse_missing(std::uint64_t index) const {
    const std::string beside = shard_file(output_, {index, size()});
    if (io::exists(io::partial_name(beside))) refuse_unfinished(beside);
    const auto missing = std::ranges::count(files_, std::string());
    refuse(output_, fmt::format("{} of {} shards {} missing, the first is {}/{}", missing, size(),
                                missing == 1 ? "is" : "are", index, size()));
  }

  /// Counts the items of each unit, where rows are of different length.
  void place_items() {
    std::map<std::uint64_t, std::uint64_t> numbers;
    for (std::uint64_t i = 0; i < size(); ++i) {
      const ShardFile file = open(i);
      if (offsets_of(file.columns()) == nullptr) return;
      std::uint64_t begin = 0;
      for (const io::GridPart& unit : file.layout().units()) {
        const std::uint64_t end = file.offsets(file.layout().place(unit)->row + unit.rows, 1)[0];
        if (end < begin) refuse(file.name(), "its offsets do not ascend");
        numbers[unit.row] = end - std::exchange(begin, end);
      }
    }
    for (const auto& [row, items] : numbers) {
      items_before_[row] = items_;
      items_ += items;
    }
  }

  std::string output_, first_;
  std::vector<std::string> files_;  ///< by index
  io::Metadata parameters_;         ///< of the first
  io::JobCounts counts_;
  std::uint64_t cells_ = 0, all_cells_ = 0, items_ = 0;
  std::map<std::uint64_t, std::uint64_t> items_before_;  ///< by the unit's row
};

/// Copies the parts of a shard to where they belong.
class Copy {
 public:
  Copy(const Shards& shards, const ShardFile& file, io::ContainerWriter& to)
      : shards_(shards),
        file_(file),
        to_(to),
        from_(file.columns(), file.layout().grid(), &file.container()),
        whole_(file.result().columns(), file.layout().whole()),
        image_(file.result().columns(), file.layout().whole()) {}

  /// Calls use(cells) after each part.
  template <class Use>
  void unit(const io::GridPart& unit, const Use& use) {
    const bool pairs = whole_.grid().pairs;
    const std::uint64_t most = cells_at_a_time();
    const auto side = static_cast<std::uint64_t>(std::sqrt(static_cast<double>(most)));
    const std::uint64_t rows = pairs ? std::bit_floor(side) : most, columns = pairs ? rows : 1;
    const bool mirrored = whole_.grid().mirrored && unit.row != unit.column;
    for (std::uint64_t i = 0; i < unit.rows; i += rows) {
      for (std::uint64_t j = 0; j < unit.columns; j += columns) {
        const io::GridPart part = {unit.row + i, std::min(rows, unit.rows - i), unit.column + j,
                                   std::min(columns, unit.columns - j)};
        copy(part, unit.row, mirrored);
        use(part.rows * part.columns * (mirrored ? 2 : 1));
      }
    }
  }

 private:
  /// At least 64, where there are bits a multiple of it.
  std::uint64_t cells_at_a_time() const {
    std::uint64_t bits = 1;
    bool by_words = false;
    for (const Column& c : whole_.columns()) {
      if (c.layout == Layout::cells) bits += 8 * whole_.width(c) * io::dtype_bytes(c.dtype);
      if (c.layout == Layout::offsets) bits += 8 * sizeof(std::uint64_t);
      if (c.layout == Layout::bits) by_words = true;
    }
    const std::uint64_t cells = 8 * bytes_at_a_time / bits;
    const std::uint64_t least = whole_.grid().pairs ? 64 * 64 : by_words ? 64 : 1;
    return std::max(cells / least, std::uint64_t{1}) * least;
  }

  void copy(const io::GridPart& part, std::uint64_t unit_row, bool mirrored) {
    const io::GridPart place = *file_.layout().place(part);
    from_.begin(place);
    whole_.begin(part);
    whole_.take(from_);
    whole_.write(to_);
    if (mirrored) {
      image_.begin(part.mirrored());
      whole_.mirror(image_);
      image_.write(to_);
    }
    copy_items(part, place.row, unit_row);
  }

  void copy_items(const io::GridPart& part, std::uint64_t row, std::uint64_t unit_row) {
    const Column* const column = offsets_of(whole_.columns());
    if (column == nullptr) return;
    const std::uint64_t unit_begin = file_.offsets(row - (part.row - unit_row), 1)[0];
    std::vector<std::uint64_t> offsets = file_.offsets(row, part.rows + 1);
    const std::uint64_t first = offsets.front(), end = offsets.back();
    const std::uint64_t moved = shards_.items_before(unit_row) - unit_begin;
    for (const Column& c : whole_.columns()) {
      if (c.layout == Layout::items) copy_items_of(c, first, end, moved);
    }
    for (std::uint64_t& offset : offsets) offset += moved;
    to_.write(column->name, part.row, offsets.size(), offsets.data());
  }
  void copy_items_of(const Column& c, std::uint64_t first, std::uint64_t end, std::uint64_t moved) {
    const std::uint64_t size = io::dtype_bytes(c.dtype);
    const io::TensorInfo& tensor = *file_.container().find(c.name);
    for (std::uint64_t n = 0; first < end; first += n) {
      n = std::min(end - first, bytes_at_a_time / size);
      items_.resize(n * size);
      file_.container().read(tensor, first, n, items_.data());
      to_.write(c.name, first + moved, n, items_.data());
    }
  }

  const Shards& shards_;
  const ShardFile& file_;
  io::ContainerWriter& to_;
  ColumnBuffer from_, whole_, image_;
  std::vector<std::byte> items_;
};

void copy_all(const Job& job, const Shards& shards, io::ContainerWriter& to) {
  Progress progress("merge", "cells", shards.cells(), job.common().quiet);
  std::uint64_t done = 0;
  for (std::uint64_t i = 0; i < shards.size(); ++i) {
    const ShardFile file = shards.open(i);
    for (const Column& c : file.columns()) {
      if (i > 0) break;
      if (c.layout == Layout::offsets) to.write(c.name, 0, 1, &done);
      if (c.layout != Layout::whole) continue;
      const io::TensorInfo& tensor = *file.container().find(c.name);
      to.write(c.name, 0, tensor.elements(), file.container().column<std::byte>(&tensor).data());
    }
    Copy copy(shards, file, to);
    for (const io::GridPart& unit : file.layout().units()) {
      copy.unit(unit, [&](std::uint64_t cells) { progress.update(done += cells); });
    }
  }
}

std::vector<std::string> files_beside(const std::string& output) {
  std::vector<std::string> files;
  std::uint64_t count = 0;
  for (const FoundShard& one : find_shards(output)) {
    if (count != 0 && one.shard.count != count) {
      refuse(output, fmt::format("shards of {} and of {} lie beside it: name the files to join",
                                 count, one.shard.count));
    }
    count = one.shard.count;
    if (one.finished) files.push_back(one.file);
  }
  return files;
}

struct MergeArguments {
  std::vector<NamedFile> files;
  std::string output;
};

int run_merge(Job& job, const MergeArguments& a) {
  io::refuse_other_ending(a.output);
  std::vector<std::string> files;
  for (const NamedFile& one : a.files) files.push_back(one.file);
  if (files.empty()) files = files_beside(a.output);
  OutputFile output(a.output);
  output.restart = true;  // the shards say which kind it will be
  check_files(job, files, {output});
  merge_shards(job, a.output, files, false);
  return 0;
}

}  // namespace

void add_merge(Verb& v) {
  auto& a = v.runs<MergeArguments>(
      run_merge,
      "sightline merge -o seen.st\n"
      "sightline merge -o seen.st node1/seen.st.shard-0-of-2 node2/seen.st.shard-1-of-2");
  v.positionals("SHARDS", a.files, "files of all shards, in any order; default: those beside -o");
  v.output(a.output, "OUT", "result to write: the bytes of a run without shards");
  v.report();
}

void merge_shards(Job& job, const std::string& output, const std::vector<std::string>& files,
                  bool remove) {
  const Shards shards(job, output, files);
  const ShardFile first = shards.open(0);
  Result& r = first.result();
  const io::Metadata metadata = first.whole_metadata(shards.items());
  if (!remove) refuse_other_kind({output, r.names().kind});
  job.set("/shards", shards.size());
  job.set("/query/kind", std::string(r.names().query));
  job.set("/counts/" + std::string(r.names().counts), r.grid().cells());
  job.say("merge   {}, {}{}", plural(shards.size(), "shards"),
          plural(r.grid().cells(), r.names().unit),
          counted_in_words(job, r, shards.counts(), true));
  io::ContainerWriter writer(output, tensors_of(r.columns()), metadata);
  job.timed("merge", [&] { copy_all(job, shards, writer); });
  commit(job, writer);
  for (std::size_t i = 0; remove && i < files.size(); ++i) std::filesystem::remove(files[i]);
}

bool is_shard_of(const std::string& file, Result& result, const Shard& shard) {
  if (!io::exists(file)) return false;
  try {
    const ShardFile found(file);
    if (Rows* const rows = rows_of(result)) rows->items = 0;
    return found.shard() == shard && found.whole_metadata(0) == metadata_of(result);
  } catch (const Error& error) {
    if (error.kind() == ErrorKind::bad_input) return false;
    throw;
  }
}

}  // namespace sightline::cli
