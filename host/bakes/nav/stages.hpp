// The stages of a navigation bake; each fills arrays of the map.
#pragma once

#include "host/common/checks.hpp"

#include <sightline/nav.hpp>

#include <span>

namespace sightline::detail {

/// The state that the stages share.
struct NavBake {
  const Caster& caster;
  const NavOptions& options;
  NavMap& map;
  double slack;  ///< of heights: rounding must not decide about a step

  void report(const char* stage, std::uint64_t done, std::uint64_t total) const;
  /// Throws Error{out_of_memory} if the map, what later stages add to each of its spans, and so
  /// many more bytes exceed the limit.
  void require(std::uint64_t more) const;
  /// How many of the answers, of counts[i] rows each, fit into half of the remaining memory, at so
  /// many bytes an answer and a row. Throws if not even one does.
  std::uint64_t fitting(std::span<const std::uint32_t> counts, std::uint64_t bytes_each,
                        std::uint64_t bytes_per_row) const;
  /// Throws Error{usage} for a point that is looked at around a surface, and lies where no scene
  /// may have any.
  void require_inside(const Vec3& p) const;
  bool is_limited() const { return options.max_bytes != 0; }

  bool is(std::uint64_t span, std::uint8_t flag) const { return (map.flags[span] & flag) != 0; }
  /// Calls use(span, column) for all spans.
  template <class Use>
  void for_each_span(Use&& use) const {
    for (std::uint64_t c = 0; c + 1 < map.offsets.size(); ++c) {
      for (std::uint64_t i = map.offsets[c]; i < map.offsets[c + 1]; ++i) use(i, c);
    }
  }
};

/// Throws Error{usage} for a column that the grid has not.
void check_column_of(const NavGrid& grid, std::uint64_t column);

/// The range of distances in the map.
float nav_range(const NavOptions& options);

void find_spans(NavBake& bake);      ///< offsets, bottom, top, headroom, shape
void find_floors(NavBake& bake);     ///< slope_cosine, flags
void find_links(NavBake& bake);      ///< links, ledges
void find_obstacles(NavBake& bake);  ///< clearance
void find_borders(NavBake& bake);    ///< border; then flags are complete
void find_regions(NavBake& bake);    ///< region, regions
void find_jumps(NavBake& bake);      ///< jumps
void keep_reached(NavBake& bake);    ///< keeps the regions and jumps that the points reach

}  // namespace sightline::detail
