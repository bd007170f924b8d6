/// @file
/// The shapes of 2D and segments. All shapes are closed sets. A cosine and a sine give an angle.
/// See docs/reference/flat.md.
#pragma once

#include <sightline/column.hpp>
#include <sightline/detail/shape_traits.hpp>

#include <span>

namespace sightline {

/// Vector of two components.
template <class F>
struct Vec2T {
  F x,    ///< first component
      y;  ///< second component
};
/// Vector of two floats.
using Vec2 = Vec2T<float>;

/// Segment: the points a + t * (b - a) for 0 <= t <= 1. With a == b it is a point.
struct Segment2 {
  Vec2 a,  ///< end at t = 0
      b;   ///< end at t = 1
};

/// Circle with its inside: the points within a radius of a center.
struct Circle {
  Vec2 center;   ///< center of the circle
  float radius;  ///< at least 0
};

/// Capsule: the points within a radius of a segment. With a == b it is a circle.
struct Capsule2 {
  Vec2 a,        ///< one end of the segment
      b;         ///< the other end
  float radius;  ///< at least 0
};

/// Sector: the points within `radius` of the center whose direction from there is within the half
/// angle of `direction`.
///
/// (cosine, sine) gives the half angle, 0 to 180 degrees. A sine below 0 counts as 0, because
/// rounded angles near 180 degrees have one. `direction` and (cosine, sine) may have any length but
/// 0. With half angle 0 the set is a segment, with 180 degrees a disk. Above 90 degrees it is not
/// convex.
struct Sector {
  Vec2 center,    ///< tip of the sector
      direction;  ///< from the tip along the middle of the sector
  float cosine,   ///< cosine of the half angle
      sine;       ///< sine of the half angle
  float radius;   ///< at least 0
};

/// Convex polygon: the hull of corners in convex position and in order, in either direction. The
/// caller owns the corners.
///
/// One corner is a point, and two are a segment. Corners may repeat, and three may be collinear.
struct ConvexPolygon {
  const Vec2* corners;  ///< [count]
  int count;            ///< number of corners, at least 1
};

/// Axis-aligned box, min <= max per axis. It may be flat.
struct Aabb2 {
  Vec2 min,  ///< corner with the least coordinates
      max;   ///< corner with the greatest coordinates
};

/// Box rotated counterclockwise by the angle of (cosine, sine), which may have any length but 0.
struct Obb2 {
  Vec2 center,       ///< center of the box
      half_extents;  ///< half lengths along the box's own axes, each at least 0
  float cosine,      ///< cosine of the rotation
      sine;          ///< sine of the rotation
};

/// Tensor of a kind of shapes in a file: `width` floats of the struct, in the order of its fields.
struct FlatField {
  const char* name;   ///< name of the tensor
  std::size_t width;  ///< floats per shape
};
template <>
struct ShapeTraits<Circle> {
  using Given = Circle;
  static constexpr const char* name = "circle";
  static constexpr FlatField fields[] = {{"center", 2}, {"radius", 1}};
};
template <>
struct ShapeTraits<Capsule2> {
  using Given = Capsule2;
  static constexpr const char* name = "capsule";
  static constexpr FlatField fields[] = {{"a", 2}, {"b", 2}, {"radius", 1}};
};
template <>
struct ShapeTraits<Sector> {
  using Given = Sector;
  static constexpr const char* name = "sector";
  static constexpr FlatField fields[] = {
      {"center", 2}, {"direction", 2}, {"half_angle", 2}, {"radius", 1}};
};
template <>
struct ShapeTraits<ConvexPolygon> {
  using Given = ConvexPolygon;
  static constexpr const char* name = "polygon";
};
template <>
struct ShapeTraits<Aabb2> {
  using Given = Aabb2;
  static constexpr const char* name = "aabb";
  static constexpr FlatField fields[] = {{"min", 2}, {"max", 2}};
};
template <>
struct ShapeTraits<Obb2> {
  using Given = Obb2;
  static constexpr const char* name = "obb";
  static constexpr FlatField fields[] = {{"center", 2}, {"half_extents", 2}, {"turn", 2}};
};

/// Kind of a 2D shape. The order of the enumerators is the order of ids.
enum class FlatKind : std::uint8_t {
  circle,   ///< Circle
  capsule,  ///< Capsule2
  sector,   ///< Sector
  polygon,  ///< ConvexPolygon
  aabb,     ///< Aabb2
  obb,      ///< Obb2
};
/// The kinds as types, in the same order.
using FlatKinds = KindList<Circle, Capsule2, Sector, ConvexPolygon, Aabb2, Obb2>;

/// The number of kinds of 2D shapes.
inline constexpr int flat_kind_count = FlatKinds::count;
static_assert(static_cast<int>(FlatKind::obb) + 1 == flat_kind_count);

/// The kind of a type of 2D shapes.
template <class Shape>
inline constexpr FlatKind flat_kind_for = static_cast<FlatKind>(FlatKinds::index<Shape>());

/// Returns the name of a kind in files and messages, such as "circle".
SIGHTLINE_HD const char* kind_name(FlatKind kind) {
  return FlatKinds::with(static_cast<int>(kind),
                         []<class S>(ShapeTag<S>) { return ShapeTraits<S>::name; });
}

/// Column of 2D points: a column for each of the two coordinates.
struct Vec2Column {
  Column<float> x;  ///< first coordinates
  Column<float> y;  ///< second coordinates

