// The navigation bake: its stages in turn.
#include "host/fp_environment.hpp"
#include "host/nav/stages.hpp"

#include <algorithm>

namespace sightline {
namespace detail {

void NavBake::tell(const char* stage, std::uint64_t done, std::uint64_t total) const {
  if (options.progress) options.progress(stage, done, total);
}

void NavBake::require(std::uint64_t more) const {
  if (options.max_bytes == 0) return;
  // What is there as it is, and what the later stages add to every span.
  constexpr std::uint64_t bytes_per_span = 7 * sizeof(float) + 6;
  const std::uint64_t bytes =
      map.offsets.capacity() * sizeof(std::uint64_t) + map.spans() * 2 * bytes_per_span + more;
  if (bytes <= options.max_bytes) return;
  throw Error(ErrorKind::out_of_memory,
              "the navigation map of " + std::to_string(map.grid.columns()) + " columns takes " +
                  std::to_string(bytes) + " bytes or more, above the limit of " +
                  std::to_string(options.max_bytes) + "; take larger cells or smaller bounds");
}

}  // namespace detail

NavMap bake_nav(const Caster& caster, const NavOptions& options) {
  const detail::FpEnvironment environment;
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
}

}  // namespace sightline
