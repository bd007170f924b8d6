#include "host/files/import/godot/tree.hpp"

#include "host/files/core/text_file.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>

namespace sightline::io {
namespace {

constexpr std::uint64_t most_nodes = 1'000'000, placed_between_polls = 1024;
constexpr std::size_t deepest = 64;

/// A path in a file as a path below the project's root; nothing where it leads out of it.
std::optional<std::string> path_below_root(const std::string& from, const std::string& path) {
  std::filesystem::path below;
  if (path.starts_with("res://")) {
    below = path.substr(6);
  } else if (path.find("://") == std::string::npos) {
    below = std::filesystem::path(from).parent_path() / path;
  }
  const std::string normal = below.lexically_normal().generic_string();
  if (normal.empty() || normal.starts_with('/') || normal.starts_with("..")) return std::nullopt;
  return normal;
}

bool is_text(const std::string& path) {
  return path.ends_with(".tscn") || path.ends_with(".tres") || path.ends_with(".escn");
}

/// Reads files once each, and puts their nodes into one list.
class Builder {
 public:
  Builder(const GodotReader& read, GodotTree& tree) : read_(read), tree_(tree) {}

  std::uint32_t add_file(const std::string& name, const std::string& path, std::string_view text) {
    tree_.files.push_back(parse_godot(name, text));
    paths_.push_back(path);
    return by_path_[path] = static_cast<std::uint32_t>(tree_.files.size() - 1);
  }
  /// Adds the nodes of a file below a parent; its root takes `name` where that is not empty.
  std::uint32_t place_file(std::uint32_t file, std::uint32_t parent, std::string_view name) {
    const GodotFile& scene = tree_.files[file];
    if (scene.nodes.empty()) refuse_line(scene.name, 1, "the scene has no nodes");
    if (std::ranges::find(open_, file) != open_.end()) {
      refuse_line(scene.name, scene.nodes[0].line, "the scene instances itself");
    }
    if (open_.size() == deepest) {
      refuse_line(scene.name, scene.nodes[0].line, "the scene stands {} scenes deep in others",
                  deepest);
    }
    open_.push_back(file);
    std::uint32_t root = none;
    for (const GodotNode& node : scene.nodes) {
      if (placed_ % placed_between_polls == 0) poll();
      if (++placed_ > most_nodes) {
        refuse_line(scene.name, node.line, "there are more than {} nodes", most_nodes);
      }
      if (node.parent.has_value() == (root == none)) {
        refuse_line(scene.name, node.line, "{}",
                    root == none ? "a node comes before the root" : "the scene has a second root");
      }
      if (root == none) {
        root = place_root(file, node, parent, name);
      } else {
        place_below(file, node, root);
      }
    }
    open_.pop_back();
    return root;
  }

 private:
  std::uint32_t place_root(std::uint32_t file, const GodotNode& node, std::uint32_t parent,
                           std::string_view name) {
    if (name.empty()) name = node.name;
    const bool instance = node.instance || node.placeholder;
    const std::uint32_t root =
        instance ? place_instance(file, node, parent, name) : add_node(file, node, parent, name);
    change(root, file, node.properties);
    return root;
  }

  void place_below(std::uint32_t file, const GodotNode& node, std::uint32_t root) {
    const std::uint32_t parent = find(root, *node.parent);
    if (parent == none) {
      tree_.lost_nodes.push_back({{file, node.line}, &node, root});
      return;
    }
    // Without a type it is a node of an instance, which it changes.
    std::uint32_t at = none;
    if (node.instance || node.placeholder) {
      at = place_instance(file, node, parent, node.name);
    } else if (node.type.empty()) {
      at = child(parent, node.name);
    } else {
      at = add_node(file, node, parent, node.name);
    }
    if (at != none) change(at, file, node.properties);
  }

  std::uint32_t place_instance(std::uint32_t file, const GodotNode& node, std::uint32_t parent,
                               std::string_view name) {
    const char* reason = "is loaded later, if ever";
    const std::uint32_t scene = node.instance ? external(file, *node.instance, reason) : none;
    if (scene != none) return place_file(scene, parent, name);
    std::string_view path = "a placeholder";
    if (node.instance) {
      const auto& externals = tree_.files[file].externals;
      const auto named = externals.find(*node.instance);
      path = named == externals.end() ? *node.instance : named->second;
    }
    tree_.missing.push_back({{file, node.line}, path, reason});
    const std::uint32_t added = add_node(file, node, parent, name);
    tree_.nodes[added].missing_scene = true;
    return added;
  }

  std::uint32_t add_node(std::uint32_t file, const GodotNode& node, std::uint32_t parent,
                         std::string_view name) {
    const auto index = static_cast<std::uint32_t>(tree_.nodes.size());
    GodotTreeNode added;
    added.place = {file, node.line};
    added.parent = parent;
    added.name = name;
    added.type = node.type;
    tree_.nodes.push_back(added);
    children_[{parent, name}] = index;
    return index;
  }

