/// @file
/// Points of lines of sight and fields of view, one by one and as columns.
#pragma once

#include <sightline/ray.hpp>

namespace sightline {

/// Point with a mask and exclusions.
struct SightPoint {
  Vec3 position;                       ///< coordinates in the scene's unit
  std::uint32_t mask = 0xFFFFFFFFu;    ///< a shape counts if (mask & shape mask) != 0
  std::uint32_t exclude = none;        ///< id of a shape to ignore
  std::uint32_t exclude_group = none;  ///< group of shapes to ignore
};

/// Points [n] as columns, with masks and exclusions. A pair of points uses the AND of their masks
/// and the exclusions of both.
///
/// A column is an array of n elements or one value for all points. A view without arrays is one
/// point. A vector of positions converts to a view.
///
/// @code{.cpp}
/// const std::vector<Vec3> positions = {{0, 0, 1}, {5, 0, 1}};
/// const std::vector<std::uint32_t> own_shape = {0, 1};  // agents do not block their own view
/// const PointsView eyes(positions, 0xFFFFFFFFu, own_shape);
/// @endcode
struct PointsView {
  Vec3Column position;                         ///< see SightPoint::position
  Column<std::uint32_t> mask = 0xFFFFFFFFu;    ///< see SightPoint::mask
  Column<std::uint32_t> exclude = none;        ///< see SightPoint::exclude
  Column<std::uint32_t> exclude_group = none;  ///< see SightPoint::exclude_group
  /// Number of elements. Set by the library; callers leave it as it is.
  std::uint64_t count = Column<float>::not_given;

  /// Makes a view of no points.
  PointsView() = default;
  /// Makes a view of columns, each [n] or one value for all points.
  /// @param positions        coordinates
  /// @param masks            see SightPoint::mask
  /// @param excluded         ids of shapes to ignore
  /// @param excluded_groups  groups of shapes to ignore
  PointsView(const Vec3Column& positions, const Column<std::uint32_t>& masks = 0xFFFFFFFFu,
             const Column<std::uint32_t>& excluded = none,
             const Column<std::uint32_t>& excluded_groups = none)
      : position(positions), mask(masks), exclude(excluded), exclude_group(excluded_groups) {}
  /// Makes a view of contiguous positions.
  template <ArrayOf<Vec3> Array>
  PointsView(const Array& positions) : position(positions) {}

  /// Returns the view of contiguous points.
  static PointsView rows(std::span<const SightPoint> p) {
    return {{p, &SightPoint::position},
            {p, &SightPoint::mask},
            {p, &SightPoint::exclude},
            {p, &SightPoint::exclude_group}};
  }

  /// Returns the number of points.
  std::uint64_t size() const {
    return count != Column<float>::not_given ? count : size_of_columns(*this, position);
  }
  /// Returns point i.
  SIGHTLINE_HD SightPoint operator[](std::uint64_t i) const {
    return {position[i], mask[i], exclude[i], exclude_group[i]};
  }
  /// Calls f(name, column...) with each column of the views v.
  template <class F, class... V>
  static void columns(F&& f, V&&... v) {
    f("position", v.position...), f("mask", v.mask...);
    f("exclude", v.exclude...), f("exclude_group", v.exclude_group...);
  }
  /// Returns the view of points [first, first + n).
  PointsView slice(std::uint64_t first, std::uint64_t n) const {
    PointsView v = sliced(*this, first, n);
    v.count = n;
    return v;
  }
};

/// Field of view: the points within a half angle of `direction` and within `range`, both inclusive,
/// and the viewpoint itself. The default is all around.
///
/// (cosine, sine) of any length gives the half angle, 0 to 180 degrees. A sine below 0 counts as 0,
/// because rounded angles near 180 degrees have one. A bad field is empty. A field is bad if a
/// number is NaN, or a number other than the range is infinite. It is also bad if the direction or
/// (cosine, sine) is 0, or if the range is negative.
///
/// @code{.cpp}
/// const Field ahead = {.direction = {0, 1, 0}, .cosine = 0.5f, .sine = 0.8660254f, .range = 30};
/// // 60 degrees to each side of +y, up to 30 units away
/// @endcode
struct Field {
  Vec3 direction{1, 0, 0};  ///< middle of the field, of any length but 0
  float cosine = -1;        ///< cosine of the half angle
  float sine = 0;           ///< sine of the half angle
  float range = infinity;   ///< greatest distance, at least 0
};

/// Shape of fields of view.
enum class FieldShape {
  cone,         ///< a cone about the direction
  sector,       ///< a sector of the map: z counts neither for the angle nor for the range
  sector_y_up,  ///< a sector of the map whose axis up is y
};

/// Fields of view [n] as columns, one field for each viewpoint. A column is an array of n elements
/// or one value for all fields.
struct FieldsView {
  FieldShape shape = FieldShape::cone;   ///< shape of all fields
  Vec3Column direction = Vec3{1, 0, 0};  ///< see Field::direction
  Column<float> cosine = -1.0f;          ///< see Field::cosine
  Column<float> sine = 0.0f;             ///< see Field::sine
  Column<float> range = infinity;        ///< see Field::range

  /// Returns field i.
  SIGHTLINE_HD Field operator[](std::uint64_t i) const {
    return {direction[i], cosine[i], sine[i], range[i]};
  }
  /// Calls f(name, column...) with each column of the views v.
  template <class F, class... V>
  static void columns(F&& f, V&&... v) {
    f("direction", v.direction...), f("cosine", v.cosine...), f("sine", v.sine...);
    f("range", v.range...);
  }
  /// Returns the view of fields [first, first + n).
  FieldsView slice(std::uint64_t first, std::uint64_t n) const { return sliced(*this, first, n); }
};

}  // namespace sightline
