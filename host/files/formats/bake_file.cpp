#include "host/files/formats/bake_file.hpp"

#include "host/files/core/parameter_reader.hpp"
#include "host/files/formats/areas_file.hpp"
#include "host/files/formats/results_file.hpp"

#include <algorithm>

namespace sightline::io {
namespace {

constexpr std::array<std::string_view, 5> bake_kinds = {"area visibility", "visible sets",
                                                        "exposure", "probes", "cover"};
constexpr std::array<std::string_view, 3> shapes_of_fields = {"cone", "sector", "sector y up"};
constexpr std::array<std::string_view, 2> up_axes = {"z", "y"};
constexpr std::array<std::string_view, 3> insides = {"solid", "surface", "ignore"};
constexpr std::array<std::string_view, 2> zero_one = {"0", "1"};

/// Lengths of cover by their keys; of constant options, constant ones.
template <class Options>
auto lengths_of(Options& o) {
  struct Length {
    const char* key;
    decltype((o.at)) value;
  };
  return std::array<Length, 7>{{{"query.at", o.at},
                                {"query.crouch", o.crouch},
                                {"query.stand", o.stand},
                                {"query.radius", o.radius},
                                {"query.reach", o.reach},
                                {"query.lean", o.lean},
                                {"query.view", o.view}}};
}

std::vector<TensorSpec> point_tensors(const BakeParameters& p) {
  const std::uint64_t n = p.points;
  if (p.kind == BakeKind::exposure) {
    return {{"count", Dtype::u32, {n}}, {"share", Dtype::f32, {n}}};
  }
  if (p.kind == BakeKind::probes) {
    return {{"distance", Dtype::f32, {n, p.grid, p.grid}},
            {"direction", Dtype::f32, {p.grid, p.grid, 3}}};
  }
  return {{"height", Dtype::u8, {n}},  {"facing", Dtype::u8, {n}}, {"distance", Dtype::f32, {n}},
          {"crouch", Dtype::u64, {n}}, {"stand", Dtype::u64, {n}}, {"left", Dtype::u64, {n}},
          {"right", Dtype::u64, {n}}};
}

std::vector<TensorSpec> bake_tensors(const BakeParameters& p) {
  if (!is_of_areas(p.kind)) return point_tensors(p);
  const std::uint64_t n = p.areas;
  if (p.kind == BakeKind::visible_sets) {
    return {{"bits", Dtype::u64, {n, (n + 63) / 64}},
            {"reference", Dtype::u32, {n}},
            {"offsets", Dtype::u64, {n + 1}},
            {"id", area_id_dtype(n), {p.differences}}};
  }
  std::vector<TensorSpec> tensors = {{"class", Dtype::u8, {n, n}}, {"samples", Dtype::u32, {n}}};
  if (p.counts) tensors.push_back({"visible", Dtype::u32, {n, n}});
  return tensors;
}

std::string number_text(float x) { return fmt::format("{}", x); }

void add_points(const BakeParameters& p, Metadata& m) {
  m["points.hash"] = p.points_hash;
  m["points.count"] = std::to_string(p.points);
  if (p.kind == BakeKind::exposure) {
    m["from.hash"] = p.from_hash;
    m["from.count"] = std::to_string(p.viewpoints);
    m["query.margin"] = number_text(p.margin);
    if (p.fields_hash.empty()) return;
    m["fields.hash"] = p.fields_hash;
    m["fields.shape"] = field_shape_name(p.field_shape);
  } else if (p.kind == BakeKind::probes) {
    m["query.grid"] = std::to_string(p.grid);
  } else {
    const CoverOptions& o = p.cover;
    m["query.up"] = o.up.y != 0 ? "y" : "z";
    m["query.directions"] = std::to_string(o.directions);
    for (const auto& [key, value] : lengths_of(o)) m[key] = number_text(value);
  }
}

void parse_points(const ParameterReader& in, BakeParameters& p) {
  p.points_hash = in.hash("points.hash");
  p.points = in.number<std::uint64_t>("points.count");
  if (p.kind == BakeKind::exposure) {
    p.from_hash = in.hash("from.hash");
    p.viewpoints = in.number<std::uint64_t>("from.count");
    p.margin = in.real("query.margin");
    if (!(0.0f <= p.margin && p.margin < 0.5f)) in.fail("query.margin");
    if (!in.has("fields.hash") && !in.has("fields.shape")) return;
    p.fields_hash = in.hash("fields.hash");
    p.field_shape = static_cast<FieldShape>(in.choice("fields.shape", shapes_of_fields));
  } else if (p.kind == BakeKind::probes) {
    p.grid = in.number<std::uint32_t>("query.grid");
    if (p.grid == 0 || p.grid > 4096) in.fail("query.grid");
  } else {
    CoverOptions& o = p.cover;
    if (in.choice("query.up", up_axes) == 1) o.up = {0, 1, 0};
    o.directions = in.number<std::uint32_t>("query.directions");
    for (const auto& [key, value] : lengths_of(o)) value = in.real(key);
  }
}

}  // namespace

std::string_view bake_kind_name(BakeKind kind) {
  return bake_kinds[static_cast<std::size_t>(kind)];
}

bool is_bake_kind(std::string_view name) {
  return std::find(bake_kinds.begin(), bake_kinds.end(), name) != bake_kinds.end();
}

Metadata to_metadata(const BakeParameters& p) {
  Metadata m;
  m[kind_key] = bake_kind_name(p.kind);
  m[format_key] = format_version;
  m["sightline.answers"] = std::to_string(p.answers);
  m["scene.hash"] = p.scene_hash;
  m["query.inside"] = inside_name(p.inside);
  m["query.range"] = fmt::format("{}", p.range);
  if (!is_of_areas(p.kind)) {
    add_points(p, m);
    return m;
  }
  m["areas.hash"] = p.samples_hash;
  m["areas.count"] = std::to_string(p.areas);
  m["query.samples"] = std::to_string(p.area_samples);
  if (p.kind == BakeKind::area_visibility) {
    m["query.counts"] = p.counts ? "1" : "0";
  } else {
    m["differences.count"] = std::to_string(p.differences);
  }
  return m;
}

BakeParameters parse_bake_parameters(const std::string& file, const Metadata& metadata) {
  const ParameterReader in(file, metadata);
  BakeParameters p;
  p.kind = static_cast<BakeKind>(in.choice(kind_key, bake_kinds));
  if (in.text(format_key) != format_version) in.fail(format_key);
  p.answers = in.number<std::uint32_t>("sightline.answers");
  p.scene_hash = in.hash("scene.hash");
  p.inside = static_cast<Inside>(in.choice("query.inside", insides));
  p.range = in.real("query.range");
  if (!(p.range >= 0.0f)) in.fail("query.range");
  if (!is_of_areas(p.kind)) {
    parse_points(in, p);
    return p;
  }
  p.samples_hash = in.hash("areas.hash");
  p.areas = in.number<std::uint64_t>("areas.count");
  if (p.areas > most_areas) in.fail("areas.count");
  p.area_samples = in.number<std::uint32_t>("query.samples");
  if (p.area_samples > most_area_samples) in.fail("query.samples");
  if (p.kind == BakeKind::area_visibility) {
    p.counts = in.choice("query.counts", zero_one) == 1;
  } else {
    p.differences = in.number<std::uint64_t>("differences.count");
  }
  return p;
}

ContainerWriter create_bake(const std::string& name, const BakeParameters& p) {
  return ContainerWriter(name, bake_tensors(p), to_metadata(p));
}

ContainerWriter create_bake(const std::string& name, const BakeParameters& p,
                            const Keeping& keeping) {
  return ContainerWriter(name, bake_tensors(p), to_metadata(p),
                         {p.job_rows(), p.job_columns(), keeping});
}

void write_area_ids(ContainerWriter& writer, std::uint64_t areas, std::uint64_t first,
                    std::span<const std::uint32_t> ids) {
  if (area_id_dtype(areas) == Dtype::u32) return writer.write("id", first, ids.size(), ids.data());
  std::vector<std::uint16_t> narrow(ids.size());
  std::transform(ids.begin(), ids.end(), narrow.begin(),
                 [](std::uint32_t id) { return static_cast<std::uint16_t>(id); });
  writer.write("id", first, narrow.size(), narrow.data());
}

BakeReader::BakeReader(const std::string& name)
    : reader_(name), parameters_(parse_bake_parameters(name, reader_.metadata())) {
  std::vector<std::string_view> known;
  const std::vector<TensorSpec> tensors = bake_tensors(parameters_);
  for (const TensorSpec& tensor : tensors) {
    const TensorInfo& found = reader_.expect(tensor.name, tensor.dtype, tensor.shape);
    // A claimed size may be the very number that stands for any size.
    if (found.shape != tensor.shape) {
      throw Error(ErrorKind::bad_input,
                  fmt::format("{}: tensor {} is {}", name, quote_name(tensor.name),
                              to_string(found.shape)));
    }
    known.push_back(tensor.name);
  }
  reader_.refuse_unknown(known);
}

void BakeReader::read(std::string_view tensor, std::uint64_t first, std::uint64_t count,
                      void* to) const {
  reader_.read(*reader_.find(tensor), first, count, to);
}

void BakeReader::read_area_ids(std::uint64_t first, std::span<std::uint32_t> ids) const {
  if (area_id_dtype(parameters_.areas) == Dtype::u32) {
    return read("id", first, ids.size(), ids.data());
  }
  std::vector<std::uint16_t> narrow(ids.size());
  read("id", first, narrow.size(), narrow.data());
  std::copy(narrow.begin(), narrow.end(), ids.begin());
}

bool is_bake(const std::string& name) {
  return is_bake_kind(ContainerReader(name).metadata(kind_key));
}

}  // namespace sightline::io
