// cover: where one can take cover, in which directions, and on which side one can lean out.
#include "host/program/engine/cover_rows.hpp"

#include "host/files/core/file.hpp"
#include "host/program/engine/bakes.hpp"
#include "host/program/engine/bytes.hpp"
#include "host/program/engine/cover_points.hpp"
#include "host/program/engine/long_job.hpp"
#include "host/program/verbs/verbs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

namespace sightline::cli {
namespace {

constexpr std::uint64_t most_points = 1 << 14;

CoverReport find_all(const Job& job, const Caster& caster, const PointsView& points,
                     const CoverOptions& options, io::ContainerWriter& writer) {
  CoverRows rows;
  const std::uint64_t chunk =
      chunk_size(caster, most_points * options.directions) / options.directions;
  const auto work = [&](std::uint64_t first, std::uint64_t n) {
    rows.resize(n);
    const CoverReport part = cover(caster, points.slice(first, n), rows.view(), options);
    for_each_cover_column(rows, [&](const char* tensor, const auto& column) {
      writer.write(tensor, first, n, column.data());
    });
    io::JobCounts counts;
    counts.sum = {part.candidates, part.crouch, part.stand};
    return counts;
  };
  const Chunks chunks = {"cover", "points", points.count, std::max<std::uint64_t>(1, chunk)};
  const auto sum = work_on_chunks(job, writer, chunks, work).sum;
  return {points.count, sum[0], sum[1], sum[2]};
}

/// [n], the share of directions that are safe when crouching; read from what was written.
std::vector<float> safe_shares(const io::ContainerWriter& writer, const io::BakeParameters& p) {
  std::vector<std::uint64_t> safe(p.points);
  writer.read("crouch", 0, p.points, safe.data());
  std::vector<float> share;
  for (const std::uint64_t directions : safe) {
    share.push_back(static_cast<float>(std::popcount(directions)) /
                    static_cast<float>(p.cover.directions));
  }
  return share;
}

}  // namespace

int run_cover(Job& job, const CoverArguments& a) {
  if (a.points.empty() && a.map.empty()) {
    throw Error(ErrorKind::usage, "name the points: --points P, or --nav MAP and --points-out");
  }
  refuse_same_files(job, {a.scene, a.points, a.map}, {a.output, a.picture, a.places});
  LoadedScene scene = load_scene(job, a.scene);
  io::BakeParameters p;
  p.kind = io::BakeKind::cover;
  p.scene_hash = scene.hash;
  p.cover = a.options;
  if (up_of(scene.metadata) == UpAxis::y) p.cover.up = {0, 1, 0};
  const Caster caster = build_caster(job, std::move(scene.scene));
  cover_directions(p.cover.directions, p.cover.up);  // refuses bad options before the file is made
  cover(caster, {}, {}, p.cover);
  if (!a.places.empty() && !job.common().dry_run) io::check_can_write(a.places);
  const io::Points points = cover_points(job, a, caster, scene.hash, p.cover);
  p.points_hash = io::points_hash(points);
  p.points = points.count();
  constexpr std::uint64_t row_bytes = 2 + 4 + 4 * 8;
  if (job.common().dry_run) {
    job.set("/bytes/result", p.points * row_bytes);
    job.say(fmt::format("would look from {} points in {} directions and write {}",
                        grouped(p.points), p.cover.directions, format_bytes(p.points * row_bytes)));
    return 0;
  }
  io::ContainerWriter writer = open_bake(job, a.output, p, a.keeping);
  if (!a.places.empty()) {
    io::write_points(a.places, points);
    job.say(fmt::format("wrote   {}: {} points", a.places, grouped(points.count())));
  }
  const CoverReport r =
      job.timed("cover", [&] { return find_all(job, caster, points.view(), p.cover, writer); });
  job.set("/counts/points", r.points);
  job.set("/counts/candidates", r.candidates);
  job.set("/counts/crouch", r.crouch);
  job.set("/counts/stand", r.stand);
  job.say(
      fmt::format("cover   {} points, {} near something: {} with cover to crouch behind, {} to "
                  "stand behind",
                  grouped(r.points), grouped(r.candidates), grouped(r.crouch), grouped(r.stand)));
  if (!a.picture.empty()) {
    draw_shares(job, a.picture, caster, scene.metadata, points.view(), safe_shares(writer, p),
                "share of directions safe when crouching", p.cover.crouch - p.cover.at);
  }
  commit(job, writer);
  return 0;
}

}  // namespace sightline::cli
