#include "host/bakes/nav/spread.hpp"
#include "host/common/checks.hpp"
#include "host/common/fp_environment.hpp"

#include <sightline/cover.hpp>
#include <sightline/error.hpp>

#include <algorithm>
#include <bit>
#include <tuple>

namespace sightline {
namespace {

/// Places between two calls of `progress`.
constexpr std::uint64_t places_per_chunk = 1 << 14;

/// The width of the band along walls.
double width_of_band(const NavMap& map) { return double{map.agent.radius} + map.grid.cell; }

/// That the map's columns and links are those of one map.
void check(const NavMap& map) {
  const std::uint64_t n = map.spans();
  detail::check_offsets("spans", map.offsets, map.grid.columns(), n);
  detail::check_size("flags", map.flags.size(), n, 1);
  detail::check_size("clearance", map.clearance.size(), n, 1);
  detail::check_size("links", map.links.size(), n, 1);
  for (std::uint64_t c = 0; c < map.grid.columns(); ++c) {
    for (std::uint64_t s = map.offsets[c]; s < map.offsets[c + 1]; ++s) {
      for (int side = 0; side < 4; ++side) {
        const std::optional<std::uint64_t> next = map.linked(s, c, side);
        if (next && *next >= map.offsets[*map.neighbour(c, side) + 1]) {
          detail::refuse("a link of span " + std::to_string(s) + " leads to no span");
        }
      }
    }
  }
}

/// Calls use(span, column) for the spans along walls.
template <class Use>
void for_each_along_walls(const NavMap& map, Use&& use) {
  if (map.range < width_of_band(map)) {
    throw Error(ErrorKind::usage, "the map's range, " + std::to_string(map.range) +
                                      ", is less than its agent's radius and a cell, " +
                                      std::to_string(width_of_band(map)));
  }
  for (std::uint64_t c = 0; c < map.grid.columns(); ++c) {
    for (std::uint64_t s = map.offsets[c]; s < map.offsets[c + 1]; ++s) {
      const bool walkable = (map.flags[s] & nav_flags::walkable) != 0;
      if (walkable && map.clearance[s] < width_of_band(map)) use(s, c);
    }
  }
}

/// Spans along walls, their positions and their cover.
struct Places {
  std::vector<std::uint64_t> span, column;
  std::vector<Vec3> position;
  CoverRows cover;
};

/// Whether place q offers all the cover that p does, in the direction that p faces.
bool is_as_good(const CoverRows& rows, std::size_t q, std::size_t p) {
  const auto lacks = [&](const std::vector<std::uint64_t>& mask) {
    return (mask[p] & ~mask[q]) >> rows.facing[p] & 1;
  };
  return (lacks(rows.crouch) | lacks(rows.stand) | lacks(rows.left) | lacks(rows.right)) == 0;
}

/// The places with cover, the best first.
std::vector<std::size_t> ranked(const CoverRows& rows) {
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < rows.crouch.size(); ++i) {
    if (rows.crouch[i] != 0) order.push_back(i);
  }
  const auto rank = [&](std::size_t i) {
    const std::uint64_t sides =
        (rows.left[i] >> rows.facing[i] & 1) + (rows.right[i] >> rows.facing[i] & 1);
    return std::tuple(sides, std::popcount(rows.stand[i]), std::popcount(rows.crouch[i]));
  };
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return rank(a) > rank(b); });
  return order;
}

/// The places that remain, ascending.
std::vector<std::size_t> thinned(const NavMap& map, const Places& places,
                                 const std::vector<std::size_t>& order, float spacing) {
  const double cells = double{spacing} / map.grid.cell;
  const auto is_near = [&](int di, int dj) { return double(di * di + dj * dj) < cells * cells; };
  detail::Spread spread(map);
  std::vector<bool> left_out(places.span.size(), false);
  std::vector<std::size_t> kept;
  for (const std::size_t best : order) {
    if (left_out[best]) continue;
    kept.push_back(best);
    spread.from(places.span[best], places.column[best], [&](std::uint64_t span, int di, int dj) {
      if (!is_near(di, dj) || (map.flags[span] & nav_flags::walkable) == 0) return false;
      const auto at = std::lower_bound(places.span.begin(), places.span.end(), span);
      if (at == places.span.end() || *at != span) return true;
      const auto other = static_cast<std::size_t>(at - places.span.begin());
      if (is_as_good(places.cover, best, other)) left_out[other] = true;
      return true;
    });
  }
  std::sort(kept.begin(), kept.end());
  return kept;
}

