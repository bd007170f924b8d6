// The parameters of a result as text, and back.
#include "host/files/core/parameter_reader.hpp"
#include "host/files/formats/results_file.hpp"

#include <sightline/error.hpp>

#include <fmt/format.h>

#include <array>

namespace sightline::io {
namespace {

constexpr std::array<std::string_view, 11> kind_names = {
    "hits",        "blocked",       "hit counts",  "all hits", "visibility", "sweep",
    "overlap any", "overlap count", "overlap all", "distance", "clearance"};
constexpr std::array<std::string_view, 3> field_shape_names = {"cone", "sector", "sector y up"};
constexpr std::array<std::string_view, 3> inside_names = {"solid", "surface", "ignore"};

/// Only in results of 2D.
constexpr char dimensions_key[] = "query.dimensions";

std::string pair_text(const std::uint32_t (&pair)[2]) {
  return fmt::format("{} {}", pair[0], pair[1]);
}

}  // namespace

std::string_view result_kind_name(ResultKind kind) {
  return kind_names[static_cast<std::size_t>(kind)];
}

std::string_view inside_name(Inside inside) {
  return inside_names[static_cast<std::size_t>(inside)];
}

std::string_view field_shape_name(FieldShape shape) {
  return field_shape_names[static_cast<std::size_t>(shape)];
}

std::uint64_t ResultParameters::row_words() const {
  const std::uint64_t bits = kind == ResultKind::visibility ? targets
                             : is_overlap(kind)             ? asking
                                                            : rays;
  return bits / 64 + (bits % 64 != 0 ? 1 : 0);
}

std::uint64_t ResultParameters::grid_rows() const {
  if (kind == ResultKind::visibility) return viewpoints;
  if (is_overlap(kind)) return asking;
  return is_near(kind) ? points : hits();
}

Metadata to_metadata(const ResultParameters& p) {
  Metadata m;
  m[kind_key] = result_kind_name(p.kind);
  m[format_key] = format_version;
  m["sightline.answers"] = std::to_string(p.answers);
  m["scene.hash"] = p.scene_hash;
  if (p.flat) m[dimensions_key] = "2";
  if (is_overlap(p.kind)) {
    m["asking.hash"] = p.asking_hash;
    m["asking.count"] = std::to_string(p.asking);
    if (p.kind == ResultKind::overlap_all) m["pairs.count"] = std::to_string(p.pairs);
    return m;
  }
  if (is_near(p.kind)) {
    m["points.hash"] = p.points_hash;
    m["points.count"] = std::to_string(p.points);
    if (p.kind == ResultKind::clearance) m["to.hash"] = p.to_hash;
    m["query.range"] = fmt::format("{}", p.range);
    m["query.k"] = std::to_string(p.k);
    return m;
  }
  m["query.inside"] = inside_name(p.inside);
  if (p.flat) {
    m["segments.hash"] = p.rays_hash;
    m["segments.count"] = std::to_string(p.rays);
    return m;
  }
  if (p.kind == ResultKind::visibility) {
    m["from.hash"] = p.from_hash;
    m["from.count"] = std::to_string(p.viewpoints);
    m["to.hash"] = p.to_hash;
    m["to.count"] = std::to_string(p.targets);
    m["query.range"] = fmt::format("{}", p.range);
    m["query.margin"] = fmt::format("{}", p.margin);
    if (p.fields_hash.empty()) return m;
    m["fields.hash"] = p.fields_hash;
    m["fields.shape"] = field_shape_name(p.field_shape);
    return m;
  }
  if (holds_hits(p.kind)) m["query.normals"] = p.normals ? "1" : "0";
  if (p.kind == ResultKind::sweep) {
    m["moving.hash"] = p.moving_hash;
    m["moving.count"] = std::to_string(p.moving);
    m["directions.hash"] = p.directions_hash;
    m["query.t_max"] = fmt::format("{}", p.t_max);
    return m;
  }
  m["rays.hash"] = p.rays_hash;
  m["rays.count"] = std::to_string(p.rays);
  m["query.t_min"] = fmt::format("{}", p.defaults.t_min);
  m["query.t_max"] = fmt::format("{}", p.defaults.t_max);
  m["query.mask"] = std::to_string(p.defaults.mask);
  m["query.exclude"] = pair_text(p.defaults.exclude);
  m["query.exclude_group"] = pair_text(p.defaults.exclude_group);
  if (p.defaults.radius != 0.0f) m["query.radius"] = fmt::format("{}", p.defaults.radius);
  if (p.kind == ResultKind::all_hits) {
    m["query.first"] = std::to_string(p.first);
    m["query.t_out"] = p.t_out ? "1" : "0";
    m["hits.count"] = std::to_string(p.kept);
  }
  return m;
}

ResultParameters parse_parameters(const std::string& file, const Metadata& metadata) {
  const ParameterReader in(file, metadata);
  ResultParameters p;
  p.kind = static_cast<ResultKind>(in.choice(kind_key, kind_names));
  if (in.text(format_key) != format_version) in.fail(format_key);
  p.answers = in.number<std::uint32_t>("sightline.answers");
  p.scene_hash = in.hash("scene.hash");
  p.flat = metadata.contains(dimensions_key);
  if (p.flat && in.text(dimensions_key) != "2") in.fail(dimensions_key);
  if (is_overlap(p.kind)) {
    p.asking_hash = in.hash("asking.hash");
    p.asking = in.number<std::uint64_t>("asking.count");
    // Shapes have ids of 32 bits; circles do not, but there is an offset more than circles.
    if (p.asking >= (p.flat ? ~std::uint64_t{0} : none)) in.fail("asking.count");
    if (p.kind == ResultKind::overlap_all) p.pairs = in.number<std::uint64_t>("pairs.count");
    return p;
  }
  if (is_near(p.kind)) {
    p.points_hash = in.hash("points.hash");
    p.points = in.number<std::uint64_t>("points.count");
    if (p.kind == ResultKind::clearance) p.to_hash = in.hash("to.hash");
    p.range = in.real("query.range");
    if (!(p.range >= 0.0f)) in.fail("query.range");
    p.k = in.number<std::uint32_t>("query.k");
    if (p.k == 0) in.fail("query.k");
    return p;
  }
  p.inside = static_cast<Inside>(in.choice("query.inside", inside_names));
  if (p.flat) {
    if (p.kind != ResultKind::hits) in.fail(dimensions_key);
    p.rays_hash = in.hash("segments.hash");
    p.rays = in.number<std::uint64_t>("segments.count");
    return p;
  }
  if (p.kind == ResultKind::visibility) {
    p.from_hash = in.hash("from.hash");
    p.viewpoints = in.number<std::uint64_t>("from.count");
    p.to_hash = in.hash("to.hash");
    p.targets = in.number<std::uint64_t>("to.count");
    if (p.to_hash == p.from_hash && p.targets != p.viewpoints) in.fail("to.count");
    p.range = in.real("query.range");
    p.margin = in.real("query.margin");
    if (!(p.range >= 0.0f)) in.fail("query.range");
    if (!(0.0f <= p.margin && p.margin < 0.5f)) in.fail("query.margin");
    if (metadata.contains("fields.hash") || metadata.contains("fields.shape")) {
      p.fields_hash = in.hash("fields.hash");
      p.field_shape = static_cast<FieldShape>(in.choice("fields.shape", field_shape_names));
    }
    return p;
  }
  constexpr std::array<std::string_view, 2> no_yes = {"0", "1"};
  if (holds_hits(p.kind)) p.normals = in.choice("query.normals", no_yes) == 1;
  if (p.kind == ResultKind::sweep) {
    p.moving_hash = in.hash("moving.hash");
    p.moving = in.number<std::uint64_t>("moving.count");
    p.directions_hash = in.hash("directions.hash");
    p.t_max = in.real("query.t_max");
    if (p.moving >= none) in.fail("moving.count");
    if (!(p.t_max >= 0.0f)) in.fail("query.t_max");
    return p;
  }
  p.rays_hash = in.hash("rays.hash");
  p.rays = in.number<std::uint64_t>("rays.count");
  p.defaults.t_min = in.real("query.t_min");
  p.defaults.t_max = in.real("query.t_max");
  p.defaults.mask = in.number<std::uint32_t>("query.mask");
  in.pair("query.exclude", p.defaults.exclude);
  in.pair("query.exclude_group", p.defaults.exclude_group);
  if (in.has("query.radius")) {
    p.defaults.radius = in.real("query.radius");
    if (!(p.defaults.radius > 0.0f)) in.fail("query.radius");
  }
  if (p.kind == ResultKind::all_hits) {
    p.first = in.number<std::uint32_t>("query.first");
    if (p.first == 0) in.fail("query.first");
    p.t_out = in.choice("query.t_out", no_yes) == 1;
    p.kept = in.number<std::uint64_t>("hits.count");
    if (p.rays == ~std::uint64_t{0}) in.fail("rays.count");  // there is an offset more
  }
  return p;
}

}  // namespace sightline::io
