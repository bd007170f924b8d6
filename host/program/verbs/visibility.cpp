// visibility: the bit matrix of who sees whom, its report and its picture.
#include "host/files/pictures/picture.hpp"
#include "host/program/engine/bake.hpp"
#include "host/program/engine/bit_matrix.hpp"
#include "host/program/engine/bytes.hpp"
#include "host/program/engine/fields.hpp"
#include "host/program/engine/floors.hpp"
#include "host/program/engine/inputs.hpp"
#include "host/program/engine/long_job.hpp"
#include "host/program/verbs/verbs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

namespace sightline::cli {
namespace {

void tell_points(Job& job, const VisibilityOptions& options, const char* what, std::uint64_t n,
                 std::uint64_t bad, std::uint64_t touching) {
  if (bad > 0) {
    job.warn(fmt::format("{} of {} {} are NaN, infinite or beyond 2^40, and see nothing",
                         grouped(bad), grouped(n), what));
  }
  if (touching == 0 || options.inside == Inside::ignore) return;
  if (options.margin > 0) {
    job.warn(
        fmt::format("{} of {} {} lie in or touch a shape, which hides those deeper than the "
                    "margin; --inside ignore leaves out the shapes around them",
                    grouped(touching), grouped(n), what));
  } else {
    job.warn(
        fmt::format("{} of {} {} lie in or touch a shape, which hides them; --margin 0.001 "
                    "leaves out the segments' ends, --inside ignore the shapes around them",
                    grouped(touching), grouped(n), what));
  }
}

void tell_report(Job& job, const VisibilityReport& r, const Matrix& m, const WorkDone& before,
                 double seconds) {
  job.set("/counts/pairs", r.pairs);
  job.set("/counts/visible", r.visible);
  job.set("/counts/bad_viewpoints", r.bad_viewpoints);
  job.set("/counts/bad_targets", r.bad_targets);
  job.set("/counts/touching_viewpoints", r.touching_viewpoints);
  job.set("/counts/touching_targets", r.touching_targets);
  const std::uint64_t cast = m.self     ? (r.pairs + m.from.count) / 2
                             : m.fields ? r.in_field
                                        : r.pairs;
  if (m.fields) {
    job.set("/counts/in_field", r.in_field);
    job.set("/counts/bad_fields", r.bad_fields);
  }
  // Of what this run did; of a set against itself nearly half of the pairs are mirrored.
  const auto pairs = static_cast<double>(std::max<std::uint64_t>(r.pairs, 1));
  const double cast_now =
      m.fields ? static_cast<double>(cast - before.counts.sum[5])
               : static_cast<double>(cast) * (1 - static_cast<double>(before.cells) / pairs);
  const double rate = cast_now / std::max(seconds, 1e-9);
  job.set("/counts/segments", cast);
  job.set("/rates/segments_per_second", rate);
  job.say(
      fmt::format("baked   {} pairs by {} segments in {:.2f} s ({} segments/s): {} visible "
                  "({:.2f}%)",
                  grouped(r.pairs), grouped(cast), seconds, short_number(rate), grouped(r.visible),
                  100 * static_cast<double>(r.visible) / pairs));
  if (r.bad_fields > 0) {
    job.warn(
        fmt::format("{} of {} viewpoints have bad fields of view (NaN, infinite, a direction "
                    "of length 0 or a negative range), and see nothing",
                    grouped(r.bad_fields), grouped(m.from.count)));
  }
  tell_points(job, m.options, m.self ? "points" : "viewpoints", m.from.count, r.bad_viewpoints,
              r.touching_viewpoints);
  if (!m.self)
    tell_points(job, m.options, "targets", m.to.count, r.bad_targets, r.touching_targets);
}

/// The share of the other points that each viewpoint sees, in [0, 1].
std::vector<float> exposure(const std::vector<std::uint64_t>& seen, const Matrix& m) {
  std::vector<float> share(m.from.count);
  const std::uint64_t others = m.to.count - (m.self && m.to.count > 0 ? 1 : 0);
  for (std::uint64_t i = 0; i < m.from.count; ++i) {
    share[i] = others == 0
                   ? 0.0f
                   : static_cast<float>(static_cast<double>(seen[i]) / static_cast<double>(others));
  }
  return share;
}

void draw(Job& job, const VisibilityArguments& a, const LoadedScene& scene, const Matrix& m,
          const std::vector<std::uint64_t>& seen) {
  io::MapPicture picture;
  picture.scene = &m.caster.scene();
  picture.points = m.from;
  picture.share = exposure(seen, m);
  picture.unit = unit_of(scene.metadata);
  picture.up = up_of(scene.metadata);
  picture.floors = floors_under(m.caster, m.from, picture.up);
  picture.caption = m.self ? "share of the other points seen" : "share of the targets seen";
  job.timed("picture", [&] { io::write_map_picture(a.picture, picture); });
  job.set("/picture/file", a.picture);
  job.say(fmt::format("wrote   {}", a.picture));
}

void tell_plan(Job& job, const Matrix& m) {
  const std::uint64_t result = m.from.count * words_for(m.to.count) * 8;
  const std::uint64_t cast = m.self ? (m.pairs() + m.from.count) / 2 : m.pairs();
  const std::uint64_t memory = m.caster.memory_bytes() + m.tile_side * m.tile_side / 4;
  job.set("/counts/pairs", m.pairs());
  job.set("/counts/segments", cast);
  job.set("/bytes/result", result);
  job.set("/bytes/memory", memory);
  job.say(fmt::format("would cast {} segments for {} pairs, in tiles of {} x {} points",
                      grouped(cast), grouped(m.pairs()), m.tile_side, m.tile_side));
  job.say(fmt::format("would write {} of bits", format_bytes(result)));
  job.say(fmt::format("would hold {} for scene, tree and tiles", format_bytes(memory)));
}

}  // namespace

int run_visibility(Job& job, const VisibilityArguments& a) {
  refuse_same_files(
      job, {a.scene, a.from, a.to, a.fields.directions, a.fields.half_angle, a.fields.range},
      {a.output, a.picture});
  const io::Points from = load_points(job, a.from, "/from");
  std::optional<io::Points> to;
  if (!a.to.empty()) to = load_points(job, a.to, "/to");
  LoadedScene scene = load_scene(job, a.scene);
  const LoadedFields fields =
      load_fields(job, a.fields, from, a.from, field_shape(a.fields, scene.metadata));
  io::ResultParameters parameters;
  parameters.kind = io::ResultKind::visibility;
  parameters.scene_hash = scene.hash;
  parameters.inside = a.inside;
  parameters.from_hash = io::points_hash(from);
  parameters.to_hash = to ? io::points_hash(*to) : parameters.from_hash;
  parameters.viewpoints = from.count();
  parameters.targets = to ? to->count() : from.count();
  parameters.range = a.range;
  parameters.margin = a.margin;
  parameters.fields_hash = fields.hash;
  if (!fields.hash.empty()) parameters.field_shape = fields.shape;
  job.set("/from/hash", parameters.from_hash);
  job.set("/to/hash", parameters.to_hash);
  job.set("/to/count", parameters.targets);
  job.say(fmt::format("points  {} viewpoints, {} targets{}", grouped(parameters.viewpoints),
                      grouped(parameters.targets), to ? "" : " (the same)"));
  if (!fields.hash.empty()) {
    job.say(fmt::format("fields  each viewpoint looks at a {}, hash {}",
                        io::field_shape_name(fields.shape), fields.hash));
  }
  const Caster caster = build_caster(job, std::move(scene.scene));
  // The same points named twice are a set against itself too; fields make it one-sided.
  const bool same = parameters.to_hash == parameters.from_hash;
  const Matrix matrix{caster,
                      from.view(),
                      same || !to ? from.view() : to->view(),
                      same && fields.hash.empty(),
                      fields.view(),
                      {a.range, a.margin, a.inside},
                      tile_side(job, caster)};
  job.set("/chunk/tile_side", matrix.tile_side);
  if (job.common().dry_run) {
    tell_plan(job, matrix);
    return 0;
  }
  const auto begin = std::chrono::steady_clock::now();
  io::ResultWriter writer = open_result(job, a.output, parameters, a.keeping);
  const VisibilityReport report =
      job.timed("visibility", [&] { return bake(job, matrix, writer); });
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
  tell_report(job, report, matrix, done_before(writer.container()), seconds.count());
  // Drawn before the bits take their name, so that a failure leaves neither.
  if (!a.picture.empty()) draw(job, a, scene, matrix, seen_by_viewpoint(matrix, writer));
  job.timed("commit", [&] { writer.commit(); });
  job.set("/result/file", a.output);
  job.set("/result/bytes", writer.file_bytes());
  job.say(fmt::format("wrote   {}: {}", a.output, format_bytes(writer.file_bytes())));
  return 0;
}

}  // namespace sightline::cli
