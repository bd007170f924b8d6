// Points of lines of sight, one by one and as columns.
#pragma once

#include <sightline/queries/ray.hpp>

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
  Column<std::uint32_t> mask{nullptr, sizeof(std::uint32_t), 0xFFFFFFFFu};
  Column<std::uint32_t> exclude{nullptr, sizeof(std::uint32_t), none};
  Column<std::uint32_t> exclude_group{nullptr, sizeof(std::uint32_t), none};

  SIGHTLINE_HD SightPoint operator[](std::uint64_t i) const {
    return {position[i], mask[i], exclude[i], exclude_group[i]};
  }
  PointsView slice(std::uint64_t first, std::uint64_t n) const {
    return {n, position.from(first), mask.from(first), exclude.from(first),
            exclude_group.from(first)};
  }
};

}  // namespace sightline
