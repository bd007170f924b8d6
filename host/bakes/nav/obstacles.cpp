// Obstacles: the distance at which a body that stands on a surface first touches something.
#include "host/bakes/nav/stages.hpp"

#include <sightline/geometry/distance/horizontal_distance.hpp>
#include <sightline/geometry/shapes/shapes_view.hpp>
#include <sightline/geometry/shapes/up_axis.hpp>

#include <algorithm>

namespace sightline::detail {
namespace {

constexpr std::uint64_t surfaces_per_chunk = 1 << 14;

/// Surfaces, and for each a box that contains all obstacles within the range.
struct ObstacleQueries {
  std::vector<std::uint64_t> span;
  std::vector<VerticalSegment> axis;
  std::vector<Vec3> min, max;

  void add(const NavBake& bake, std::uint64_t i, std::uint64_t column) {
    const NavMap& map = bake.map;
    const UpAxis up = map.grid.up;
    const Vec3 at = upright(map.grid.at(column, map.top[i]), up);
    // What reaches no higher than the climb is stepped on, what begins above the head is passed
    // under.
    const double low = map.top[i] + double{map.agent.climb} + bake.slack;
    const double high = map.top[i] + double{map.agent.height} - bake.slack;
    span.push_back(i);
    axis.push_back({at.x, at.y, low, high});
    const double r = map.range;
    const auto down = [](double x) { return next_down(narrowed(x)); };
    const auto upward = [](double x) { return next_up(narrowed(x)); };
    // Slightly larger: extra shapes are measured and found too far.
    min.push_back(upright(Vec3{down(at.x - r), down(at.y - r), down(low - bake.slack)}, up));
    max.push_back(upright(Vec3{upward(at.x + r), upward(at.y + r), upward(high + bake.slack)}, up));
    bake.require_inside(min.back()), bake.require_inside(max.back());
  }
};

/// Measures the distances to the shapes that overlap the boxes of a range.
void measure(NavBake& bake, const ObstacleQueries& queries, const Scene& boxes,
             const IdRange& range) {
  NavMap& map = bake.map;
  const OverlapRows rows = bake.caster.overlap_all(boxes, {range});
  const ShapesView shapes = bake.caster.scene().view();
  for (std::uint64_t k = 0; k < range.count; ++k) {
    const std::uint64_t at = range.first + k, i = queries.span[at];
    double least = map.range;
    for (std::uint64_t e = rows.offsets[k]; e < rows.offsets[k + 1]; ++e) {
      // The shape stood on is skipped: being convex, it never rises above its slope.
      if (rows.ids[e] == map.shape[i]) continue;
      const double distance = shapes.visit(rows.ids[e], [&](const auto& shape) {
        return horizontal_distance(queries.axis[at], upright(shape, map.grid.up));
      });
      least = std::min(least, distance);
    }
    map.clearance[i] = narrowed(least) + 0.0f;
    if (map.clearance[i] >= map.agent.radius) map.flags[i] |= nav_flags::clear;
  }
}

/// Measures for all queries, as many at a time as memory allows.
void measure(NavBake& bake, const ObstacleQueries& queries) {
  const auto n = static_cast<std::uint32_t>(queries.span.size());
  Scene boxes;
  boxes.add_aabbs(n, queries.min, queries.max, {.mask = bake.options.mask});
  if (!bake.is_limited()) return measure(bake, queries, boxes, {0, n});
  std::vector<std::uint32_t> counts(n);
  bake.caster.overlap_count(boxes, counts);
  for (std::uint32_t first = 0; first < n;) {
    // Rows exist up to six times while they are found.
    const auto fit = static_cast<std::uint32_t>(
        bake.fitting({counts.data() + first, n - first}, 48, 6 * sizeof(std::uint32_t)));
    measure(bake, queries, boxes, {first, fit});
    first += fit;
  }
}

}  // namespace

void find_obstacles(NavBake& bake) {
  NavMap& map = bake.map;
  map.clearance.assign(map.spans(), 0.0f);
  // The queries, their boxes and the scene of these.
  bake.require(std::min(map.spans(), surfaces_per_chunk) * 256);
  ObstacleQueries queries;
  const auto flush = [&] {
    measure(bake, queries);
    queries = {};
  };
  bake.for_each_span([&](std::uint64_t i, std::uint64_t column) {
    if (!bake.is(i, nav_flags::surface)) return;
    queries.add(bake, i, column);
    if (queries.span.size() < surfaces_per_chunk) return;
    bake.report("obstacles", i, map.spans());
    flush();
  });
  flush();
  bake.report("obstacles", map.spans(), map.spans());
}

}  // namespace sightline::detail
