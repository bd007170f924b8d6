// The kernels of kernels/queries/cast.cu as host loops over the same bodies.
#pragma once

#include "kernels/queries/cast.cuh"
#include "kernels/queries/cast_batch.cuh"
#include "tests/standin/host_team.hpp"

namespace sightline::standin {

/// Calls body(team, first) for every block of rays, as the grid does.
template <class Body>
void for_each_block(std::uint64_t rays, const Emulation& emulation, Body&& body) {
  for (std::uint64_t first = 0; first < rays; first += HostBlock::size) {
    body(HostBlock(emulation.steps, emulation.order), first);
  }
}

/// The batches of a job, a warp each, in a wide tree.
template <class Job>
void emulate_wide(const Job& job, const Emulation& emulation) {
  const kernels::Batches batches = batches_of(job);
  typename kernels::MemoryOf<HostWarp, Job>::Type memory;  // a block may do several batches
  for (std::uint64_t k = 0; k < batches.count; ++k) {
    const HostWarp warp(emulation.steps, emulation.order);
    run_batch(warp, job, batches.size, k, memory);
  }
}

inline void emulate(const kernels::ClosestHitJob& job, const Emulation& emulation = {}) {
  if (job.scene.has_tree) return emulate_wide(job, emulation);
  for_each_block(job.rays.count, emulation, [&](const HostBlock& team, std::uint64_t first) {
    kernels::closest_hits(team, job, first);
  });
}

inline void emulate(const kernels::AnyHitJob& job, const Emulation& emulation = {}) {
  if (job.scene.has_tree) return emulate_wide(job, emulation);
  for_each_block(job.rays.count, emulation, [&](const HostBlock& team, std::uint64_t first) {
    kernels::any_hits(team, job, first);
  });
}

}  // namespace sightline::standin
