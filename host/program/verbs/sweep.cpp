// sweep: the spheres and capsules of a file along the directions of another, some at a time.
#include "host/files/formats/results_file.hpp"
#include "host/program/engine/bytes.hpp"
#include "host/program/engine/long_job.hpp"
#include "host/program/engine/memory.hpp"
#include "host/program/engine/movers.hpp"
#include "host/program/verbs/verbs.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace sightline::cli {
namespace {

// Large enough that threads do not wait for each other, small enough to be interrupted soon.
constexpr std::uint64_t most_shapes_per_chunk = 1 << 18;

struct SweepPlan {
  io::ResultParameters parameters;
  std::uint64_t bytes_per_shape = 0;  ///< in memory, results included
  std::uint64_t chunk = 0;
};

SweepPlan make_plan(const Job& job, const SweepArguments& a, const Caster& caster,
                    const Movers& movers) {
  SweepPlan plan;
  plan.parameters.kind = io::ResultKind::sweep;
  plan.parameters.inside = a.inside;
  plan.parameters.moving_hash = movers.shapes_hash();
  plan.parameters.directions_hash = movers.directions_hash();
  plan.parameters.moving = movers.count();
  plan.parameters.t_max = a.t_max;
  plan.parameters.normals = a.normals;
  constexpr std::uint64_t hit_bytes = sizeof(float) + sizeof(std::uint32_t) + sizeof(std::uint8_t);
  // On its way to a device a shape is a ray, a radius and an end.
  constexpr std::uint64_t shape_bytes = 3 * sizeof(Vec3) + sizeof(float);
  plan.bytes_per_shape =
      copies_in_memory(caster) * (shape_bytes + hit_bytes + (a.normals ? sizeof(Vec3) : 0));
  plan.chunk = buffer_elements(job.common().max_memory, plan.bytes_per_shape,
                               chunk_size(caster, most_shapes_per_chunk));
  return plan;
}

/// Sweeps one chunk after the other into the writer and sums up their reports.
CastReport sweep_all(Job& job, const Caster& caster, const Movers& movers, const SweepPlan& plan,
                     bool strict, io::ResultWriter& writer) {
  const SweepOptions options{plan.parameters.inside, false, plan.parameters.t_max};
  std::vector<Vec3> directions;
  io::HitsBuffer hits;
  const auto refuse_bad = [&](std::uint64_t first_bad) {
    throw Error(ErrorKind::bad_input, fmt::format("{}: direction {}: it is NaN or infinite",
                                                  movers.directions_name(), first_bad));
  };
  const auto work = [&](std::uint64_t first, std::uint64_t n) {
    hits.resize(n, plan.parameters.normals);
    const IdRange some = {static_cast<std::uint32_t>(first), static_cast<std::uint32_t>(n)};
    const CastReport report = caster.sweep(movers.scene(), movers.directions(first, n, directions),
                                           hits.view(), options, some);
    if (report.bad_rays > 0 && strict) refuse_bad(first + report.first_bad_ray);
    writer.write_hits(first, n, hits.view());
    return cast_counts(first, report);
  };
  const CastReport before = cast_report(0, done_before(writer.container()).counts);
  if (before.bad_rays > 0 && strict) refuse_bad(before.first_bad_ray);
  const Chunks chunks = {"sweep", "shapes", movers.count(), plan.chunk};
  return cast_report(movers.count(), work_on_chunks(job, writer.container(), chunks, work));
}

void tell_report(Job& job, const CastReport& report, const Movers& movers, std::uint64_t shapes_now,
                 double seconds) {
  const auto n = static_cast<double>(std::max<std::uint64_t>(report.rays, 1));
  const double rate = static_cast<double>(shapes_now) / std::max(seconds, 1e-9);
  job.set("/counts/moving", report.rays);
  job.set("/counts/hits", report.hits);
  job.set("/counts/bad_directions", report.bad_rays);
  job.set("/rates/shapes_per_second", rate);
  job.say(fmt::format("sweep   {} shapes in {:.2f} s ({} shapes/s, files included), {:.1f}% hit",
                      grouped(report.rays), seconds, short_number(rate),
                      100 * static_cast<double>(report.hits) / n));
  if (report.bad_rays > 0) {
    job.warn(fmt::format("{}: {} of {} directions are bad and count as misses; the first is {}",
                         movers.directions_name(), grouped(report.bad_rays), grouped(report.rays),
                         report.first_bad_ray));
  }
}

}  // namespace

int run_sweep(Job& job, const SweepArguments& a) {
  refuse_same_files(job, {a.scene, a.capsules, a.directions}, {a.output});
  LoadedScene scene = load_scene(job, a.scene);
  const Movers movers(job, a.capsules, a.directions);
  const Caster caster = build_caster(job, std::move(scene.scene));
  SweepPlan plan = make_plan(job, a, caster, movers);
  plan.parameters.scene_hash = scene.hash;
  job.set("/query/kind", "sweep");
  job.set("/query/inside", std::string(io::inside_name(a.inside)));
  job.set("/chunk/shapes", std::min(plan.chunk, movers.count()));
  if (job.common().dry_run) {
    job.set("/counts/moving", movers.count());
    job.say(fmt::format("would sweep {} shapes, {} at a time", grouped(movers.count()),
                        grouped(std::min(plan.chunk, movers.count()))));
    return 0;
  }
  const auto begin = std::chrono::steady_clock::now();
  io::ResultWriter writer = open_result(job, a.output, plan.parameters, a.keeping);
  const CastReport report =
      job.timed("sweep", [&] { return sweep_all(job, caster, movers, plan, a.strict, writer); });
  job.timed("commit", [&] { writer.commit(); });
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
  tell_report(job, report, movers, rows_of_this_run(writer.container(), report.rays),
              seconds.count());
  job.set("/result/file", a.output);
  job.set("/result/bytes", writer.file_bytes());
  job.say(fmt::format("wrote   {}: {}", a.output, format_bytes(writer.file_bytes())));
  return 0;
}

}  // namespace sightline::cli
