#include "host/files/import/godot/shapes.hpp"

#include <algorithm>

namespace sightline::io {
namespace {

/// A class of Godot 4 ends in 3D; those of Godot 3 have the same names without.
bool is_of_godot_4(const GodotShape& shape) { return shape.type.ends_with("3D"); }

std::string_view plain_type(const GodotShape& shape) {
  std::string_view type = shape.type;
  if (type.ends_with("3D")) type.remove_suffix(2);
  return type;
}

std::optional<PlacedShape> box(const GodotShape& shape, const Affine& map) {
  const double half = is_of_godot_4(shape) ? 0.5 : 1;
  Double3 half_extents = shape.extents.value_or(Double3{half, half, half});
  if (shape.size) half_extents = times(*shape.size, 0.5);
  return placed_box(map, half_extents);
}

std::optional<PlacedShape> capsule(const GodotShape& shape, const Affine& map) {
  const bool modern = is_of_godot_4(shape);
  const double radius = shape.radius.value_or(modern ? 0.5 : 1);
  const double height = shape.height.value_or(modern ? 2 : 1);
  const double half = std::max(0.0, height / 2 - (modern ? radius : 0));
  return placed_capsule(map, modern ? Double3{0, half, 0} : Double3{0, 0, half}, radius);
}

std::optional<PlacedShape> plane(const GodotShape& shape, const Affine& map) {
  const std::array<double, 4> p = shape.plane.value_or(std::array<double, 4>{0, 1, 0, 0});
  return placed_plane(map, {p[0], p[1], p[2]}, p[3]);
}

}  // namespace

bool is_taken(const GodotShape& shape) {
  constexpr std::string_view types[] = {"BoxShape",      "SphereShape",        "CapsuleShape",
                                        "CylinderShape", "WorldBoundaryShape", "PlaneShape"};
  return std::find(std::begin(types), std::end(types), plain_type(shape)) != std::end(types);
}

std::optional<PlacedShape> placed_godot_shape(const GodotShape& shape, const Affine& map) {
  const std::string_view type = plain_type(shape);
  const double radius = shape.radius.value_or(is_of_godot_4(shape) ? 0.5 : 1);
  if (type == "BoxShape") return box(shape, map);
  if (type == "SphereShape") return placed_sphere(map, radius);
  if (type == "CapsuleShape") return capsule(shape, map);
  if (type == "CylinderShape") return placed_cylinder(map, shape.height.value_or(2) / 2, radius);
  return plane(shape, map);
}

}  // namespace sightline::io
