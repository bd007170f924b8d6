#include "host/cuda/queries/queries.hpp"

#include "host/cuda/chunks/chunks.hpp"

namespace sightline::cuda {
namespace {

CastReport report_of(std::uint64_t rays, const CastCounts& counts) {
  return {rays, counts.hits, counts.bad_rays, counts.bad_rays == 0 ? 0 : counts.first_bad_ray};
}

/// Closest hits into `hits`, or any hits into `blocked` if not null.
CastReport sweep(const QueryContext& context, const SweepsView& sweeps, const HitsView& hits,
                 std::uint64_t* blocked, Inside inside, std::uint64_t granule) {
  CastCounts counts;
  run_query(context.pool, sweeps.rays.count, {context.most, granule}, [&](Chunk& chunk) {
    kernels::SweepJob job = {context.scene, sweeps, hits, nullptr, inside, &counts, chunk.first()};
    chunk.in(job.sweeps.rays);
    chunk.in(job.sweeps.radius);
    chunk.in(job.sweeps.b);
    chunk.sum(job.counts);
    chunk.out(job.hits);
    chunk.out_bits(job.blocked, blocked);
    chunk.launch([&](cudaStream_t stream) {
      kernels::sweep(stream, job);
      check_launch("sweep");
    });
  });
  return report_of(sweeps.rays.count, counts);
}

}  // namespace

CastReport closest_hit(const QueryContext& context, const RaySorter& sorter, const RaysView& rays,
                       const HitsView& hits, Inside inside) {
  CastCounts counts;
  run_query(context.pool, rays.count, {context.most, 1}, [&](Chunk& chunk) {
    kernels::ClosestHitJob job = {context.scene, rays, hits, inside, &counts, chunk.first()};
    chunk.in(job.rays);
    chunk.sum(job.counts);
    chunk.out(job.hits);
    chunk.launch([&](cudaStream_t stream) {
      const DeviceRayOrder order = sorter.order(job.rays, RayLocation::on_host, stream);
      job.order = order.get();
      kernels::closest_hit(stream, job);
      check_launch("closest_hit");
    });
  });
  return report_of(rays.count, counts);
}

CastReport any_hit(const QueryContext& context, const RaySorter& sorter, const RaysView& rays,
                   std::uint64_t* blocked, Inside inside) {
  CastCounts counts;
  run_query(context.pool, rays.count, {context.most, 64}, [&](Chunk& chunk) {
    kernels::AnyHitJob job = {context.scene, rays, nullptr, inside, &counts, chunk.first()};
    chunk.in(job.rays);
    chunk.sum(job.counts);
    chunk.out_bits(job.blocked, blocked);
    chunk.launch([&](cudaStream_t stream) {
      const DeviceRayOrder order = sorter.order(job.rays, RayLocation::on_host, stream);
      job.order = order.get();
      kernels::any_hit(stream, job);
      check_launch("any_hit");
    });
  });
  return report_of(rays.count, counts);
}

CastReport closest_hit(const QueryContext& context, const SweepsView& sweeps, const HitsView& hits,
                       Inside inside) {
  return sweep(context, sweeps, hits, nullptr, inside, 1);
}

CastReport any_hit(const QueryContext& context, const SweepsView& sweeps, std::uint64_t* blocked,
                   Inside inside) {
  return sweep(context, sweeps, {}, blocked, inside, 64);
}

}  // namespace sightline::cuda
