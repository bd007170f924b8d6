// Points of lines of sight and their fields of view, one by one and as columns.
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

/// The points within a half angle of `direction` and within `range`, both inclusive, and the
/// viewpoint itself. The half angle, 0 to 180 degrees, is given by (cosine, sine), of any length,
/// so that no trigonometry runs. A sine below 0 counts as 0, since rounded angles near 180 degrees
/// have one.
///
/// A field is bad, and empty, where a number is NaN, a number other than the range is infinite, the
/// direction or (cosine, sine) has length 0, or the range is negative. See field_of_view.hpp.
struct Field {
  Vec3 direction{1, 0, 0};
  float cosine = -1, sine = 0;
  float range = infinity;
};

/// A cone about the direction, or a sector of the map: heights (z, or y where y is up) count
/// neither for the angle nor for the range, and are ignored in directions.
enum class FieldShape { cone, sector, sector_y_up };

/// Fields of viewpoints; by default all around.
struct FieldsView {
  FieldShape shape = FieldShape::cone;
  Vec3Column direction = Vec3{1, 0, 0};
  Column<float> cosine = -1.0f, sine = 0.0f;
  Column<float> range = infinity;

  SIGHTLINE_HD Field operator[](std::uint64_t i) const {
    return {direction[i], cosine[i], sine[i], range[i]};
  }
  template <class F, class... V>
  static void columns(F&& f, V&&... v) {
    f("direction", v.direction...), f("cosine", v.cosine...), f("sine", v.sine...);
    f("range", v.range...);
  }
  FieldsView slice(std::uint64_t first, std::uint64_t n) const { return sliced(*this, first, n); }
};

}  // namespace sightline
