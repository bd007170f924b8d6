// Closest hit and any hit in a wide tree: each warp traces a batch of rays.
#pragma once

#include "kernels/launch/filters.hpp"
#include "kernels/launch/grid.hpp"
#include "kernels/traverse/leaf_tests.cuh"
#include "kernels/traverse/wide_search.cuh"

namespace sightline::kernels {

/// The rays that are traced from the first-th on.
template <class Job>
struct JobRays {
  static constexpr bool marks = true, tiled = false;
  const Job& job;
  std::uint64_t first;
  bool filtered;

  SIGHTLINE_HD JobRays(const Job& j, std::uint64_t f)
      : job(j), first(f), filtered(may_filter(j.scene.shapes, j.rays)) {}
  SIGHTLINE_HD std::uint64_t index(std::uint32_t ray) const {
#if defined(__CUDA_ARCH__)
    asm volatile("" : "+r"(ray));  // else each step of a search computes what only few need
#endif
    return first + ray;
  }
  SIGHTLINE_HD RayPolicy policy() const { return job.policy; }
  SIGHTLINE_HD Start start(std::uint32_t ray, Query& q) const {
    q = make_query(job.rays[index(ray)], job.policy);
    return q.ray.bad ? Start::bad : Start::trace;
  }
  SIGHTLINE_HD bool passes_filter(std::uint32_t ray, const ShapesView& shapes,
                                  std::uint32_t id) const {
    return sightline::passes_filter(filters_of(job.rays, index(ray)), shapes, id);
  }
};

/// hit_flags::back of the i-th ray's hit, by itself, from what is in memory: few rays hit
/// triangles.
template <class Job>
SIGHTLINE_SELDOM std::uint8_t back_flag_of(const Job& job, std::uint64_t i, std::uint32_t id) {
  return back_flag(scale(job.rays[i]).line, job.scene.shapes, id);
}

struct ClosestRays : JobRays<ClosestHitJob> {
  static constexpr bool closest = true;

  using JobRays::JobRays;
  template <class Shape, class Fallback>
  SIGHTLINE_HD static Found test(const Query& q, const Shape& shape, float nearest,
                                 Fallback& fallback) {
    return cast_gated(q, shape, nearest, fallback);
  }
  /// A normal's place gets what it follows from: see put_normals().
  SIGHTLINE_HD void finish(std::uint32_t ray, const ScaledRay& scaled, const Best& best) const {
    const std::uint64_t i = index(ray);
    const Query q{scaled, job.policy, 0, {none, none}, {none, none}};
    Hit hit = hit_of(q, best, job.rays.t_min[i], job.rays.t_max[i]);
    const ShapesView& shapes = job.scene.shapes;
    constexpr int kind = static_cast<int>(Kind::triangle);
    if (shapes.begin[kind] <= best.id && best.id < shapes.begin[kind + 1] &&
        job.hits.flags != nullptr) {
      hit.flags |= back_flag_of(job, i, best.id);
    }
    if (job.hits.normal != nullptr) {
      hit.normal = {float_of(best.id), float_of(best.started_inside), 0};
    }
    job.hits.store(i, hit);
  }
};

/// The normals of the batch's hits, of which finish() has left the shape and whether the ray
/// started inside it. By itself: few callers ask for normals, and these take many registers.
template <class Team>
SIGHTLINE_SELDOM void put_normals(const Team& team, const ClosestHitJob& job, std::uint64_t first,
                                  std::uint32_t count) {
  team.each([&](int lane) {
    for (auto ray = static_cast<std::uint32_t>(lane); ray < count; ray += warp_size) {
      const std::uint64_t i = first + ray;
      Vec3& normal = job.hits.normal[i];
      const std::uint32_t id = bits_of(normal.x);
      const bool started_inside = bits_of(normal.y) != 0;
      normal = Hit{}.normal;
      if (id == none) continue;
      const Query q = make_query(job.rays[i], job.policy);
      normal = job.scene.shapes.visit(
          id, [&](const auto& s) { return normal_of_hit(q, s, started_inside); });
    }
  });
}

struct AnyRays : JobRays<AnyHitJob> {
  static constexpr bool closest = false;

  using JobRays::JobRays;
  template <class Shape, class Fallback>
  SIGHTLINE_HD static Found test(const Query& q, const Shape& shape, float, Fallback& fallback) {
    return {hits_gated(q, shape, fallback), 0, false};
  }
  SIGHTLINE_HD void finish(std::uint32_t, const ScaledRay&, const Best&) const {}
};

/// Adds the hits and bad rays of the batch that begins with the first-th ray.
template <class Team, class Job>
SIGHTLINE_HD void count_batch(const Team& team, const Job& job, std::uint64_t first,
                              const WideMemory<Team>& memory) {
  if (job.counts == nullptr) return;
  team.each([&](int lane) {
    const std::uint32_t hits = memory.marked.read(lane), bads = memory.bad.read(lane);
    if (hits != 0) Team::add(&job.counts->hits, count_ones(hits));
    if (bads == 0) return;
    Team::add(&job.counts->bad_rays, count_ones(bads));
    const std::uint32_t ray = static_cast<std::uint32_t>(lane) * warp_size + lowest_one(bads);
    Team::lower(&job.counts->first_bad_ray, job.first_ray + first + ray);
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
template <class Team>
SIGHTLINE_HD void run_batch(const Team& team, const ClosestHitJob& job, std::uint32_t size,
                            std::uint64_t k, WideMemory<Team>& memory) {
  const ClosestRays rays(job, k * size);
  const std::uint32_t count = part_of_batch(job.rays.count, size, k);
  search_batch(team, job.scene, rays, count, memory);
  if (job.hits.normal != nullptr) put_normals(team, job, k * size, count);
  count_batch(team, job, k * size, memory);
}

/// The same. The last batch also writes the words of padding.
template <class Team>
SIGHTLINE_HD void run_batch(const Team& team, const AnyHitJob& job, std::uint32_t size,
                            std::uint64_t k, WideMemory<Team>& memory) {
  const AnyRays rays(job, k * size);
  search_batch(team, job.scene, rays, part_of_batch(job.rays.count, size, k), memory);
  const std::uint64_t first = k * size / warp_size, end = bit_words32(job.rays.count);
  const bool last = k * size + size >= job.rays.count;
  const std::uint64_t words = last ? end - first : size / warp_size;
  team.each([&](int lane) {
    const auto l = static_cast<std::uint64_t>(lane);
    if (l < words) job.blocked[first + l] = memory.marked.read(lane);
  });
  count_batch(team, job, k * size, memory);
}

}  // namespace sightline::kernels
