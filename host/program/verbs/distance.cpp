// distance: the shapes nearest to points, or to segments, some of them at a time.
#include "host/files/formats/results_file.hpp"
#include "host/program/engine/bytes.hpp"
#include "host/program/engine/inputs.hpp"
#include "host/program/engine/long_job.hpp"
#include "host/program/engine/memory.hpp"
#include "host/program/verbs/verbs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

namespace sightline::cli {
namespace {

// Large enough that threads do not wait for each other, small enough to be interrupted soon.
constexpr std::uint64_t most_points_per_chunk = 1 << 18;
constexpr std::uint64_t most_elements_per_chunk = 1 << 20;

struct DistancePlan {
  io::ResultParameters parameters;
  std::uint64_t row_bytes = 0;        ///< of a row of the result
  std::uint64_t bytes_per_point = 0;  ///< in memory while it is worked out
  std::uint64_t chunk = 0;            ///< points or segments at a time
  bool of_points() const { return parameters.kind == io::ResultKind::distance; }
  const char* unit() const { return of_points() ? "points" : "segments"; }
};

struct Ends {
  PointsView from, to;
};

NearestReport answer_all(Job& job, const Caster& caster, const Ends& ends, const DistancePlan& plan,
                         io::ResultWriter& writer) {
  const io::ResultParameters& p = plan.parameters;
  const NearestOptions options{p.k, p.range};
  io::NearBuffer rows;
  const auto work = [&](std::uint64_t first, std::uint64_t n) {
    rows.resize(p, n);
    const PointsView from = ends.from.slice(first, n);
    const NearestReport part = plan.of_points() ? caster.nearest(from, rows.nearest(), options)
                                                : caster.clearance(from, ends.to.slice(first, n),
                                                                   rows.clearance(), options);
    writer.write_near(first, n, rows);
    io::JobCounts counts;
    counts.sum = {part.found, part.bad_points};
    return counts;
  };
  const Chunks chunks = {"distance", plan.unit(), p.points, plan.chunk};
  const io::JobCounts total = work_on_chunks(job, writer.container(), chunks, work);
  return {p.points, total.sum[0], total.sum[1]};
}

void tell_report(Job& job, const NearestReport& report, const DistancePlan& plan,
                 std::uint64_t points_now, double seconds) {
  const double rate = static_cast<double>(points_now) / std::max(seconds, 1e-9);
  job.set("/counts/points", report.points);
  job.set("/counts/found", report.found);
  job.set("/counts/bad_points", report.bad_points);
  job.set("/rates/points_per_second", rate);
  job.say(fmt::format("distance {} {} in {:.2f} s ({} {}/s, files included), {} shapes found",
                      grouped(report.points), plan.unit(), seconds, short_number(rate), plan.unit(),
                      grouped(report.found)));
  if (report.bad_points > 0) {
    job.warn(fmt::format("{} of {} {} are bad (NaN, infinite or beyond 2^40) and find nothing",
                         grouped(report.bad_points), grouped(report.points), plan.unit()));
  }
}

void tell_plan(Job& job, const DistancePlan& plan, const Caster& caster) {
  const std::uint64_t n = plan.parameters.points;
  const std::uint64_t at_a_time = std::min(plan.chunk, n);
  const std::uint64_t memory = caster.memory_bytes() + at_a_time * plan.bytes_per_point;
  job.set("/counts/points", n);
  job.set("/bytes/result", n * plan.row_bytes);
  job.set("/bytes/memory", memory);
  job.say(fmt::format("would find the {} nearest shapes of {} {}, {} at a time", plan.parameters.k,
                      grouped(n), plan.unit(), grouped(at_a_time)));
  job.say(fmt::format("would write {} of results", format_bytes(n * plan.row_bytes)));
  job.say(fmt::format("would hold {} for scene, tree and buffers, and the points",
                      format_bytes(memory)));
}

DistancePlan make_plan(const Job& job, const Caster& caster, io::ResultParameters parameters) {
  DistancePlan plan;
  plan.parameters = std::move(parameters);
  const std::uint64_t k = plan.parameters.k;
  constexpr std::uint64_t element = sizeof(float) + sizeof(std::uint32_t) + sizeof(Vec3);
  plan.row_bytes = k * (element + (plan.of_points() ? sizeof(Vec3) : sizeof(float)));
  // The points themselves lie in memory already; a device takes them from pinned copies.
  const std::uint64_t pinned_points =
      (copies_in_memory(caster) - 1) * sizeof(SightPoint) * (plan.of_points() ? 1 : 2);
  plan.bytes_per_point = copies_in_memory(caster) * plan.row_bytes + pinned_points;
  const std::uint64_t most =
      std::min(chunk_size(caster, most_points_per_chunk), most_elements_per_chunk / k);
  plan.chunk = buffer_elements(job.common().max_memory, plan.bytes_per_point, most);
  return plan;
}

}  // namespace

int run_distance(Job& job, const DistanceArguments& a) {
  refuse_same_files(job, {a.scene, a.points, a.to}, {a.output});
  const io::Points points = load_points(job, a.points, "/points");
  std::optional<io::Points> to;
  if (!a.to.empty()) to = load_points(job, a.to, "/to");
  if (to && to->count() != points.count()) {
    throw Error(ErrorKind::bad_input,
                fmt::format("{} has {} points, but {} has {}: segments need as many ends", a.points,
                            points.count(), a.to, to->count()));
  }
  LoadedScene scene = load_scene(job, a.scene);
  io::ResultParameters parameters;
  parameters.kind = to ? io::ResultKind::clearance : io::ResultKind::distance;
  parameters.scene_hash = scene.hash;
  parameters.points_hash = io::points_hash(points);
  if (to) parameters.to_hash = io::points_hash(*to);
  parameters.points = points.count();
  parameters.range = a.range;
  parameters.k = a.k;
  job.set("/points/hash", parameters.points_hash);
  if (to) job.set("/to/hash", parameters.to_hash);
  job.set("/query/kind", std::string(io::result_kind_name(parameters.kind)));
  job.set("/query/k", std::uint64_t{a.k});
  job.set("/query/range", double{a.range});
  const Caster caster = build_caster(job, std::move(scene.scene));
  const DistancePlan plan = make_plan(job, caster, parameters);
  job.set("/chunk/points", std::min(plan.chunk, parameters.points));
  if (job.common().dry_run) {
    tell_plan(job, plan, caster);
    return 0;
  }
  const auto begin = std::chrono::steady_clock::now();
  io::ResultWriter writer = open_result(job, a.output, plan.parameters, a.keeping);
  const Ends ends = {points.view(), to ? to->view() : PointsView{}};
  const NearestReport report =
      job.timed("distance", [&] { return answer_all(job, caster, ends, plan, writer); });
  job.timed("commit", [&] { writer.commit(); });
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
  tell_report(job, report, plan, rows_of_this_run(writer.container(), report.points),
              seconds.count());
  job.set("/result/file", a.output);
  job.set("/result/bytes", writer.file_bytes());
  job.say(fmt::format("wrote   {}: {}", a.output, format_bytes(writer.file_bytes())));
  return 0;
}

}  // namespace sightline::cli
