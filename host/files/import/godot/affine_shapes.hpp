// Shapes under an affine map: the legal shape that they become, or the tightest around it.
#pragma once

#include "host/files/core/affine.hpp"

#include <sightline/scene.hpp>

#include <optional>
#include <variant>

namespace sightline::io {

/// What a shape becomes. An approximation contains the shape, and says why it is one.
struct PlacedShape {
  std::variant<Aabb, Obb, Sphere, Capsule, Plane> shape;
  const char* approximation = nullptr;  ///< the reason, or null: exact but for rounding
  double volume = 0;                    ///< of an approximation over the shape's own; 1 if exact
};

/// Maps are text of six digits: axes that are this far from a right angle, or lengths this far from
/// equal, relatively, are taken as equal.
inline constexpr double skew_tolerance = 1e-5;
/// Directions this near to a coordinate axis are taken as the axis.
inline constexpr double axis_tolerance = 1e-6;

// Each is centred on the origin before the map, and nothing under a map that flattens it: where its
// determinant is 0 or not finite. Sizes may be 0.

/// A box of these half extents: an AABB where its axes are coordinate axes, else an OBB; under a
/// shear the smallest of a few boxes around it.
std::optional<PlacedShape> placed_box(const Affine& map, const Double3& half_extents);
/// A sphere; under unequal scales the sphere around it.
std::optional<PlacedShape> placed_sphere(const Affine& map, double radius);
/// A capsule about the segment from -axis to axis; under unequal scales the capsule around it.
std::optional<PlacedShape> placed_capsule(const Affine& map, const Double3& axis, double radius);
/// A cylinder about the segment from -axis to axis, along y: the smaller of the box and the capsule
/// around it.
std::optional<PlacedShape> placed_cylinder(const Affine& map, double half_height, double radius);
/// The half-space dot(normal, x) <= offset; `normal` of any length but 0.
std::optional<PlacedShape> placed_plane(const Affine& map, const Double3& normal, double offset);

/// Adds it; returns its kind. Throws as Scene::add_* does.
Kind add_placed(Scene& scene, const PlacedShape& placed, const Attributes& attributes);

}  // namespace sightline::io
