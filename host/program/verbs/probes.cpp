// probes: how far one sees from points in every direction.
#include "host/program/engine/bakes.hpp"
#include "host/program/engine/bytes.hpp"
#include "host/program/engine/long_job.hpp"
#include "host/program/engine/memory.hpp"
#include "host/program/verbs/verbs.hpp"

#include <sightline/probes.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace sightline::cli {

int run_probes(Job& job, const ProbesArguments& a) {
  refuse_same_files(job, {a.scene, a.points}, {a.output});
  const io::Points points = load_points(job, a.points, "/points");
  LoadedScene scene = load_scene(job, a.scene);
  io::BakeParameters p;
  p.kind = io::BakeKind::probes;
  p.scene_hash = scene.hash;
  p.inside = a.inside;
  p.range = a.range;
  p.points_hash = io::points_hash(points);
  p.points = points.count();
  p.grid = a.grid;
  const Caster caster = build_caster(job, std::move(scene.scene));
  const std::uint64_t rays = std::uint64_t{p.grid} * p.grid, bytes = (p.points + 3) * rays * 4;
  // Directions are held twice, here and by a call.
  require_memory(job.common().max_memory, (2 * sizeof(Vec3) + 16) * rays,
                 "a point's map of directions");
  // A call's own buffers hold as much again as distances do.
  const std::uint64_t room = buffer_elements(job.common().max_memory, 16 * copies_in_memory(caster),
                                             chunk_size(caster, std::uint64_t{1} << 20));
  const std::uint64_t chunk = std::max<std::uint64_t>(1, room / rays);
  if (job.common().dry_run) {
    job.set("/bytes/result", bytes);
    job.say(fmt::format("would cast {} rays and write {}", grouped(p.points * rays),
                        format_bytes(bytes)));
    return 0;
  }
  const auto begin = std::chrono::steady_clock::now();
  io::ContainerWriter writer = open_bake(job, a.output, p, a.keeping);
  const std::vector<Vec3> directions = octahedral_directions(p.grid);
  writer.write("direction", 0, 3 * rays, directions.data());
  std::vector<float> distance;
  const auto work = [&](std::uint64_t first, std::uint64_t n) {
    distance.resize(n * rays);
    const CastReport part = probe_distances(caster, points.view().slice(first, n), p.grid, distance,
                                            {a.range, a.inside});
    writer.write("distance", first * rays, distance.size(), distance.data());
    return cast_counts(first * rays, part);
  };
  const CastReport total = job.timed("probes", [&] {
    return cast_report(p.points * rays,
                       work_on_chunks(job, writer, {"probes", "points", p.points, chunk}, work));
  });
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
  const double rate = static_cast<double>(rows_of_this_run(writer, p.points) * rays) /
                      std::max(seconds.count(), 1e-9);
  job.set("/counts/rays", total.rays);
  job.set("/counts/hits", total.hits);
  job.set("/counts/bad_points", total.bad_rays / rays);
  job.set("/rates/rays_per_second", rate);
  job.say(fmt::format("probes  {} points, {} rays in {:.2f} s ({} rays/s), {} hit something",
                      grouped(p.points), grouped(total.rays), seconds.count(), short_number(rate),
                      grouped(total.hits)));
  if (total.bad_rays > 0) {
    job.warn(fmt::format("{} of {} points are bad (NaN, infinite or beyond 2^40) and see nothing",
                         grouped(total.bad_rays / rays), grouped(p.points)));
  }
  commit(job, writer);
  return 0;
}

}  // namespace sightline::cli
