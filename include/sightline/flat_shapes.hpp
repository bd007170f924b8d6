// The shapes of 2D, all of them closed sets, and segments. Angles are given by cosine and sine.
// docs/flat.md shows each.
#pragma once

#include <sightline/detail/shape_traits.hpp>
#include <sightline/geometry/flat/vec2.hpp>

namespace sightline {

/// The points a + t * (b - a), 0 <= t <= 1; a == b is a point.
struct Segment2 {
  Vec2 a, b;
};

/// radius >= 0.
struct Circle {
  Vec2 center;
  float radius;
};

/// All points within a radius of a segment; radius >= 0, a == b is a circle.
struct Capsule2 {
  Vec2 a, b;
  float radius;
};

/// All points within `radius` of the center whose direction from there is within the half angle of
/// `direction`. The half angle is that of the vector (cosine, sine), 0 to 180 degrees; a sine below
/// 0 counts as 0, because rounded angles near 180 degrees have one. `direction` and (cosine, sine)
/// may have any length but 0. Half angle 0 is a segment, 180 degrees the disk. Above 90 degrees the
/// set is not convex.
struct Sector {
  Vec2 center, direction;
  float cosine, sine;
  float radius;
};

/// The hull of corners in convex position, in order, of either winding; owned elsewhere. One corner
/// is a point, two are a segment; corners may repeat and three may be collinear.
struct ConvexPolygon {
  const Vec2* corners;
  int count;
};

/// min <= max per axis; may be flat.
struct Aabb2 {
  Vec2 min, max;
};

/// A box rotated counterclockwise by the angle of (cosine, sine), of any length but 0. The half
/// extents are >= 0.
struct Obb2 {
  Vec2 center, half_extents;
  float cosine, sine;
};

/// A tensor of a kind's file: `width` floats of the struct, in the order of the fields.
struct FlatField {
  const char* name;
  std::size_t width;
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

}  // namespace sightline
