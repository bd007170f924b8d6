#include "host/files/formats/points_file.hpp"

#include "host/files/core/csv.hpp"
#include "host/files/core/file_format.hpp"
#include "host/files/core/npy.hpp"
#include "host/files/core/words.hpp"
#include "host/files/formats/names.hpp"
#include "host/files/formats/stored_tensors.hpp"

#include <sightline/geometry/base/degrees.hpp>

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

/// The same of points, of areas, labels and fields only in the whole.
template <class P, class Use>
void for_each_column(P& points, bool whole, const Use& use) {
  use(position_name, points.position);
  use("point.mask", points.mask);
  use("point.exclude", points.exclude);
  use("point.group", points.exclude_group);
  if (!whole) return;
  use("point.area", points.area);
  use("point.label", points.label);
  for_each_field(points.fields, use);
}

/// Of one number or several in each row.
template <class T>
Shape shape_of(std::uint64_t n) {
  return rows_of(n, sizeof(T) / sizeof(NumberOf<T>));
}

template <class T>
TensorSource column_of(const char* name, const std::vector<T>& values) {
  return stored(name, shape_of<T>(values.size()), values.data());
}

void check_place(RoundingCheck& check, std::uint64_t index, RoundingCheck::Numbers place) {
  check.begin("point", index);
  check.next(place);
}

Points read_npy(const std::string& name, Notes* notes) {
  const NpyReader file(name);
  file.expect(Dtype::f32, {any_size, 3});
  Points points;
  points.position.resize(file.shape()[0]);
  file.read_whole(points.position.data());
  check_rows(file, 3, notes, check_place);
  return points;
}

constexpr char wanted_points[] =
    "points are .npy [n,3], CSV with a header x,y,z or JSON, a list of [x, y, z]";

/// Takes points one by one, from CSV or JSON.
class PointsReader {
 public:
  void add(TextFields& in) {
    const std::uint64_t row = points_.count();
    const std::array<double, 3> place = position(in);
    points_.position.push_back(
        {static_cast<float>(place[0]), static_cast<float>(place[1]), static_cast<float>(place[2])});
    for (const auto& [key, column] :
         {std::pair("mask", &points_.mask), std::pair("exclude", &points_.exclude),
          std::pair("group", &points_.exclude_group), std::pair("area", &points_.area)}) {
      const bool given = in.has(key);
      if (row > 0 && given == column->empty()) {
        if (given) in.fail("has '{}', which those before lack", key);
        in.fail("lacks '{}'", key);
      }
      if (given) column->push_back(in.whole<std::uint32_t>(key, 0));
    }
    points_.label.push_back(names_.read_label(in, row, true));
    if (in.has("point") && in.whole<std::uint64_t>("point", 0) != row) {
      in.fail(
          "has point {}, but is point {}: a number of your own is an 'id'; leave out 'point' to "
          "number "
          "them anew",
          in.whole<std::uint64_t>("point", 0), row);
    }
    in.refuse_unknown();
    check_place(rounding_, row, place);
  }

  Points take(const std::string& name, Metadata metadata, Notes* notes) {
    rounding_.add_note(name, notes);
    names_.add_note(name, "point", notes);
    if (names_.empty()) points_.label.clear();
    names_.give_to(metadata);
    points_.metadata = std::move(metadata);
    return std::move(points_);
  }

 private:
  static std::array<double, 3> position(TextFields& in) {
    if (in.has("center")) return in.reals<3>("center");
    if (!in.has("x")) in.refuse_lacking("its position: 'x', 'y' and 'z', or 'position'");
    return {in.real("x"), in.real("y"), in.real("z")};
  }

  Points points_;
  Names names_;
  RoundingCheck rounding_;
};

Points read_csv(const std::string& name, Notes* notes) {
  const std::string text = read_text(name);
  CsvReader csv(name, text, wanted_points);
  if (!csv.has("center")) {
    refuse(name, "has no columns x, y and z, but {}; {}", csv.headings(), wanted_points);
  }
  PointsReader points;
  TextFields entry(name);
  for (std::uint64_t i = 0; csv.next(); ++i) {
    entry.begin("point", i, csv.line());
    csv.fill(entry);
    points.add(entry);
  }
  return points.take(name, csv.metadata(), notes);
}

Points read_points_json(const std::string& name, Notes* notes) {
  PointsReader points;
  JsonReader reader = {
      {"points"}, {"unit", "up", eyes_key}, [&](std::size_t, TextFields& in) { points.add(in); }};
  reader.row_key = "center";
  TextFields values = read_json(name, read_json_text(name), reader);
  if (!values.has("points")) {
    refuse(name, "is neither a list of points nor an object with \"points\"; {}", wanted_points);
  }
  Metadata metadata = read_units(values);
  if (values.has(eyes_key)) metadata[eyes_key] = fmt::format("{}", values.number(eyes_key));
  return points.take(name, std::move(metadata), notes);
}

Points read_container(const std::string& name, Notes* notes) {
  const ContainerReader file(name, Numbers::as_floats);
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
  const TensorInfo& position = *file.find(position_name);
  if (!position.rounded || notes == nullptr) return points;
  RoundingCheck check;
  for_each_row(
      n, 3,
      [&](std::uint64_t first, std::uint64_t count, double* to) {
        file.read_doubles(position, first, count, to);
      },
      [&](std::uint64_t i, RoundingCheck::Numbers place) { check_place(check, i, place); });
  check.add_note(name, notes);
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
  if (count() > 0) v.position = Vec3Column::rows(position);
  if (!mask.empty()) v.mask = mask;
  if (!exclude.empty()) v.exclude = exclude;
  if (!exclude_group.empty()) v.exclude_group = exclude_group;
  return v;
}

Points read_points(const std::string& name, Notes* notes) {
  switch (format_of(name)) {
    case FileFormat::npy:
      return read_npy(name, notes);
    case FileFormat::csv:
      return read_csv(name, notes);
    case FileFormat::json:
      return read_points_json(name, notes);
    default:
      return read_container(name, notes);
  }
}

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

void write_points(const std::string& name, const Points& points) {
  const std::vector<TensorSource> tensors = tensors_of(points, true);
  if (has_ending(name, ".npy")) {
    if (tensors.size() > 1) {
      throw Error(ErrorKind::usage, name +
                                        ": masks, exclusions, areas, names and fields do not fit "
                                        "into .npy; choose another ending");
    }
    NpyWriter file(name, Dtype::f32, {points.count(), 3});
    file.write(0, 3 * points.count(), points.position.data());
    file.commit();
    return;
  }
  write_tensors(name, "points", tensors, points.metadata);
}

std::uint64_t bytes_of_points(const Points& points) {
  return bytes_of_tensors("points", tensors_of(points, true), points.metadata);
}

std::string points_hash(const Points& points) { return content_hash(tensors_of(points, false)); }

}  // namespace sightline::io
