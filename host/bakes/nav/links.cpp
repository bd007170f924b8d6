// Links: which surfaces of neighbouring columns are one step apart; and ledges, where the floor
// drops.
#include "host/bakes/nav/stages.hpp"

#include <algorithm>

namespace sightline::detail {
namespace {

/// The neighbouring column of a surface.
struct NeighbourColumn {
  std::uint8_t link = no_link;  ///< the index in its column of a surface one step away
  bool blocked = false;         ///< solid where the agent's body would be
  bool has_floor = false;       ///< it has a top one step away, a surface or not
};

NeighbourColumn inspect_neighbour(const NavBake& bake, std::uint64_t i, std::uint64_t column) {
  const NavMap& map = bake.map;
  const double top = map.top[i], height = map.agent.height, slack = bake.slack;
  const double climb = map.agent.climb + slack;
  const std::uint64_t first = map.offsets[column], last = map.offsets[column + 1];
  NeighbourColumn found;
  for (std::uint64_t k = first; k < last; ++k) {
    const double other = map.top[k];
    if (other > top + climb && map.bottom[k] < top + height - slack) found.blocked = true;
    if (!(other >= top - climb && other <= top + climb)) continue;
    found.has_floor = true;
    const double ceiling = std::min(top + map.headroom[i], other + map.headroom[k]);
    const bool room = ceiling - std::max(top, other) >= height - slack;
    if (room && bake.is(k, nav_flags::surface) && k - first < no_link) {
      found.link = static_cast<std::uint8_t>(k - first);
    }
  }
  return found;
}

}  // namespace

void find_links(NavBake& bake) {
  NavMap& map = bake.map;
  map.links.assign(map.spans(), {no_link, no_link, no_link, no_link});
  map.ledges.assign(map.spans(), 0);
  bake.for_each_span([&](std::uint64_t i, std::uint64_t column) {
    if (!bake.is(i, nav_flags::surface)) return;
    // Links go both ways, so that a surface that cannot be linked to has none.
    const bool can_link = i - map.offsets[column] < no_link;
    for (int side = 0; side < 4; ++side) {
      const std::optional<std::uint64_t> next = map.neighbour(column, side);
      if (!next) continue;
      NeighbourColumn neighbour = inspect_neighbour(bake, i, *next);
      if (!can_link) neighbour.link = no_link;
      map.links[i][static_cast<std::size_t>(side)] = neighbour.link;
      const bool drops = neighbour.link == no_link && !neighbour.blocked && !neighbour.has_floor;
      if (drops) map.ledges[i] = static_cast<std::uint8_t>(map.ledges[i] | 1 << side);
    }
  });
  bake.report("links", map.spans(), map.spans());
}

}  // namespace sightline::detail
