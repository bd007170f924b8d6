#include "host/cpu/queries/sight.hpp"

#include "host/cpu/rays/packets.hpp"

#include <algorithm>
#include <atomic>

namespace sightline::detail {

RayGrid grid_of(const PointsView& points) {
  RaysView rays;
  rays.count = points.count;
  rays.origin = points.position;
  RayGrid grid = grid_over(rays, false);
  grid.by_midpoint = true;
  return grid;
}

VisibilityReport count_points(const CpuScene& scene, const PointsView& points) {
  ReportSum<VisibilityReport> sum;
  scene.threads.for_each_part(
      points.count, scene.part_of(points.count),
      [&] { return scene.batches(RayQuery::any, Inside::solid); },
      [&](RayBatches& batches, std::uint64_t begin, std::uint64_t end) {
        RaysView rays;  // see touch_query()
        rays.count = end - begin;
        const PointsView here = points.slice(begin, end - begin);
        rays.origin = here.position;
        rays.mask = here.mask;
        rays.exclude[0] = here.exclude;
        rays.exclude_group[0] = here.exclude_group;
        batches.set_grid(grid_over(rays, false));
        VisibilityReport seen;
        const std::vector<RayRun> all = {{0, static_cast<std::uint32_t>(rays.count)}};
        batches.trace_runs(rays, all, [&](std::uint32_t, const RayAnswer& r) {
          seen.bad_viewpoints += is_bad(r);
          seen.touching_viewpoints += r.id != none;
        });
        sum += seen;
      });
  return sum.total();
}

VisibilityReport report_of(std::uint64_t pairs, VisibilityReport report,
                           const VisibilityReport& viewpoints, const VisibilityReport& targets) {
  report.pairs = pairs;
  report.bad_viewpoints = viewpoints.bad_viewpoints;
  report.bad_targets = targets.bad_viewpoints;
  report.touching_viewpoints = viewpoints.touching_viewpoints;
  report.touching_targets = targets.touching_viewpoints;
  return report;
}

std::vector<RayRun> sight_packets(const CpuScene& scene, const Sights& sights, std::uint64_t* bits,
                                  std::uint64_t& clear) {
  const int size = scene.simd.packet_size;
  std::atomic<std::uint64_t> seen{0};
  auto others = trace_packets(
      scene.traced, scene.simd, sights, RayQuery::sight, sights.options.inside,
      [&](std::uint32_t first) {
        return PacketAnswers{{}, bits + first / 64};
      },
      [&](std::uint32_t first, int blocked) {
        for (int w = 0; w < size / 64; ++w)
          bits[first / 64 + static_cast<std::uint32_t>(w)] ^= ~std::uint64_t{0};
        seen += static_cast<std::uint64_t>(size - blocked);
      });
  clear += seen;
  return others;
}

VisibilityReport answer_query(const CpuScene& scene, const VisibilityPairs& asked) {
  if (asked.from.count <= CpuScene::few_segments) return answer_by_search(scene.search(), asked);
  const PointsView &from = asked.from, &to = asked.to;
  std::uint64_t* const bits = asked.bits;
  const SightOptions& options = asked.options;
  const RayGrid grid = grid_of(from);
  ReportSum<VisibilityReport> sum;
  scene.threads.for_each_part(
      from.count, scene.part_of(from.count), sight_batches(scene, options),
      [&](RayBatches& batches, std::uint64_t begin, std::uint64_t end) {
        batches.set_grid(grid);
        const Sights sights = {end - begin, from.slice(begin, end - begin),
                               to.slice(begin, end - begin), options};
        std::fill(bits + begin / 64, bits + bit_words(end), 0);
        VisibilityReport seen;
        const auto others = sight_packets(scene, sights, bits + begin / 64, seen.visible);
        batches.trace_runs(sights, others, [&](std::uint32_t k, const RayAnswer& r) {
          if (!sees(r)) return;
          const std::uint64_t i = begin + k;
          bits[i / 64] |= bit(i);
          ++seen.visible;
        });
        sum += seen;
      });
  return report_of(from.count, sum.total(), count_points(scene, from), count_points(scene, to));
}

}  // namespace sightline::detail
