// render: pictures of results.
#include "host/cli/render.hpp"

#include "host/cli/bit_matrix.hpp"
#include "host/cli/inputs.hpp"
#include "host/cli/interrupt.hpp"
#include "host/cli/memory.hpp"
#include "host/cli/verbs.hpp"
#include "host/cli/verify.hpp"
#include "host/io/color_ramp.hpp"
#include "host/io/histogram.hpp"
#include "host/io/ply.hpp"
#include "host/io/results_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>

namespace sightline::cli {
namespace {

/// A number for each viewpoint or point of a result, and what it is.
struct Field {
  std::vector<float> values;
  std::string caption, counted;
  io::Quantity quantity;
};

/// The share of the targets, but for itself, that each viewpoint sees.
Field read_exposure(const Job& job, const io::ResultReader& result) {
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

Field read_field(const Job& job, const io::ResultReader& result, const std::string& unit) {
  const io::ResultKind kind = result.parameters().kind;
  if (kind == io::ResultKind::visibility) return read_exposure(job, result);
  if (kind == io::ResultKind::distance) return read_distance(job, result, unit);
  throw Error(ErrorKind::usage,
              fmt::format("{}: is of kind '{}'; there are pictures of visibility and distance",
                          result.name(), io::result_kind_name(kind)));
}

struct Inputs {
  LoadedScene scene;
  io::Points from;
};

/// The scene and the points that a result is of. Throws Error{bad_input} for others.
Inputs load_inputs(Job& job, const RenderArguments& a, const io::ResultReader& result) {
  const io::ResultParameters& p = result.parameters();
  Inputs inputs{load_scene(job, a.scene), load_points(job, a.from, "/from")};
  require_same(result, "a scene", a.scene, p.scene_hash, inputs.scene.hash);
  const bool near = p.kind == io::ResultKind::distance;
  require_same(result, "points", a.from, near ? p.points_hash : p.from_hash,
               io::points_hash(inputs.from));
  require_count(result, "points", near ? p.points : p.viewpoints, a.from, inputs.from.count());
  return inputs;
}

io::Slice slice_of(const RenderArguments& a) {
  return a.slice.empty() ? io::Slice{} : io::Slice{a.slice[0], a.slice[1]};
}

void render_map(Job& job, const RenderArguments& a, const io::ResultReader& result) {
  require_ending(a.output, {".png", ".ply"});
  const Inputs inputs = load_inputs(job, a, result);
  const std::string unit = unit_of(inputs.scene.metadata);
  const Field field = read_field(job, result, unit);
  if (has_ending(a.output, ".ply")) {
    io::PlyPoints points;
    float largest = 1e-30f;
    for (const float value : field.values) {
      if (std::isfinite(value)) largest = std::max(largest, value);
    }
    for (std::uint64_t i = 0; i < inputs.from.count(); ++i) {
      points.position.push_back(inputs.from.view().position[i]);
      points.color.push_back(io::ramp_color(field.values[i] / largest));
    }
    points.value = field.values;
    return io::write_ply(a.output, points);
  }
  io::MapPicture picture;
  picture.scene = &inputs.scene.scene;
  picture.points = inputs.from.view();
  picture.share = field.values;
  picture.quantity = field.quantity;
  picture.caption = field.caption;
  picture.unit = unit;
  picture.up = up_of(inputs.scene.metadata);
  picture.slice = slice_of(a);
  io::write_map_picture(a.output, picture);
}

void render_row(Job& job, const RenderArguments& a, const io::ResultReader& result) {
  require_ending(a.output, {".png"});
  const io::ResultParameters& p = result.parameters();
  if (p.kind != io::ResultKind::visibility) {
    throw Error(ErrorKind::usage, fmt::format("{}: only visibility has rows", result.name()));
  }
  if (a.viewpoint >= p.viewpoints) {
    throw Error(ErrorKind::usage, fmt::format("{}: there is no viewpoint {} of {}", result.name(),
                                              a.viewpoint, p.viewpoints));
  }
  const Inputs inputs = load_inputs(job, a, result);
  const io::Points to = a.to.empty() ? inputs.from : load_points(job, a.to, "/to");
  const std::string& to_file = a.to.empty() ? a.from : a.to;
  require_same(result, "points", to_file, p.to_hash, io::points_hash(to));
  require_count(result, "targets", p.targets, to_file, to.count());
  io::RowPicture picture;
  picture.scene = &inputs.scene.scene;
  picture.targets = to.view();
  picture.bits.resize(p.row_words());
  result.read_bits(a.viewpoint, 1, 0, p.row_words(), picture.bits.data(), p.row_words());
  picture.viewpoint = inputs.from.view().position[a.viewpoint];
  const Vec3 at = picture.viewpoint;
  if (!std::isfinite(at.x) || !std::isfinite(at.y) || !std::isfinite(at.z)) {
    throw Error(ErrorKind::bad_input,
                fmt::format("{}: viewpoint {} is not finite", a.from, a.viewpoint));
  }
  picture.unit = unit_of(inputs.scene.metadata);
  picture.up = up_of(inputs.scene.metadata);
  picture.slice = slice_of(a);
  picture.caption = fmt::format("what viewpoint {} sees", a.viewpoint);
  io::write_row_picture(a.output, picture);
}

void render_histogram(Job& job, const RenderArguments& a, const io::ResultReader& result) {
  require_ending(a.output, {".png"});
  const Field field = read_field(job, result, "scene units");
  io::write_histogram_picture(a.output,
                              {field.values, field.caption, field.counted, field.quantity});
}

}  // namespace

bool has_ending(const std::string& file, const std::string& ending) {
  const auto same = [](char a, char b) { return std::tolower(static_cast<unsigned char>(a)) == b; };
  return file.size() >= ending.size() &&
         std::equal(file.end() - static_cast<std::ptrdiff_t>(ending.size()), file.end(),
                    ending.begin(), same);
}

void require_ending(const std::string& file, std::initializer_list<const char*> endings) {
  for (const char* ending : endings) {
    if (has_ending(file, ending)) return;
  }
  throw Error(ErrorKind::usage,
              fmt::format("{}: this picture is written as {}", file, fmt::join(endings, ", ")));
}

void tell_picture(Job& job, const std::string& file) {
  job.set("/picture/file", file);
  job.say(fmt::format("wrote   {}", file));
}

int run_render(Job& job, const RenderArguments& a) {
  refuse_same_files(job, {a.file, a.scene, a.from, a.to}, {a.output});
  if (a.what == RenderWhat::camera) return render_camera(job, a);
  const io::ResultReader result(a.file);
  job.set("/input/file", a.file);
  job.timed("picture", [&] {
    if (a.what == RenderWhat::map) render_map(job, a, result);
    if (a.what == RenderWhat::row) render_row(job, a, result);
    if (a.what == RenderWhat::histogram) render_histogram(job, a, result);
  });
  tell_picture(job, a.output);
  return 0;
}

}  // namespace sightline::cli
