// Closest hit and any hit in a wide tree: batches of rays, one for a warp.
#pragma once

#include "kernels/filters.cuh"
#include "kernels/grid.hpp"
#include "kernels/wide_search.cuh"

namespace sightline::kernels {

/// Rays first + [0, count) of the job.
struct ClosestRays {
  static constexpr bool closest = true, marks = true;
  const ClosestHitJob& job;
  std::uint64_t first;
  bool filtered;

  SIGHTLINE_HD ClosestRays(const ClosestHitJob& j, std::uint64_t f)
      : job(j), first(f), filtered(may_filter(j.scene.shapes, j.rays)) {}
  SIGHTLINE_HD Inside inside() const { return job.inside; }
  SIGHTLINE_HD Start start(std::uint32_t ray, Query& q) const {
    q = make_query(job.rays[first + ray], job.inside);
    return q.ray.bad ? Start::bad : Start::trace;
  }
  SIGHTLINE_HD bool counts(std::uint32_t ray, const ShapesView& shapes, std::uint32_t id) const {
    return sightline::counts(filters_of(job.rays, first + ray), shapes, id);
  }
  template <class Shape>
  SIGHTLINE_HD Found test(const Query& q, const Shape& shape, float gate_near) const {
    return cast_past_gate(q, shape, gate_near);
  }
  SIGHTLINE_HD void finish(std::uint32_t ray, const ScaledRay& scaled, const Best& best) const {
    const std::uint64_t i = first + ray;
    const Query q{scaled, job.inside, 0, {none, none}, {none, none}};
    job.hits.store(i, hit_of(q, job.scene.shapes, best, job.rays[i], job.hits.normal != nullptr));
  }
};

struct AnyRays {
  static constexpr bool closest = false, marks = true;
  const AnyHitJob& job;
  std::uint64_t first;
  bool filtered;

  SIGHTLINE_HD AnyRays(const AnyHitJob& j, std::uint64_t f)
      : job(j), first(f), filtered(may_filter(j.scene.shapes, j.rays)) {}
  SIGHTLINE_HD Inside inside() const { return job.inside; }
  SIGHTLINE_HD Start start(std::uint32_t ray, Query& q) const {
    q = make_query(job.rays[first + ray], job.inside);
    return q.ray.bad ? Start::bad : Start::trace;
  }
  SIGHTLINE_HD bool counts(std::uint32_t ray, const ShapesView& shapes, std::uint32_t id) const {
    return sightline::counts(filters_of(job.rays, first + ray), shapes, id);
  }
  template <class Shape>
  SIGHTLINE_HD Found test(const Query& q, const Shape& shape, float gate_near) const {
    return cast_past_gate(q, shape, gate_near);
  }
  SIGHTLINE_HD void finish(std::uint32_t, const ScaledRay&, const Best&) const {}
};

/// Adds what became of a batch's rays, of which the first counts as ray `first_ray`.
template <class Team, class Bits>
SIGHTLINE_HD void count_batch(const Team& team, const Bits& hit, const Bits& bad,
                              CastCounts* counts, std::uint64_t first_ray) {
  if (counts == nullptr) return;
  team.each([&](int lane) {
    const std::uint32_t hits = hit.read(lane), bads = bad.read(lane);
    if (hits != 0) Team::add(&counts->hits, count_ones(hits));
    if (bads == 0) return;
    Team::add(&counts->bad_rays, count_ones(bads));
    Team::lower(&counts->first_bad_ray,
                first_ray + static_cast<std::uint64_t>(lane) * warp_size + lowest_one(bads));
  });
}

inline Batches batches_of(std::uint64_t rays, const Schedule& schedule) {
  return batches_for(rays, schedule.batch, schedule.enough_batches);
}
inline Batches batches_of(const ClosestHitJob& job) {
  return batches_of(job.rays.count, job.scene.schedule);
}
inline Batches batches_of(const AnyHitJob& job) {
  return batches_of(job.rays.count, job.scene.schedule);
}

/// Batch k of the job, in batches of `size` rays.
template <int N, class Team>
SIGHTLINE_HD void run_batch(const Team& team, const ClosestHitJob& job, std::uint32_t size,
                            std::uint64_t k, WideMemory<Team>& memory) {
  const ClosestRays rays(job, k * size);
  search_batch<N>(team, job.scene, rays, part_of_batch(job.rays.count, size, k), memory);
  count_batch(team, memory.marked, memory.bad, job.counts, job.first_ray + rays.first);
}

/// The same; the last batch writes the words of padding too.
template <int N, class Team>
SIGHTLINE_HD void run_batch(const Team& team, const AnyHitJob& job, std::uint32_t size,
                            std::uint64_t k, WideMemory<Team>& memory) {
  const AnyRays rays(job, k * size);
  search_batch<N>(team, job.scene, rays, part_of_batch(job.rays.count, size, k), memory);
  const std::uint64_t first = rays.first / warp_size, end = words_of_bits(job.rays.count);
  const bool last = rays.first + size >= job.rays.count;
  const std::uint64_t words = last ? end - first : size / warp_size;
  team.each([&](int lane) {
    const auto l = static_cast<std::uint64_t>(lane);
    if (l < words) job.blocked[first + l] = memory.marked.read(lane);
  });
  count_batch(team, memory.marked, memory.bad, job.counts, job.first_ray + rays.first);
}

}  // namespace sightline::kernels
