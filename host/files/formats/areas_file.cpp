#include "host/files/formats/areas_file.hpp"

#include "host/files/core/entry.hpp"
#include "host/files/core/file_format.hpp"
#include "host/files/core/tensor_source.hpp"
#include "host/files/formats/points_file.hpp"

#include <sightline/error.hpp>

#include <algorithm>
#include <charconv>
#include <cstring>

namespace sightline::io {
namespace {

constexpr char area_offsets_name[] = "area.offsets";
constexpr char area_corner_name[] = "area.corner";
constexpr char area_height_name[] = "area.height";
constexpr char area_samples_name[] = "area.samples";
constexpr std::string_view known_area_tensors[] = {area_offsets_name, area_corner_name,
                                                   area_height_name, area_samples_name};

[[noreturn]] void refuse_file(const std::string& file, const std::string& reason) {
  throw Error(ErrorKind::bad_input, file + ": " + reason);
}

/// A box is its lowest face and its height, which goes along z, or y.
void add_box(Areas& areas, const Vec3& low, const Vec3& high, bool z, std::uint32_t samples) {
  if (!(low.x <= high.x && low.y <= high.y && low.z <= high.z)) {
    throw Error(ErrorKind::bad_input, fmt::format("area {} has min > max or NaN", areas.size()));
  }
  const Vec3 corners[] = {low,
                          {high.x, low.y, low.z},
                          {high.x, z ? high.y : low.y, z ? low.z : high.z},
                          {low.x, z ? high.y : low.y, z ? low.z : high.z}};
  areas.add(corners, z ? high.z - low.z : high.y - low.y, samples);
}

void add_entry(Areas& areas, Entry& in, bool z) {
  const auto samples = in.whole<std::uint32_t>("samples", 0);
  const bool low = in.has("min"), box = in.has("max") || low;
  if (box) {
    const Vec3 from = in.vec3("min"), to = in.vec3("max");
    in.refuse_unknown();
    return in.naming_place([&] { add_box(areas, from, to, z, samples); });
  }
  std::vector<Vec3> corners;
  for (const auto& c : in.rows<3>("corners")) corners.push_back({c[0], c[1], c[2]});
  const float height = in.has("height") ? in.number("height") : 0;
  in.refuse_unknown();
  in.naming_place([&] { areas.add(corners, height, samples); });
}

void require_up(const std::string& name, const Metadata& metadata, const std::string& up) {
  const auto at = metadata.find("up");
  if (at == metadata.end() || up.empty() || at->second == up) return;
  refuse_file(name,
              fmt::format("up is {}, but {} in the scene", quote_name(at->second), quote_name(up)));
}

Areas read_areas_json(const std::string& name, const std::string& up) {
  Areas areas;
  const JsonReader reader = {
      {"areas"}, {"unit", "up"}, [&](std::size_t, Entry& in) { add_entry(areas, in, up != "y"); }};
  Entry values = read_json(name, read_json_text(name), reader);
  if (!values.has("areas")) refuse_file(name, "is not an object with \"areas\"");
  require_up(name, read_units(values), up);
  return areas;
}

Areas read_container(const ContainerReader& file, const std::string& up) {
  require_up(file.name(), file.metadata(), up);
  file.refuse_unknown(known_area_tensors);
  const TensorInfo& height = file.expect(area_height_name, Dtype::f32, {any_size});
  const std::uint64_t n = height.elements();
  const TensorInfo& offsets = file.expect(area_offsets_name, Dtype::u64, {n + 1});
  const TensorInfo& corner = file.expect(area_corner_name, Dtype::f32, {any_size, 3});
  Areas areas;
  areas.height.resize(n);
  areas.samples.resize(n);
  areas.offsets = std::vector<std::uint64_t>(n + 1);
  areas.corner.resize(corner.elements() / 3);
  file.read(height, 0, n, areas.height.data());
  file.read(offsets, 0, n + 1, areas.offsets.data());
  file.read(corner, 0, corner.elements(), areas.corner.data());
  if (const TensorInfo* samples = file.find(area_samples_name, Dtype::u32, {n})) {
    file.read(*samples, 0, n, areas.samples.data());
  }
  const bool rise = std::is_sorted(areas.offsets.begin(), areas.offsets.end());
  if (!rise || areas.offsets.front() != 0 || areas.offsets.back() != areas.corner.size()) {
    refuse_file(file.name(), "'area.offsets' does not rise from 0 to the number of corners");
  }
  return areas;
}

/// How many areas the points say that there are: their metadata, or one more than the largest.
std::uint64_t areas_of(const std::string& name, const Points& points) {
  std::uint64_t n = 0;
  const auto at = points.metadata.find("areas");
  if (at != points.metadata.end()) {
    const std::string& text = at->second;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), n);
    if (error != std::errc{} || end != text.data() + text.size()) {
      refuse_file(name, "bad metadata: 'areas' is " + quote_name(text));
    }
  } else if (!points.area.empty()) {
    n = std::uint64_t{*std::max_element(points.area.begin(), points.area.end())} + 1;
  }
  if (n > most_areas) refuse_file(name, fmt::format("{} areas are more than {}", n, most_areas));
  return n;
}

