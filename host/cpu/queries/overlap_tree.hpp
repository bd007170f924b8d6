// Overlaps through the tree: neighbouring queries traverse it together.
#pragma once

#include "host/cpu/queries/overlap_few.hpp"
#include "host/cpu/shapes/query_order.hpp"
#include "host/cpu/shapes/quick_bounds.hpp"
#include "host/cpu/shapes/spheres_tree.hpp"

#include <tuple>

namespace sightline::detail {

static_assert(most_of_run <= BoxListWalk::most);

/// A query shape, exactly and in plain floats. These are made where they lie: to copy them would
/// wait for the stores of their parts.
template <class Shape>
struct CertainQuery {
  decltype(certain_shape(Shape())) sure;
  std::uint32_t mask;
  Shape shape;

  CertainQuery(const Shape& s, std::uint32_t m) : sure(certain_shape(s)), mask(m), shape(s) {}
};
template <class Shape>
using CertainQueries = std::vector<CertainQuery<Shape>>;

/// A thread's memory, kept from run to run.
struct RunMemory {
  BoxListWalk box_walk;
  SpheresInTree spheres;
  ShapeKinds::Each<std::tuple, CertainQueries> queries;
  Aabb bounds[most_of_run];
  std::uint8_t done[most_of_run];
};

/// Calls hit(k, id) for every overlap of query k, whose bounds are set, until hit returns 1.
template <class Shape, class Hit>
void find_overlaps(const LeafShapes& scene, const CertainQueries<Shape>& queries, RunMemory& memory,
                   const Hit& hit) {
  const ShapesView& shapes = scene.shapes;
  const auto n = static_cast<std::uint32_t>(queries.size());
  std::fill_n(memory.done, n, std::uint8_t{0});
  any_unbounded(shapes, [&](std::uint32_t id) {
    for (std::uint32_t k = 0; k < n; ++k) {
      const OverlapQuery<Shape> q = {queries[k].shape, memory.bounds[k], queries[k].mask};
      if (memory.done[k] == 0 && overlaps_shape(q, shapes, id)) memory.done[k] = hit(k, id);
    }
    return false;
  });
  memory.box_walk.run(
      scene.bvh, memory.bounds, n, memory.done,
      [&](std::uint32_t place, const std::uint16_t* list, std::uint32_t count) {
        scene.visit_at(place, [&](const auto& s, std::uint32_t id) {
          const std::uint32_t mask = shapes.mask_of(id);
          const auto certain_s = certain_shape(s);
          for (std::uint32_t j = 0; j < count; ++j) {
            const CertainQuery<Shape>& q = queries[list[j]];
            if ((q.mask & mask) == 0 || memory.done[list[j]] != 0) continue;
            if (overlap_of(q.shape, q.sure, s, certain_s)) memory.done[list[j]] = hit(list[j], id);
          }
        });
      },
      [&](const WideNode& node, int c) { return scene.prefetch_leaf(node, c); });
}

/// The OBBs of a part, copied while their keys are made: 60 bytes in 5 columns, which to gather
/// later would take 5 or 6 lines of memory a query. Those of other shapes lie on 2 or 3.
class CopiedObbs {
 public:
  explicit CopiedObbs(const ShapesView& batch)
      : batch_(batch), first_(batch.begin[obb]), last_(batch.begin[obb + 1]) {}

  void begin(std::uint64_t begin, std::uint64_t end) {
    from_ = std::max<std::uint64_t>(begin, first_);
    const std::uint64_t to = std::min<std::uint64_t>(end, last_);
    records_.resize(from_ < to ? to - from_ : 0);
  }
  void copy(std::uint64_t i) {
    const std::uint64_t at = i - from_;  // huge before from_
    if (at >= records_.size()) return;
    const auto id = static_cast<std::uint32_t>(i);
    records_[at].set(batch_.get<ObbFrame>(id - first_), id);
  }
  const ShapeRecord& of(std::uint64_t i) const { return records_[i - from_]; }

 private:
  static constexpr int obb = static_cast<int>(Kind::obb);

  const ShapesView& batch_;
  std::uint32_t first_, last_;
  std::uint64_t from_ = 0;
  PageVector<ShapeRecord> records_;
};

/// The query shapes of a sorted part.
struct PartOfQueries {
  const ShapesView& batch;
  const CopiedObbs& obbs;

