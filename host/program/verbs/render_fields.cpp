// render: maps, rows and histograms of numbers of points.
#include "host/program/verbs/render.hpp"

#include "host/files/formats/results_file.hpp"
#include "host/files/pictures/color_ramp.hpp"
#include "host/files/pictures/histogram.hpp"
#include "host/files/pictures/ply.hpp"
#include "host/program/checks/verify_bakes.hpp"
#include "host/program/engine/bit_matrix.hpp"
#include "host/program/engine/bytes.hpp"
#include "host/program/engine/interrupt.hpp"
#include "host/program/engine/memory.hpp"

#include <sightline/intersect/line.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace sightline::cli {
namespace {

/// A number for each point of a result or a bake, and what it is.
struct Field {
  std::vector<float> values;
  std::string caption, counted;
  io::Quantity quantity;
};

/// The share of the targets, but for itself, that each viewpoint sees.
Field read_shares(const Job& job, const io::ResultReader& result) {
  const io::ResultParameters& p = result.parameters();
  const bool self = p.to_hash == p.from_hash;
  // Rows of no words take no bytes: a file may claim any number of them.
  if (p.targets == 0 && p.viewpoints > 0) {
    throw Error(ErrorKind::bad_input,
                result.name() + ": holds no targets: there is nothing to draw");
  }
  require_memory(job.common().max_memory, p.viewpoints * sizeof(float) + p.row_words() * 8,
                 "a row of the result and the shares");
  Field field;
  field.caption = self ? "share of the other points seen" : "share of the targets seen";
  field.counted = "viewpoints";
  field.values.resize(p.viewpoints);
  std::vector<std::uint64_t> row(p.row_words());
  const auto others = static_cast<double>(p.targets - (self && p.targets > 0 ? 1 : 0));
  for (std::uint64_t i = 0; i < p.viewpoints; ++i) {
    poll_interrupt();
    result.read_bits(i, 1, 0, p.row_words(), row.data(), p.row_words());
    std::uint64_t seen = count_bits(row);
    if (self && (row[i / 64] >> (i % 64) & 1) != 0) --seen;
    field.values[i] = others > 0 ? static_cast<float>(static_cast<double>(seen) / others) : 0.0f;
  }
  return field;
}

/// How far each point is from the nearest shape.
Field read_distance(const Job& job, const io::ResultReader& result, const std::string& unit) {
  constexpr std::uint64_t chunk = 1 << 16;
  const io::ResultParameters& p = result.parameters();
  require_memory(job.common().max_memory, p.points * sizeof(float), "the distances");
  Field field;
  field.caption = "distance of the nearest shape";
  field.counted = "points";
  field.quantity = {" " + unit, 1};
  io::NearBuffer rows;
  for (std::uint64_t first = 0; first < p.points; first += chunk) {
    poll_interrupt();
    const std::uint64_t n = std::min(chunk, p.points - first);
    result.read_near(first, n, rows);
    for (std::uint64_t i = 0; i < n; ++i) {
      field.values.push_back(std::max(0.0f, rows.distance[i * p.k]));
    }
  }
  return field;
}

/// The share of the viewpoints that see each target.
Field read_exposure(const Job& job, const io::BakeReader& bake) {
  const std::uint64_t n = bake.parameters().points;
  require_memory(job.common().max_memory, n * sizeof(float), "the shares");
  Field field;
  field.caption = "share of the viewpoints that see it";
  field.counted = "targets";
  field.values.resize(n);
  bake.read("share", 0, n, field.values.data());
  return field;
}

[[noreturn]] void refuse_kind(const std::string& file, std::string_view kind) {
  throw Error(ErrorKind::usage,
              fmt::format("{}: is of kind '{}'; there are such pictures of visibility, distance "
                          "and exposure",
                          file, kind));
}

/// A result or a bake that has a number for each of its points.
class FieldFile {
 public:
  explicit FieldFile(const std::string& name) {
    if (io::is_bake(name)) {
      bake_.emplace(name);
      const io::BakeKind kind = bake_->parameters().kind;
      if (kind != io::BakeKind::exposure) refuse_kind(name, io::bake_kind_name(kind));
    } else {
      result_.emplace(name);
      const io::ResultKind kind = result_->parameters().kind;
      if (kind != io::ResultKind::visibility && kind != io::ResultKind::distance) {
        refuse_kind(name, io::result_kind_name(kind));
      }
    }
  }
  std::uint64_t points() const {
    if (bake_) return bake_->parameters().points;
    const io::ResultParameters& p = result_->parameters();
    return p.kind == io::ResultKind::distance ? p.points : p.viewpoints;
  }
  /// Throws Error{bad_input} for others than the file's.
  void require(const std::string& scene, const std::string& scene_hash, const std::string& points,
               const std::string& hash) const {
    if (bake_) {
      require_same(*bake_, "a scene", scene, bake_->parameters().scene_hash, scene_hash);
      require_same(*bake_, "targets", points, bake_->parameters().points_hash, hash);
      return;
    }
    const io::ResultParameters& p = result_->parameters();
    const bool near = p.kind == io::ResultKind::distance;
    require_same(*result_, "a scene", scene, p.scene_hash, scene_hash);
    require_same(*result_, "points", points, near ? p.points_hash : p.from_hash, hash);
  }
  Field read(const Job& job, const std::string& unit) const {
    if (bake_) return read_exposure(job, *bake_);
    const bool near = result_->parameters().kind == io::ResultKind::distance;
    return near ? read_distance(job, *result_, unit) : read_shares(job, *result_);
  }

