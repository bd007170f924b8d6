#include "host/files/formats/areas_file.hpp"

#include "host/files/core/affine.hpp"
#include "host/files/core/file_format.hpp"
#include "host/files/core/text_fields.hpp"
#include "host/files/core/text_file.hpp"
#include "host/files/formats/file_kind.hpp"
#include "host/files/formats/names.hpp"
#include "host/files/formats/points_file.hpp"
#include "host/files/formats/stored_tensors.hpp"

#include <algorithm>

namespace sightline::io {
namespace {

constexpr char area_offsets_name[] = "area.offsets";
constexpr char area_corner_name[] = "area.corner";
constexpr char area_height_name[] = "area.height";
constexpr char area_samples_name[] = "area.samples";
constexpr char area_label_name[] = "area.label";
constexpr std::string_view known_area_tensors[] = {
    area_offsets_name, area_corner_name, area_height_name, area_samples_name, area_label_name};

/// A box is its lowest face and its height, which goes along z, or y.
void add_box(Areas& areas, const Vec3& low, const Vec3& high, bool z, std::uint32_t samples) {
  if (!(low.x <= high.x && low.y <= high.y && low.z <= high.z)) {
    fail(ErrorKind::bad_input, "area {} has min > max or NaN", areas.size());
  }
  const Vec3 corners[] = {low,
                          {high.x, low.y, low.z},
                          {high.x, z ? high.y : low.y, z ? low.z : high.z},
                          {low.x, z ? high.y : low.y, z ? low.z : high.z}};
  areas.add(corners, z ? high.z - low.z : high.y - low.y, samples);
}

/// Takes areas one by one, from JSON.
class AreasReader {
 public:
  explicit AreasReader(bool z) : z_(z) {}

  void add(TextFields& in) {
    check_.begin("area", areas_.size());
    const auto samples = in.whole<std::uint32_t>("samples", 0);
    areas_.label.push_back(names_.read_label(in, areas_.size(), true));
    const bool low = in.has("min"), box = in.has("max") || low;
    box ? add_box(in, samples) : add_polygon(in, samples);
  }
  Areas take(const std::string& name, Metadata* metadata, Notes* notes) {
    check_.add_note(name, notes);
    names_.add_note(name, "area", notes);
    if (names_.empty()) areas_.label.clear();
    if (metadata != nullptr) names_.give_to(*metadata);
    return std::move(areas_);
  }

 private:
  void add_box(TextFields& in, std::uint32_t samples) {
    const Double3 low = in.reals<3>("min"), high = in.reals<3>("max");
    in.refuse_unknown();
    check_.box(low, high);
    in.naming_place([&] { io::add_box(areas_, rounded(low), rounded(high), z_, samples); });
  }
  void add_polygon(TextFields& in, std::uint32_t samples) {
    std::vector<Vec3> corners;
    std::vector<double> wide;
    for (const Double3& c : in.real_rows<3>("corners")) {
      corners.push_back(rounded(c));
      wide.insert(wide.end(), c.begin(), c.end());
    }
    check_.outline(wide, 3);
    const float height = in.has("height") ? in.number("height") : 0;
    in.refuse_unknown();
    in.naming_place([&] { areas_.add(corners, height, samples); });
  }

