#include "host/backend/near_rows.hpp"
#include "host/cpu/queries/nearest.hpp"
#include "host/cpu/walk/bounded_shapes.hpp"
#include "host/cpu/walk/near_walk.hpp"
#include "host/cpu/walk/query_order.hpp"

#include <atomic>

namespace sightline::detail {
namespace {

/// Offers the list what may be no further than `reach`.
void walk(const WalkScene& scene, const SegmentQuery& q, float reach, const NearList& list) {
  const ShapesView& shapes = scene.shapes;
  for (std::uint32_t id = shapes.bounded(); id < shapes.size(); ++id) {
    offer_shape(list, shapes, q, id);
  }
  const auto limit = [&] { return min(list.limit(), reach); };
  for_each_near(
      scene.bvh, q.boxes, limit,
      [&](std::uint32_t id) {
        if (!counts(q, shapes, id)) return;
        shapes.visit_bounded(id, [&](const auto& shape) {
          list.offer({distance_to(shape, q), id});
        });
      },
      [&](std::uint32_t id) { prefetch(shapes, id); });
}

}  // namespace

NearestReport cpu_clearance(const WalkScene& scene, const PointPairsView& segments, std::uint32_t k,
                            float range, const ClearanceView& out) {
  std::atomic<std::uint64_t> found{0}, bad{0};
  for_each_in_order(
      scene.threads, segments.count, [&](std::uint64_t i) { return segments.from.position[i]; },
      [](std::uint64_t) { return 0u; }, [&] { return NearRow(k, range); },
      [&](NearRow& row, const QueryRun& run) {
        std::uint64_t found_here = 0, bad_here = 0;
        row.list().clear();
        for (std::uint64_t j = 0; j < run.count; ++j) {
          const std::uint64_t i = run[j];
          const SegmentQuery q = segments[i];
          const bool is_good = !is_bad(q);
          const float reach = is_good ? reach_of(scene.shapes, q, row.list()) : 0;
          row.list().clear();
          if (is_good) walk(scene, q, reach, row.list());
          bad_here += !is_good;
          found_here += row.store(scene.shapes, q, i, out);
        }
        found += found_here;
        bad += bad_here;
      },
      [](std::uint64_t, std::uint64_t) {});
  return {segments.count, found, bad};
}

}  // namespace sightline::detail
