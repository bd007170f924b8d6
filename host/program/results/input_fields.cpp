// Fields of view as the command line has them.
#include "host/files/core/file.hpp"
#include "host/files/core/npy.hpp"
#include "host/files/core/text_file.hpp"
#include "host/program/jobs/memory.hpp"
#include "host/program/results/input_files.hpp"

#include <fmt/format.h>

namespace sightline::cli {
namespace {

[[noreturn]] void fail(const std::string& words) { throw Error(ErrorKind::usage, words); }

/// Rows of an .npy, floats or structs of them, n of them or one for all.
template <class T>
std::vector<T> rows_in(Job& job, const std::string& file, std::uint64_t n) {
  constexpr std::uint64_t width = sizeof(T) / sizeof(float);
  const io::NpyReader array(file);
  const bool is_one = !array.shape().empty() && array.shape()[0] == 1;
  std::vector<T> values(is_one ? 1 : n);
  array.expect(io::Dtype::f32, io::rows_of(values.size(), width));
  array.read(0, values.size() * width, values.data());
  if (const std::string note = array.note_on_integers(); !note.empty()) job.warn(note);
  return is_one ? std::vector<T>(n, values[0]) : values;
}

/// A number for all, or a file of one for each.
std::vector<float> numbers_of(Job& job, const std::string& text, std::uint64_t n) {
  if (const auto number = io::number_from<float>(text)) return std::vector<float>(n, *number);
  if (!io::exists(text)) throw Error(ErrorKind::io, text + ": is neither a number nor a file");
  return rows_in<float>(job, text, n);
}

/// Values of the options: names of .npy, or numbers.
io::Fields named_fields(Job& job, const std::string& directions, const std::string& half_angle,
                        const std::string& range, std::uint64_t n) {
  io::Fields fields;
  const auto refuse = [](const std::string& value, const std::string& words) {
    throw Error(io::number_from<float>(value) ? ErrorKind::usage : ErrorKind::bad_input, words);
  };
  if (directions.empty() != half_angle.empty()) {
    fail("--view-directions and --half-angle of fields of view need each other");
  }
  if (!directions.empty()) {
    fields.direction = rows_in<Vec3>(job, directions, n);
    fields.cosine = numbers_of(job, half_angle, n);
    fields.sine.resize(n);
    for (std::uint64_t i = 0; i < n; ++i) {
      const float degrees = fields.cosine[i];
      if (!(degrees >= 0 && degrees <= 180)) {
        refuse(half_angle,
               fmt::format("--half-angle {}: that of viewpoint {} is {}, not 0 to 180 degrees",
                           half_angle, i, degrees));
      }
      const io::HalfAngle half = io::half_angle(degrees);
      fields.cosine[i] = half.cosine;
      fields.sine[i] = half.sine;
    }
  }
  if (!range.empty()) fields.range = numbers_of(job, range, n);
  for (std::uint64_t i = 0; i < fields.range.size(); ++i) {
    if (fields.range[i] >= 0) continue;  // NaN is not
    refuse(range, fmt::format("--view-range {}: that of viewpoint {} is {}, not 0 or more", range,
                              i, fields.range[i]));
  }
  return fields;
}

}  // namespace

LoadedFields InputFiles::fields(const io::Points& from, const io::Metadata& scene,
                                FieldShape& shape, std::string& hash) {
  const std::string directions =
      value(file_of("--view-directions").empty() ? "--directions" : "--view-directions");
  const std::string half_angle = value("--half-angle"), range = value("--view-range");
  const bool sector = !value("--sector").empty();
  LoadedFields loaded;
  loaded.shape = verifies()                  ? shape
                 : !sector                   ? FieldShape::cone
                 : up_of(scene) == UpAxis::y ? FieldShape::sector_y_up
                                             : FieldShape::sector;
  const bool named = !directions.empty() || !half_angle.empty() || !range.empty();
  if (named && !from.fields.empty()) {
    fail(
        fmt::format("{}: holds fields of view already: leave out --view-directions, --half-angle "
                    "and --view-range",
                    file_of("--from")));
  }
  if (!named && from.fields.empty() && sector) {
    fail("--sector: there are no fields of view: name --view-directions or --view-range");
  }
  if (named || !from.fields.empty()) {
    require_memory(job_.common().max_memory, from.count() * 6 * sizeof(float),
                   "the fields of view");
    loaded.columns =
        named ? named_fields(job_, directions, half_angle, range, from.count()) : from.fields;
  }
  if (named || !loaded.columns.empty()) {
    loaded.columns = loaded.columns.whole(from.count());
    loaded.hash = io::fields_hash(loaded.columns, from.count());
    job_.set("/fields/hash", loaded.hash);
    job_.set("/fields/shape", std::string(field_shape_name(loaded.shape)));
  }
  if (!verifies()) {
    hash = loaded.hash;
    if (!hash.empty()) shape = loaded.shape;
    return loaded;
  }
  if (hash == loaded.hash) return loaded;
  const auto words = [](const std::string& of) {
    return of.empty() ? "none" : "those of hash " + of;
  };
  io::fail(ErrorKind::bad_input, "{}: was computed with other fields of view: {}, not {}", result_,
           words(hash), words(loaded.hash));
}

}  // namespace sightline::cli
