#include "host/files/formats/results_file.hpp"

#include <sightline/error.hpp>

#include <fmt/format.h>

namespace sightline::io {
namespace {

std::vector<TensorSpec> row_tensors(const ResultParameters& p) {
  std::vector<TensorSpec> specs = {{"offsets", Dtype::u64, {p.rays + 1}},
                                   {"count", Dtype::u32, {p.rays}},
                                   {"flags", Dtype::u8, {p.rays}},
                                   {"id", Dtype::u32, {p.kept}},
                                   {"t", Dtype::f32, {p.kept}}};
  if (p.t_out) specs.push_back({"t_out", Dtype::f32, {p.kept}});
  return specs;
}

std::vector<TensorSpec> tensors_of(const ResultParameters& p) {
  switch (p.kind) {
    case ResultKind::blocked:
      return {{"blocked", Dtype::u64, {p.row_words()}}};
    case ResultKind::visibility:
      return {{"bits", Dtype::u64, {p.viewpoints, p.row_words()}}};
    case ResultKind::overlap_any:
      return {{"bits", Dtype::u64, {p.row_words()}}};
    case ResultKind::overlap_count:
      return {{"count", Dtype::u32, {p.asking}}};
    case ResultKind::overlap_all:
      return {{"offsets", Dtype::u64, {p.asking + 1}}, {"id", Dtype::u32, {p.pairs}}};
    case ResultKind::distance:
      return {{"distance", Dtype::f32, {p.points, p.k}},
              {"id", Dtype::u32, {p.points, p.k}},
              {"point", Dtype::f32, {p.points, p.k, 3}},
              {"direction", Dtype::f32, {p.points, p.k, 3}}};
    case ResultKind::clearance:
      return {{"distance", Dtype::f32, {p.points, p.k}},
              {"id", Dtype::u32, {p.points, p.k}},
              {"t", Dtype::f32, {p.points, p.k}},
              {"on_shape", Dtype::f32, {p.points, p.k, 3}}};
    case ResultKind::hit_counts:
      return {{"count", Dtype::u32, {p.rays}}};
    case ResultKind::all_hits:
      return row_tensors(p);
    case ResultKind::hits:
    case ResultKind::sweep:
      break;
  }
  const std::uint64_t n = p.hits();
  std::vector<TensorSpec> specs = {
      {"t", Dtype::f32, {n}}, {"id", Dtype::u32, {n}}, {"flags", Dtype::u8, {n}}};
  if (p.normals) specs.push_back({"normal", Dtype::f32, {n, 3}});
  return specs;
}

void check_kind(const std::string& file, const ResultParameters& parameters, ResultKind kind) {
  if (parameters.kind != kind) {
    throw Error(ErrorKind::bad_input,
                fmt::format("{}: holds {}, not {}", file, result_kind_name(parameters.kind),
                            result_kind_name(kind)));
  }
}

void check_kind(const std::string& file, const ResultParameters& parameters,
                std::initializer_list<ResultKind> kinds) {
  for (const ResultKind kind : kinds) {
    if (parameters.kind == kind) return;
  }
  check_kind(file, parameters, *kinds.begin());
}
constexpr std::initializer_list<ResultKind> with_counts = {
    ResultKind::overlap_count, ResultKind::hit_counts, ResultKind::all_hits};
constexpr std::initializer_list<ResultKind> with_rows = {ResultKind::overlap_all,
                                                         ResultKind::all_hits};

/// Calls move(tensor, numbers an element, column) for each column of rows of the nearest shapes.
template <class Rows, class Move>
void for_each_near_column(ResultKind kind, Rows& rows, const Move& move) {
  move("distance", 1u, rows.distance.data());
  move("id", 1u, rows.id.data());
  if (kind == ResultKind::distance) {
    move("point", 3u, rows.point.data());
    move("direction", 3u, rows.direction.data());
  } else {
    move("t", 1u, rows.t.data());
    move("on_shape", 3u, rows.point.data());
  }
}
void check_near(const std::string& file, const ResultParameters& parameters) {
  if (!is_near(parameters.kind)) check_kind(file, parameters, ResultKind::distance);
}

/// Calls move(first element, words, offset in memory) for each run of a tile that is whole in both
/// file and memory.
template <class Move>
void for_each_run(const std::string& file, const ResultParameters& parameters, std::uint64_t row,
                  std::uint64_t rows, std::uint64_t first_word, std::uint64_t words,
                  std::uint64_t stride, Move move) {
  const std::uint64_t row_words = parameters.row_words();
  if (first_word > row_words || words > row_words - first_word || row > parameters.viewpoints ||
      rows > parameters.viewpoints - row || stride < words) {
    throw Error(ErrorKind::internal,
                fmt::format("{}: a tile of rows {} + {}, words {} + {} in bits [{}, {}]", file, row,
                            rows, first_word, words, parameters.viewpoints, row_words));
  }
  if (words == row_words && stride == words) {
    move(row * row_words, rows * words, 0);
    return;
  }
  for (std::uint64_t i = 0; i < rows; ++i) {
    move((row + i) * row_words + first_word, words, i * stride);
  }
}

}  // namespace

void HitsBuffer::resize(std::uint64_t n, bool normals) {
  t.resize(n);
  id.resize(n);
  flags.resize(n);
  normal.resize(normals ? n : 0);
}

HitsView HitsBuffer::view() {
  return {t.data(), id.data(), flags.data(), normal.empty() ? nullptr : normal.data()};
}

void NearBuffer::resize(const ResultParameters& parameters, std::uint64_t n) {
  const bool of_points = parameters.kind == ResultKind::distance;
  distance.resize(n * parameters.k);
  id.resize(n * parameters.k);
  point.resize(n * parameters.k);
  direction.resize(of_points ? n * parameters.k : 0);
  t.resize(of_points ? 0 : n * parameters.k);
}
NearestView NearBuffer::nearest() {
  return {distance.data(), id.data(), point.data(), direction.data()};
}
ClearanceView NearBuffer::clearance() {
  return {distance.data(), id.data(), t.data(), nullptr, point.data()};
}

ResultWriter::ResultWriter(const std::string& name, const ResultParameters& parameters)
    : parameters_(parameters), writer_(name, tensors_of(parameters), to_metadata(parameters)) {}

ResultWriter::ResultWriter(const std::string& name, const ResultParameters& parameters,
                           const Keeping& keeping)
    : parameters_(parameters),
      writer_(name, tensors_of(parameters), to_metadata(parameters),
              {parameters.grid_rows(), parameters.grid_columns(), keeping}) {}

void ResultWriter::write_hits(std::uint64_t first, std::uint64_t n, const HitsView& hits) {
  if (!holds_hits(parameters_.kind)) check_kind(writer_.name(), parameters_, ResultKind::hits);
  writer_.write("t", first, n, hits.t);
  writer_.write("id", first, n, hits.id);
  writer_.write("flags", first, n, hits.flags);
  if (parameters_.normals) writer_.write("normal", 3 * first, 3 * n, hits.normal);
}

void ResultWriter::write_blocked(std::uint64_t first_word, std::span<const std::uint64_t> words) {
  check_kind(writer_.name(), parameters_, ResultKind::blocked);
  writer_.write("blocked", first_word, words.size(), words.data());
}

void ResultWriter::write_bits(std::uint64_t row, std::uint64_t rows, std::uint64_t first_word,
                              std::uint64_t words, const std::uint64_t* from,
                              std::uint64_t stride) {
  check_kind(writer_.name(), parameters_, ResultKind::visibility);
  for_each_run(writer_.name(), parameters_, row, rows, first_word, words, stride,
               [&](std::uint64_t first, std::uint64_t count, std::uint64_t offset) {
                 writer_.write("bits", first, count, from + offset);
               });
}

void ResultWriter::read_bits(std::uint64_t row, std::uint64_t rows, std::uint64_t first_word,
                             std::uint64_t words, std::uint64_t* to, std::uint64_t stride) const {
  check_kind(writer_.name(), parameters_, ResultKind::visibility);
  for_each_run(writer_.name(), parameters_, row, rows, first_word, words, stride,
               [&](std::uint64_t first, std::uint64_t count, std::uint64_t offset) {
                 writer_.read("bits", first, count, to + offset);
               });
}

std::uint64_t ResultWriter::read_offset(std::uint64_t i) const {
  check_kind(writer_.name(), parameters_, with_rows);
  std::uint64_t offset = 0;
  writer_.read("offsets", i, 1, &offset);
  return offset;
}

void ResultWriter::write_overlap_bits(std::uint64_t first_word,
                                      std::span<const std::uint64_t> words) {
  check_kind(writer_.name(), parameters_, ResultKind::overlap_any);
  writer_.write("bits", first_word, words.size(), words.data());
}
void ResultWriter::write_counts(std::uint64_t first, std::span<const std::uint32_t> counts) {
  check_kind(writer_.name(), parameters_, with_counts);
  writer_.write("count", first, counts.size(), counts.data());
}
void ResultWriter::write_offsets(std::uint64_t first, std::span<const std::uint64_t> offsets) {
  check_kind(writer_.name(), parameters_, with_rows);
  writer_.write("offsets", first, offsets.size(), offsets.data());
}
void ResultWriter::write_ids(std::uint64_t first, std::span<const std::uint32_t> ids) {
  check_kind(writer_.name(), parameters_, with_rows);
  writer_.write("id", first, ids.size(), ids.data());
}
void ResultWriter::write_near(std::uint64_t first, std::uint64_t n, const NearBuffer& rows) {
  check_near(writer_.name(), parameters_);
  for_each_near_column(parameters_.kind, rows,
                       [&](const char* name, unsigned numbers, const auto* from) {
                         const std::uint64_t row = std::uint64_t{parameters_.k} * numbers;
                         writer_.write(name, first * row, n * row, from);
                       });
}
void ResultWriter::write_row_flags(std::uint64_t first, std::span<const std::uint8_t> flags) {
  check_kind(writer_.name(), parameters_, ResultKind::all_hits);
  writer_.write("flags", first, flags.size(), flags.data());
}
void ResultWriter::write_row_hits(std::uint64_t first, const HitRows& rows) {
  check_kind(writer_.name(), parameters_, ResultKind::all_hits);
  writer_.write("id", first, rows.id.size(), rows.id.data());
  writer_.write("t", first, rows.t.size(), rows.t.data());
  if (parameters_.t_out) writer_.write("t_out", first, rows.t_out.size(), rows.t_out.data());
}

ResultReader::ResultReader(const std::string& name)
    : reader_(name), parameters_(parse_parameters(name, reader_.metadata())) {
  std::vector<std::string_view> known;
  const std::vector<TensorSpec> tensors = tensors_of(parameters_);
  for (const TensorSpec& tensor : tensors) {
    const TensorInfo& found = reader_.expect(tensor.name, tensor.dtype, tensor.shape);
    // A claimed size may be the very number that stands for any size.
    if (found.shape != tensor.shape) {
      throw Error(ErrorKind::bad_input,
                  fmt::format("{}: tensor {} is {}, not of 2^64 - 1 elements", name,
                              quote_name(tensor.name), to_string(found.shape)));
    }
    known.push_back(tensor.name);
  }
  reader_.refuse_unknown(known);
}

void ResultReader::read_hits(std::uint64_t first, std::uint64_t n, HitsBuffer& buffer) const {
  if (!holds_hits(parameters_.kind)) check_kind(name(), parameters_, ResultKind::hits);
  buffer.resize(n, parameters_.normals);
  reader_.read(*reader_.find("t"), first, n, buffer.t.data());
  reader_.read(*reader_.find("id"), first, n, buffer.id.data());
  reader_.read(*reader_.find("flags"), first, n, buffer.flags.data());
  if (parameters_.normals) {
    reader_.read(*reader_.find("normal"), 3 * first, 3 * n, buffer.normal.data());
  }
}

void ResultReader::read_blocked(std::uint64_t first_word, std::span<std::uint64_t> words) const {
  check_kind(name(), parameters_, ResultKind::blocked);
  reader_.read(*reader_.find("blocked"), first_word, words.size(), words.data());
}

void ResultReader::read_bits(std::uint64_t row, std::uint64_t rows, std::uint64_t first_word,
                             std::uint64_t words, std::uint64_t* to, std::uint64_t stride) const {
  check_kind(name(), parameters_, ResultKind::visibility);
  for_each_run(name(), parameters_, row, rows, first_word, words, stride,
               [&](std::uint64_t first, std::uint64_t count, std::uint64_t offset) {
                 reader_.read(*reader_.find("bits"), first, count, to + offset);
               });
}

void ResultReader::read_overlap_bits(std::uint64_t first_word,
                                     std::span<std::uint64_t> words) const {
  check_kind(name(), parameters_, ResultKind::overlap_any);
  reader_.read(*reader_.find("bits"), first_word, words.size(), words.data());
}
void ResultReader::read_counts(std::uint64_t first, std::span<std::uint32_t> counts) const {
  check_kind(name(), parameters_, with_counts);
  reader_.read(*reader_.find("count"), first, counts.size(), counts.data());
}
void ResultReader::read_offsets(std::uint64_t first, std::span<std::uint64_t> offsets) const {
  check_kind(name(), parameters_, with_rows);
  reader_.read(*reader_.find("offsets"), first, offsets.size(), offsets.data());
}
void ResultReader::read_ids(std::uint64_t first, std::span<std::uint32_t> ids) const {
  check_kind(name(), parameters_, with_rows);
  reader_.read(*reader_.find("id"), first, ids.size(), ids.data());
}
void ResultReader::read_row_flags(std::uint64_t first, std::span<std::uint8_t> flags) const {
  check_kind(name(), parameters_, ResultKind::all_hits);
  reader_.read(*reader_.find("flags"), first, flags.size(), flags.data());
}
void ResultReader::read_row_hits(std::uint64_t first, std::uint64_t n, HitRows& rows) const {
  check_kind(name(), parameters_, ResultKind::all_hits);
  rows.id.resize(n);
  rows.t.resize(n);
  rows.t_out.resize(parameters_.t_out ? n : 0);
  reader_.read(*reader_.find("id"), first, n, rows.id.data());
  reader_.read(*reader_.find("t"), first, n, rows.t.data());
  if (parameters_.t_out) reader_.read(*reader_.find("t_out"), first, n, rows.t_out.data());
}

void ResultReader::read_near(std::uint64_t first, std::uint64_t n, NearBuffer& rows) const {
  check_near(name(), parameters_);
  rows.resize(parameters_, n);
  for_each_near_column(parameters_.kind, rows, [&](const char* name, unsigned numbers, auto* to) {
    const std::uint64_t row = std::uint64_t{parameters_.k} * numbers;
    reader_.read(*reader_.find(name), first * row, n * row, to);
  });
}

}  // namespace sightline::io
