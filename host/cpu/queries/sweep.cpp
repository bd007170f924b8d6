#include "host/cpu/queries/sweep.hpp"

#include "host/backend/backend.hpp"
#include "host/cpu/queries/report_sum.hpp"
#include "host/cpu/walk/grown8.hpp"
#include "host/cpu/walk/ray_walk.hpp"

#include <sightline/queries/sweep.hpp>

#include <algorithm>

namespace sightline::detail {
namespace {

/// Calls leaf(id, gate_near) for every shape that counts and whose gate is not empty and does not
/// begin beyond the limit, until one says true; planes first.
template <class Mover, class Leaf>
void for_each_candidate(const WalkScene& scene, const SweepQuery<Mover>& q, const float& limit,
                        const Leaf& leaf) {
  const ShapesView& shapes = scene.shapes;
  const ScaledRay& ray = q.query.ray;
  if (ray.bad) return;
  const auto judge = [&](std::uint32_t id, float gate_near) {
    return counts(q.query, shapes, id) && leaf(id, gate_near);
  };
  for (std::uint32_t id = shapes.bounded(); id < shapes.size(); ++id) {
    if (judge(id, ray.t_min)) return;
  }
  for_each_along(scene.bvh, ray.line, ray.t_min, ray.t_max, limit, GrownBy<Mover>{q.mover}, judge);
}

template <class Mover>
Found found(const SweepQuery<Mover>& q, const ShapesView& shapes, std::uint32_t id,
            float gate_near) {
  return shapes.visit(id, [&](const auto& s) { return cast_past_gate(q, s, gate_near); });
}

template <class Mover>
Best closest(const WalkScene& scene, const SweepQuery<Mover>& q) {
  Best best;
  for_each_candidate(scene, q, best.t, [&](std::uint32_t id, float gate_near) {
    best.offer(found(q, scene.shapes, id, gate_near), id);
    return false;
  });
  return best;
}

template <class Mover>
bool any(const WalkScene& scene, const SweepQuery<Mover>& q) {
  bool hit = false;
  for_each_candidate(scene, q, largest_float, [&](std::uint32_t id, float gate_near) {
    return hit = found(q, scene.shapes, id, gate_near).hit;
  });
  return hit;
}

/// Calls answer(i, query, ray), which returns whether anything is hit, for each of them.
template <class Answer>
CastReport for_each_sweep(const WalkScene& scene, const SweepsView& sweeps, Inside inside,
                          const Answer& answer) {
  const std::uint64_t n = sweeps.rays.count;
  ReportSum sum;
  scene.threads.for_each_part(
      n, scene.threads.part_of(n, 64, 512), [] { return 0; },
      [&](int, std::uint64_t begin, std::uint64_t end) {
        CastReport seen;
        for (std::uint64_t i = begin; i < end; ++i) {
          visit_sweep(sweeps, i, inside, [&](const auto& q, const Ray& ray) {
            seen.hits += answer(i, q, ray);
            if (q.query.ray.bad && seen.bad_rays++ == 0) seen.first_bad_ray = i;
          });
        }
        sum.add(seen);
      });
  return sum.total(n);
}

}  // namespace

CastReport cpu_closest_hit(const WalkScene& scene, const SweepsView& sweeps, const HitsView& hits,
                           Inside inside) {
  return for_each_sweep(scene, sweeps, inside, [&](std::uint64_t i, const auto& q, const Ray& ray) {
    const Best best = closest(scene, q);
    hits.store(i, hit_of(q, scene.shapes, best, ray, hits.normal != nullptr));
    return best.id != none;
  });
}

CastReport cpu_any_hit(const WalkScene& scene, const SweepsView& sweeps, std::uint64_t* blocked,
                       Inside inside) {
  // Parts begin at multiples of 64, so that each word belongs to one.
  std::fill_n(blocked, words_for(sweeps.rays.count), 0);
  return for_each_sweep(scene, sweeps, inside, [&](std::uint64_t i, const auto& q, const Ray&) {
    const bool hit = any(scene, q);
    blocked[i / 64] |= std::uint64_t{hit} << i % 64;
    return hit;
  });
}

}  // namespace sightline::detail
