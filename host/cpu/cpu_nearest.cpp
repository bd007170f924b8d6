#include "host/cpu/cpu_nearest.hpp"

#include "host/cpu/bounded_shapes.hpp"
#include "host/cpu/near_walk.hpp"
#include "host/cpu/query_order.hpp"
#include "host/cpu/sure_distance.hpp"
#include "host/near_rows.hpp"

#include <atomic>

namespace sightline::detail {
namespace {

/// Where a query is put in order.
Vec3 place_of(const PointsView& points, std::uint64_t i) { return points.position[i]; }
Vec3 place_of(const PointPairsView& pairs, std::uint64_t i) { return pairs.from.position[i]; }

/// What asks for the boxes of nodes.
const Vec3& seen_from(const SightPoint& p) { return p.position; }
const SegmentBoxes& seen_from(const SegmentQuery& q) { return q.boxes; }

/// Whether the shape is further than the limit for sure, by plain floats.
template <class Shape>
bool is_beyond(const Shape& shape, const SightPoint& p, float limit) {
  return distance_at_least(sure_shape(shape), p.position) > limit;
}
template <class Shape>
bool is_beyond(const Shape&, const SegmentQuery&, float) {
  return false;
}

/// No further than this are the k nearest, if any: as far as those that were nearest to the query
/// before, which lies close.
template <class Query>
float reach_of(const ShapesView& shapes, const Query& q, const NearList& before) {
  float reach = -infinity;
  for (std::uint32_t i = 0; i < before.k; ++i) {
    const std::uint32_t id = before.id[i];
    if (id == none || !counts(q, shapes, id)) return infinity;
    const auto distance = [&](const auto& shape) { return distance_to(shape, q); };
    reach = max(reach, shapes.visit(id, distance));
  }
  return reach;
}

template <class Query>
void walk(const WalkScene& scene, const Query& q, float reach, const NearList& list) {
  const ShapesView& shapes = scene.shapes;
  for (std::uint32_t id = shapes.bounded(); id < shapes.size(); ++id) {
    offer_shape(list, shapes, q, id);
  }
  const auto limit = [&] { return min(list.limit(), reach); };
  for_each_near(
      scene.bvh, seen_from(q), limit,
      [&](std::uint32_t id) {
        visit_bounded(shapes, id, [&](const auto& shape) {
          if (is_beyond(shape, q, limit())) return;
          if (counts(q, shapes, id)) list.offer({distance_to(shape, q), id});
        });
      },
      [&](std::uint32_t id) { prefetch(shapes, id); });
}

template <class Asked, class Out>
NearestReport near_rows(const WalkScene& scene, const Asked& asked, std::uint32_t k, float range,
                        const Out& out) {
  std::atomic<std::uint64_t> found{0}, bad{0};
  for_each_in_order(
      scene.threads, asked.count, [&](std::uint64_t i) { return place_of(asked, i); },
      [](std::uint64_t) { return 0u; }, [&] { return NearRow(k, range); },
      [&](NearRow& row, const QueryRun& run) {
        std::uint64_t found_here = 0, bad_here = 0;
        row.list().clear();
        for (std::uint64_t j = 0; j < run.count; ++j) {
          const std::uint64_t i = run[j];
          const auto q = asked[i];
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
  return {asked.count, found, bad};
}

}  // namespace

NearestReport cpu_nearest(const WalkScene& scene, const PointsView& points, std::uint32_t k,
                          float range, const NearestView& out) {
  return near_rows(scene, points, k, range, out);
}

NearestReport cpu_clearance(const WalkScene& scene, const PointPairsView& segments, std::uint32_t k,
                            float range, const ClearanceView& out) {
  return near_rows(scene, segments, k, range, out);
}

}  // namespace sightline::detail
