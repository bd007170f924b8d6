// Closest hit and any hit without a tree: the kernels' bodies, for a team of lanes with one ray
// each.
#pragma once

#include "kernels/launch/grid.hpp"
#include "kernels/traverse/brute_force.cuh"

namespace sightline::kernels {

/// Adds the team's hits and bad rays; lane 0 has ray `first_ray`. One atomic for each 32 lanes that
/// have any.
template <class Team, class Bits>
SIGHTLINE_HD void count_casts(const Team& team, const Bits& hit, const Bits& bad,
                              CastCounts* counts, std::uint64_t first_ray) {
  if (counts == nullptr) return;
  team.ballots(hit, [&](int, std::uint32_t word) {
    if (word != 0) Team::add(&counts->hits, count_ones(word));
  });
  team.ballots(bad, [&](int i, std::uint32_t word) {
    if (word == 0) return;
    Team::add(&counts->bad_rays, count_ones(word));
    Team::lower(&counts->first_bad_ray,
                first_ray + static_cast<std::uint64_t>(i) * warp_size + lowest_one(word));
  });
}

/// Writes the team's words of a bit array of n bits, from bit `first` on, a multiple of 32. The
/// words of padding after the last bit are written too.
template <class Team, class Bits>
SIGHTLINE_HD void store_bits(const Team& team, const Bits& bit, std::uint32_t* bits,
                             std::uint64_t first, std::uint64_t n) {
  const std::uint64_t words = bit_words32(n);
  team.ballots(bit, [&](int i, std::uint32_t word) {
    const std::uint64_t w = first / warp_size + static_cast<std::uint64_t>(i);
    if (w < words) bits[w] = word;
  });
}

/// Rays [first, first + Team::size) of the job.
template <class Team>
SIGHTLINE_HD void closest_hits(const Team& team, const ClosestHitJob& job, std::uint64_t first) {
  typename Team::template Lanes<bool> hit, bad;
  team.each([&](int lane) {
    const std::uint64_t i = first + static_cast<std::uint64_t>(lane);
    hit[lane] = bad[lane] = false;
    if (i >= job.rays.count) return;
    const ShapesView& shapes = job.scene.shapes;
    const Ray ray = job.rays[i];
    const Query q = make_query(ray, job.policy);
    const Best best = closest_of_all(shapes, q);
    hit[lane] = best.id != none;
    bad[lane] = q.ray.bad;
    job.hits.store(i, hit_of(q, shapes, best, ray, job.hits.normal != nullptr));
  });
  count_casts(team, hit, bad, job.counts, job.first_ray + first);
}

/// Rays [first, first + Team::size) of the job; `first` is a multiple of 32.
template <class Team>
SIGHTLINE_HD void any_hits(const Team& team, const AnyHitJob& job, std::uint64_t first) {
  typename Team::template Lanes<bool> hit, bad;
  team.each([&](int lane) {
    const std::uint64_t i = first + static_cast<std::uint64_t>(lane);
    hit[lane] = bad[lane] = false;
    if (i >= job.rays.count) return;
    const Query q = make_query(job.rays[i], job.policy);
    hit[lane] = hits_any_of_all(job.scene.shapes, q);
    bad[lane] = q.ray.bad;
  });
  store_bits(team, hit, job.blocked, first, job.rays.count);
  count_casts(team, hit, bad, job.counts, job.first_ray + first);
}

}  // namespace sightline::kernels
