// The nearest shapes on the cpu backend: each point or segment traverses the tree, nearest boxes
// first; points that are close together share one traversal.
#pragma once

#include "host/backend/near_rows.hpp"
#include "host/cpu/cpu_scene.hpp"
#include "host/cpu/queries/nearest_heap.hpp"
#include "host/cpu/shapes/certain_shapes.hpp"
#include "host/cpu/shapes/nearest_group.hpp"
#include "host/cpu/shapes/query_order.hpp"

namespace sightline::detail {

inline const Vec3& boxes_of(const SightPoint& p) { return p.position; }
inline const SegmentBoxes& boxes_of(const SegmentQuery& q) { return q.boxes; }

// Whether plain floats prove that the shape is beyond the limit; for segments of triangles alone.
template <class Shape>
bool is_beyond(const Shape& shape, const SightPoint& p, float limit) {
  return distance_at_least(certain_shape(shape), p.position) > limit;
}
inline bool is_beyond(const Triangle& shape, const SightPoint& p, float limit) {
  return distance_at_least(p.position, triangle_form(shape)) > limit;
}
template <class Shape>
bool is_beyond(const Shape&, const SegmentQuery&, float) {
  return false;
}

inline bool is_beyond(const Triangle& shape, const SegmentQuery& q, float limit) {
  return distance_at_least(q.segment.a, q.segment.b, triangle_form(shape)) > limit;
}

inline const Vec3Column& places(const PointsView& points) { return points.position; }
inline const Vec3Column& places(const PointPairsView& segments) { return segments.from.position; }

/// distance_to(). All of it is inlined here, so that what else nearest() finds is left out.
template <class Shape, class Q>
[[gnu::flatten]] float distance_alone(const Shape& shape, const Q& q) {
  return distance_to(shape, q);
}

/// Answers neighbouring queries together.
class NearestBatch {
 public:
  static constexpr std::uint32_t most = PointGroup::most;

  NearestBatch(const ShapeKernels& kernels, const LeafShapes& scene, std::uint32_t k, float range)
      : kernels_(kernels),
        scene_(scene),
        rows_(most + 1, NearRow(k, range)),
        heaps_(most, NearestHeap(k, range)) {
    rows_[0].list().clear();
  }

  /// Answers the queries [begin, end) of a run, at most `most`.
  template <class Batch, class Out>
  void answer(const Batch& batch, const QueryRun& run, std::uint64_t begin, std::uint64_t end,
              const Out& out, NearestReport& report) {
    std::decay_t<decltype(batch[0])> q[most];
    const auto n = static_cast<std::uint32_t>(end - begin);
    std::uint32_t good = 0;
    for (std::uint32_t k = 0; k < n; ++k) {
      if (begin + k + most < run.count) prefetch_place(places(batch), run[begin + k + most]);
      q[k] = batch[run[begin + k]];
      if (is_bad(q[k])) {
        ++report.bad_points;
      } else {
        good |= 1u << k;
      }
    }
    if (row(0).k < NearestHeap::least_k) {
      find(q, n, good, [this](std::uint32_t k) { return row(k); });
    } else {
      find(q, n, good, [this](std::uint32_t k) -> NearestHeap& { return heaps_[k]; });
    }
    for (std::uint32_t k = 0; k < n; ++k) {
      report.found += rows_[k + 1].store(scene_.shapes, q[k], run[begin + k], out);
    }
    report.points += n;
    std::swap(rows_[0], rows_[n]);
  }

 private:
  static void prefetch_place(const Vec3Column& place, std::uint64_t i) {
    if (place.x.data == nullptr) return;
    __builtin_prefetch(reinterpret_cast<const char*>(place.x.data) +
                       static_cast<std::ptrdiff_t>(i) * place.x.stride);
  }
  static Aabb around(const Vec3& p, float r) {
    return {{p.x - r, p.y - r, p.z - r}, {p.x + r, p.y + r, p.z + r}};
  }

  NearList row(std::uint32_t k) { return rows_[k + 1].list(); }
  static void write(const NearList&, const NearList&) {}
  static void write(NearestHeap& heap, const NearList& row) { heap.sort_into(row); }

  /// Writes the rows of n queries; those that are not `good` find nothing.
  template <class Q, class ListOf>
  void find(const Q* q, std::uint32_t n, std::uint32_t good, const ListOf& list_of) {
    std::uint32_t open = good;
    std::fill_n(limit_, most, infinity);
    if constexpr (std::is_same_v<Q, SightPoint>) open = find_in_group(q, good, list_of);
    std::uint32_t seen = 0;
    float sum = 0;
    for (std::uint32_t k = 0; k < n; ++k) {
      auto&& list = list_of(k);
      if ((open >> k & 1) != 0) {
        if (limit_[k] == infinity) limit_[k] = reach_of(scene_.shapes, q[k], rows_[k].list());
        find_alone(q[k], limit_[k], list);
      }
      if ((good >> k & 1) == 0) {
        row(k).clear();
        continue;
      }
      write(list, row(k));
      const float limit = max(row(k).limit(), 0.0f);
      if (limit <= largest_float) sum += limit, ++seen;
    }
    // Finite: children that are missing would overlap a box without end.
    pad_ = seen == 0 ? -1 : min(1.6f * sum / static_cast<float>(seen), largest_float);
  }

