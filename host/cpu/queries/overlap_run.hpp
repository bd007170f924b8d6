// The overlaps of queries that lie close together.
#pragma once

#include "host/cpu/queries/overlap.hpp"
#include "host/cpu/walk/bounded_shapes.hpp"
#include "host/cpu/walk/box_stream.hpp"
#include "host/cpu/walk/query_order.hpp"
#include "host/cpu/walk/sure_overlap.hpp"

#include <sightline/queries/overlap.hpp>

#include <algorithm>

namespace sightline::detail {

static_assert(ordered_run <= BoxStream::most);

/// What a thread keeps from run to run.
struct RunMemory {
  BoxStream stream;
  std::vector<Aabb> bounds;
  std::uint8_t done[ordered_run];
};

/// A shape that asks, also as floats are sure of it.
template <class Shape>
struct SureQuery {
  OverlapQuery<Shape> query;
  decltype(sure_shape(Shape())) sure;
};

/// Calls hit(k, id) for every overlap of query k, until it returns 1: that is enough of this query.
template <class Shape, class Hit>
void find_overlaps(const WalkScene& scene, const std::vector<SureQuery<Shape>>& queries,
                   RunMemory& memory, const Hit& hit) {
  const ShapesView& shapes = scene.shapes;
  const auto n = static_cast<std::uint32_t>(queries.size());
  std::fill_n(memory.done, n, std::uint8_t{0});
  for (std::uint32_t id = shapes.bounded(); id < shapes.size(); ++id) {
    for (std::uint32_t k = 0; k < n; ++k) {
      if (memory.done[k] == 0 && overlaps_shape(queries[k].query, shapes, id)) {
        memory.done[k] = hit(k, id);
      }
    }
  }
  memory.bounds.clear();
  for (const SureQuery<Shape>& q : queries) memory.bounds.push_back(q.query.bounds);
  memory.stream.walk(
      scene.bvh, memory.bounds.data(), n, memory.done,
      [&](std::uint32_t id, const std::uint16_t* list, std::uint32_t count) {
        const std::uint32_t mask = shapes.mask_of(id);
        shapes.visit_bounded(id, [&](const auto& s) {
          const auto sure_s = sure_shape(s);
          for (std::uint32_t j = 0; j < count; ++j) {
            const SureQuery<Shape>& q = queries[list[j]];
            if ((q.query.mask & mask) == 0 || memory.done[list[j]] != 0) continue;
            Sure sure = Sure::yes;  // boxes that are their own bounds
            if constexpr (!(std::is_same_v<Shape, Aabb> &&
                            std::is_same_v<decltype(s), const Aabb&>)) {
              sure = sure_overlap(q.sure, sure_s);
            }
            if (sure == Sure::no || (sure == Sure::unsure && !overlaps(q.query.shape, s))) continue;
            memory.done[list[j]] = hit(list[j], id);
          }
        });
      },
      [&](std::uint32_t id) { prefetch(shapes, id); });
}

/// The same for queries [begin, end) of a run, which are of one kind.
template <class Hit>
void find_overlaps(const WalkScene& scene, const ShapesView& asking, const QueryRun& run,
                   std::uint64_t begin, std::uint64_t end, RunMemory& memory, const Hit& hit) {
  const Kind kind = asking.kind_of(static_cast<std::uint32_t>(run[begin]));
  const std::uint32_t first = asking.begin[static_cast<int>(kind)];
  with_bounded_kind(kind, [&]<class S>(ShapeTag<S>) {
    std::vector<SureQuery<S>> queries;
    queries.reserve(end - begin);
    for (std::uint64_t k = begin; k < end; ++k) {
      const auto id = static_cast<std::uint32_t>(run[k]);
      if (k + 16 < end) prefetch(asking, static_cast<std::uint32_t>(run[k + 16]));
      const S shape = asking.get<S>(id - first);
      queries.push_back({overlap_query(shape, asking.mask_of(id)), sure_shape(shape)});
    }
    find_overlaps(scene, queries, memory,
                  [&](std::uint32_t k, std::uint32_t id) { return hit(begin + k, id); });
  });
}

/// The same for all of a run.
template <class Hit>
void find_overlaps(const WalkScene& scene, const ShapesView& asking, const QueryRun& run,
                   RunMemory& memory, const Hit& hit) {
  const auto kind_at = [&](std::uint64_t k) {
    return asking.kind_of(static_cast<std::uint32_t>(run[k]));
  };
  for (std::uint64_t begin = 0, end; begin < run.count; begin = end) {
    end = begin + 1;
    while (end < run.count && kind_at(end) == kind_at(begin)) ++end;
    find_overlaps(scene, asking, run, begin, end, memory, hit);
  }
}

}  // namespace sightline::detail
