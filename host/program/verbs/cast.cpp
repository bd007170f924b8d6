// cast: the rays of a file at a scene, streamed through bounded memory.
#include "host/files/formats/results_file.hpp"
#include "host/program/engine/bytes.hpp"
#include "host/program/engine/inputs.hpp"
#include "host/program/engine/long_job.hpp"
#include "host/program/engine/memory.hpp"
#include "host/program/engine/ray_defaults.hpp"
#include "host/program/verbs/cast_rows.hpp"
#include "host/program/verbs/verbs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

namespace sightline::cli {
namespace {

struct CastPlan {
  io::ResultParameters parameters;
  std::uint64_t result_bytes_per_ray = 0;  ///< in memory; 0 bits round up to 1
  std::uint64_t bytes_per_ray = 0;         ///< in memory, results included
  std::uint64_t chunk = 0;
};

[[noreturn]] void refuse_bad_ray(const io::RaysSource& rays, std::uint64_t i) {
  io::RayBuffer buffer;
  throw Error(ErrorKind::bad_input, fmt::format("{}: ray {}: {}", rays.name(), i,
                                                reason_of_bad_ray(rays.read(i, 1, buffer)[0])));
}

/// Casts one chunk after the other into the writer and sums up their reports.
CastReport cast_all(Job& job, const Caster& caster, const io::RaysSource& rays,
                    const CastPlan& plan, bool strict, io::ResultWriter& writer) {
  const CastOptions options{plan.parameters.inside, false};
  io::RayBuffer buffer;
  io::HitsBuffer hits;
  std::vector<std::uint64_t> blocked;
  const auto work = [&](std::uint64_t first, std::uint64_t n) -> io::JobCounts {
    const RaysView view = rays.read(first, n, buffer);
    CastReport report;
    const Column<float> radius = rays.radius(buffer);
    if (plan.parameters.kind == io::ResultKind::blocked) {
      blocked.resize(n / 64 + (n % 64 != 0));
      report = caster.any_hit(view, radius, blocked, options);
    } else {
      hits.resize(n, plan.parameters.normals);
      report = caster.closest_hit(view, radius, hits.view(), options);
    }
    if (report.bad_rays > 0 && strict) refuse_bad_ray(rays, first + report.first_bad_ray);
    if (plan.parameters.kind == io::ResultKind::blocked) {
      writer.write_blocked(first / 64, blocked);
    } else {
      writer.write_hits(first, n, hits.view());
    }
    return cast_counts(first, report);
  };
  const CastReport before = cast_report(0, done_before(writer.container()).counts);
  if (before.bad_rays > 0 && strict) refuse_bad_ray(rays, before.first_bad_ray);
  const Chunks chunks = {"cast", "rays", rays.count(), plan.chunk};
  return cast_report(rays.count(), work_on_chunks(job, writer.container(), chunks, work));
}

const char* name_of(CastQueryKind query) {
  constexpr const char* names[] = {"closest", "any", "count", "all"};
  return names[static_cast<int>(query)];
}

bool asks_rows(const CastArguments& a) {
  return a.query == CastQueryKind::count || a.query == CastQueryKind::all;
}

/// Throws Error{usage} for options that are another query's.
void refuse_options(const CastArguments& a) {
  const auto refuse = [&](bool given, bool belongs, const char* option) {
    if (!given || belongs) return;
    throw Error(ErrorKind::usage, fmt::format("--query {} has no {}", name_of(a.query), option));
  };
  refuse(a.normals, a.query == CastQueryKind::closest, "--normals");
  refuse(a.first.has_value(), a.query == CastQueryKind::all, "--first");
  refuse(a.t_out, a.query == CastQueryKind::all, "--t-out");
  refuse(a.radius || !a.radii.empty(), !asks_rows(a), "--radius");
}

void tell_report(Job& job, const CastReport& report, const io::RaysSource& rays,
                 std::uint64_t rays_now, double seconds) {
  const auto n = static_cast<double>(std::max<std::uint64_t>(report.rays, 1));
  const double rate = static_cast<double>(rays_now) / std::max(seconds, 1e-9);
  job.set("/counts/rays", report.rays);
  job.set("/counts/hits", report.hits);
  job.set("/counts/bad_rays", report.bad_rays);
  job.set("/rates/rays_per_second", rate);
  job.say(fmt::format("cast    {} rays in {:.2f} s ({} rays/s, files included), {:.1f}% hit",
                      grouped(report.rays), seconds, short_number(rate),
                      100 * static_cast<double>(report.hits) / n));
  if (report.bad_rays > 0) {
    job.set("/counts/first_bad_ray", report.first_bad_ray);
    job.warn(fmt::format("{}: {} of {} rays are bad and count as misses; the first is ray {}",
                         rays.name(), grouped(report.bad_rays), grouped(report.rays),
                         report.first_bad_ray));
  }
}

CastPlan make_plan(const Job& job, const io::ResultParameters& parameters, const Caster& caster,
                   const io::RaysSource& rays) {
  CastPlan plan;
  plan.parameters = parameters;
  const bool any = parameters.kind == io::ResultKind::blocked;
  constexpr std::uint64_t hit_bytes = sizeof(float) + sizeof(std::uint32_t) + sizeof(std::uint8_t);
  plan.result_bytes_per_ray = any ? 1 : hit_bytes + (parameters.normals ? sizeof(Vec3) : 0);
  plan.bytes_per_ray =
      copies_in_memory(caster) * (rays.bytes_per_ray() + plan.result_bytes_per_ray);
  plan.chunk = buffer_elements(job.common().max_memory, plan.bytes_per_ray,
                               chunk_size(caster, most_rays_per_chunk));
  return plan;
}

void tell_plan(Job& job, const CastPlan& plan, const io::RaysSource& rays, const Caster& caster) {
  const std::uint64_t n = rays.count();
  const std::uint64_t result = plan.parameters.kind == io::ResultKind::blocked
                                   ? plan.parameters.row_words() * 8
                                   : n * plan.result_bytes_per_ray;
  const std::uint64_t memory = caster.memory_bytes() + std::min(plan.chunk, n) * plan.bytes_per_ray;
  job.set("/counts/rays", n);
  job.set("/bytes/rays", n * rays.bytes_per_ray());
  job.set("/bytes/result", result);
  job.set("/bytes/memory", memory);
  job.say(fmt::format("would cast {} rays ({}), {} at a time", grouped(n),
                      format_bytes(n * rays.bytes_per_ray()), grouped(std::min(plan.chunk, n))));
  job.say(fmt::format("would write {} of results", format_bytes(result)));
  job.say(fmt::format("would hold {} for scene, tree and buffers", format_bytes(memory)));
}

void run_plain(Job& job, const CastArguments& a, const Caster& caster, const io::RaysSource& rays,
               const io::ResultParameters& parameters) {
  const CastPlan plan = make_plan(job, parameters, caster, rays);
  job.set("/chunk/rays", std::min(plan.chunk, rays.count()));
  if (job.common().dry_run) return tell_plan(job, plan, rays, caster);
  const auto begin = std::chrono::steady_clock::now();
  io::ResultWriter writer = open_result(job, a.output, plan.parameters, a.keeping);
  const CastReport report =
      job.timed("cast", [&] { return cast_all(job, caster, rays, plan, a.strict, writer); });
  job.timed("commit", [&] { writer.commit(); });
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
  tell_report(job, report, rays, rows_of_this_run(writer.container(), report.rays),
              seconds.count());
  tell_result(job, a.output, writer.file_bytes());
}

}  // namespace

void tell_result(Job& job, const std::string& file, std::uint64_t bytes) {
  job.set("/result/file", file);
  job.set("/result/bytes", bytes);
  job.say(fmt::format("wrote   {}: {}", file, format_bytes(bytes)));
}

int run_cast(Job& job, const CastArguments& a) {
  refuse_same_files(job, {a.scene, a.input.rays, a.input.origins, a.input.directions, a.radii},
                    {a.output});
  refuse_options(a);
  open_rays(a.input, {});  // a bad file of rays is told before a large scene is read
  LoadedScene scene = load_scene(job, a.scene);
  const io::RayDefaults defaults = ray_defaults(a, scene.scene);
  io::RaysSource rays = open_rays(a.input, defaults);
  refuse_overridden_columns(a, rays);
  if (!a.radii.empty()) rays.add_radii(a.radii);
  if (asks_rows(a)) refuse_radii(rays);
  const std::string rays_hash = job.timed("hash_rays", [&] { return rays.hash(); });
  job.set("/rays/file", rays.name());
  job.set("/rays/count", rays.count());
  job.set("/rays/hash", rays_hash);
  job.set("/query/kind", name_of(a.query));
  job.set("/query/inside", std::string(io::inside_name(a.inside)));
  const Caster caster = build_caster(job, std::move(scene.scene));
  constexpr io::ResultKind kinds[] = {io::ResultKind::hits, io::ResultKind::blocked,
                                      io::ResultKind::hit_counts, io::ResultKind::all_hits};
  io::ResultParameters parameters;
  parameters.kind = kinds[static_cast<int>(a.query)];
  parameters.inside = a.inside;
  parameters.rays = rays.count();
  parameters.normals = a.normals;
  parameters.first = a.first.value_or(none);
  parameters.t_out = a.t_out;
  parameters.scene_hash = scene.hash;
  parameters.rays_hash = rays_hash;
  parameters.defaults = defaults;
  if (asks_rows(a)) {
    run_rows(job, a, caster, rays, parameters);
  } else {
    run_plain(job, a, caster, rays, parameters);
  }
  return 0;
}

}  // namespace sightline::cli
