// Godot's collision shapes as ours.
#pragma once

#include "host/files/import/godot/affine_shapes.hpp"
#include "host/files/import/godot/file.hpp"

namespace sightline::io {

/// Whether the class is one of those that placed_godot_shape() takes.
bool is_taken(const GodotShape& shape);

/// The shape under the map from its node's space to the world's; nothing where that flattens it.
/// Sizes that the file does not state are Godot's defaults; those of Godot 3 are half extents,
/// capsules along z and heights without the caps.
std::optional<PlacedShape> placed_godot_shape(const GodotShape& shape, const Affine& map);

}  // namespace sightline::io
