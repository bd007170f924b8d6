// Borders: the distance of surfaces from the sides of cells where walking ends.
#include <sightline/geometry/base/lane.hpp>

#include "host/bakes/nav/spread.hpp"
#include "host/bakes/nav/stages.hpp"

#include <algorithm>
#include <cmath>

namespace sightline::detail {
namespace {

/// Four times the squared distance, in cells, from the centre of cell (di, dj) to a side of cell
/// (0, 0); exact.
std::uint32_t square_to_side(int di, int dj, int side) {
  constexpr int along[4][2] = {{-1, 0}, {0, 1}, {1, 0}, {0, -1}};
  const int across = 2 * (di * along[side][0] + dj * along[side][1]) - 1;
  const int beside = std::max(0, 2 * std::abs(along[side][0] != 0 ? dj : di) - 1);
  return static_cast<std::uint32_t>(across * across + beside * beside);
}

class Borders {
 public:
  explicit Borders(const NavMap& map) : map_(map), spread_(map), least_(map.spans(), none) {
    const double cells = 2 * double{map.range} / map.grid.cell;
    most_ = static_cast<std::uint32_t>(cells * cells);
  }

  /// Propagates this side to every surface that can be walked to within the range.
  void spread(std::uint64_t span, std::uint64_t column, int side) {
    spread_.from(span, column, [&](std::uint64_t at, int di, int dj) {
      const std::uint32_t square = square_to_side(di, dj, side);
      if (square > most_) return false;
      least_[at] = std::min(least_[at], square);
      return true;
    });
  }

  float distance(std::uint64_t span) const {
    if (least_[span] == none) return map_.range;
    const double d = std::sqrt(static_cast<double>(least_[span])) / 2 * map_.grid.cell;
    return std::min(narrowed(d), map_.range);
  }

 private:
  const NavMap& map_;
  Spread spread_;
  std::vector<std::uint32_t> least_;
  std::uint32_t most_;
};

/// Whether walking ends at this side with nothing solid behind it; the distance to solids is known
/// more exactly.
bool is_border(const NavBake& bake, std::uint64_t i, std::uint64_t column, int side) {
  const NavMap& map = bake.map;
  if (map.links[i][static_cast<std::size_t>(side)] != no_link) return false;
  const std::optional<std::uint64_t> next = map.neighbour(column, side);
  if (!next || (map.ledges[i] >> side & 1) != 0) return true;
  const double low = map.top[i] + double{map.agent.climb} + bake.slack;
  const double high = map.top[i] + double{map.agent.height} - bake.slack;
  for (std::uint64_t k = map.offsets[*next]; k < map.offsets[*next + 1]; ++k) {
    if (map.top[k] > low && map.bottom[k] < high) return false;
  }
  return true;
}

}  // namespace

void find_borders(NavBake& bake) {
  NavMap& map = bake.map;
  bake.require(map.spans() * sizeof(std::uint32_t) + Spread::bytes(map));
  Borders borders(map);
  bake.for_each_span([&](std::uint64_t i, std::uint64_t column) {
    if (!bake.is(i, nav_flags::surface)) return;
    if (i % 65536 == 0) bake.report("borders", i, map.spans());
    for (int side = 0; side < 4; ++side) {
      if (is_border(bake, i, column, side)) borders.spread(i, column, side);
    }
  });
  map.border.assign(map.spans(), 0.0f);
  bake.for_each_span([&](std::uint64_t i, std::uint64_t) {
    if (!bake.is(i, nav_flags::surface)) return;
    map.border[i] = borders.distance(i);
    const bool free = bake.is(i, nav_flags::clear) && map.border[i] >= map.agent.radius;
    if (free) map.flags[i] |= nav_flags::walkable;
  });
  bake.report("borders", map.spans(), map.spans());
}

}  // namespace sightline::detail