  template <class Shape>
  decltype(auto) get(std::uint64_t i) const {
    if constexpr (std::is_same_v<Shape, ObbFrame>) {
      return obbs.of(i).get<Shape>();
    } else {
      return batch.get<Shape>(static_cast<std::uint32_t>(i) -
                              batch.begin[static_cast<int>(kind_for<Shape>)]);
    }
  }
  template <class Shape>
  void prefetch_query(std::uint64_t i) const {
    if constexpr (std::is_same_v<Shape, ObbFrame>) {
      __builtin_prefetch(&obbs.of(i));
    } else {
      prefetch(batch, static_cast<std::uint32_t>(i));
    }
  }
};

/// For spheres [begin, end) of a run; calls hit(k, lanes, id) of overlap_rows.hpp.
template <class Hit>
void find_overlaps_of_spheres(const ShapeKernels& kernels, const LeafShapes& scene,
                              const PartOfQueries& part, const QueryRun& run, std::uint64_t begin,
                              std::uint64_t end, RunMemory& memory, const Hit& hit) {
  memory.spheres.clear();
  for (std::uint64_t k = begin; k < end; ++k) {
    if (k + 16 < end) part.prefetch_query<Sphere>(run[k + 16]);
    const std::uint32_t mask = part.batch.mask_of(static_cast<std::uint32_t>(run[k]));
    memory.spheres.set(static_cast<std::uint32_t>(k),
                       overlap_query(part.get<Sphere>(run[k]), mask));
  }
  memory.spheres.find(kernels, scene, hit);
}

/// The same for queries [begin, end) of a run, which are of one kind.
template <class Hit>
void find_overlaps(const ShapeKernels& kernels, const LeafShapes& scene, const PartOfQueries& part,
                   const QueryRun& run, std::uint64_t begin, std::uint64_t end, RunMemory& memory,
                   const Hit& hit) {
  const ShapesView& batch = part.batch;
  const Kind kind = batch.kind_of(static_cast<std::uint32_t>(run[begin]));
  // Fewer spheres are too far apart: eight of them would meet too many shapes.
  if (kind == Kind::sphere && batch.count(kind) / 4 >= scene.shapes.bounded()) {
    return find_overlaps_of_spheres(kernels, scene, part, run, begin, end, memory, hit);
  }
  with_query_kind(kind, [&]<class S>(ShapeTag<S>) {
    auto& queries = std::get<ShapeKinds::index<S>()>(memory.queries);
    queries.clear();
    queries.reserve(most_of_run);
    for (std::uint64_t k = begin; k < end; ++k) {
      if (k + 16 < end) part.prefetch_query<S>(run[k + 16]);
      const S& shape = part.get<S>(run[k]);
      const std::uint32_t mask = batch.mask_of(static_cast<std::uint32_t>(run[k]));
      queries.emplace_back(shape, mask);
      memory.bounds[k - begin] = quick_bounds(shape, queries.back().sure);
    }
    find_overlaps(scene, queries, memory,
                  [&](std::uint32_t k, std::uint32_t id) { return hit_one(hit, begin + k, id); });
  });
}

/// The same for a whole run.
template <class Hit>
void find_overlaps(const ShapeKernels& kernels, const LeafShapes& scene, const PartOfQueries& part,
                   const QueryRun& run, RunMemory& memory, const Hit& hit) {
  const auto kind_at = [&](std::uint64_t k) {
    return part.batch.kind_of(static_cast<std::uint32_t>(run[k]));
  };
  for (std::uint64_t begin = 0, end; begin < run.count; begin = end) {
    end = begin + 1;
    while (end < run.count && kind_at(end) == kind_at(begin)) ++end;
    find_overlaps(kernels, scene, part, run, begin, end, memory, hit);
  }
}

/// The first point of the query shape, by which queries are sorted.
inline Vec3 place_of(const ShapesView& batch, std::uint64_t id) {
  const auto place = [&]<class S>(ShapeTag<S>, std::uint32_t i) {
    const Vec3* first = nullptr;
    const auto take = [&]<class T>(const char*, const T* column) {
      if constexpr (std::is_same_v<T, Vec3>) first = first == nullptr ? column : first;
    };
    ShapeTraits<S>::fields(take, batch.of<S>());
    return first[i];
  };
  return batch.locate_bounded(static_cast<std::uint32_t>(id), place);
}

/// The Queries of overlap_rows.hpp.
struct OverlapsInTree {
  const ShapeKernels& kernels;
  const LeafShapes scene;
  const Threads& threads;
  const ShapesView& batch;

  std::uint64_t count() const { return batch.size(); }
  template <class Use, class Done>
  void for_each_run(const Use& use, const Done& done) const {
    for_each_in_order(
        threads, count(), [&](std::uint64_t i) { return place_of(batch, i); },
        [&](std::uint64_t i) {
          return static_cast<std::uint32_t>(batch.kind_of(static_cast<std::uint32_t>(i)));
        },
        [&] { return CopiedObbs(batch); }, [] { return RunMemory(); },
        [&](RunMemory& memory, const QueryRun& run, const CopiedObbs& obbs) {
          const PartOfQueries part = {batch, obbs};
          use(run, [&](const auto& hit) { find_overlaps(kernels, scene, part, run, memory, hit); });
        },
        done);
  }
  template <class Use>
  void for_each(std::uint64_t n, const Use& use) const {
    threads.for_each_part(
        n, 1, [] { return 0; }, [&](int, std::uint64_t i, std::uint64_t) { use(i); });
  }
};

}  // namespace sightline::detail
