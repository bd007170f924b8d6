// The kinds of shapes as plain numbers. The arithmetic of each kind has its own header, such as
// obb.hpp.
#pragma once

#include <sightline/detail/shape_traits.hpp>

namespace sightline {

namespace detail {
/// How far the length of a rotation or a normal may be from 1.
inline constexpr double unit_tolerance = 1e-4;
}  // namespace detail

/// Axis-aligned box: the closed set min <= x <= max.
template <class F>
struct AabbT {
  Vec3T<F> min, max;  ///< its least and its greatest corner
};
/// min <= max per axis; flat boxes (min == max) are legal and can be hit.
using Aabb = AabbT<float>;

/// The empty box: unite() with it returns the other box.
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

/// An oriented box as the caller gives it. `rotation` rotates the box's own axes into the world's.
struct Obb {
  Vec3 center{0, 0, 0};        ///< of the box
  Vec3 half_extents{0, 0, 0};  ///< along its own axes, each at least 0
  Quat rotation;               ///< of length 1 within 1e-4
};

/// The box in the arithmetic: the closed set |axis[i] . (x - center)| <= half_extents[i]. These
/// stored floats ARE the set, for predicate, bounds and oracle alike.
template <class F>
struct ObbFrameT {
  Vec3T<F> center, half_extents;  ///< as given
  Vec3T<F> axis[3];               ///< its own axes in the world
};
using ObbFrame = ObbFrameT<float>;

/// For the caller's struct: its rotation is a column too, which the arithmetic does not read.
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
  Vec3T<F> center;  ///< of the ball
  F radius;         ///< at least 0
};
/// radius >= 0; a sphere of radius 0 is a point and can be hit.
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
  Vec3T<F> a, b;  ///< the ends of the segment
  F radius;       ///< at least 0
};
/// radius >= 0; a == b is a sphere.
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

/// Plane: the closed half-space below it.
template <class F>
struct PlaneT {
  Vec3T<F> normal;  ///< out of the half-space
  F offset;         ///< of its surface along the normal
};
/// The half-space dot(normal, x) <= offset of the stored floats; |normal| is 1 within 1e-4, and
/// only the reported normal is normalised. A plane has no bounds.
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

/// In the order of ids.
enum class Kind : std::uint8_t { aabb, obb, sphere, capsule, plane };
/// The same as types.
using ShapeKinds = KindList<Aabb, ObbFrame, Sphere, Capsule, Plane>;

inline constexpr int kind_count = ShapeKinds::count;
static_assert(static_cast<int>(Kind::plane) + 1 == kind_count);

/// The kind of a shape, or of its Given (an Obb).
template <class Shape>
inline constexpr Kind kind_for = static_cast<Kind>(ShapeKinds::index<Shape>());
/// What a scene takes: an Aabb, Obb, Sphere, Capsule or Plane.
template <class Shape>
concept SceneShape = ShapeKinds::takes<Shape>;

/// Returns f(ShapeTag) of this kind.
template <class F>
SIGHTLINE_HD decltype(auto) with_kind(Kind kind, F&& f) {
  return ShapeKinds::with(static_cast<int>(kind), f);
}
/// The same for a bounded kind.
template <class F>
SIGHTLINE_HD decltype(auto) with_bounded_kind(Kind kind, F&& f) {
  return ShapeKinds::with<ShapeKinds::bounded>(static_cast<int>(kind), f);
}

/// The name in files and messages.
SIGHTLINE_HD const char* kind_name(Kind kind) {
  return with_kind(kind, []<class S>(ShapeTag<S>) { return ShapeTraits<S>::name; });
}

}  // namespace sightline
