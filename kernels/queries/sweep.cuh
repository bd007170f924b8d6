// Thick rays and sweeps: the kernels' bodies, for a team of lanes with one sweep each.
#pragma once

#include "kernels/queries/cast.cuh"
#include "kernels/traverse/lane_ray_walk.cuh"

#include <sightline/geometry/sweep/sweep_query.hpp>

namespace sightline::kernels {

/// Calls f with a default value of the moving shape's type.
template <class F>
void with_mover(const SweepsView& sweeps, F&& f) {
  if (sweeps.b == nullptr) return f(MovingSphere{});
  f(Capsule{});
}

SIGHTLINE_HD MovingSphere mover_of(const SweepsView& sweeps, std::uint64_t i, MovingSphere) {
  return {sweeps.rays.radius[i]};
}
SIGHTLINE_HD Capsule mover_of(const SweepsView& sweeps, std::uint64_t i, Capsule) {
  return sweeps.capsule(i);
}

/// cast_shape(), not inlined: it is long and called from several places of a kernel.
template <class Mover>
SIGHTLINE_HD __attribute__((noinline)) Found cast_shape_apart(const SweepQuery<Mover>& q,
                                                              const ShapesView& shapes,
                                                              std::uint32_t id) {
  return cast_shape(q, shapes, id);
}

/// The least (t, id), or any hit.
template <class Mover>
SIGHTLINE_HD Best first_hit(const DeviceScene& scene, const SweepQuery<Mover>& q, bool any) {
  const ShapesView& shapes = scene.shapes;
  Best best;
  if (q.query.ray.bad) return best;
  const auto offer = [&](std::uint32_t id) {
    if (passes_filter(q.query, shapes, id)) best.offer(cast_shape_apart(q, shapes, id), id);
    return any && best.id != none;
  };
  for (std::uint32_t id = scene.has_tree ? shapes.bounded() : 0; id < shapes.size(); ++id) {
    if (offer(id)) return best;
  }
  if (!scene.has_tree) return best;
  for_each_along(
      scene.wide, q.query.ray, best.t, [&](const Aabb& box) { return grown(box, q.mover); }, offer);
  return best;
}

/// Sweeps [first, first + Team::size) of the job; `first` is a multiple of 32.
template <class Mover, class Team>
SIGHTLINE_HD void sweeps_of(const Team& team, const SweepJob& job, std::uint64_t first) {
  typename Team::template Lanes<bool> hit, bad;
  const std::uint64_t n = job.sweeps.rays.count;
  team.each([&](int lane) {
    const std::uint64_t i = first + static_cast<std::uint64_t>(lane);
    hit[lane] = bad[lane] = false;
    if (i >= n) return;
    const Ray ray = job.sweeps.rays[i];
    const auto q = sweep_query(ray, mover_of(job.sweeps, i, Mover{}), job.inside);
    const Best best = first_hit(job.scene, q, job.blocked != nullptr);
    hit[lane] = best.id != none;
    bad[lane] = q.query.ray.bad;
    if (job.blocked != nullptr) return;
    const bool with_normal = job.hits.normal != nullptr;
    job.hits.store(i, hit_of(q, job.scene.shapes, best, ray, with_normal));
  });
  if (job.blocked != nullptr) store_bits(team, hit, job.blocked, first, n);
  count_casts(team, hit, bad, job.counts, job.first_ray + first);
}

}  // namespace sightline::kernels
