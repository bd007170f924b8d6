// Points: a separate file from segments, so that the arithmetic of each is inlined.
#include "host/cpu/queries/near_run.hpp"
#include "host/cpu/walk/near_set.hpp"

namespace sightline::detail {
namespace {

/// One nearest shape a point, of a small set.
struct SmallSetPoints {
  const ShapesView& shapes;
  const Nearest& asked;
  const NearSet set = NearSet(shapes);

  /// Fewer points are answered before the shapes are copied.
  static constexpr std::uint64_t least_points = 64;
  static constexpr std::uint64_t largest_part = 8192;

  /// Without filters, so that what is likely the nearest shape counts.
  static bool are_these(const ShapesView& shapes, const Nearest& asked) {
    const auto is_none = [](const Column<std::uint32_t>& ids) {
      return ids.data == nullptr && ids.common == none;
    };
    return shapes.bounded() <= most_of_small_set && asked.k == 1 &&
           asked.queries.count >= least_points && shapes.mask == nullptr &&
           is_none(asked.queries.exclude) && is_none(asked.queries.exclude_group);
  }

  /// Points [first, first + n), n <= 8.
  void answer(std::uint64_t first, std::uint32_t n, NearestReport& report) const {
    float distance[8], limit[8], place[3][8] = {};
    std::uint32_t id[8], good = 0;
    const auto list = [&](std::uint32_t k) {
      return NearList{distance + k, id + k, 1, asked.range};
    };
    const auto offer = [&](std::uint32_t k, std::uint32_t shape) {
      offer_shape(list(k), shapes, asked.queries[first + k], shape);
      limit[k] = list(k).limit();
    };
    for (std::uint32_t k = 0; k < 8; ++k) {
      list(k).clear();
      limit[k] = asked.range;
    }
    for (std::uint32_t k = 0; k < n; ++k) {
      const SightPoint q = asked.queries[first + k];
      if (is_bad(q)) {
        ++report.bad_points;
        continue;
      }
      good |= 1u << k;
      place[0][k] = q.position.x, place[1][k] = q.position.y, place[2][k] = q.position.z;
      for (std::uint32_t plane = shapes.bounded(); plane < shapes.size(); ++plane) offer(k, plane);
    }
    const Balls8 points = {loaded<Float8>(place[0]), loaded<Float8>(place[1]),
                           loaded<Float8>(place[2]), Float8{}};
    set.search(points, good, limit, offer);
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

NearestReport answer(const CpuScene& scene, const Nearest& asked) {
  if (!SmallSetPoints::are_these(scene.shapes, asked)) return find_nearest(scene, asked);
  const SmallSetPoints points = {scene.shapes, asked};
  ReportSum<NearestReport> sum;
  const auto answer_part = [&](std::uint64_t begin, std::uint64_t end) {
    NearestReport here;
    for (std::uint64_t first = begin; first < end; first += 8) {
      points.answer(first, static_cast<std::uint32_t>(std::min<std::uint64_t>(end - first, 8)),
                    here);
    }
    sum += here;
  };
  scene.threads.for_each_part(asked.queries.count, answer_part, SmallSetPoints::largest_part);
  return sum.total();
}

}  // namespace sightline::detail
