#include "host/files/formats/ray_table.hpp"

#include "host/files/core/csv.hpp"
#include "host/files/core/text_fields.hpp"

#include <cmath>
#include <limits>

namespace sightline::io {
namespace {

constexpr double largest_float = std::numeric_limits<float>::max();

constexpr char wanted_rays[] =
    "rays in CSV have a header such as "
    "origin_x,origin_y,origin_z,direction_x,direction_y,direction_z,t_max";

/// Numbers [n,width] of an optional column; rows before the first that states it have the default.
template <class T>
struct OptionalColumn {
  std::vector<T>& values;
  bool& given;
  T otherwise;
  std::size_t width = 1;

  void add(std::uint64_t row, std::span<const T> stated) {
    if (stated.empty() && !given) return;
    given = true;
    values.resize(row * width, otherwise);
    values.insert(values.end(), stated.begin(), stated.end());
    values.resize((row + 1) * width, otherwise);
  }
};

/// Takes rays one by one.
class RayTableReader {
 public:
  void add(TextFields& in) {
    const std::uint64_t row = table_.count++;
    const auto origin = in.reals<3>("origin");
    const auto direction = in.reals<3>("direction", largest_float);
    append(table_.columns.origin, origin);
    append(table_.columns.direction, direction);
    RayBuffer& to = table_.columns;
    RayColumns& has = table_.has;
    number(in, "t_min", row, {to.t_min, has.t_min, 0});
    number(in, "t_max", row, {to.t_max, has.t_max, infinity});
    const double radius = number(in, "radius", row, {to.radius, has.radius, 0});
    OptionalColumn<std::uint32_t> mask = {to.mask, has.mask, RayDefaults().mask};
    if (in.has("mask")) {
      mask.add(row, std::array{in.whole<std::uint32_t>("mask", 0)});
    } else {
      mask.add(row, {});
    }
    ids(in, "exclude", "exclude_2", row, {to.exclude, has.exclude, none, 2});
    ids(in, "exclude_group", "exclude_group_2", row,
        {to.exclude_group, has.exclude_group, none, 2});
    in.refuse_unknown();
    rounding_.begin("ray", row);
    if (radius > 0) rounding_.ball(origin, radius);
    rounding_.next(origin);
  }

  RayTable take(const std::string& name, Notes* notes) {
    rounding_.add_note(name, notes);
    return std::move(table_);
  }

 private:
  static void append(std::vector<float>& to, const std::array<double, 3>& v) {
    for (const double x : v) to.push_back(static_cast<float>(x));
  }
  /// An infinite number is null, an empty cell, or beyond the largest float, as in arrays.
  static double number(TextFields& in, const char* key, std::uint64_t row,
                       OptionalColumn<float> to) {
    const bool stated = in.has(key) && !in.holds_null(key);
    // Where a ray begins and ends has no limit.
    const bool is_end = std::string_view(key) != "radius";
    const double value = !stated  ? 0
                         : is_end ? in.real(key, std::numeric_limits<double>::infinity())
                                  : in.real(key);
    if (stated) {
      to.add(row, std::array{std::abs(value) > largest_float ? (value > 0 ? infinity : -infinity)
                                                             : static_cast<float>(value)});
    } else {
      to.add(row, {});
    }
    return value;
  }
  /// One id, a list of at most two, or one under each key.
  static void ids(TextFields& in, const char* key, const char* second, std::uint64_t row,
                  OptionalColumn<std::uint32_t> to) {
    std::vector<std::uint32_t> stated;
    if (in.has(key) && in.holds_list(key)) {
      stated = in.wholes<std::uint32_t>(key, 2);
    } else if (in.has(key)) {
      stated.push_back(in.whole<std::uint32_t>(key, 0));
    }
    if (in.has(second)) {
      if (stated.size() != 1) in.fail("has '{}' without one number in '{}'", second, key);
      stated.push_back(in.whole<std::uint32_t>(second, 0));
    }
    to.add(row, stated);
  }

  RayTable table_;
  RoundingCheck rounding_;
};

}  // namespace

RayTable read_ray_table(const std::string& name, FileFormat format, Notes* notes) {
  RayTableReader rays;
  if (format == FileFormat::json) {
    JsonReader reader = {
        {"rays"}, {"unit", "up"}, [&](std::size_t, TextFields& in) { rays.add(in); }};
    reader.row_key = "origin";
    TextFields values = read_json(name, read_json_text(name), reader);
    if (!values.has("rays")) refuse(name, "is neither a list of rays nor an object with \"rays\"");
    read_units(values);
    return rays.take(name, notes);
  }
  const std::string text = read_text(name);
  CsvReader csv(name, text, wanted_rays);
  if (!csv.has("origin") || !csv.has("direction")) {
    refuse(name, "has {}; {}", csv.headings(), wanted_rays);
  }
  TextFields entry(name);
  for (std::uint64_t i = 0; csv.next(); ++i) {
    entry.begin("ray", i, csv.line());
    csv.fill(entry);
    rays.add(entry);
  }
  return rays.take(name, notes);
}

}  // namespace sightline::io
