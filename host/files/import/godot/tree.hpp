// A Godot scene with all scenes that stand in it, as one list of nodes.
#pragma once

#include "host/files/import/godot/file.hpp"

#include <sightline/ray.hpp>

#include <deque>
#include <functional>

namespace sightline::io {

/// Reads a file of the project by its path below the root, with '/' between folders; nothing where
/// there is none.
using GodotReader = std::function<std::optional<std::string>(const std::string& path)>;

/// A line of a file.
struct GodotPlace {
  std::uint32_t file = 0;  ///< index of GodotTree::files
  std::uint64_t line = 0;
};

/// A node with what its instances say of it; parents come before their children.
struct GodotTreeNode {
  GodotPlace place;
  std::uint32_t parent = none;  ///< index of GodotTree::nodes; none for the root
  std::string_view name, type;  ///< of GodotTree::files
  GodotProperties properties;   ///< without the shape's id: ids may be long, and instances many
  bool has_shape = false;
  const GodotShape* shape = nullptr;  ///< null where it has one that is not there
  bool missing_scene = false;         ///< it stands for a scene that could not be read
};

/// A node that a file puts below one that is in no file that was read.
struct GodotLostNode {
  GodotPlace place;
  const GodotNode* node = nullptr;  ///< of GodotTree::files
  std::uint32_t root = 0;           ///< of its file, in GodotTree::nodes
};

/// A scene that could not be read.
struct GodotMissing {
  GodotPlace place;       ///< of the node that it should stand at
  std::string_view path;  ///< of GodotTree::files, or its id where that names no path
  const char* reason = "";
};

/// Holds views of itself: to be moved, not copied.
struct GodotTree {
  std::deque<GodotFile> files;  ///< the first is the scene itself
  std::vector<GodotTreeNode> nodes;
  std::vector<GodotLostNode> lost_nodes;
  std::vector<GodotMissing> missing;  ///< one for each node
};

/// The path of a node, from the root's name on.
std::string node_path(const GodotTree& tree, std::uint32_t node);
/// The map from a node's own space to the root's, for each node.
std::vector<Affine> placed_nodes(const GodotTree& tree);

/// Reads the scene at `path` below the project's root; `name` names it in errors, and others are
/// named as the project does, res://... Throws Error{bad_input} naming file, line and reason, also
/// for scenes that hold themselves, 64 within another, and more than 1,000,000 nodes.
GodotTree read_godot_tree(const std::string& name, const std::string& path,
                          const GodotReader& read);

}  // namespace sightline::io
