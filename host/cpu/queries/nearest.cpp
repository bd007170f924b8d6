// Points: a separate file from segments, so that the arithmetic of each is inlined.
#include "host/cpu/queries/nearest_batch.hpp"
#include "host/cpu/queries/overlap_few.hpp"

namespace sightline::detail {
namespace {

/// One nearest shape a point, of few.
struct PointsAmongFew {
  const ShapeKernels& kernels;
  const ShapesView& shapes;
  const Nearest& asked;
  const FewShapes few = few_of(shapes);

  /// Fewer points are answered before the shapes are copied.
  static constexpr std::uint64_t least_points = 64;
  static constexpr std::uint64_t largest_part = 8192;

  /// Without filters, so that what is likely the nearest shape counts.
  static bool are_these(const ShapesView& shapes, const Nearest& asked) {
    const auto is_none = [](const Column<std::uint32_t>& ids) {
      return ids.data == nullptr && ids.common == none;
    };
    return shapes.bounded() <= most_tested_in_turn && asked.k == 1 &&
           asked.queries.count >= least_points && shapes.mask == nullptr &&
           is_none(asked.queries.exclude) && is_none(asked.queries.exclude_group);
  }

  /// Points [first, first + n), as many as a group has at most.
  void answer(std::uint64_t first, std::uint32_t n, NearestReport& report) const {
    constexpr std::uint32_t most = PointGroup::most;
    float distance[most];
    alignas(64) float limit[most];
    std::uint32_t id[most];
    PointGroup points;
    const auto list = [&](std::uint32_t k) {
      return NearList{distance + k, id + k, 1, asked.range};
    };
    const auto offer = [&](std::uint32_t k, std::uint32_t shape) {
      offer_shape(list(k), shapes, asked.queries[first + k], shape);
      limit[k] = list(k).limit();
    };
    for (std::uint32_t k = 0; k < most; ++k) {
      list(k).clear();
      limit[k] = asked.range;
    }
    for (std::uint32_t k = 0; k < n; ++k) {
      const SightPoint q = asked.queries[first + k];
      if (is_bad(q)) {
        ++report.bad_points;
        continue;
      }
      points.set(k, q.position);
      for (std::uint32_t plane = shapes.bounded(); plane < shapes.size(); ++plane) offer(k, plane);
    }
    search_few(kernels, few.lists(), shapes.bounded(), points, limit, offer);
    const NearestView& out = asked.out;
    for (std::uint32_t k = 0; k < n; ++k) {
      const std::uint64_t i = first + k;
      if (out.distance != nullptr) out.distance[i] = distance[k];
      if (out.id != nullptr) out.id[i] = id[k];
      store_places(out, i, shapes, asked.queries[i], id[k]);
      report.found += id[k] != none;
    }
    report.points += n;
  }
};

}  // namespace

NearestReport answer_query(const CpuScene& scene, const Nearest& asked) {
  if (!PointsAmongFew::are_these(scene.shapes, asked)) return find_nearest(scene, asked);
  const PointsAmongFew points = {scene.simd.shapes, scene.shapes, asked};
  ReportSum<NearestReport> sum;
  const auto answer_part = [&](std::uint64_t begin, std::uint64_t end) {
    NearestReport here;
    for (std::uint64_t first = begin; first < end; first += PointGroup::most) {
      const std::uint64_t n = std::min<std::uint64_t>(end - first, PointGroup::most);
      points.answer(first, static_cast<std::uint32_t>(n), here);
    }
    sum += here;
  };
  scene.threads.for_each_part(asked.queries.count, answer_part, PointsAmongFew::largest_part);
  return sum.total();
}

}  // namespace sightline::detail
