// Points of lines of sight and their fields of view, one by one and as columns.
#pragma once

#include <sightline/ray.hpp>

namespace sightline {

/// A point with its mask and exclusions; see PointsView.
struct SightPoint {
  Vec3 position;                       ///< where it is
  std::uint32_t mask = 0xFFFFFFFFu;    ///< a shape counts when (mask & shape mask) != 0
  std::uint32_t exclude = none;        ///< id of a shape to leave out
  std::uint32_t exclude_group = none;  ///< a group to leave out
};

/// Points [n] with masks and exclusions: a pair uses the AND of the masks, and both exclusions.
/// Each column is an array of n elements, or one value for all; values alone are one point. A
/// vector of positions is a view of points by itself.
struct PointsView {
  Vec3Column position;                         ///< as SightPoint has it
  Column<std::uint32_t> mask = 0xFFFFFFFFu;    ///< as SightPoint has it
  Column<std::uint32_t> exclude = none;        ///< as SightPoint has it
  Column<std::uint32_t> exclude_group = none;  ///< as SightPoint has it
  /// Set by the library, which counts once; callers leave it.
  std::uint64_t count = Column<float>::not_given;

  /// Nothing yet: no points.
  PointsView() = default;
  /// Points of these columns.
  PointsView(const Vec3Column& positions, const Column<std::uint32_t>& masks = 0xFFFFFFFFu,
             const Column<std::uint32_t>& excluded = none,
             const Column<std::uint32_t>& excluded_groups = none)
      : position(positions), mask(masks), exclude(excluded), exclude_group(excluded_groups) {}
  /// Positions side by side, such as a vector of them.
  template <ArrayOf<Vec3> Array>
  PointsView(const Array& positions) : position(positions) {}

  /// Points side by side.
  static PointsView rows(std::span<const SightPoint> p) {
    return {{p, &SightPoint::position},
            {p, &SightPoint::mask},
            {p, &SightPoint::exclude},
            {p, &SightPoint::exclude_group}};
  }

  /// n.
  std::uint64_t size() const {
    return count != Column<float>::not_given ? count : size_of_columns(*this, position);
  }
  /// Point i.
  SIGHTLINE_HD SightPoint operator[](std::uint64_t i) const {
    return {position[i], mask[i], exclude[i], exclude_group[i]};
  }
  /// Calls f(name, column...) with each column.
  template <class F, class... V>
  static void columns(F&& f, V&&... v) {
    f("position", v.position...), f("mask", v.mask...);
    f("exclude", v.exclude...), f("exclude_group", v.exclude_group...);
  }
  /// Points [first, first + n).
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
  Vec3 direction{1, 0, 0};  ///< of the middle, of any length but 0
  float cosine = -1;        ///< of the half angle
  float sine = 0;           ///< of the half angle
  float range = infinity;   ///< how far it goes; at least 0
};

/// A cone about the direction, or a sector of the map: heights (z, or y where y is up) count
/// neither for the angle nor for the range, and are ignored in directions.
enum class FieldShape { cone, sector, sector_y_up };

/// Fields of viewpoints; by default all around.
struct FieldsView {
  FieldShape shape = FieldShape::cone;   ///< of all of them
  Vec3Column direction = Vec3{1, 0, 0};  ///< as Field has it
  Column<float> cosine = -1.0f;          ///< as Field has it
  Column<float> sine = 0.0f;             ///< as Field has it
  Column<float> range = infinity;        ///< as Field has it

  /// Field i.
  SIGHTLINE_HD Field operator[](std::uint64_t i) const {
    return {direction[i], cosine[i], sine[i], range[i]};
  }
  /// Calls f(name, column...) with each column.
  template <class F, class... V>
  static void columns(F&& f, V&&... v) {
    f("direction", v.direction...), f("cosine", v.cosine...), f("sine", v.sine...);
    f("range", v.range...);
  }
  /// Fields [first, first + n).
  FieldsView slice(std::uint64_t first, std::uint64_t n) const { return sliced(*this, first, n); }
};

}  // namespace sightline
