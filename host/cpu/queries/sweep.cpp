// Thick rays and sweeps.
#include "host/cpu/cpu_scene.hpp"
#include "host/cpu/shapes/query_order.hpp"

namespace sightline::detail {
namespace {

/// One by one, in the order of their places where there are many, so that neighbours find what
/// they visit in the cache.
template <class Sweeps>
CastReport answer_sweeps(const CpuScene& scene, const Sweeps& asked) {
  constexpr std::uint64_t few = 1u << 12, part = 1u << 17;
  constexpr std::size_t small_tree = 1u << 14;  // 4 MB of nodes: smaller ones stay in the cache
  const TreeSearch search = scene.search();
  const std::uint64_t n = asked.rays.rays.count;
  if (n < few || scene.traced.node_count < small_tree) return answer_by_search(search, asked);
  clear(asked);
  const auto place = [&](std::uint64_t i) { return middle_of(asked.rays.rays, i); };
  const RayGrid grid = grid_over(n, place);
  ReportSum<CastReport> sum;
  scene.threads.for_each_part(
      n, scene.threads.part_of(n, 64, part), [] { return QueryOrder<>(); },
      [&](QueryOrder<>& order, std::uint64_t begin, std::uint64_t end) {
        const std::uint32_t* const index =
            order.sort(grid, begin, end, place, [](std::uint64_t) { return 0u; });
        CastReport here;
        answer_some(
            search, asked, begin, end, [&](std::uint64_t k) { return begin + index[k - begin]; },
            here);
        sum += here;
      });
  return sum.total();
}

}  // namespace

CastReport answer_query(const CpuScene& scene, const ClosestSweeps& asked) {
  return answer_sweeps(scene, asked);
}
CastReport answer_query(const CpuScene& scene, const AnySweeps& asked) {
  return answer_sweeps(scene, asked);
}

}  // namespace sightline::detail
