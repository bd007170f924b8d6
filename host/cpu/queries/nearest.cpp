#include "host/cpu/queries/nearest.hpp"

#include "host/backend/near_rows.hpp"
#include "host/cpu/walk/bounded_shapes.hpp"
#include "host/cpu/walk/near_group.hpp"
#include "host/cpu/walk/query_order.hpp"
#include "host/cpu/walk/sure_distance.hpp"

#include <atomic>

namespace sightline::detail {
namespace {

/// The nearest of points that lie close together, one after the other.
class NearRun {
 public:
  NearRun(const WalkScene& scene, std::uint32_t k, float range) : scene_(scene), row_(k, range) {
    row_.list().clear();
  }

  /// Of points [begin, end) of a run; returns how many elements were found, and counts bad points.
  std::uint64_t answer(const PointsView& points, const QueryRun& run, std::uint64_t begin,
                       std::uint64_t end, const NearestView& out, std::uint64_t& bad) {
    const bool grouped = pad_ >= 0 && group_.collect(scene_.bvh, box_of(points, run, begin, end));
    std::uint64_t found = 0, seen = 0;
    float sum = 0;
    for (std::uint64_t j = begin; j < end; ++j) {
      const std::uint64_t i = run[j];
      if (j + 4 < run.count) prefetch_point(points, run[j + 4]);
      const SightPoint p = points[i];
      if (is_bad(p)) {
        ++bad;
        row_.list().clear();
      } else {
        find(p, grouped);
        const float limit = max(row_.list().limit(), 0.0f);
        if (limit <= largest_float) sum += limit, ++seen;
      }
      found += row_.store(scene_.shapes, p, i, out);
    }
    pad_ = seen == 0 ? -1 : 1.25f * sum / static_cast<float>(seen);
    return found;
  }

 private:
  static void prefetch_point(const PointsView& points, std::uint64_t i) {
    const auto& x = points.position.x;
    __builtin_prefetch(reinterpret_cast<const char*>(x.data) +
                       static_cast<std::ptrdiff_t>(i) * x.stride);
  }

  /// Around the points, with as much room as the points before needed.
  Aabb box_of(const PointsView& points, const QueryRun& run, std::uint64_t begin,
              std::uint64_t end) const {
    Aabb box = empty_aabb();
    for (std::uint64_t j = begin; j < end; ++j) {
      const SightPoint p = points[run[j]];
      if (!is_bad(p)) box = unite(box, {p.position, p.position});
    }
    return {{box.min.x - pad_, box.min.y - pad_, box.min.z - pad_},
            {box.max.x + pad_, box.max.y + pad_, box.max.z + pad_}};
  }

  void find(const SightPoint& p, bool grouped) {
    float reach =
        grouped && row_.list().k == 1 ? infinity : reach_of(scene_.shapes, p, row_.list());
    if (grouped) {
      search(p, reach, [&](const auto&... walk) { group_.for_each_near(p.position, walk...); });
      const float limit = min(row_.list().limit(), reach);
      if (group_.holds_all(p.position, limit)) return;
      reach = limit;
    }
    search(p, reach, [&](const auto&... walk) { for_each_near(scene_.bvh, p.position, walk...); });
  }

  /// Offers what a walk comes to, and planes.
  template <class Walk>
  void search(const SightPoint& p, float reach, const Walk& walk) {
    const ShapesView& shapes = scene_.shapes;
    const NearList list = row_.list();
    list.clear();
    for (std::uint32_t id = shapes.bounded(); id < shapes.size(); ++id) {
      offer_shape(list, shapes, p, id);
    }
    const auto limit = [&] { return min(list.limit(), reach); };
    walk(
        limit,
        [&](std::uint32_t id) {
          shapes.visit_bounded(id, [&](const auto& shape) {
            if (distance_at_least(sure_shape(shape), p.position) > limit()) return;
            if (counts(p, shapes, id)) list.offer({distance_to(shape, p), id});
          });
        },
        [&](std::uint32_t id) { prefetch(shapes, id); });
  }

  const WalkScene& scene_;
  NearRow row_;
  NearGroup group_;
  float pad_ = -1;  ///< none is known yet
};

}  // namespace

NearestReport cpu_nearest(const WalkScene& scene, const PointsView& points, std::uint32_t k,
                          float range, const NearestView& out) {
  std::atomic<std::uint64_t> found{0}, bad{0};
  for_each_in_order(
      scene.threads, points.count, [&](std::uint64_t i) { return points.position[i]; },
      [](std::uint64_t) { return 0u; }, [&] { return NearRun(scene, k, range); },
      [&](NearRun& near, const QueryRun& run) {
        std::uint64_t found_here = 0, bad_here = 0;
        for (std::uint64_t j = 0; j < run.count; j += NearGroup::points) {
          const std::uint64_t end = std::min(run.count, j + NearGroup::points);
          found_here += near.answer(points, run, j, end, out, bad_here);
        }
        found += found_here;
        bad += bad_here;
      },
      [](std::uint64_t, std::uint64_t) {});
  return {points.count, found, bad};
}

}  // namespace sightline::detail