 private:
  std::optional<io::BakeReader> bake_;
  std::optional<io::ResultReader> result_;
};

void write_field_points(const std::string& name, const PointsView& at, const Field& field) {
  io::PlyPoints points;
  float largest = 1e-30f;
  for (const float value : field.values) {
    if (std::isfinite(value)) largest = std::max(largest, value);
  }
  for (std::uint64_t i = 0; i < at.count; ++i) {
    points.position.push_back(at.position[i]);
    points.color.push_back(io::ramp_color(field.values[i] / largest));
  }
  points.value = field.values;
  io::write_ply(name, points);
}

}  // namespace

void render_map(Job& job, const RenderArguments& a) {
  require_ending(a.output, {".png", ".ply"});
  const FieldFile file(a.file);
  const MapInputs inputs = load_map_inputs(job, a);
  const io::Points points = load_points(job, a.from, "/from");
  file.require(a.scene, inputs.scene.hash, a.from, io::points_hash(points));
  require_count(a.file, "points", file.points(), a.from, points.count());
  if (is_told_alone(job, fmt::format("a map of {} points", grouped(file.points())))) return;
  const Field field = file.read(job, unit_of(inputs.scene.metadata));
  if (has_ending(a.output, ".ply")) return write_field_points(a.output, points.view(), field);
  io::MapPicture picture;
  set_map(picture, inputs, a, field.caption);
  picture.points = points.view();
  set_floors(job, picture, picture.points);
  picture.share = field.values;
  picture.quantity = field.quantity;
  io::write_map_picture(a.output, picture);
}

void render_row(Job& job, const RenderArguments& a) {
  require_ending(a.output, {".png"});
  const io::ResultReader result(a.file);
  const io::ResultParameters& p = result.parameters();
  if (p.kind != io::ResultKind::visibility) {
    throw Error(ErrorKind::usage, fmt::format("{}: only visibility has rows", result.name()));
  }
  const std::uint64_t viewpoint = *a.viewpoint;
  if (viewpoint >= p.viewpoints) {
    throw Error(ErrorKind::usage, fmt::format("{}: there is no viewpoint {} of {}", result.name(),
                                              viewpoint, p.viewpoints));
  }
  const MapInputs inputs = load_map_inputs(job, a);
  const io::Points from = load_points(job, a.from, "/from");
  require_same(result, "a scene", a.scene, p.scene_hash, inputs.scene.hash);
  require_same(result, "points", a.from, p.from_hash, io::points_hash(from));
  require_count(result, "viewpoints", p.viewpoints, a.from, from.count());
  const io::Points to = a.to.empty() ? from : load_points(job, a.to, "/to");
  const std::string& targets = a.to.empty() ? a.from : a.to;
  require_same(result, "points", targets, p.to_hash, io::points_hash(to));
  require_count(result, "targets", p.targets, targets, to.count());
  io::RowPicture picture;
  set_map(picture, inputs, a, fmt::format("what viewpoint {} sees", viewpoint));
  picture.viewpoint = from.view().position[viewpoint];
  if (!is_finite(picture.viewpoint)) {
    throw Error(ErrorKind::bad_input,
                fmt::format("{}: viewpoint {} is not finite", a.from, viewpoint));
  }
  if (is_told_alone(job, fmt::format("a map of {} targets", grouped(p.targets)))) return;
  picture.targets = to.view();
  set_floors(job, picture, picture.targets);
  picture.bits.resize(p.row_words());
  result.read_bits(viewpoint, 1, 0, p.row_words(), picture.bits.data(), p.row_words());
  io::write_row_picture(a.output, picture);
}

void render_histogram(Job& job, const RenderArguments& a) {
  require_ending(a.output, {".png"});
  const FieldFile file(a.file);
  if (is_told_alone(job, fmt::format("a histogram of {} points", grouped(file.points())))) return;
  const Field field = file.read(job, "scene units");
  io::write_histogram_picture(a.output,
                              {field.values, field.caption, field.counted, field.quantity});
}

}  // namespace sightline::cli
