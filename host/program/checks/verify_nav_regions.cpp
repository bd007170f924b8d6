// verify: what of a navigation map is walkable, its regions and jumps, and what points reach.
#include "host/program/checks/verify_nav.hpp"
#include "host/program/engine/parallel.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <set>
#include <tuple>

namespace sightline::cli {
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
Jump jump_of(const NavVerification& v, const NavLanding& l) {
  const NavMap& map = v.map;
  const double fall = double{map.top[l.span]} - map.top[l.landing];
  return {map.grid.at(l.column, map.top[l.span]),
          map.grid.at(l.landing_column, map.top[l.landing]),
          {l.span, l.landing},
          static_cast<std::uint8_t>(fall <= map.jump_options.rise + v.slack() ? 1 : 0)};
}

/// Regions before it is asked what points reach: [n], numbered by their first spans; joined by
/// halves of links, one after another.
std::vector<std::uint32_t> all_regions(const NavVerification& v, std::uint32_t& count) {
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
std::vector<Jump> all_jumps(const NavVerification& v, const std::vector<std::uint32_t>& region) {
  const NavMap& map = v.map;
  if (map.jump_options.distance == 0) return {};
  constexpr std::uint64_t size = 256;
  std::vector<std::vector<NavLanding>> found((map.grid.columns() + size - 1) / size);
  Progress progress("verify", "columns' jumps", map.grid.columns(), v.job.common().quiet);
  for_each_piece(found.size(), v.job.common().threads, progress, [&](std::uint64_t piece) {
    const std::uint64_t begin = piece * size, end = std::min(begin + size, map.grid.columns());
    for (std::uint64_t c = begin; c < end; ++c) {
      for (std::uint64_t i = map.offsets[c]; i < map.offsets[c + 1]; ++i) {
        for (int side = 0; side < 4 && region[i] != none; ++side) {
          const auto landing = nav_landing(v, region, i, c, side);
          if (landing) found[piece].push_back(*landing);
        }
      }
    }
    return end - begin;
  });
  std::vector<Jump> jumps;
  std::set<std::tuple<std::uint32_t, std::uint32_t, int, double, double>> taken;
  const float square = std::max(4 * map.agent.radius, map.grid.cell);
  for (const std::vector<NavLanding>& landings : found) {
    for (const NavLanding& l : landings) {
      const Jump jump = jump_of(v, l);
      const Vec3 at = upright(jump.from, map.grid.up);
      const bool is_new = taken
                              .insert({region[l.span], region[l.landing], l.side,
                                       std::floor(at.x / square), std::floor(at.y / square)})
                              .second;
      if (is_new) jumps.push_back(jump);
    }
  }
  return jumps;
}

/// Which regions points stand in or jumps lead to; all where there are no points.
std::vector<bool> reached_regions(const NavVerification& v,
                                  const std::vector<std::uint32_t>& region, std::uint32_t regions,
                                  const std::vector<Jump>& jumps) {
  const NavMap& map = v.map;
  std::vector<bool> reached(regions, v.from.count == 0);
  const Vec3 low = upright(map.grid.bounds.min, map.grid.up);
  for (std::uint64_t k = 0; k < v.from.count; ++k) {
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

void compare_regions(const NavVerification& v, const std::vector<std::uint32_t>& region,
                     const std::vector<bool>& reached, Differences& differences) {
  std::vector<std::uint32_t> number(reached.size(), none);
  std::uint32_t next = 0;
  for (std::size_t r = 0; r < reached.size(); ++r) {
    if (reached[r]) number[r] = next++;
  }
  v.for_each_span([&](std::uint64_t i, std::uint64_t column) {
    const std::uint32_t expected = region[i] == none ? none : number[region[i]];
    const bool walkable = v.is(i, nav_flags::walkable);
    const bool known = v.map.flags[i] < 2 * nav_flags::walkable;
    if (v.map.region[i] == expected && walkable == (expected != none) && known) return;
    differences.add(column, fmt::format("column {}, span {}: the file has region {} and flags {}, "
                                        "but it is {}",
                                        column, i, v.map.region[i], v.map.flags[i],
                                        expected == none ? "not walkable"
                                                         : fmt::format("of region {}", expected)));
  });
}

std::uint64_t column_of(const NavMap& map, std::uint64_t span) {
  const auto after = std::upper_bound(map.offsets.begin(), map.offsets.end(), span);
  return static_cast<std::uint64_t>(after - map.offsets.begin()) - 1;
}

/// At which side of a column another lies.
int side_of(const NavMap& map, std::uint64_t from, std::uint64_t to) {
  const bool row = from / map.grid.width == to / map.grid.width;
  return row ? (to < from ? 0 : 2) : (to < from ? 3 : 1);
}

void tell_jump(const NavMap& map, std::uint64_t k, Differences& differences) {
  const std::uint64_t column = column_of(map, map.jumps.spans[k][0]);
  differences.add(
      column, fmt::format("jump {}, from column {}: the reference has another or none", k, column));
}

/// A sample of the jumps of the file, which all stand on what is walkable.
void check_jumps(const NavVerification& v, const std::vector<std::uint32_t>& region,
                 Differences& differences) {
  const NavMap& map = v.map;
  const Sample sample = sample_of(v.arguments, map.jumps.size());
  Progress progress("verify", "jumps", sample.count, v.job.common().quiet);
  for_each_piece(sample.count, v.job.common().threads, progress, [&](std::uint64_t at) {
    const std::uint64_t k = sample[at];
    const auto [from, to] = map.jumps.spans[k];
    const std::uint64_t column = column_of(map, from);
    const auto landing =
        nav_landing(v, region, from, column, side_of(map, column, column_of(map, to)));
    if (!landing || !(jump_of(v, *landing) == jump_of(map, k))) tell_jump(map, k, differences);
    return 1;
  });
}

}  // namespace

void verify_nav_regions(const NavVerification& v, Differences& differences) {
  const NavMap& map = v.map;
  std::uint32_t count = 0;
  const std::vector<std::uint32_t> region = all_regions(v, count);
  std::vector<Jump> in_file;
  for (std::uint64_t k = 0; k < map.jumps.size(); ++k) {
    const auto [from, to] = map.jumps.spans[k];
    if (region[from] == none || region[to] == none) {
      tell_jump(map, k, differences);
    } else {
      in_file.push_back(jump_of(map, k));
    }
  }
  const bool all_there = in_file.size() == map.jumps.size();
  if (!v.arguments.full) {
    compare_regions(v, region, reached_regions(v, region, count, in_file), differences);
    if (all_there) check_jumps(v, region, differences);
    return;
  }
  std::vector<Jump> jumps = all_jumps(v, region);
  const std::vector<bool> kept = reached_regions(v, region, count, jumps);
  compare_regions(v, region, kept, differences);
  std::erase_if(
      jumps, [&](const Jump& j) { return !kept[region[j.spans[0]]] || !kept[region[j.spans[1]]]; });
  for (std::uint64_t k = 0; all_there && k < std::min(jumps.size(), in_file.size()); ++k) {
    if (!(jumps[k] == in_file[k])) tell_jump(map, k, differences);
  }
  if (jumps.size() != map.jumps.size()) {
    differences.add(
        0, fmt::format("the file has {} jumps, the reference {}", map.jumps.size(), jumps.size()));
  }
}

}  // namespace sightline::cli
