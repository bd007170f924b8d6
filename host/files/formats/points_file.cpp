#include "host/files/formats/points_file.hpp"

#include "host/files/core/csv.hpp"
#include "host/files/core/file_format.hpp"
#include "host/files/core/hash.hpp"
#include "host/files/core/npy.hpp"

#include <sightline/math/degrees.hpp>

namespace sightline::io {
namespace {

constexpr char position_name[] = "point.position";

/// Calls use(name, values) for each column of fields.
template <class F, class Use>
void for_each_field(F& fields, const Use& use) {
  use("point.direction", fields.direction);
  use("point.cosine", fields.cosine);
  use("point.sine", fields.sine);
  use("point.range", fields.range);
}

/// The same of points, of areas and fields only in the whole.
template <class P, class Use>
void for_each_column(P& points, bool whole, const Use& use) {
  use(position_name, points.position);
  use("point.mask", points.mask);
  use("point.exclude", points.exclude);
  use("point.group", points.exclude_group);
  if (!whole) return;
  use("point.area", points.area);
  for_each_field(points.fields, use);
}

/// Of numbers of 4 bytes, one or several in each row.
template <class T>
Shape shape_of(std::uint64_t n) {
  return rows_of(n, sizeof(T) / 4);
}

template <class T>
TensorSource column_of(const char* name, const std::vector<T>& values) {
  return stored(name, shape_of<T>(values.size()), values.data());
}

/// The tensors of a file of points, fields and areas left out or not; the points must outlive them.
std::vector<TensorSource> tensors_of(const Points& points, bool whole) {
  std::vector<TensorSource> tensors;
  for_each_column(points, whole, [&](const char* name, const auto& values) {
    if (values.empty() && name != position_name) return;
    if (values.size() != points.count()) {
      throw Error(ErrorKind::usage, std::string("points and ") + name + " differ in number");
    }
    tensors.push_back(column_of(name, values));
  });
  return tensors;
}

Points read_npy(const std::string& name) {
  const NpyReader file(name);
  file.expect(Dtype::f32, {any_size, 3});
  Points points;
  points.position.resize(file.shape()[0]);
  file.read_whole(points.position.data());
  return points;
}

constexpr char wanted_points[] = "points are .npy [n,3] or CSV with a header x,y,z";

/// Columns of numbers, which all points have or none.
Points read_csv(const std::string& name) {
  const std::string text = read_text(name);
  CsvReader csv(name, text, wanted_points);
  if (!csv.has("center")) {
    refuse(name, "has no columns x, y and z; {}", wanted_points);
  }
  Points points;
  points.metadata = csv.metadata();
  Entry entry(name);
  for (std::uint64_t i = 0; csv.next(); ++i) {
    entry.begin("point", i, csv.line());
    csv.fill(entry);
    points.position.push_back(entry.vec3("center"));
    for (const auto& [key, column] :
         {std::pair("mask", &points.mask), std::pair("exclude", &points.exclude),
          std::pair("group", &points.exclude_group), std::pair("area", &points.area)}) {
      const bool given = entry.has(key);
      if (given != csv.has(key)) entry.fail("lacks '{}'", key);
      if (given) column->push_back(entry.whole<std::uint32_t>(key, 0));
    }
    entry.refuse_unknown();
  }
  return points;
}

Points read_container(const std::string& name) {
  const ContainerReader file(name, Doubles::rounded);
  file.expect_kind("points", false);
  Points points;
  points.metadata = file.metadata();
  std::vector<std::string_view> known;
  for_each_column(points, true, [&](const char* tensor, auto&) { known.push_back(tensor); });
  file.refuse_unknown(known);
  const std::uint64_t n = file.expect(position_name, Dtype::f32, {any_size, 3}).shape[0];
  for_each_column(points, true, [&]<class T>(const char* tensor, std::vector<T>& values) {
    values = file.column<T>(file.find(tensor, dtype_of<NumberOf<T>>(), shape_of<T>(n)));
  });
  const auto has = [&](const char* tensor) { return file.find(tensor) != nullptr; };
  if (has("point.direction") != has("point.cosine") || has("point.cosine") != has("point.sine")) {
    refuse(name, "'point.direction', 'point.cosine' and 'point.sine' come together or not at all");
  }
  return points;
}

}  // namespace

Fields Fields::whole(std::uint64_t n) const {
  const Field all_around;
  Fields f = *this;
  if (f.direction.empty()) f.direction.assign(n, all_around.direction);
  if (f.cosine.empty()) f.cosine.assign(n, all_around.cosine);
  if (f.sine.empty()) f.sine.assign(n, all_around.sine);
  if (f.range.empty()) f.range.assign(n, all_around.range);
  return f;
}

FieldsView Fields::view(FieldShape shape) const {
  FieldsView v;
  v.shape = shape;
  if (!direction.empty()) v.direction = Vec3Column::rows(direction);
  if (!cosine.empty()) v.cosine = cosine;
  if (!sine.empty()) v.sine = sine;
  if (!range.empty()) v.range = range;
  return v;
}

std::string fields_hash(const Fields& fields, std::uint64_t n) {
  const Fields all = fields.whole(n);
  std::vector<TensorSource> tensors;
  for_each_field(all, [&](const char* name, const auto& values) {
    tensors.push_back(column_of(name, values));
  });
  return content_hash(std::move(tensors));
}

HalfAngle half_angle(float degrees) {
  return {narrowed(cosine_of_degrees(degrees)), narrowed(sine_of_degrees(degrees))};
}

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
      refuse(name, "looks like JSON; {}", wanted_points);
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
    file.write(0, 3 * points.count(), points.position.data());
    file.commit();
    return;
  }
  write_tensors(name, "points", tensors, points.metadata);
}

std::string points_hash(const Points& points) { return content_hash(tensors_of(points, false)); }

}  // namespace sightline::io
