#include "host/cpu/cpu_nearest.hpp"

#include "host/cpu/bounded_shapes.hpp"
#include "host/cpu/near_walk.hpp"
#include "host/cpu/query_order.hpp"
#include "host/cpu/sure_distance.hpp"
#include "host/near_rows.hpp"

#include <atomic>

namespace sightline::detail {
namespace {

/// No further than this are the k nearest to p, if any: as far as those that were nearest to the
/// point before, which lies close.
float reach_of(const ShapesView& shapes, const SightPoint& p, const NearList& before) {
  float reach = -infinity;
  for (std::uint32_t i = 0; i < before.k; ++i) {
    const std::uint32_t id = before.id[i];
    if (id == none || !counts(p, shapes, id)) return infinity;
    const auto distance = [&](const auto& shape) { return distance_to(shape, p.position); };
    reach = max(reach, shapes.visit(id, distance));
  }
  return reach;
}

void walk(const WalkScene& scene, const SightPoint& p, float reach, const NearList& list) {
  const ShapesView& shapes = scene.shapes;
  for (std::uint32_t id = shapes.bounded(); id < shapes.size(); ++id) {
    offer_shape(list, shapes, p, id);
  }
  const auto limit = [&] { return min(list.limit(), reach); };
  for_each_near(
      scene.bvh, p.position, limit,
      [&](std::uint32_t id) {
        visit_bounded(shapes, id, [&](const auto& shape) {
          if (distance_at_least(sure_shape(shape), p.position) > limit()) return;
          if (counts(p, shapes, id)) list.offer({distance_to(shape, p.position), id});
        });
      },
      [&](std::uint32_t id) { prefetch(shapes, id); });
}

}  // namespace

NearestReport cpu_nearest(const WalkScene& scene, const PointsView& points, std::uint32_t k,
                          float range, const NearestView& out) {
  std::atomic<std::uint64_t> found{0}, bad{0};
  for_each_in_order(
      scene.threads, points.count, [&](std::uint64_t i) { return points.position[i]; },
      [](std::uint64_t) { return 0u; }, [&] { return NearRow(k, range); },
      [&](NearRow& row, const QueryRun& run) {
        std::uint64_t found_here = 0, bad_here = 0;
        row.list().clear();
        for (std::uint64_t j = 0; j < run.count; ++j) {
          const std::uint64_t i = run[j];
          const SightPoint p = points[i];
          const bool is_good = !is_bad(p);
          const float reach = is_good ? reach_of(scene.shapes, p, row.list()) : 0;
          row.list().clear();
          if (is_good) walk(scene, p, reach, row.list());
          bad_here += !is_good;
          found_here += row.store(scene.shapes, p.position, i, out);
        }
        found += found_here;
        bad += bad_here;
      },
      [](std::uint64_t, std::uint64_t) {});
  return {points.count, found, bad};
}

}  // namespace sightline::detail