void require(const CoverPlaceOptions& o, const NavMap& map, std::uint64_t places) {
  constexpr std::uint64_t row_bytes = 2 + sizeof(float) + 4 * sizeof(std::uint64_t);
  constexpr std::uint64_t place_bytes = row_bytes + sizeof(Vec3) + 2 * sizeof(std::uint64_t);
  // The places twice, since arrays grow and the answer holds some of them, and their order.
  const std::uint64_t bytes =
      places * (2 * place_bytes + 2 * sizeof(std::size_t)) + detail::Spread::bytes(map);
  if (o.max_bytes == 0 || bytes <= o.max_bytes) return;
  throw Error(ErrorKind::out_of_memory,
              "the " + std::to_string(places) + " places along walls take " +
                  std::to_string(bytes) + " bytes, above the limit of " +
                  std::to_string(o.max_bytes) + "; take larger cells or a part of the map");
}

}  // namespace

std::vector<std::uint64_t> spans_along_walls(const NavMap& map) {
  return detail::in_words([&] {
    check(map);
    std::vector<std::uint64_t> spans;
    for_each_along_walls(map, [&](std::uint64_t s, std::uint64_t) { spans.push_back(s); });
    return spans;
  });
}

CoverPlaces find_cover_places(const Caster& caster, const NavMap& map,
                              const CoverPlaceOptions& options) {
  return detail::in_words([&] {
    if (!(options.spacing >= 0 && options.spacing <= 64 * map.grid.cell)) {
      throw Error(ErrorKind::usage, "the spacing of places must be 0 to 64 of the map's cells");
    }
    check(map);
    const detail::FpEnvironment environment;
    CoverOptions cover_options = options.cover;
    cover_options.up = upright(Vec3{0, 0, 1}, map.grid.up);
    cover(caster, {}, {}, cover_options);  // rejects bad options early
    std::uint64_t count = 0;
    for_each_along_walls(map, [&](std::uint64_t, std::uint64_t) { ++count; });
    require(options, map, count);
    Places all;
    for_each_along_walls(map, [&](std::uint64_t s, std::uint64_t c) {
      all.span.push_back(s);
      all.column.push_back(c);
      all.position.push_back(map.grid.at(c, map.top[s] + cover_options.at));
    });
    all.cover.resize(count);
    const PointsView points = all.position;
    for (std::uint64_t first = 0; first < count; first += places_per_chunk) {
      if (options.progress) options.progress(first, count);
      const std::uint64_t n = std::min(places_per_chunk, count - first);
      cover(caster, points.slice(first, n), all.cover.view().slice(first, n), cover_options);
    }
    if (options.progress) options.progress(count, count);

    const std::vector<std::size_t> order = ranked(all.cover);
    CoverPlaces found;
    found.along_walls = count;
    found.covered = order.size();
    const std::vector<std::size_t> kept = thinned(map, all, order, options.spacing);
    const auto take = [&](const auto& from, auto& to) {
      for (const std::size_t i : kept) to.push_back(from[i]);
    };
    take(all.span, found.span);
    take(all.position, found.position);
    take(all.cover.height, found.cover.height);
    take(all.cover.facing, found.cover.facing);
    take(all.cover.distance, found.cover.distance);
    take(all.cover.crouch, found.cover.crouch);
    take(all.cover.stand, found.cover.stand);
    take(all.cover.left, found.cover.left);
    take(all.cover.right, found.cover.right);
    return found;
  });
}

}  // namespace sightline
