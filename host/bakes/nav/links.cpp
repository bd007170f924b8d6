// Links: which surfaces of neighbouring columns are one step apart; and where the floor drops.
#include "host/bakes/nav/stages.hpp"

#include <algorithm>

namespace sightline::detail {
namespace {

/// What the neighbouring column is like, seen from a surface.
struct Beside {
  std::uint8_t link = no_link;  ///< the place in its column of a surface one step away
  bool blocked = false;         ///< it is solid where the agent's body would be
  bool has_floor = false;       ///< it has a top one step away, be it a surface or not
};

Beside look_beside(const NavBake& bake, std::uint64_t i, std::uint64_t column) {
  const NavMap& map = bake.map;
  const double top = map.top[i], height = map.agent.height, slack = bake.slack;
  const double climb = map.agent.climb + slack;
  const std::uint64_t first = map.offsets[column], last = map.offsets[column + 1];
  Beside found;
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
    // Links go both ways, so that one who cannot be linked to has none.
    const bool can_link = i - map.offsets[column] < no_link;
    for (int side = 0; side < 4; ++side) {
      const std::optional<std::uint64_t> next = map.neighbour(column, side);
      if (!next) continue;
      Beside beside = look_beside(bake, i, *next);
      if (!can_link) beside.link = no_link;
      map.links[i][static_cast<std::size_t>(side)] = beside.link;
      const bool drops = beside.link == no_link && !beside.blocked && !beside.has_floor;
      if (drops) map.ledges[i] = static_cast<std::uint8_t>(map.ledges[i] | 1 << side);
    }
  });
  bake.tell("links", map.spans(), map.spans());
}

}  // namespace sightline::detail
