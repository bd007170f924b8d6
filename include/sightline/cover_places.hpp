// Where to look for cover: places along the walls of a navigation map.
#pragma once

#include <sightline/cover.hpp>
#include <sightline/nav.hpp>

#include <functional>
#include <vector>

namespace sightline {

struct CoverPlaceOptions {
  /// What cover is, and how high above the floors the places are; but for up, which is the map's.
  CoverOptions cover;
  float spacing = 1;            ///< between places that are alike, 0 to 64 cells; 0: all are kept
  std::uint64_t max_bytes = 0;  ///< of the answer and its buffers; 0: no limit
  /// Told how many of the places along walls were looked at. May throw to end it.
  std::function<void(std::uint64_t done, std::uint64_t total)> progress;
};

/// Places [n] to take cover at, in the order of the map's spans.
struct CoverPlaces {
  std::vector<std::uint64_t> span;  ///< of the map
  std::vector<Vec3> position;
  CoverRows cover;
  std::uint64_t along_walls = 0;  ///< how many places there are along walls
  std::uint64_t covered = 0;      ///< how many of those have cover
};

/// The spans, ascending, on which the map's agent stands next to an obstacle: walkable ones whose
/// clearance is less than its radius and a cell. Along every wall, at whatever angle, there is one
/// in each row or column of the grid; ledges are no obstacles. Throws Error{usage} for a map whose
/// range is less.
std::vector<std::uint64_t> spans_along_walls(const NavMap& map);

/// Of the places along walls those with cover, thinned. First come those that lean out to more
/// sides in the direction that they face (CoverView::facing), then those with more directions safe
/// standing, then crouching, then in the order of spans. One is left out when a kept one is less
/// than `spacing` away from it, horizontally and on foot, and offers in the direction that it faces
/// all that it does: crouching, standing, leaning to the left, to the right. So both sides of a
/// corner stay, and both of a thin wall. The same from every backend. Throws Error{usage} for
/// options out of order and Error{out_of_memory} where max_bytes does not suffice.
CoverPlaces find_cover_places(const Caster& caster, const NavMap& map,
                              const CoverPlaceOptions& options = {});

}  // namespace sightline
