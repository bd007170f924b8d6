#include "host/program/results/result.hpp"

#include "host/files/core/text_file.hpp"
#include "host/program/jobs/interrupt.hpp"
#include "host/program/jobs/shards.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace sightline::cli {

thread_local std::size_t Result::device_ = 0;

void Result::add_device(Job& job, const std::string& device) {
  if (!caster_) throw Error(ErrorKind::usage, "--device: sets of 2D shapes take one device");
  more_casters_.push_back(build_caster(job, Scene(caster_->scene()), device));
}

std::string Result::element(std::uint64_t index) const {
  const Grid all = grid();
  return all.pairs ? fmt::format(fmt::runtime(names_.one), index / all.columns, index % all.columns)
                   : fmt::format("{} {}", names_.one, index);
}

std::unique_ptr<Result> new_result(const std::string& file, const io::Metadata& metadata) {
  const auto named = metadata.find(io::kind_key);
  bool is_known = named == metadata.end();
  for (const MakeResult make : all_kinds()) {
    std::unique_ptr<Result> result = make();
    if (named == metadata.end() || named->second != result->names().kind) continue;
    if (result->names().flat == metadata.contains("query.dimensions")) return result;
    is_known = true;
  }
  if (!is_known) {
    io::fail(ErrorKind::bad_input, "{}: is of kind {}, not a result{}", file,
             io::in_quotes(named->second),
             named->second == shard_kind ? "; merge makes one of all shards" : "");
  }
  Parameters(file, metadata).fail(named == metadata.end() ? io::kind_key : "query.dimensions");
}

void visit_all(Result& result, std::uint32_t& answers, Parameters& p) {
  p.fixed(io::kind_key, result.names().kind);
  p.fixed(io::format_key, io::format_version);
  p.number("sightline.answers", answers);
  p.hash("scene.hash", result.scene_hash);
  result.visit(p);
}

io::Metadata metadata_of(Result& result, std::uint32_t answers) {
  io::Metadata metadata;
  Parameters p(metadata);
  visit_all(result, answers, p);
  return metadata;
}

std::vector<io::TensorSpec> tensors_of(const std::vector<Column>& columns) {
  std::vector<io::TensorSpec> tensors;
  for (const Column& c : columns) tensors.push_back({c.name, c.dtype, c.shape});
  return tensors;
}

void expect_tensors(const io::ContainerReader& file, const std::vector<io::TensorSpec>& tensors) {
  std::vector<std::string_view> known;
  for (const io::TensorSpec& tensor : tensors) {
    const io::TensorInfo& found = file.expect(tensor.name, tensor.dtype, tensor.shape);
    // A claimed size may be the very number that stands for any size.
    if (found.shape != tensor.shape) {
      io::fail(ErrorKind::bad_input, "{}: tensor {} is {}, not of 2^64 - 1 elements", file.name(),
               io::in_quotes(tensor.name), io::to_string(found.shape));
    }
    known.push_back(tensor.name);
  }
  file.refuse_unknown(known);
}

const Column* offsets_of(const std::vector<Column>& columns) {
  const auto at = std::find_if(columns.begin(), columns.end(),
                               [](const Column& c) { return c.layout == Layout::offsets; });
  return at == columns.end() ? nullptr : &*at;
}

ResultFile::ResultFile(const std::string& name)
    : ResultFile(name, [](const io::ContainerReader& reader) { return reader.metadata(); }) {
  expect_tensors(reader_, tensors_of(result_->columns()));
}
ResultFile::ResultFile(const std::string& name,
                       io::Metadata (*of_result)(const io::ContainerReader&))
    : reader_(name) {
  const io::Metadata metadata = of_result(reader_);
  result_ = new_result(name, metadata);
  Parameters p(name, metadata);
  visit_all(*result_, answers_, p);
}

Input ResultFile::points(const char* option, const std::string& key, const char* report,
                         const char* unit) const {
  Input input = {option, report, "points", unit, text(key + ".hash")};
  if (input.hash.empty()) return input;
  input.count = number(key + ".count");
  Parameters(name(), container().metadata()).eyes(key, input);
  return input;
}

std::uint64_t ResultFile::number(const std::string& key) const {
  return io::number_from<std::uint64_t>(reader_.metadata(key)).value();
}
float ResultFile::real(const std::string& key) const {
  return io::number_from<float>(reader_.metadata(key)).value();
}

void ResultFile::for_each_buffer(const std::function<void(ColumnBuffer&)>& use) const {
  constexpr std::uint64_t elements = 1 << 20;
  const Grid grid = result_->grid();
  ColumnBuffer buffer(result_->columns(), grid, &reader_);
  const std::uint64_t widest = buffer.widest();
  const std::uint64_t columns = std::min(grid.columns, elements / widest / 64 * 64 + 64);
  // Rows of nothing take no bytes: a file may claim any number of them.
  if (grid.columns == 0) return;
  const std::uint64_t rows =
      grid.pairs ? 1 : std::max<std::uint64_t>(64, elements / widest / 64 * 64);
  for (std::uint64_t row = 0; row < grid.rows; row += rows) {
    for (std::uint64_t column = 0; column < grid.columns; column += columns) {
      poll_interrupt();
      buffer.begin(
          {row, std::min(rows, grid.rows - row), column, std::min(columns, grid.columns - column)});
      use(buffer);
    }
  }
}

}  // namespace sightline::cli
