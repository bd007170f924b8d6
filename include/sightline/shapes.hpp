/// @file
/// The kinds of shapes as plain numbers. The arithmetic of each kind has its own header, such as
/// `<sightline/geometry/shapes/obb.hpp>`. A scene refuses numbers that are NaN, infinite or above
/// 2^40 in size.
#pragma once

#include <sightline/detail/shape_traits.hpp>
#include <sightline/vec.hpp>

namespace sightline {

namespace detail {
/// How far the length of a rotation or a normal may be from 1.
inline constexpr double unit_tolerance = 1e-4;
}  // namespace detail

/// Axis-aligned box: the closed set min <= x <= max.
template <class F>
struct AabbT {
  Vec3T<F> min,  ///< corner with the least coordinates
      max;       ///< corner with the greatest coordinates
};
/// Axis-aligned box of floats, min <= max per axis. Flat boxes (min == max) are legal and can be
/// hit.
using Aabb = AabbT<float>;

/// Returns the empty box, whose union with any box is that box.
SIGHTLINE_HD Aabb empty_aabb() {
  return {{infinity, infinity, infinity}, {-infinity, -infinity, -infinity}};
}

template <>
struct ShapeTraits<Aabb> {
  using Given = Aabb;
  static constexpr const char* name = "aabb";
  static constexpr bool is_bounded = true;
  template <template <class> class C>
  struct Columns {
    C<Vec3> min, max;
  };
  template <class F, class... S>
  SIGHTLINE_HD static void fields(F&& f, S&&... s) {
    f("min", s.min...), f("max", s.max...);
  }
};

/// Oriented box as the caller gives it.
struct Obb {
  Vec3 center{0, 0, 0};        ///< center of the box
  Vec3 half_extents{0, 0, 0};  ///< half lengths along the box's own axes, each at least 0
  Quat rotation;               ///< from the box's own axes to the world's; of length 1 within 1e-4
};

/// Oriented box in the arithmetic: the closed set `|axis[i] . (x - center)| <= half_extents[i]`.
/// The stored floats define the set.
template <class F>
struct ObbFrameT {
  Vec3T<F> center,   ///< center of the box
      half_extents;  ///< half lengths along `axis`
  Vec3T<F> axis[3];  ///< the box's own axes in the world
};
/// Oriented box in the arithmetic, of floats.
using ObbFrame = ObbFrameT<float>;

// For the caller's struct: its rotation is a column too, which the arithmetic does not read.
template <>
struct ShapeTraits<Obb> {
  template <class F, class... S>
  SIGHTLINE_HD static void fields(F&& f, S&&... s) {
    f("center", s.center...), f("half_extents", s.half_extents...), f("rotation", s.rotation...);
  }
};

template <>
struct ShapeTraits<ObbFrame> {
  using Given = Obb;
  static constexpr const char* name = "obb";
  static constexpr bool is_bounded = true;
  template <template <class> class C>
  struct Columns {
    C<Vec3> center, half_extents, axis[3];
    C<Quat> rotation;
  };
  template <class F, class... S>
  SIGHTLINE_HD static void fields(F&& f, S&&... s) {
    f("center", s.center...), f("half_extents", s.half_extents...);
    f("axis_x", s.axis[0]...), f("axis_y", s.axis[1]...), f("axis_z", s.axis[2]...);
  }
};

/// Sphere: the closed ball.
template <class F>
struct SphereT {
  Vec3T<F> center;  ///< center of the ball
  F radius;         ///< at least 0
};
/// Sphere of floats. A sphere of radius 0 is a point and can be hit.
using Sphere = SphereT<float>;

template <>
struct ShapeTraits<Sphere> {
  using Given = Sphere;
  static constexpr const char* name = "sphere";
  static constexpr bool is_bounded = true;
  template <template <class> class C>
  struct Columns {
    C<Vec3> center;
    C<float> radius;
  };
  template <class F, class... S>
  SIGHTLINE_HD static void fields(F&& f, S&&... s) {
    f("center", s.center...), f("radius", s.radius...);
  }
};

/// Capsule: all points within a radius of a segment.
template <class F>
struct CapsuleT {
  Vec3T<F> a,  ///< one end of the segment
      b;       ///< the other end
  F radius;    ///< at least 0
};
/// Capsule of floats. With a == b it is a sphere.
using Capsule = CapsuleT<float>;

template <>
struct ShapeTraits<Capsule> {
  using Given = Capsule;
  static constexpr const char* name = "capsule";
  static constexpr bool is_bounded = true;
  template <template <class> class C>
  struct Columns {
    C<Vec3> a, b;
    C<float> radius;
  };
  template <class F, class... S>
  SIGHTLINE_HD static void fields(F&& f, S&&... s) {
    f("a", s.a...), f("b", s.b...), f("radius", s.radius...);
  }
};

/// Cylinder with flat ends: all points within a radius of the line through a and b, and between the
/// planes through a and b at right angles to it.
template <class F>
struct CylinderT {
  Vec3T<F> a,  ///< centre of one end
      b;       ///< centre of the other end, which is another point
  F radius;    ///< at least 0
};
/// Cylinder of floats. One of radius 0 is a segment and can be hit.
using Cylinder = CylinderT<float>;

template <>
struct ShapeTraits<Cylinder> {
  using Given = Cylinder;
  static constexpr const char* name = "cylinder";
  static constexpr bool is_bounded = true;
  template <template <class> class C>
  struct Columns {
    C<Vec3> a, b;
    C<float> radius;
  };
  template <class F, class... S>
  SIGHTLINE_HD static void fields(F&& f, S&&... s) {
    f("a", s.a...), f("b", s.b...), f("radius", s.radius...);
  }
};

/// Triangle: the convex hull of three points, flat.
template <class F>
struct TriangleT {
  Vec3T<F> a;  ///< first corner
  Vec3T<F> b;  ///< second corner
  Vec3T<F> c;  ///< third corner
};
/// Triangle of floats: any three points in any order. Where two or three are equal, or all are on
/// one line, it is a segment or a point and can be hit.
using Triangle = TriangleT<float>;

template <>
struct ShapeTraits<Triangle> {
  using Given = Triangle;
  static constexpr const char* name = "triangle";
  static constexpr bool is_bounded = true;
  template <template <class> class C>
  struct Columns {
    C<Vec3> a, b, c;
  };
  template <class F, class... S>
  SIGHTLINE_HD static void fields(F&& f, S&&... s) {
    f("a", s.a...), f("b", s.b...), f("c", s.c...);
  }
};

/// Plane: the closed half-space dot(normal, x) <= offset.
template <class F>
struct PlaneT {
  Vec3T<F> normal;  ///< direction out of the half-space
  F offset;         ///< position of the surface along the normal
};
/// Plane of floats. The normal's length is 1 within 1e-4; only the normal of a hit is normalised. A
/// plane has no bounds.
using Plane = PlaneT<float>;

template <>
struct ShapeTraits<Plane> {
  using Given = Plane;
  static constexpr const char* name = "plane";
  static constexpr bool is_bounded = false;
  template <template <class> class C>
  struct Columns {
    C<Vec3> normal;
    C<float> offset;
  };
  template <class F, class... S>
  SIGHTLINE_HD static void fields(F&& f, S&&... s) {
    f("normal", s.normal...), f("offset", s.offset...);
  }
};

/// Kind of a shape. The order of the enumerators is the order of ids.
enum class Kind : std::uint8_t {
  aabb,      ///< Aabb
  obb,       ///< Obb
  sphere,    ///< Sphere
  capsule,   ///< Capsule
  cylinder,  ///< Cylinder
  triangle,  ///< Triangle
  plane,     ///< Plane
};
/// The kinds as types, in the same order.
using ShapeKinds = KindList<Aabb, ObbFrame, Sphere, Capsule, Cylinder, Triangle, Plane>;

/// The number of kinds.
inline constexpr int kind_count = ShapeKinds::count;
static_assert(static_cast<int>(Kind::plane) + 1 == kind_count);

/// The kind of a type of shapes.
template <class Shape>
inline constexpr Kind kind_for = static_cast<Kind>(ShapeKinds::index<Shape>());
/// A type of shapes that a scene takes: Aabb, Obb, Sphere, Capsule, Cylinder, Triangle or Plane.
template <class Shape>
concept SceneShape = ShapeKinds::takes<Shape>;

/// Returns f(ShapeTag) for a kind.
SIGHTLINE_CALLS_ANY
template <class F>
SIGHTLINE_HD decltype(auto) with_kind(Kind kind, F&& f) {
  return ShapeKinds::with(static_cast<int>(kind), f);
}
/// Returns f(ShapeTag) for a kind with bounds, which is any but `plane`.
SIGHTLINE_CALLS_ANY
template <class F>
SIGHTLINE_HD decltype(auto) with_bounded_kind(Kind kind, F&& f) {
  return ShapeKinds::with<ShapeKinds::bounded>(static_cast<int>(kind), f);
}

/// Returns the name of a kind in files and messages, such as "aabb".
SIGHTLINE_HD const char* kind_name(Kind kind) {
  return with_kind(kind, []<class S>(ShapeTag<S>) { return ShapeTraits<S>::name; });
}

}  // namespace sightline
