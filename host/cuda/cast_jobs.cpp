#include "host/cuda/cast_jobs.hpp"

#include "host/cuda/chunks.hpp"

namespace sightline::cuda {
namespace {

CastReport report_of(std::uint64_t rays, const CastCounts& counts) {
  return {rays, counts.hits, counts.bad_rays, counts.bad_rays == 0 ? 0 : counts.first_bad_ray};
}

/// Bits are the door's 64-bit words there, and 32-bit halves of them here.
std::uint32_t* halves(std::uint64_t* words) { return reinterpret_cast<std::uint32_t*>(words); }

/// Closest hits into `hits`, or any hits where there is `blocked`.
CastReport sweep(WorkspacePool& pool, const kernels::DeviceScene& scene, const SweepsView& sweeps,
                 const HitsView& hits, std::uint64_t* blocked, Inside inside,
                 const ChunkLimits& limits) {
  CastCounts counts;
  run_query(pool, sweeps.rays.count, limits, [&](Chunk& chunk) {
    kernels::SweepJob job = {
        scene, sweeps, hits, halves(blocked), inside, &counts, chunk.elements().first};
    chunk.in(job.sweeps.rays);
    chunk.in(job.sweeps.radius);
    chunk.in(job.sweeps.b);
    chunk.sum(job.counts);
    chunk.out(job.hits);
    chunk.out(job.blocked, chunk.elements().bits());
    chunk.launch([&](cudaStream_t stream) {
      kernels::sweep(stream, job);
      check_launch("sweep");
    });
  });
  return report_of(sweeps.rays.count, counts);
}

}  // namespace

CastReport closest_hit(WorkspacePool& pool, const CastScene& scene, const RaysView& rays,
                       const HitsView& hits, Inside inside, std::uint64_t most) {
  CastCounts counts;
  run_query(pool, rays.count, {most, 1}, [&](Chunk& chunk) {
    kernels::ClosestHitJob job = {scene.view, rays, hits, inside, &counts, chunk.elements().first};
    chunk.in(job.rays);
    chunk.sum(job.counts);
    chunk.out(job.hits);
    chunk.launch([&](cudaStream_t stream) {
      const DeviceRayOrder order = scene.sorter.order(job.rays, RaysAre::on_host, stream);
      job.order = order.get();
      kernels::closest_hit(stream, job);
      check_launch("closest_hit");
    });
  });
  return report_of(rays.count, counts);
}

CastReport any_hit(WorkspacePool& pool, const CastScene& scene, const RaysView& rays,
                   std::uint64_t* blocked, Inside inside, std::uint64_t most) {
  CastCounts counts;
  run_query(pool, rays.count, {most, 64}, [&](Chunk& chunk) {
    kernels::AnyHitJob job = {scene.view, rays,    halves(blocked),
                              inside,     &counts, chunk.elements().first};
    chunk.in(job.rays);
    chunk.sum(job.counts);
    chunk.out(job.blocked, chunk.elements().bits());
    chunk.launch([&](cudaStream_t stream) {
      const DeviceRayOrder order = scene.sorter.order(job.rays, RaysAre::on_host, stream);
      job.order = order.get();
      kernels::any_hit(stream, job);
      check_launch("any_hit");
    });
  });
  return report_of(rays.count, counts);
}

CastReport closest_hit(WorkspacePool& pool, const kernels::DeviceScene& scene,
                       const SweepsView& sweeps, const HitsView& hits, Inside inside,
                       std::uint64_t most) {
  return sweep(pool, scene, sweeps, hits, nullptr, inside, {most, 1});
}

CastReport any_hit(WorkspacePool& pool, const kernels::DeviceScene& scene, const SweepsView& sweeps,
                   std::uint64_t* blocked, Inside inside, std::uint64_t most) {
  return sweep(pool, scene, sweeps, {}, blocked, inside, {most, 64});
}

}  // namespace sightline::cuda
