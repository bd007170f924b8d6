#include "host/files/formats/points_file.hpp"

#include "host/files/core/container.hpp"
#include "host/files/core/csv.hpp"
#include "host/files/core/file_format.hpp"
#include "host/files/core/npy.hpp"
#include "host/files/core/tensor_source.hpp"

#include <cstring>

namespace sightline::io {
namespace {

constexpr char position_name[] = "point.position";
constexpr char mask_name[] = "point.mask";
constexpr char exclude_name[] = "point.exclude";
constexpr char group_name[] = "point.group";
constexpr char area_name[] = "point.area";
constexpr char direction_name[] = "point.direction";
constexpr char cosine_name[] = "point.cosine";
constexpr char sine_name[] = "point.sine";
constexpr char range_name[] = "point.range";
constexpr std::string_view points_tensors[] = {position_name,  mask_name,   exclude_name,
                                               group_name,     cosine_name, sine_name,
                                               direction_name, range_name,  area_name};

/// The tensors of a file of points, fields and areas left out or not; the points must outlive them.
std::vector<TensorSource> tensors_of(const Points& points, bool whole) {
  std::vector<TensorSource> tensors;
  const auto add = [&](const char* name, Dtype dtype, const Shape& shape, const auto& values) {
    if (values.size() != element_count(shape).value()) {
      throw Error(ErrorKind::usage, std::string("points and ") + name + " differ in number");
    }
    tensors.push_back(
        {name, dtype, shape, [&values](std::uint64_t first, std::uint64_t count, void* to) {
           std::memcpy(to, values.data() + first, count * sizeof values[0]);
         }});
  };
  const std::uint64_t n = points.count();
  add(position_name, Dtype::f32, {n, 3}, points.position);
  if (!points.mask.empty()) add(mask_name, Dtype::u32, {n}, points.mask);
  if (!points.exclude.empty()) add(exclude_name, Dtype::u32, {n}, points.exclude);
  if (!points.exclude_group.empty()) add(group_name, Dtype::u32, {n}, points.exclude_group);
  if (!whole) return tensors;
  if (!points.area.empty()) add(area_name, Dtype::u32, {n}, points.area);
  const Fields& f = points.fields;
  if (!f.direction.empty()) add(direction_name, Dtype::f32, {n, 3}, f.direction);
  if (!f.cosine.empty()) add(cosine_name, Dtype::f32, {n}, f.cosine);
  if (!f.sine.empty()) add(sine_name, Dtype::f32, {n}, f.sine);
  if (!f.range.empty()) add(range_name, Dtype::f32, {n}, f.range);
  return tensors;
}

Points read_npy(const std::string& name) {
  const NpyReader file(name);
  file.expect(Dtype::f32, {any_size, 3});
  Points points;
  points.position.resize(3 * file.shape()[0]);
  file.read(0, points.position.size(), points.position.data());
  return points;
}

constexpr char wanted_points[] = "points are .npy [n,3] or CSV with a header x,y,z";

/// Columns of numbers, which all points have or none.
Points read_csv(const std::string& name) {
  const std::string text = read_text(name);
  CsvReader csv(name, text, wanted_points);
  if (!csv.has("center")) {
    throw Error(ErrorKind::bad_input,
                fmt::format("{}: has no columns x, y and z; {}", name, wanted_points));
  }
  Points points;
  points.metadata = csv.metadata();
  Entry entry(name);
  for (std::uint64_t i = 0; csv.next(); ++i) {
    entry.begin("point", i, csv.line());
    csv.fill(entry);
    const auto position = entry.floats<3>("center");
    points.position.insert(points.position.end(), position.begin(), position.end());
    for (const auto& [key, column] :
         {std::pair("mask", &points.mask), std::pair("exclude", &points.exclude),
          std::pair("group", &points.exclude_group), std::pair("area", &points.area)}) {
      const bool given = entry.has(key);
      if (given != csv.has(key)) entry.fail(fmt::format("lacks '{}'", key));
      if (given) column->push_back(entry.whole<std::uint32_t>(key, 0));
    }
    entry.refuse_unknown();
  }
  return points;
}

Points read_container(const std::string& name) {
  const ContainerReader file(name, Doubles::rounded);
  file.expect_kind("points", false);
  file.refuse_unknown(points_tensors);
  const TensorInfo& position = file.expect(position_name, Dtype::f32, {any_size, 3});
  Points points;
  points.metadata = file.metadata();
  points.position.resize(position.elements());
  file.read(position, 0, position.elements(), points.position.data());
  const std::uint64_t n = points.count();
  const auto optional = [&](const char* tensor_name, Dtype dtype, const Shape& shape,
                            auto& values) {
    const TensorInfo* tensor = file.find(tensor_name, dtype, shape);
    if (tensor == nullptr) return false;
    values.resize(tensor->elements());
    file.read(*tensor, 0, values.size(), values.data());
    return true;
  };
  optional(mask_name, Dtype::u32, {n}, points.mask);
  optional(exclude_name, Dtype::u32, {n}, points.exclude);
  optional(group_name, Dtype::u32, {n}, points.exclude_group);
  optional(area_name, Dtype::u32, {n}, points.area);
  const bool direction = optional(direction_name, Dtype::f32, {n, 3}, points.fields.direction);
  const bool cosine = optional(cosine_name, Dtype::f32, {n}, points.fields.cosine);
  const bool sine = optional(sine_name, Dtype::f32, {n}, points.fields.sine);
  optional(range_name, Dtype::f32, {n}, points.fields.range);
  if (direction != cosine || cosine != sine) {
    throw Error(ErrorKind::bad_input,
                name +
                    ": 'point.direction', 'point.cosine' and 'point.sine' come together or not "
                    "at all");
  }
  return points;
}

}  // namespace

PointsView Points::view() const {
  PointsView v;
  v.count = count();
  if (v.count > 0) v.position = Vec3Column::rows(position);
  if (!mask.empty()) v.mask = mask;
  if (!exclude.empty()) v.exclude = exclude;
  if (!exclude_group.empty()) v.exclude_group = exclude_group;
  return v;
}

Points read_points(const std::string& name) {
  switch (format_of(name)) {
    case FileFormat::npy:
      return read_npy(name);
    case FileFormat::csv:
      return read_csv(name);
    case FileFormat::json:
      throw Error(ErrorKind::bad_input,
                  fmt::format("{}: looks like JSON; {}", name, wanted_points));
    default:
      return read_container(name);
  }
}

void write_points(const std::string& name, const Points& points) {
  const std::vector<TensorSource> tensors = tensors_of(points, true);
  if (has_ending(name, ".npy")) {
    if (tensors.size() > 1) {
      throw Error(
          ErrorKind::usage,
          name +
              ": masks, exclusions, areas and fields do not fit into .npy; choose another ending");
    }
    NpyWriter file(name, Dtype::f32, {points.count(), 3});
    file.write(0, points.position.size(), points.position.data());
    file.commit();
    return;
  }
  write_tensors(name, "points", tensors, points.metadata);
}

std::string points_hash(const Points& points) { return content_hash(tensors_of(points, false)); }

}  // namespace sightline::io
