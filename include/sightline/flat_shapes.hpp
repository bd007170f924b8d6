// The shapes of 2D, all of them closed sets, and segments. Angles are given by cosine and sine.
// docs/reference/flat.md shows each.
#pragma once

#include <sightline/column.hpp>
#include <sightline/detail/shape_traits.hpp>

#include <span>

namespace sightline {

/// A vector of two components.
template <class F>
struct Vec2T {
  F x, y;  ///< components
};
using Vec2 = Vec2T<float>;

/// The points a + t * (b - a), 0 <= t <= 1; a == b is a point.
struct Segment2 {
  Vec2 a, b;  ///< its ends
};

/// The points within a radius of a center.
struct Circle {
  Vec2 center;   ///< of the circle
  float radius;  ///< at least 0
};

/// All points within a radius of a segment; radius >= 0, a == b is a circle.
struct Capsule2 {
  Vec2 a, b;     ///< the ends of the segment
  float radius;  ///< at least 0
};

/// All points within `radius` of the center whose direction from there is within the half angle of
/// `direction`. The half angle is that of the vector (cosine, sine), 0 to 180 degrees; a sine below
/// 0 counts as 0, because rounded angles near 180 degrees have one. `direction` and (cosine, sine)
/// may have any length but 0. Half angle 0 is a segment, 180 degrees the disk. Above 90 degrees the
/// set is not convex.
struct Sector {
  Vec2 center, direction;  ///< its tip, and where its middle lies from there
  float cosine, sine;      ///< of the half angle
  float radius;            ///< at least 0
};

/// The hull of corners in convex position, in order, of either winding; owned elsewhere. One corner
/// is a point, two are a segment; corners may repeat and three may be collinear.
struct ConvexPolygon {
  const Vec2* corners;  ///< [count]
  int count;            ///< at least 1
};

/// min <= max per axis; may be flat.
struct Aabb2 {
  Vec2 min, max;  ///< its least and its greatest corner
};

/// A box rotated counterclockwise by the angle of (cosine, sine), of any length but 0. The half
/// extents are >= 0.
struct Obb2 {
  Vec2 center, half_extents;  ///< the extents along its own axes
  float cosine, sine;         ///< of its turn
};

/// A tensor of a kind's file: `width` floats of the struct, in the order of the fields.
struct FlatField {
  const char* name;   ///< of the tensor
  std::size_t width;  ///< floats a shape
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

/// In the order of ids.
enum class FlatKind : std::uint8_t { circle, capsule, sector, polygon, aabb, obb };
/// The same as types.
using FlatKinds = KindList<Circle, Capsule2, Sector, ConvexPolygon, Aabb2, Obb2>;

inline constexpr int flat_kind_count = FlatKinds::count;
static_assert(static_cast<int>(FlatKind::obb) + 1 == flat_kind_count);

template <class Shape>
inline constexpr FlatKind flat_kind_for = static_cast<FlatKind>(FlatKinds::index<Shape>());

/// The name in files and messages.
SIGHTLINE_HD const char* kind_name(FlatKind kind) {
  return FlatKinds::with(static_cast<int>(kind),
                         []<class S>(ShapeTag<S>) { return ShapeTraits<S>::name; });
}

/// Two float columns.
struct Vec2Column {
  Column<float> x;  ///< of each point
  Column<float> y;  ///< of each point

  /// Nothing yet, as Column().
  Vec2Column() = default;
  /// A column for each coordinate, both of them given.
  SIGHTLINE_HD Vec2Column(const Column<float>& of_x, const Column<float>& of_y)
      : x(of_x), y(of_y) {}
  /// Points side by side, such as a vector of them.
  template <ArrayOf<Vec2> Array>
  Vec2Column(const Array& array) : x(array, &Vec2::x), y(array, &Vec2::y) {}
  /// n rows, `stride` in bytes from row to row.
  static Vec2Column strided(const float* xy, std::uint64_t n, std::ptrdiff_t stride) {
    return {Column<float>(xy, n, stride), Column<float>(xy == nullptr ? xy : xy + 1, n, stride)};
  }

  /// The same point for all.
  SIGHTLINE_HD Vec2Column(const Vec2& value) : x(value.x), y(value.y) {}

  /// Whether it was given anything, if only a common point.
  bool is_given() const { return x.is_given() || y.is_given(); }
  /// Point i.
  SIGHTLINE_HD Vec2 operator[](std::uint64_t i) const { return {x[i], y[i]}; }
  /// Points [first, first + n), as far as there are so many.
  SIGHTLINE_HD Vec2Column slice(std::uint64_t first, std::uint64_t n) const {
    return {x.slice(first, n), y.slice(first, n)};
  }
};

/// Circles [n] as columns, such as `{centers, radii}`. Each column is an array of n elements, or
/// one value for all; values alone are one circle.
struct CirclesView {
  Vec2Column center;                         ///< of each circle
  Column<float> radius;                      ///< of each circle; at least 0
  Column<std::uint32_t> mask = 0xFFFFFFFFu;  ///< a shape counts when (mask & shape mask) != 0
  /// Set by the library, which counts once; callers leave it.
  std::uint64_t count = Column<float>::not_given;

  /// Rows [n,3]: x, y, radius.
  static CirclesView rows(std::span<const float> xyr) {
    return {{column_of_rows(xyr, 0, 3), column_of_rows(xyr, 1, 3)}, column_of_rows(xyr, 2, 3)};
  }

  /// n.
  std::uint64_t size() const {
    return count != Column<float>::not_given ? count : size_of_columns(*this, center, radius);
  }
  /// Circle i.
  SIGHTLINE_HD Circle operator[](std::uint64_t i) const { return {center[i], radius[i]}; }
  /// Calls f(name, column...) with each column.
  template <class F, class... V>
  static void columns(F&& f, V&&... v) {
    f("center", v.center...), f("radius", v.radius...), f("mask", v.mask...);
  }
};

/// Segments [n] as columns, such as `{from, to}`. Each column is an array of n elements, or one
/// value for all; values alone are one segment.
struct SegmentsView {
  Vec2Column a;                              ///< where t = 0
  Vec2Column b;                              ///< where t = 1
  Column<std::uint32_t> mask = 0xFFFFFFFFu;  ///< a shape counts when (mask & shape mask) != 0
  /// Set by the library, which counts once; callers leave it.
  std::uint64_t count = Column<float>::not_given;

  /// Rows [n,4]: the ends a and b.
  static SegmentsView rows(std::span<const float> ab) {
    return {{column_of_rows(ab, 0, 4), column_of_rows(ab, 1, 4)},
            {column_of_rows(ab, 2, 4), column_of_rows(ab, 3, 4)}};
  }

  /// n.
  std::uint64_t size() const {
    return count != Column<float>::not_given ? count : size_of_columns(*this, a, b);
  }
  /// Segment i.
  SIGHTLINE_HD Segment2 operator[](std::uint64_t i) const { return {a[i], b[i]}; }
  /// Calls f(name, column...) with each column.
  template <class F, class... V>
  static void columns(F&& f, V&&... v) {
    f("a", v.a...), f("b", v.b...), f("mask", v.mask...);
  }
};

}  // namespace sightline
