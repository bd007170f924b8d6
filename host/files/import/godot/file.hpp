// One text scene or resource of Godot 3 or 4: what of it says where solid shapes are.
#pragma once

#include "host/files/core/affine.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sightline::io {

/// A resource that may be a shape; sizes that the file does not state are nothing.
struct GodotShape {
  std::string type;  ///< BoxShape3D, BoxShape (Godot 3), ...
  std::optional<Double3> size, extents;
  std::optional<double> radius, height;
  std::optional<std::array<double, 4>> plane;
};

/// Which resource a node's `shape` is, by its id in the file that says so.
struct GodotShapeId {
  bool external = false;
  std::string id;
};

/// What a node states; what it does not is nothing, and an instance keeps its scene's.
struct GodotProperties {
  std::optional<Affine> transform;
  std::optional<Double3> position, rotation, scale;  ///< rotation: radians about x, y and z
  std::optional<GodotShapeId> shape;
  std::optional<bool> disabled, top_level, use_collision;
  std::optional<std::uint32_t> collision_layer;
};

struct GodotNode {
  std::uint64_t line = 0;
  std::string name, type;             ///< type: empty for instances and for changes to their nodes
  std::optional<std::string> parent;  ///< a path from the root, "." for the root; the root has none
  std::optional<std::string> instance;  ///< the id of the scene that stands here
  bool placeholder = false;             ///< of a scene that is loaded later, if ever
  GodotProperties properties;
};

struct GodotFile {
  std::string name;                              ///< for messages
  std::map<std::string, std::string> externals;  ///< paths of other files, by id
  std::map<std::string, GodotShape> shapes;
  std::optional<GodotShape> resource;  ///< of a .tres file
  std::vector<GodotNode> nodes;
};

/// Reads a text; `name` names it in errors. Properties that are not above are passed over.
/// Throws Error{bad_input} naming file, line and reason.
GodotFile parse_godot(const std::string& name, std::string_view text);

}  // namespace sightline::io
