// The nearest shapes on the cpu backend: each point or segment traverses the tree, nearest boxes
// first; points that are close together share one traversal.
#pragma once

#include "host/backend/near_rows.hpp"
#include "host/cpu/cpu_scene.hpp"
#include "host/cpu/queries/near_heap.hpp"
#include "host/cpu/walk/near_group.hpp"
#include "host/cpu/walk/query_order.hpp"
#include "host/cpu/walk/sure_shapes.hpp"

namespace sightline::detail {

inline const Vec3& boxes_of(const SightPoint& p) { return p.position; }
inline const SegmentBoxes& boxes_of(const SegmentQuery& q) { return q.boxes; }

// Whether plain floats prove that the shape is beyond the limit; they cannot for segments.
template <class Shape>
bool is_beyond(const Shape& shape, const SightPoint& p, float limit) {
  return distance_at_least(sure_shape(shape), p.position) > limit;
}
template <class Shape>
bool is_beyond(const Shape&, const SegmentQuery&, float) {
  return false;
}

inline const Vec3Column& places(const PointsView& points) { return points.position; }
inline const Vec3Column& places(const PointPairsView& segments) { return segments.from.position; }

/// Answers neighbouring queries one after the other.
class NearRun {
 public:
  NearRun(const LeafShapes& scene, std::uint32_t k, float range)
      : scene_(scene), row_(k, range), heap_(k, range) {
    row_.list().clear();
  }

  /// Answers the queries [begin, end) of a run.
  template <class Batch, class Out>
  void answer(const Batch& batch, const QueryRun& run, std::uint64_t begin, std::uint64_t end,
              const Out& out, NearestReport& report) {
    const bool grouped = collect(batch, run, begin, end);
    std::uint64_t seen = 0;
    float sum = 0;
    for (std::uint64_t j = begin; j < end; ++j) {
      const std::uint64_t i = run[j];
      if (j + 4 < run.count) prefetch_place(places(batch), run[j + 4]);
      const auto q = batch[i];
      if (is_bad(q)) {
        ++report.bad_points;
        row_.list().clear();
      } else {
        find(q, grouped);
        const float limit = max(row_.list().limit(), 0.0f);
        if (limit <= largest_float) sum += limit, ++seen;
      }
      report.found += row_.store(scene_.shapes, q, i, out);
    }
    report.points += end - begin;
    pad_ = seen == 0 ? -1 : 1.25f * sum / static_cast<float>(seen);
  }

 private:
  static void prefetch_place(const Vec3Column& place, std::uint64_t i) {
    if (place.x.data == nullptr) return;
    __builtin_prefetch(reinterpret_cast<const char*>(place.x.data) +
                       static_cast<std::ptrdiff_t>(i) * place.x.stride);
  }

  /// Collects the shapes around the points, with the padding that the previous points needed; false
  /// where there are too many.
  bool collect(const PointsView& points, const QueryRun& run, std::uint64_t begin,
               std::uint64_t end) {
    if (pad_ < 0) return false;
    Aabb box = empty_aabb();
    for (std::uint64_t j = begin; j < end; ++j) {
      const SightPoint p = points[run[j]];
      if (!is_bad(p)) box = unite(box, {p.position, p.position});
    }
    return group_.collect(scene_, {{box.min.x - pad_, box.min.y - pad_, box.min.z - pad_},
                                   {box.max.x + pad_, box.max.y + pad_, box.max.z + pad_}});
  }
  static bool collect(const PointPairsView&, const QueryRun&, std::uint64_t, std::uint64_t) {
    return false;
  }

  template <class Q>
  void find(const Q& q, bool grouped) {
    if (row_.list().k < NearHeap::least_k) return find_in<NearList>(q, grouped, row_.list());
    find_in<NearHeap&>(q, grouped, heap_);
    heap_.sort_into(row_.list());
  }
  template <class List, class Q>
  void find_in(const Q& q, bool grouped, List list) {
    float reach =
        grouped && row_.list().k == 1 ? infinity : reach_of(scene_.shapes, q, row_.list());
    if constexpr (std::is_same_v<Q, SightPoint>) {
      if (grouped) {
        search<List>(q, reach, list, [&](const auto& limit, const auto& leaf) {
          group_.for_each_near(q.position, limit, leaf,
                               [&](std::uint32_t place) { scene_.prefetch_at(place); });
        });
        const float limit = min(list.limit(), reach);
        if (group_.holds_all(q.position, limit)) return;
        reach = limit;
      }
    }
    search<List>(q, reach, list, [&](const auto& limit, const auto& leaf) {
      walk_near_first(
          scene_.bvh, NearBoxes<std::decay_t<decltype(boxes_of(q))>>{boxes_of(q)},
          [&] { return squared_limit(limit()); },
          [&](std::uint32_t place, float) {
            leaf(place);
            return false;
          },
          [&](const WideNode& node, int c) {
            const BvhChild child = node.child[c];
            if (is_leaf(child)) return scene_.prefetch_leaf(node, c) | bvh_leaf_bit;
            prefetch(scene_.bvh.nodes[child]);
            return child;
          });
    });
  }

  /// Offers planes, and the shapes that the traversal reaches.
  template <class List, class Q, class Walk>
  void search(const Q& q, float reach, List list, const Walk& walk) {
    const ShapesView& shapes = scene_.shapes;
    list.clear();
    any_unbounded(shapes, [&](std::uint32_t id) {
      shapes.visit_unbounded(id, [&](const auto& shape) {
        if (counts(q, shapes, id)) list.offer({distance_to(shape, q), id});
      });
      return false;
    });
    const auto limit = [&] { return min(list.limit(), reach); };
    walk(limit, [&](std::uint32_t place) {
      scene_.visit_at(place, [&](const auto& shape, std::uint32_t id) {
        if (is_beyond(shape, q, limit())) return;
        if (counts(q, shapes, id)) list.offer({distance_to(shape, q), id});
      });
    });
  }

  const LeafShapes& scene_;
  NearRow row_;
  NearHeap heap_;
  NearGroup group_;
  float pad_ = -1;  ///< negative: not yet known
};

template <class Queries, class Out>
NearestReport find_nearest(const CpuScene& scene, const NearestOf<Queries, Out>& asked) {
  const LeafShapes leaves = scene.leaf_shapes(asked.queries.count);
  ReportSum<NearestReport> sum;
  for_each_in_order(
      scene.threads, asked.queries.count, [&](std::uint64_t i) { return places(asked.queries)[i]; },
      [](std::uint64_t) { return 0u; }, [] { return NoCopies(); },
      [&] { return NearRun(leaves, asked.k, asked.range); },
      [&](NearRun& near, const QueryRun& run, const NoCopies&) {
        NearestReport here;
        for (std::uint64_t j = 0; j < run.count; j += NearGroup::points) {
          const std::uint64_t end = std::min(run.count, j + NearGroup::points);
          near.answer(asked.queries, run, j, end, asked.out, here);
        }
        sum += here;
      },
      [](std::uint64_t, std::uint64_t) {});
  return sum.total();
}

}  // namespace sightline::detail
