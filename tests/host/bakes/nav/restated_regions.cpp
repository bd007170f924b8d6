// What of a navigation map is walkable, its regions and jumps, and what points reach.
#include "tests/host/bakes/nav/restated.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <set>
#include <tuple>

namespace sightline::testing {
namespace {

/// A jump as the file has it.
struct Jump {
  Vec3 from, to;
  std::array<std::uint64_t, 2> spans;
  std::uint8_t both_ways;

  bool operator==(const Jump& o) const {
    return std::memcmp(&from, &o.from, sizeof from) == 0 &&
           std::memcmp(&to, &o.to, sizeof to) == 0 && spans == o.spans && both_ways == o.both_ways;
  }
};

Jump jump_of(const NavMap& map, std::uint64_t k) {
  return {map.jumps.from[k], map.jumps.to[k], map.jumps.spans[k], map.jumps.both_ways[k]};
}
Jump jump_of(const NavRestatement& v, const RestatedLanding& l) {
  const NavMap& map = v.map;
  const double fall = double{map.top[l.span]} - map.top[l.landing];
  return {map.grid.at(l.column, map.top[l.span]),
          map.grid.at(l.landing_column, map.top[l.landing]),
          {l.span, l.landing},
          static_cast<std::uint8_t>(fall <= map.jump_options.rise + v.slack() ? 1 : 0)};
}

/// Regions before it is asked what points reach: [n], numbered by their first spans; joined by
/// halves of links, one after another.
std::vector<std::uint32_t> all_regions(const NavRestatement& v, std::uint32_t& count) {
  const NavMap& map = v.map;
  std::vector<std::uint64_t> root(map.spans());
  const auto is_open = [&](std::uint64_t i) {
    return v.is(i, nav_flags::clear) && map.border[i] >= map.agent.radius;
  };
  const auto find = [&](std::uint64_t i) {
    while (root[i] != i) i = root[i] = root[root[i]];
    return i;
  };
  for (std::uint64_t i = 0; i < map.spans(); ++i) root[i] = i;
  v.for_each_span([&](std::uint64_t i, std::uint64_t column) {
    for (int side = 0; side < 4 && is_open(i); ++side) {
      const std::optional<std::uint64_t> next = map.linked(i, column, side);
      if (!next || !is_open(*next)) continue;
      const std::uint64_t a = find(i), b = find(*next);
      root[std::max(a, b)] = std::min(a, b);
    }
  });
  std::vector<std::uint32_t> region(map.spans(), none);
  count = 0;
  for (std::uint64_t i = 0; i < map.spans(); ++i) {
    if (is_open(i)) region[i] = find(i) == i ? count++ : region[find(i)];
  }
  return region;
}

/// All jumps that there should be, in their order.
std::vector<Jump> all_jumps(const NavRestatement& v, const std::vector<std::uint32_t>& region) {
  const NavMap& map = v.map;
  if (map.jump_options.distance == 0) return {};
  std::vector<RestatedLanding> found;
  v.for_each_span([&](std::uint64_t i, std::uint64_t column) {
    for (int side = 0; side < 4 && region[i] != none; ++side) {
      const auto landing = restated_landing(v, region, i, column, side);
      if (landing) found.push_back(*landing);
    }
  });
  std::vector<Jump> jumps;
  std::set<std::tuple<std::uint32_t, std::uint32_t, int, double, double>> taken;
  const float square = std::max(4 * map.agent.radius, map.grid.cell);
  for (const RestatedLanding& l : found) {
    const Jump jump = jump_of(v, l);
    const Vec3 at = upright(jump.from, map.grid.up);
    const bool is_new = taken
                            .insert({region[l.span], region[l.landing], l.side,
                                     std::floor(at.x / square), std::floor(at.y / square)})
                            .second;
    if (is_new) jumps.push_back(jump);
  }
  return jumps;
}

/// Which regions points stand in or jumps lead to; all where there are no points.
std::vector<bool> reached_regions(const NavRestatement& v, const std::vector<std::uint32_t>& region,
                                  std::uint32_t regions, const std::vector<Jump>& jumps) {
  const NavMap& map = v.map;
  std::vector<bool> reached(regions, v.from.size() == 0);
  const Vec3 low = upright(map.grid.bounds.min, map.grid.up);
  for (std::uint64_t k = 0; k < v.from.size(); ++k) {
    const Vec3 p = upright(v.from.position[k], map.grid.up);
    const double i = std::floor((double{p.x} - low.x) / map.grid.cell);
    const double j = std::floor((double{p.y} - low.y) / map.grid.cell);
    if (!(i >= 0 && j >= 0 && i < map.grid.width && j < map.grid.depth)) continue;
    const std::uint64_t c =
        static_cast<std::uint64_t>(j) * map.grid.width + static_cast<std::uint64_t>(i);
    for (std::uint64_t s = map.offsets[c + 1]; s-- > map.offsets[c];) {
      if (region[s] == none || map.top[s] > p.z + v.slack()) continue;
      reached[region[s]] = true;
      break;
    }
  }
  for (bool more = true; more;) {
    more = false;
    for (const Jump& jump : jumps) {
      const std::uint32_t a = region[jump.spans[0]], b = region[jump.spans[1]];
      if (reached[a] && !reached[b]) reached[b] = more = true;
      if (jump.both_ways != 0 && reached[b] && !reached[a]) reached[a] = more = true;
    }
  }
  return reached;
}

void compare_regions(const NavRestatement& v, const std::vector<std::uint32_t>& region,
                     const std::vector<bool>& reached) {
  std::vector<std::uint32_t> number(reached.size(), none);
  std::uint32_t next = 0;
  for (std::size_t r = 0; r < reached.size(); ++r) {
    if (reached[r]) number[r] = next++;
  }
  v.for_each_span([&](std::uint64_t i, std::uint64_t column) {
    const std::uint32_t expected = region[i] == none ? none : number[region[i]];
    const bool walkable = v.is(i, nav_flags::walkable);
    const bool known = v.map.flags[i] < 2 * nav_flags::walkable;
    EXPECT_TRUE(v.map.region[i] == expected && walkable == (expected != none) && known)
        << "column " << column << ", span " << i;
  });
}

}  // namespace

void expect_restated_regions(const NavRestatement& v) {
  const NavMap& map = v.map;
  std::uint32_t count = 0;
  const std::vector<std::uint32_t> region = all_regions(v, count);
  std::vector<Jump> jumps = all_jumps(v, region);
  const std::vector<bool> kept = reached_regions(v, region, count, jumps);
  compare_regions(v, region, kept);
  std::erase_if(
      jumps, [&](const Jump& j) { return !kept[region[j.spans[0]]] || !kept[region[j.spans[1]]]; });
  ASSERT_EQ(jumps.size(), map.jumps.size());
  for (std::uint64_t k = 0; k < jumps.size(); ++k) {
    EXPECT_TRUE(jumps[k] == jump_of(map, k)) << "jump " << k;
  }
}

}  // namespace sightline::testing