  bool z_;
  Areas areas_;
  Names names_;
  RoundingCheck check_;
};

void require_up(const std::string& name, const Metadata& metadata, const std::string& up) {
  const auto at = metadata.find("up");
  if (at == metadata.end() || up.empty() || at->second == up) return;
  refuse(name, "up is {}, but {} in the scene", in_quotes(at->second), in_quotes(up));
}

Areas read_areas_json(const std::string& name, const std::string& up, Notes* notes,
                      Metadata* metadata) {
  AreasReader areas(up != "y");
  const JsonReader reader = {
      {"areas"}, {"unit", "up"}, [&](std::size_t, TextFields& in) { areas.add(in); }};
  TextFields values = read_json(name, read_json_text(name), reader);
  if (!values.has("areas")) refuse(name, "is not an object with \"areas\"");
  const Metadata units = read_units(values);
  require_up(name, units, up);
  if (metadata != nullptr) *metadata = units;
  return areas.take(name, metadata, notes);
}

/// Looks at corners that are in binary64, or in integers, in the file.
void check_corners(const ContainerReader& file, const Areas& areas, Notes* notes) {
  const TensorInfo& corner = *file.find(area_corner_name);
  if (!corner.rounded) return;
  std::vector<double> wide(corner.elements());
  file.read_doubles(corner, 0, wide.size(), wide.data());
  RoundingCheck check;
  for (std::uint64_t a = 0; a + 1 < areas.offsets.size(); ++a) {
    const std::uint64_t first = areas.offsets[a], n = areas.offsets[a + 1] - first;
    check.begin("area", a);
    check.outline(std::span(wide).subspan(3 * first, 3 * n), 3);
  }
  check.add_note(file.name(), notes);
}

Areas read_container(const ContainerReader& file, const std::string& up, Notes* notes) {
  require_up(file.name(), file.metadata(), up);
  file.refuse_unknown(known_area_tensors);
  const TensorInfo& height = file.expect(area_height_name, Dtype::f32, {any_size});
  const std::uint64_t n = height.elements();
  Areas areas;
  areas.height = file.column<float>(&height);
  areas.offsets = file.column<std::uint64_t>(&file.expect(area_offsets_name, Dtype::u64, {n + 1}));
  areas.corner = file.column<Vec3>(&file.expect(area_corner_name, Dtype::f32, {any_size, 3}));
  areas.samples = file.column<std::uint32_t>(file.find(area_samples_name, Dtype::u32, {n}));
  areas.samples.resize(n);
  areas.label = file.column<std::uint64_t>(file.find(area_label_name, Dtype::u64, {n}));
  if (!std::ranges::is_sorted(areas.offsets) || areas.offsets.front() != 0 ||
      areas.offsets.back() != areas.corner.size()) {
    refuse(file.name(), "'area.offsets' does not rise from 0 to the number of corners");
  }
  check_corners(file, areas, notes);
  return areas;
}

void check_number(const std::string& name, std::uint64_t areas) {
  if (areas > most_areas) refuse(name, "{} areas are more than {}", areas, most_areas);
}

/// How many areas the points say that there are: their metadata, or one more than the largest.
std::uint64_t areas_of(const std::string& name, const Points& points) {
  std::uint64_t n = 0;
  const auto at = points.metadata.find("areas");
  if (at != points.metadata.end()) {
    const std::optional<std::uint64_t> said = number_from<std::uint64_t>(at->second);
    if (!said) refuse(name, "bad metadata: 'areas' is {}", in_quotes(at->second));
    n = *said;
  } else if (!points.area.empty()) {
    n = std::uint64_t{*std::ranges::max_element(points.area)} + 1;
  }
  check_number(name, n);
  return n;
}

AreaSamples read_grouped(const std::string& name, Notes* notes) {
  const Points points = read_points(name, notes);
  if (points.area.size() != points.count()) {
    refuse(name, "lacks 'point.area', which says of which area each point is");
  }
  return group_points(points.position, points.area, areas_of(name, points));
}

}  // namespace

bool holds_area_points(const std::string& name) {
  const FileFormat format = format_of(name);
  if (format == FileFormat::npy) {
    refuse(name, "an .npy of points does not say of which area each is");
  }
  if (format == FileFormat::csv) return true;
  if (format == FileFormat::json) return kind_of_file(name) == "points";
  return ContainerReader(name).find("point.position") != nullptr;
}

Areas read_areas(const std::string& name, const std::string& up, Notes* notes, Metadata* metadata) {
  Areas areas;
  if (format_of(name) == FileFormat::json) {
    areas = read_areas_json(name, up, notes, metadata);
  } else {
    const ContainerReader file(name, Numbers::as_floats);
    file.expect_kind("areas", false);
    areas = read_container(file, up, notes);
    if (metadata != nullptr) *metadata = file.metadata();
  }
  check_number(name, areas.size());
  return areas;
}

AreaSamples read_area_samples(const std::string& name, const AreaQuestion& asked) {
  const bool points = holds_area_points(name);
  if (points && asked.samples) {
    throw Error(ErrorKind::usage, name + ": holds the samples themselves: leave out --samples");
  }
  try {
    if (points) return read_grouped(name, asked.notes);
    const Areas areas = read_areas(name, asked.up, asked.notes);
    const std::uint32_t samples = asked.samples.value_or(default_area_samples);
    std::uint64_t total = 0;
    for (const std::uint32_t n : areas.samples) total += n == 0 ? samples : n;
    if (asked.check) asked.check(total);
    return sample_areas(areas, samples, asked.up == "y" ? Vec3{0, 1, 0} : Vec3{0, 0, 1});
  } catch (const Error& error) {
    const std::string_view what = error.what();
    if (error.kind() != ErrorKind::bad_input || what.starts_with(name)) throw;
    refuse(name, "{}", what);
  }
}

std::vector<TensorSource> tensors_of(const Areas& areas) {
  std::vector<TensorSource> tensors = {
      stored(area_offsets_name, {areas.offsets.size()}, areas.offsets.data()),
      stored(area_corner_name, {areas.corner.size(), 3}, areas.corner.data()),
      stored(area_height_name, {areas.height.size()}, areas.height.data()),
      stored(area_samples_name, {areas.samples.size()}, areas.samples.data())};
  if (!areas.label.empty()) {
    tensors.push_back(stored(area_label_name, {areas.label.size()}, areas.label.data()));
  }
  return tensors;
}

std::string samples_hash(const AreaSamples& samples) {
  return content_hash({stored("sample.offsets", {samples.offsets.size()}, samples.offsets.data()),
                       stored("sample.point", {samples.point.size(), 3}, samples.point.data())});
}

}  // namespace sightline::io
