#include "host/cuda/queries/queries.hpp"

#include "host/cuda/chunks/to_device_and_back.hpp"

namespace sightline::cuda {
namespace {

CastReport report_of(std::uint64_t rays, const CastCounts& counts) {
  return {rays, counts.hits, counts.bad_rays, counts.bad_rays == 0 ? 0 : counts.first_bad_ray};
}

/// Closest hits, or any hits into `blocked` if not null.
template <class Job>
CastReport cast(const QueryContext& context, const Job& all, std::uint64_t* blocked,
                std::uint64_t granule, void (*launcher)(kernels::Stream, const Job&),
                const char* name) {
  CastCounts counts;
  run_query(context.pool, all.rays.count, {context.most, granule}, [&](Chunk& chunk) {
    Job job = all;
    job.counts = &counts;
    job.first_ray = chunk.first();
    chunk.in(job.rays);
    chunk.sum(job.counts);
    if constexpr (requires { job.hits; }) chunk.out(job.hits);
    if constexpr (requires { job.blocked; }) chunk.out_bits(job.blocked, blocked);
    chunk.launch([&](cudaStream_t stream) {
      launcher(stream, job);
      check_launch(name);
    });
  });
  return report_of(all.rays.count, counts);
}

/// Closest hits into `hits`, or any hits into `blocked` if not null.
CastReport sweep(const QueryContext& context, const SweepsView& sweeps, const HitsView& hits,
                 std::uint64_t* blocked, Inside inside, std::uint64_t granule) {
  CastCounts counts;
  run_query(context.pool, sweeps.rays.count, {context.most, granule}, [&](Chunk& chunk) {
    kernels::SweepJob job = {context.scene, sweeps, hits, nullptr, inside, &counts, chunk.first()};
    chunk.in(job.sweeps.rays);
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

CastReport answer_query(const QueryContext& context, const detail::ClosestHits& asked) {
  const kernels::ClosestHitJob job = {context.scene, asked.rays, asked.hits, asked.policy};
  return cast(context, job, nullptr, 1, kernels::closest_hit, "closest_hit");
}

CastReport answer_query(const QueryContext& context, const detail::AnyHits& asked) {
  const kernels::AnyHitJob job = {context.scene, asked.rays, nullptr, asked.policy};
  return cast(context, job, asked.blocked, 64, kernels::any_hit, "any_hit");
}

CastReport answer_query(const QueryContext& context, const detail::ClosestSweeps& asked) {
  return sweep(context, asked.rays, asked.hits, nullptr, asked.policy, 1);
}

CastReport answer_query(const QueryContext& context, const detail::AnySweeps& asked) {
  return sweep(context, asked.rays, {}, asked.blocked, asked.policy, 64);
}

}  // namespace sightline::cuda
