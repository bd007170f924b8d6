// Points of lines of sight, one by one and as columns.
#pragma once

#include <sightline/ray.hpp>

namespace sightline {

/// A point with its mask and exclusions; see PointsView.
struct SightPoint {
  Vec3 position;
  std::uint32_t mask = 0xFFFFFFFFu;
  std::uint32_t exclude = none;
  std::uint32_t exclude_group = none;
};

/// Points [n] with masks and exclusions: a pair uses the AND of the masks, and both exclusions.
struct PointsView {
  std::uint64_t count = 0;
  Vec3Column position;
  Column<std::uint32_t> mask = 0xFFFFFFFFu;
  Column<std::uint32_t> exclude = none, exclude_group = none;

  /// Points side by side.
  static PointsView rows(std::span<const SightPoint> p) {
    return {p.size(),
            {p, &SightPoint::position},
            {p, &SightPoint::mask},
            {p, &SightPoint::exclude},
            {p, &SightPoint::exclude_group}};
  }

  SIGHTLINE_HD SightPoint operator[](std::uint64_t i) const {
    return {position[i], mask[i], exclude[i], exclude_group[i]};
  }
  template <class F, class... V>
  static void columns(F&& f, V&&... v) {
    f("position", v.position...), f("mask", v.mask...);
    f("exclude", v.exclude...), f("exclude_group", v.exclude_group...);
  }
  PointsView slice(std::uint64_t first, std::uint64_t n) const {
    PointsView v = sliced(*this, first, n);
    v.count = n;
    return v;
  }
};

}  // namespace sightline
