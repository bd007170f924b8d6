// render: maps, rows and histograms of numbers of points.
#include "host/cli/render.hpp"

#include "host/cli/bit_matrix.hpp"
#include "host/cli/bytes.hpp"
#include "host/cli/interrupt.hpp"
#include "host/cli/memory.hpp"
#include "host/cli/results/result.hpp"
#include "host/cli/verify_bakes.hpp"
#include "host/io/color_ramp.hpp"
#include "host/io/histogram.hpp"
#include "host/io/ply.hpp"

#include <sightline/line.hpp>

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
Field read_shares(const Job& job, const ResultFile& result) {
  const bool self = result.text("to.hash") == result.text("from.hash");
  const std::uint64_t viewpoints = result.number("from.count"), targets = result.number("to.count");
  const std::uint64_t words = words_for(targets);
  // Rows of no words take no bytes: a file may claim any number of them.
  if (targets == 0 && viewpoints > 0) {
    throw Error(ErrorKind::bad_input,
                result.name() + ": holds no targets: there is nothing to draw");
  }
  require_memory(job.common().max_memory, viewpoints * sizeof(float) + words * 8,
                 "a row of the result and the shares");
  Field field;
  field.caption = self ? "share of the other points seen" : "share of the targets seen";
  field.counted = "viewpoints";
  field.values.resize(viewpoints);
  const auto others = static_cast<double>(targets - (self && targets > 0 ? 1 : 0));
  for (std::uint64_t i = 0; i < viewpoints; ++i) {
    poll_interrupt();
    const auto row = result.read<std::uint64_t>("bits", i * words, words);
    std::uint64_t seen = count_bits(row);
    if (self && (row[i / 64] >> (i % 64) & 1) != 0) --seen;
    field.values[i] = others > 0 ? static_cast<float>(static_cast<double>(seen) / others) : 0.0f;
  }
  return field;
}

/// How far each point is from the nearest shape.
Field read_distance(const Job& job, const ResultFile& result, const std::string& unit) {
  require_memory(job.common().max_memory, result.number("points.count") * sizeof(float),
                 "the distances");
  Field field;
  field.caption = "distance of the nearest shape";
  field.counted = "points";
  field.quantity = {" " + unit, 1};
  const std::uint64_t k = result.number("query.k");
  result.for_each_block([&](Block& block) {
    const auto distance = block.of<float>("distance");
    for (std::uint64_t i = 0; i < distance.size(); i += k) {
      field.values.push_back(std::max(0.0f, distance[i]));
    }
  });
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
      const std::string_view kind = result_->result().names.kind;
      if (kind != "visibility" && kind != "distance") refuse_kind(name, kind);
    }
  }
  std::uint64_t points() const {
    if (bake_) return bake_->parameters().points;
    return result_->result().grid().rows;
  }
  /// Throws Error{bad_input} for others than the file's.
  void require(const std::string& scene, const std::string& scene_hash, const std::string& points,
               const std::string& hash) const {
    if (bake_) {
      require_same(*bake_, "a scene", scene, bake_->parameters().scene_hash, scene_hash);
      require_same(*bake_, "targets", points, bake_->parameters().points_hash, hash);
      return;
    }
    require_same(*result_, "a scene", scene, result_->text("scene.hash"), scene_hash);
    require_same(*result_, "points", points, result_->text(is_near() ? "points.hash" : "from.hash"),
                 hash);
  }
  Field read(const Job& job, const std::string& unit) const {
    if (bake_) return read_exposure(job, *bake_);
    return is_near() ? read_distance(job, *result_, unit) : read_shares(job, *result_);
  }

 private:
  bool is_near() const { return result_->result().names.kind == "distance"; }

  std::optional<io::BakeReader> bake_;
  std::optional<ResultFile> result_;
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
  const ResultFile result(a.file);
  if (result.result().names.kind != "visibility") {
    throw Error(ErrorKind::usage, fmt::format("{}: only visibility has rows", result.name()));
  }
  const std::uint64_t viewpoints = result.number("from.count"), targets = result.number("to.count");
  const std::uint64_t viewpoint = *a.viewpoint;
  if (viewpoint >= viewpoints) {
    throw Error(ErrorKind::usage, fmt::format("{}: there is no viewpoint {} of {}", result.name(),
                                              viewpoint, viewpoints));
  }
  const MapInputs inputs = load_map_inputs(job, a);
  const io::Points from = load_points(job, a.from, "/from");
  require_same(result, "a scene", a.scene, result.text("scene.hash"), inputs.scene.hash);
  require_same(result, "points", a.from, result.text("from.hash"), io::points_hash(from));
  require_count(result, "viewpoints", viewpoints, a.from, from.count());
  const io::Points to = a.to.empty() ? from : load_points(job, a.to, "/to");
  const std::string& to_file = a.to.empty() ? a.from : a.to;
  require_same(result, "points", to_file, result.text("to.hash"), io::points_hash(to));
  require_count(result, "targets", targets, to_file, to.count());
  io::RowPicture picture;
  set_map(picture, inputs, a, fmt::format("what viewpoint {} sees", viewpoint));
  picture.viewpoint = from.view().position[viewpoint];
  if (!is_finite(picture.viewpoint)) {
    throw Error(ErrorKind::bad_input,
                fmt::format("{}: viewpoint {} is not finite", a.from, viewpoint));
  }
  if (is_told_alone(job, fmt::format("a map of {} targets", grouped(targets)))) return;
  picture.targets = to.view();
  set_floors(job, picture, picture.targets);
  const std::uint64_t words = words_for(targets);
  picture.bits = result.read<std::uint64_t>("bits", viewpoint * words, words);
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