AreaSamples read_grouped(const std::string& name) {
  const Points points = read_points(name);
  if (points.area.size() != points.count()) {
    refuse_file(name, "lacks 'point.area', which says of which area each point is");
  }
  std::vector<Vec3> position(points.count());
  for (std::uint64_t i = 0; i < position.size(); ++i) position[i] = points.view().position[i];
  return group_points(position, points.area, areas_of(name, points));
}

}  // namespace

bool holds_area_points(const std::string& name) {
  const FileFormat format = format_of(name);
  if (format == FileFormat::npy) {
    refuse_file(name, "an .npy of points does not say of which area each is");
  }
  if (format == FileFormat::json || format == FileFormat::csv) return format == FileFormat::csv;
  return ContainerReader(name).find("point.position") != nullptr;
}

bool is_areas_json(const std::string& name) {
  constexpr std::string_view key = "\"areas\"";
  const std::string text = read_json_text(name);
  for (std::size_t at = text.find(key); at != std::string::npos; at = text.find(key, at + 1)) {
    const std::size_t next = text.find_first_not_of(" \t\r\n", at + key.size());
    if (next != std::string::npos && text[next] == ':') return true;
  }
  return false;
}

Areas read_areas(const std::string& name, const std::string& up) {
  Areas areas;
  if (format_of(name) == FileFormat::json) {
    areas = read_areas_json(name, up);
  } else {
    const ContainerReader file(name, Doubles::rounded);
    file.expect_kind("areas", false);
    areas = read_container(file, up);
  }
  if (areas.size() > most_areas) {
    refuse_file(name, fmt::format("{} areas are more than {}", areas.size(), most_areas));
  }
  return areas;
}

AreaSamples read_area_samples(const std::string& name, const AreaQuestion& asked) {
  const bool points = holds_area_points(name);
  if (points && asked.samples) {
    throw Error(ErrorKind::usage, name + ": holds the samples themselves: leave out --samples");
  }
  try {
    if (points) return read_grouped(name);
    const Areas areas = read_areas(name, asked.up);
    const std::uint32_t samples = asked.samples.value_or(default_area_samples);
    std::uint64_t total = 0;
    for (const std::uint32_t n : areas.samples) total += n == 0 ? samples : n;
    if (total > asked.most) {
      throw Error(ErrorKind::out_of_memory,
                  fmt::format("{}: {} samples of {} bytes are more than there is room for", name,
                              total, sizeof(Vec3)));
    }
    return sample_areas(areas, samples, asked.up == "y" ? Vec3{0, 1, 0} : Vec3{0, 0, 1});
  } catch (const Error& error) {
    const std::string_view what = error.what();
    if (error.kind() != ErrorKind::bad_input || what.starts_with(name)) throw;
    throw Error(ErrorKind::bad_input, fmt::format("{}: {}", name, what));
  }
}

void write_areas(const std::string& name, const Areas& areas, const Metadata& metadata) {
  const auto of = [](const char* tensor, Dtype dtype, const Shape& shape, const auto& values) {
    return TensorSource{tensor, dtype, shape,
                        [&values](std::uint64_t first, std::uint64_t count, void* to) {
                          const auto* from = reinterpret_cast<const char*>(values.data());
                          constexpr std::size_t number =
                              sizeof values[0] == sizeof(Vec3) ? sizeof(float) : sizeof values[0];
                          std::memcpy(to, from + first * number, count * number);
                        }};
  };
  const std::uint64_t n = areas.size();
  write_tensors(name, "areas",
                {of(area_offsets_name, Dtype::u64, {n + 1}, areas.offsets),
                 of(area_corner_name, Dtype::f32, {areas.corner.size(), 3}, areas.corner),
                 of(area_height_name, Dtype::f32, {n}, areas.height),
                 of(area_samples_name, Dtype::u32, {n}, areas.samples)},
                metadata);
}

std::string samples_hash(const AreaSamples& samples) {
  return content_hash(
      {column_source<std::uint64_t>("sample.offsets", Dtype::u64, samples.offsets.size(),
                                    [&](std::uint32_t i) { return samples.offsets[i]; }),
       {"sample.point",
        Dtype::f32,
        {samples.point.size(), 3},
        [&](std::uint64_t first, std::uint64_t count, void* to) {
          std::memcpy(to, reinterpret_cast<const float*>(samples.point.data()) + first,
                      count * sizeof(float));
        }}});
}

}  // namespace sightline::io
