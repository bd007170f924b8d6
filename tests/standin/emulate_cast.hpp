// The kernels of kernels/cast.cu as host loops over the same bodies.
#pragma once

#include "kernels/cast.cuh"
#include "kernels/cast_batch.cuh"
#include "tests/standin/host_team.hpp"

namespace sightline::standin {

/// Calls body(team, search, first) for every block of rays, as the grid does.
template <class Body>
void for_each_block(const kernels::DeviceScene& scene, std::uint64_t rays,
                    const Emulation& emulation, Body&& body) {
  using Search = kernels::TeamBruteSearch<HostBlock>;
  for (std::uint64_t first = 0; first < rays; first += HostBlock::size) {
    Search::Memory memory;
    const HostBlock team(emulation.steps, emulation.order);
    body(team, Search(scene, memory), first);
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
  for_each_block(job.scene, job.rays.count, emulation,
                 [&](const HostBlock& team, const auto& search, std::uint64_t first) {
                   kernels::closest_hits(team, search, job, first);
                 });
}

inline void emulate(const kernels::AnyHitJob& job, const Emulation& emulation = {}) {
  if (job.scene.has_tree) return emulate_wide(job, emulation);
  for_each_block(job.scene, job.rays.count, emulation,
                 [&](const HostBlock& team, const auto& search, std::uint64_t first) {
                   kernels::any_hits(team, search, job, first);
                 });
}

}  // namespace sightline::standin