  void change(std::uint32_t node, std::uint32_t file, const GodotProperties& to) {
    GodotProperties& p = tree_.nodes[node].properties;
    const auto take = [](auto& old, const auto& with) {
      if (with) old = with;
    };
    take(p.transform, to.transform);
    take(p.position, to.position);
    take(p.rotation, to.rotation);
    take(p.scale, to.scale);
    take(p.disabled, to.disabled);
    take(p.top_level, to.top_level);
    take(p.use_collision, to.use_collision);
    take(p.collision_layer, to.collision_layer);
    if (!to.shape) return;
    tree_.nodes[node].has_shape = true;
    tree_.nodes[node].shape = shape(file, *to.shape);
  }

  /// The file that an id of another stands for, or none, and then why.
  std::uint32_t external(std::uint32_t file, const std::string& id, const char*& reason) {
    const auto& externals = tree_.files[file].externals;
    const auto named = externals.find(id);
    reason = "is not named in the file";
    if (named == externals.end()) return none;
    const std::optional<std::string> path = path_below_root(paths_[file], named->second);
    reason = "lies outside of the project";
    if (!path) return none;
    if (const auto known = by_path_.find(*path); known != by_path_.end()) {
      reason = "is not there";
      return known->second;
    }
    reason = "is no text scene";
    if (!is_text(*path)) return none;
    const std::optional<std::string> text = read_(*path);
    reason = "is not there";
    if (!text) return by_path_[*path] = none;
    return add_file("res://" + *path, *path, *text);
  }

  const GodotShape* shape(std::uint32_t file, const GodotShapeId& id) {
    if (!id.external) {
      const auto found = tree_.files[file].shapes.find(id.id);
      return found == tree_.files[file].shapes.end() ? nullptr : &found->second;
    }
    const char* reason = "";
    const std::uint32_t other = external(file, id.id, reason);
    if (other == none || !tree_.files[other].resource) return nullptr;
    return &*tree_.files[other].resource;
  }

  std::uint32_t child(std::uint32_t parent, std::string_view name) const {
    const auto found = children_.find({parent, name});
    return found == children_.end() ? none : found->second;
  }

  std::uint32_t find(std::uint32_t root, std::string_view path) const {
    std::uint32_t node = root;
    for (std::size_t at = 0; at <= path.size() && node != none && path != ".";) {
      const std::size_t end = std::min(path.find('/', at), path.size());
      node = child(node, path.substr(at, end - at));
      at = end + 1;
    }
    return node;
  }

  const GodotReader& read_;
  GodotTree& tree_;
  std::vector<std::string> paths_;  ///< of the files, below the root
  std::map<std::string, std::uint32_t> by_path_;
  std::map<std::pair<std::uint32_t, std::string_view>, std::uint32_t> children_;
  std::vector<std::uint32_t> open_;  ///< files that stand in each other
  std::uint64_t placed_ = 0;
};

Double3 column_of(const Double3& v, std::size_t k, double cosine, double sine) {
  const std::size_t i = (k + 1) % 3, j = (k + 2) % 3;
  Double3 out = v;
  out[i] = cosine * v[i] - sine * v[j];
  out[j] = sine * v[i] + cosine * v[j];
  return out;
}

/// What a node states of its place; Godot writes `transform`, people the other three.
Affine local_map(const GodotProperties& p) {
  Affine map;
  if (p.transform) {
    map = *p.transform;
  } else {
    for (std::size_t k = 0; k < 3; ++k) {
      if (p.scale) map.column[k] = times(map.column[k], (*p.scale)[k]);
      // Godot turns about z first, then x, then y.
      for (const std::size_t axis : {2u, 0u, 1u}) {
        const double angle = p.rotation ? (*p.rotation)[axis] : 0;
        map.column[k] = column_of(map.column[k], axis, std::cos(angle), std::sin(angle));
      }
    }
  }
  if (p.position) map.origin = *p.position;
  return map;
}

}  // namespace

std::string node_path(const GodotTree& tree, std::uint32_t node) {
  std::vector<std::string_view> names;
  for (; node != none; node = tree.nodes[node].parent) names.push_back(tree.nodes[node].name);
  std::string path;
  for (auto name = names.rbegin(); name != names.rend(); ++name) {
    if (name != names.rbegin()) path += '/';
    path += *name;
  }
  return path;
}

std::vector<Affine> placed_nodes(const GodotTree& tree) {
  std::vector<Affine> maps;
  maps.reserve(tree.nodes.size());
  for (const GodotTreeNode& node : tree.nodes) {
    const Affine local = local_map(node.properties);
    const bool is_free = node.parent == none || node.properties.top_level.value_or(false);
    maps.push_back(is_free ? local : maps[node.parent] * local);
  }
  return maps;
}

GodotTree read_godot_tree(const std::string& name, const std::string& path,
                          const GodotReader& read) {
  const std::optional<std::string> text = read(path);
  if (!text) throw Error(ErrorKind::io, name + ": the file is not there");
  GodotTree tree;
  Builder builder(read, tree);
  builder.place_file(builder.add_file(name, path, *text), none, "");
  return tree;
}

}  // namespace sightline::io
