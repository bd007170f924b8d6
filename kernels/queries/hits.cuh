// All shapes that rays hit, and winding numbers of points: the kernels' bodies, one lane a ray.
#pragma once

#include "kernels/queries/hit_list.cuh"
#include "kernels/traverse/wide_walk.cuh"

#include <sightline/geometry/queries/winding.hpp>

namespace sightline::kernels {

/// Calls leaf(shape, unit) for every shape whose bounds the ray may meet; wide.ids[unit] is its id.
template <class Leaf>
SIGHTLINE_HD void for_each_along(const WideView& wide, const ScaledRay& ray, Leaf&& leaf) {
  const NodeRay node_ray_of = node_ray(ray.line.origin, ray.line.inverse, ray.t_min);
  const std::int32_t last = least_beyond(ray.t_max);
  const auto children_along = [&](const QuantisedNode& node) {
    std::uint32_t seen = 0;
    test_children(node, node_ray_of, last,
                  [&](auto k, std::int32_t, bool sees) { seen |= sees ? 1u << k : 0u; });
    return seen & (node.inner_slots() | node.leaf_slots());
  };
  for_each_seen(wide, children_along, leaf);
}

/// Calls use(crossing) for every shape that the ray hits, in no order.
template <class Use>
SIGHTLINE_HD void for_each_hit(const DeviceScene& scene, const Query& q, Use&& use) {
  const ShapesView& shapes = scene.shapes;
  if (q.ray.bad) return;
  for (std::uint32_t id = scene.has_tree ? shapes.bounded() : 0; id < shapes.size(); ++id) {
    if (passes_filter(q, shapes, id)) use_crossing(q, shapes, id, use);
  }
  if (!scene.has_tree) return;
  for_each_along(scene.wide, q.ray, [&](const auto& shape, std::uint32_t unit) {
    const SlabInterval gate = slab(q.ray.line, q.ray.t_min, q.ray.t_max, bounds(shape));
    if (is_empty(gate)) return false;
    const std::uint32_t id = scene.wide.ids[unit];
    if (passes_filter(q, shapes, id)) use_crossing(q, shape, id, gate.t_near, use);
    return false;
  });
}

/// Adds up the crossings of the half line from point i.
SIGHTLINE_HD void winding_of(const WindingJob& job, std::uint64_t i) {
  const Query q = half_line_from(job.points[i]);
  const ShapesView& shapes = job.scene.shapes;
  std::int32_t sum = 0;
  const auto add = [&](const Triangle& s, std::uint32_t id) {
    if (passes_filter(q, shapes, id)) sum += winding_part(q.ray.line, s);
  };
  const std::uint32_t begin = shapes.begin[static_cast<int>(Kind::triangle)];
  if (!q.ray.bad && !job.scene.has_tree) {
    for (std::uint32_t k = 0; k < shapes.count(Kind::triangle); ++k) {
      add(shapes.get<Triangle>(k), begin + k);
    }
  } else if (!q.ray.bad) {
    for_each_along(job.scene.wide, q.ray, [&](const auto& shape, std::uint32_t unit) {
      if constexpr (std::is_same_v<std::decay_t<decltype(shape)>, Triangle>) {
        add(shape, job.scene.wide.ids[unit]);
      }
      return false;
    });
  }
  job.numbers[i] = sum;
}

/// Counts the hits of ray i, and sets the flags of its row.
SIGHTLINE_HD void count_hits_of(const CountHitsJob& job, std::uint64_t i) {
  const Query q = make_query(job.rays[i], job.policy);
  std::uint32_t count = 0;
  Best first;
  for_each_hit(job.scene, q, [&](const Crossing& c) {
    ++count;
    first.offer({true, c.t, c.started_inside}, c.id);
  });
  job.counts[i] = count;
  job.flags[i] = row_flags(q.ray.bad, count, first.started_inside, job.first);
  if (count > 0) job.flags[i] |= back_flag(q.ray.line, job.scene.shapes, first.id);
}

/// Finds a piece of ray i's row and sorts it, in the output itself.
SIGHTLINE_HD void fill_hits_of(const FillHitsJob& job, std::uint64_t i) {
  const HitPiece piece = job.pieces[i];
  if (piece.count == 0) return;
  const Ray ray = job.rays[i];
  const Query q = make_query(ray, job.policy);
  const Crossing after = {piece.after_t, piece.after_id, 0, false};
  HitList list(job.t + piece.begin, job.id + piece.begin,
               job.t_out == nullptr ? nullptr : job.t_out + piece.begin, piece.count);
  for_each_hit(job.scene, q, [&](const Crossing& c) {
    if (comes_before(after, c)) list.offer(c);
  });
  list.sort();
  if (job.last_t != nullptr) job.last_t[i] = list.at(piece.count - 1).t;
  for (std::uint32_t k = 0; k < piece.count; ++k) {
    Crossing c = list.at(k);
    c.t = t_of(q.ray, c, ray.t_min, ray.t_max);
    c.t_out = t_out_of(q.ray, c.t_out, c.t, ray.t_max);
    list.put(k, c);
  }
}

}  // namespace sightline::kernels
