#include "host/cpu/cpu_overlap.hpp"

#include "host/backend.hpp"
#include "host/cpu/box_walk.hpp"

#include <sightline/overlap_query.hpp>

#include <algorithm>
#include <atomic>

namespace sightline::detail {
namespace {

/// Shapes that ask in a part, a multiple of 64: so few that all threads are at work to the end.
std::uint64_t part_of(const WalkScene& scene, const ShapesView& asking) {
  return scene.threads.part_of(asking.size(), 64, 512);
}

int no_state() { return 0; }

/// Calls leaf(id) for every shape that the asking one overlaps, until it says true; planes first.
template <class Shape, class Leaf>
void for_each_overlap(const WalkScene& scene, const OverlapQuery<Shape>& q, const Leaf& leaf) {
  const ShapesView& shapes = scene.shapes;
  for (std::uint32_t id = shapes.bounded(); id < shapes.size(); ++id) {
    if (overlaps_shape(q, shapes, id) && leaf(id)) return;
  }
  for_each_in(scene.bvh, q.bounds, [&](std::uint32_t id) {
    if ((q.mask & shapes.mask_of(id)) == 0) return false;
    return shapes.visit(id, [&](const auto& s) { return overlaps(q.shape, s); }) && leaf(id);
  });
}

}  // namespace

OverlapReport cpu_overlap_any(const WalkScene& scene, const ShapesView& asking,
                              std::uint64_t* bits) {
  std::fill_n(bits, words_for(asking.size()), 0);
  std::atomic<std::uint64_t> overlapping{0};
  scene.threads.for_each_part(
      asking.size(), part_of(scene, asking), no_state,
      [&](int, std::uint64_t begin, std::uint64_t end) {
        std::uint64_t here = 0;
        for (std::uint64_t i = begin; i < end; ++i) {
          bool any = false;
          visit_query(asking, static_cast<std::uint32_t>(i), [&](const auto& q) {
            for_each_overlap(scene, q, [&](std::uint32_t) { return any = true; });
          });
          bits[i / 64] |= std::uint64_t{any} << i % 64;
          here += any;
        }
        overlapping += here;
      });
  return {asking.size(), overlapping, 0};
}

OverlapReport cpu_overlap_count(const WalkScene& scene, const ShapesView& asking,
                                std::uint32_t* counts) {
  std::atomic<std::uint64_t> overlapping{0}, pairs{0};
  scene.threads.for_each_part(asking.size(), part_of(scene, asking), no_state,
                              [&](int, std::uint64_t begin, std::uint64_t end) {
                                std::uint64_t overlapping_here = 0, pairs_here = 0;
                                for (std::uint64_t i = begin; i < end; ++i) {
                                  std::uint32_t count = 0;
                                  visit_query(asking, static_cast<std::uint32_t>(i),
                                              [&](const auto& q) {
                                                for_each_overlap(scene, q, [&](std::uint32_t) {
                                                  ++count;
                                                  return false;
                                                });
                                              });
                                  counts[i] = count;
                                  overlapping_here += count > 0;
                                  pairs_here += count;
                                }
                                overlapping += overlapping_here;
                                pairs += pairs_here;
                              });
  return {asking.size(), overlapping, pairs};
}

// Every part keeps its own ids until all are counted.
OverlapRows cpu_overlap_all(const WalkScene& scene, const ShapesView& asking) {
  const std::uint64_t n = asking.size(), part = part_of(scene, asking);
  OverlapRows rows;
  rows.offsets.resize(n + 1);
  std::vector<std::vector<std::uint32_t>> ids_of(n / part + 1);
  scene.threads.for_each_part(n, part, no_state, [&](int, std::uint64_t begin, std::uint64_t end) {
    std::vector<std::uint32_t>& ids = ids_of[begin / part];
    for (std::uint64_t i = begin; i < end; ++i) {
      const auto first = static_cast<std::ptrdiff_t>(ids.size());
      visit_query(asking, static_cast<std::uint32_t>(i), [&](const auto& q) {
        for_each_overlap(scene, q, [&](std::uint32_t id) {
          ids.push_back(id);
          return false;
        });
      });
      std::sort(ids.begin() + first, ids.end());
      rows.offsets[i + 1] = ids.size();
    }
  });
  std::uint64_t before = 0;
  for (std::uint64_t i = 0; i < n; ++i) {
    if (i % part == 0) before = rows.offsets[i];
    rows.offsets[i + 1] += before;
  }
  rows.ids.resize(rows.offsets[n]);
  scene.threads.for_each_part(n, part, no_state, [&](int, std::uint64_t begin, std::uint64_t) {
    std::vector<std::uint32_t> ids = std::move(ids_of[begin / part]);
    std::copy(ids.begin(), ids.end(),
              rows.ids.begin() + static_cast<std::ptrdiff_t>(rows.offsets[begin]));
  });
  return rows;
}

}  // namespace sightline::detail
