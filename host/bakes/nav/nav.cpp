// The navigation bake: its stages in order.
#include <sightline/geometry/intersect/line.hpp>

#include "host/bakes/nav/stages.hpp"
#include "host/common/fp_environment.hpp"
#include "host/common/rays_alone.hpp"

namespace sightline {
namespace detail {

void NavBake::report(const char* stage, std::uint64_t done, std::uint64_t total) const {
  if (options.progress) options.progress(stage, done, total);
}

namespace {

/// The memory of the map when finished: columns and spans so far, and per span what later stages
/// add: 22 bytes of the map, and 12 for borders.
std::uint64_t bytes_of(const NavMap& map) {
  const auto columns = [](const auto&... v) { return ((v.capacity() * sizeof v[0]) + ...); };
  const NavJumps& jumps = map.jumps;
  constexpr std::uint64_t later_bytes_per_span = 22 + 12;
  return columns(map.offsets, map.bottom, map.top, map.headroom, map.shape, map.regions, jumps.from,
                 jumps.to, jumps.spans, jumps.both_ways) +
         map.spans() * later_bytes_per_span;
}

}  // namespace

void NavBake::require(std::uint64_t more) const {
  if (!is_limited()) return;
  const std::uint64_t bytes = bytes_of(map) + more;
  if (bytes <= options.max_bytes) return;
  throw Error(ErrorKind::out_of_memory,
              "the navigation map of " + std::to_string(map.grid.columns()) + " columns takes " +
                  std::to_string(bytes) + " bytes or more, above the limit of " +
                  std::to_string(options.max_bytes) + "; take larger cells or smaller bounds");
}

void NavBake::require_inside(const Vec3& p) const {
  if (in_domain(p)) return;
  throw Error(ErrorKind::usage,
              "the map has surfaces whose surroundings, its range, the agent's height and jumps, "
              "reach beyond 2^40; take smaller bounds or a shorter range");
}

std::uint64_t NavBake::fitting(std::span<const std::uint32_t> counts, std::uint64_t bytes_each,
                               std::uint64_t bytes_per_row) const {
  const std::uint64_t held = bytes_of(map);
  const std::uint64_t room = held < options.max_bytes ? (options.max_bytes - held) / 2 : 0;
  std::uint64_t n = 0, bytes = 0;
  for (; n < counts.size(); ++n) {
    bytes += bytes_each + counts[n] * bytes_per_row;
    if (bytes > room) break;
  }
  if (n == 0) require(2 * bytes);
  return n;
}

}  // namespace detail

NavMap bake_nav(const Caster& caster, const NavOptions& options) {
  return detail::in_words([&] {
    const detail::FpEnvironment environment;
    detail::refuse_kinds(caster.scene(), Refused::without_columns, "navigation maps");
    NavMap map;
    map.grid = nav_grid(caster.scene(), options);
    map.agent = options.agent;
    map.jump_options = options.jumps;
    map.range = detail::nav_range(options);
    detail::NavBake bake{caster, options, map, double{options.cell_height} / 1024};
    find_spans(bake);
    find_floors(bake);
    find_links(bake);
    find_obstacles(bake);
    find_borders(bake);
    find_regions(bake);
    find_jumps(bake);
    keep_reached(bake);
    return map;
  });
}

}  // namespace sightline