  /// Searches the shapes around the points, within the padding that the points before needed, then
  /// those within what the first found. Returns the points that may have nearer ones.
  template <class ListOf>
  std::uint32_t find_in_group(const SightPoint* q, std::uint32_t open, const ListOf& list_of) {
    if (pad_ < 0) return open;
    PointGroup points;
    Aabb box = empty_aabb();
    for (std::uint32_t rest = open; rest != 0; rest &= rest - 1) {
      const auto k = static_cast<std::uint32_t>(__builtin_ctz(rest));
      const Vec3& p = q[k].position;
      points.set(k, p);
      if (row(0).k > 1) limit_[k] = reach_of(scene_.shapes, q[k], rows_[0].list());
      box = unite(box, around(p, pad_));
    }
    std::uint32_t most_shapes = NearestGroup::most_shapes;
    for (int turn = 0; turn < 2 && open != 0; ++turn) {
      if (!group_.collect(scene_, box, most_shapes)) break;
      points.given = open;
      search(q, points, list_of);
      box = empty_aabb();
      for (std::uint32_t rest = open; rest != 0; rest &= rest - 1) {
        const auto k = static_cast<std::uint32_t>(__builtin_ctz(rest));
        const Vec3& p = q[k].position;
        if (group_.holds_all(p, limit_[k])) {
          open &= ~(1u << k);
        } else {
          box = unite(box, around(p, 1.01f * max(limit_[k], 0.0f) + 0x1p-20f * sum3(p)));
        }
      }
      if (!(box.max.x < infinity)) break;
      // More shapes for those that are left cost more than a walk for each.
      most_shapes = 6 * static_cast<std::uint32_t>(__builtin_popcount(open));
    }
    return open;
  }

  /// The given points, of which no shape is wanted beyond a limit.
  template <class ListOf>
  void search(const SightPoint* q, const PointGroup& points, const ListOf& list_of) {
    float reach[most];
    std::copy_n(limit_, most, reach);
    for (std::uint32_t rest = points.given; rest != 0; rest &= rest - 1) {
      const auto k = static_cast<std::uint32_t>(__builtin_ctz(rest));
      begin(q[k], list_of(k));
      limit_[k] = min(list_of(k).limit(), reach[k]);
    }
    group_.search(kernels_, points, limit_, [&](std::uint32_t k, std::uint32_t place) {
      scene_.visit_at(place, [&](const auto& shape, std::uint32_t id) {
        if (!passes_filter(q[k], scene_.shapes, id)) return;
        list_of(k).offer({distance_alone(shape, q[k]), id});
        limit_[k] = min(list_of(k).limit(), reach[k]);
      });
    });
  }

  /// Clears the list and offers the planes.
  template <class Q, class List>
  void begin(const Q& q, List&& list) {
    const ShapesView& shapes = scene_.shapes;
    list.clear();
    any_unbounded(shapes, [&](std::uint32_t id) {
      shapes.visit_unbounded(id, [&](const auto& shape) {
        if (passes_filter(q, shapes, id)) list.offer({distance_to(shape, q), id});
      });
      return false;
    });
  }

  template <class Q, class List>
  void find_alone(const Q& q, float reach, List&& list) {
    begin(q, list);
    const auto limit = [&] { return min(list.limit(), reach); };
    walk_near_first(
        scene_.bvh, NearBoxes<std::decay_t<decltype(boxes_of(q))>>{boxes_of(q)},
        [&] { return squared_limit(limit()); },
        [&](std::uint32_t place, float) {
          scene_.visit_at(place, [&](const auto& shape, std::uint32_t id) {
            if (is_beyond(shape, q, limit()) || !passes_filter(q, scene_.shapes, id)) return;
            list.offer({distance_alone(shape, q), id});
          });
          return false;
        },
        [&](const WideNode& node, int c) {
          const BvhChild child = node.child[c];
          if (is_leaf(child)) return scene_.prefetch_leaf(node, c) | bvh_leaf_bit;
          prefetch(scene_.bvh.nodes[child]);
          return child;
        });
  }

  const ShapeKernels& kernels_;
  const LeafShapes& scene_;
  std::vector<NearRow> rows_;  ///< that of the last query before, then those of the queries
  std::vector<NearestHeap> heaps_;
  NearestGroup group_;
  alignas(64) float limit_[most];  ///< no nearest shape is further away
  float pad_ = -1;                 ///< negative: not yet known
};

template <class Queries, class Out>
NearestReport find_nearest(const CpuScene& scene, const NearestOf<Queries, Out>& asked) {
  const LeafShapes leaves = scene.leaf_shapes(asked.queries.count);
  ReportSum<NearestReport> sum;
  for_each_in_order<hilbert_code>(
      scene.threads, asked.queries.count, [&](std::uint64_t i) { return places(asked.queries)[i]; },
      [](std::uint64_t) { return 0u; }, [] { return NoCopies(); },
      [&] { return NearestBatch(scene.simd.shapes, leaves, asked.k, asked.range); },
      [&](NearestBatch& near, const QueryRun& run, const NoCopies&) {
        NearestReport here;
        for (std::uint64_t j = 0; j < run.count; j += NearestBatch::most) {
          const std::uint64_t end = std::min<std::uint64_t>(run.count, j + NearestBatch::most);
          near.answer(asked.queries, run, j, end, asked.out, here);
        }
        sum += here;
      },
      [](std::uint64_t, std::uint64_t) {});
  return sum.total();
}

}  // namespace sightline::detail