  /// Makes a column that was not given, as Column() does.
  Vec2Column() = default;
  /// Makes a column of one column for each coordinate. Both must be given.
  /// @param of_x  first coordinates [n], or one for all
  /// @param of_y  second coordinates
  SIGHTLINE_HD Vec2Column(const Column<float>& of_x, const Column<float>& of_y)
      : x(of_x), y(of_y) {}
  /// Makes a column of contiguous points.
  template <ArrayOf<Vec2> Array>
  Vec2Column(const Array& array) : x(array, &Vec2::x), y(array, &Vec2::y) {}
  /// Returns the column of rows that begin at a fixed distance.
  /// @param xy      the first row: x, y
  /// @param n       number of rows
  /// @param stride  bytes from one row to the next
  static Vec2Column strided(const float* xy, std::uint64_t n, std::ptrdiff_t stride) {
    return {Column<float>(xy, n, stride), Column<float>(xy == nullptr ? xy : xy + 1, n, stride)};
  }

  /// Makes a common point.
  SIGHTLINE_HD Vec2Column(const Vec2& value) : x(value.x), y(value.y) {}

  /// Returns whether the column has an array or a common point.
  bool is_given() const { return x.is_given() || y.is_given(); }
  /// Returns point i.
  SIGHTLINE_HD Vec2 operator[](std::uint64_t i) const { return {x[i], y[i]}; }
  /// Returns the column of points [first, first + n), or of fewer at the end of the array.
  SIGHTLINE_HD Vec2Column slice(std::uint64_t first, std::uint64_t n) const {
    return {x.slice(first, n), y.slice(first, n)};
  }
};

/// Circles [n] as columns: `{centers, radii}`. A column is an array of n elements or one value for
/// all circles. A view without arrays is one circle. See FlatCaster for an example.
struct CirclesView {
  Vec2Column center;                         ///< see Circle::center
  Column<float> radius;                      ///< see Circle::radius
  Column<std::uint32_t> mask = 0xFFFFFFFFu;  ///< a shape counts if (mask & shape mask) != 0
  /// Number of elements. Set by the library; callers leave it as it is.
  std::uint64_t count = Column<float>::not_given;

  /// Returns the view of contiguous rows x, y, radius [n, 3].
  static CirclesView rows(std::span<const float> xyr) {
    return {{column_of_rows(xyr, 0, 3), column_of_rows(xyr, 1, 3)}, column_of_rows(xyr, 2, 3)};
  }

  /// Returns the number of circles.
  std::uint64_t size() const {
    return count != Column<float>::not_given ? count : size_of_columns(*this, center, radius);
  }
  /// Returns circle i.
  SIGHTLINE_HD Circle operator[](std::uint64_t i) const { return {center[i], radius[i]}; }
  /// Calls f(name, column...) with each column of the views v.
  template <class F, class... V>
  static void columns(F&& f, V&&... v) {
    f("center", v.center...), f("radius", v.radius...), f("mask", v.mask...);
  }
};

/// Segments [n] as columns: `{from, to}`. A column is an array of n elements or one value for all
/// segments. A view without arrays is one segment. See FlatCaster for an example.
struct SegmentsView {
  Vec2Column a;                              ///< see Segment2::a
  Vec2Column b;                              ///< see Segment2::b
  Column<std::uint32_t> mask = 0xFFFFFFFFu;  ///< a shape counts if (mask & shape mask) != 0
  /// Number of elements. Set by the library; callers leave it as it is.
  std::uint64_t count = Column<float>::not_given;

  /// Returns the view of contiguous rows a.x, a.y, b.x, b.y [n, 4].
  static SegmentsView rows(std::span<const float> ab) {
    return {{column_of_rows(ab, 0, 4), column_of_rows(ab, 1, 4)},
            {column_of_rows(ab, 2, 4), column_of_rows(ab, 3, 4)}};
  }

  /// Returns the number of segments.
  std::uint64_t size() const {
    return count != Column<float>::not_given ? count : size_of_columns(*this, a, b);
  }
  /// Returns segment i.
  SIGHTLINE_HD Segment2 operator[](std::uint64_t i) const { return {a[i], b[i]}; }
  /// Calls f(name, column...) with each column of the views v.
  template <class F, class... V>
  static void columns(F&& f, V&&... v) {
    f("a", v.a...), f("b", v.b...), f("mask", v.mask...);
  }
};

}  // namespace sightline
