// Sources of rays: the caller's rays, or the segments between points.
#pragma once

#include <sightline/queries/line_of_sight.hpp>

namespace sightline::detail {

/// The segments between from[i] and to[i], i < count.
struct Sights {
  std::uint64_t count;
  PointsView from, to;
  SightOptions options;

  Sights slice(std::uint64_t first, std::uint64_t n) const {
    return {n, from.slice(first, n), to.slice(first, n), options};
  }
};

}  // namespace sightline::detail
