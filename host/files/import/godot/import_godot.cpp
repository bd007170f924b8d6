#include "host/files/import/godot/import_godot.hpp"

#include "host/files/core/text_file.hpp"
#include "host/files/import/godot/affine_shapes.hpp"

#include <algorithm>

namespace sightline::io {
namespace {

constexpr std::size_t longest_path = 200;  // in messages
constexpr std::uint32_t nodes_between_polls = 1024;

/// A class without the 3D that Godot 4 adds.
std::string_view plain(std::string_view type) {
  return type.ends_with("3D") ? type.substr(0, type.size() - 2) : type;
}

bool is_area(std::string_view type) { return plain(type) == "Area"; }

bool is_body(std::string_view type) {
  constexpr std::string_view bodies[] = {"StaticBody",  "AnimatableBody", "KinematicBody",
                                         "RigidBody",   "CharacterBody",  "VehicleBody",
                                         "PhysicalBone"};
  return std::ranges::find(bodies, plain(type)) != std::end(bodies);
}

/// Nodes that are solid and hold no shape of ours.
bool is_other_solid(const GodotTreeNode& node) {
  const std::string_view type = plain(node.type);
  return type == "CollisionPolygon" || type == "GridMap" ||
         (type.starts_with("CSG") && node.properties.use_collision.value_or(false));
}

/// A class of Godot 4 ends in 3D; those of Godot 3 have the same names without.
bool is_of_godot_4(const GodotShape& shape) { return shape.type.ends_with("3D"); }

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

/// Whether the class is one of those that placed_godot_shape() takes.
bool is_taken(const GodotShape& shape) {
  constexpr std::string_view types[] = {"BoxShape",      "SphereShape",        "CapsuleShape",
                                        "CylinderShape", "WorldBoundaryShape", "PlaneShape"};
  return std::ranges::find(types, plain(shape.type)) != std::end(types);
}

/// The shape under the map from its node's space to the world's; nothing where that flattens it.
/// Sizes that the file does not state are Godot's defaults; those of Godot 3 are half extents,
/// capsules along z and heights without the caps.
std::optional<PlacedShape> placed_godot_shape(const GodotShape& shape, const Affine& map) {
  const std::string_view type = plain(shape.type);
  const double radius = shape.radius.value_or(is_of_godot_4(shape) ? 0.5 : 1);
  if (type == "BoxShape") return box(shape, map);
  if (type == "SphereShape") return placed_sphere(map, radius);
  if (type == "CapsuleShape") return capsule(shape, map);
  if (type == "CylinderShape") return placed_cylinder(map, shape.height.value_or(2) / 2, radius);
  return plane(shape, map);
}

bool is_there(const std::filesystem::path& path) {
  std::error_code ignored;
  return std::filesystem::is_regular_file(path, ignored);
}

class Import {
 public:
  Import(const GodotTree& tree, bool strict)
      : tree_(tree), maps_(placed_nodes(tree)), strict_(strict) {}

  GodotImport run() {
    for (const GodotMissing& scene : tree_.missing) {
      note(result_.left_out,
           fmt::format("the scene {} {}", in_quotes(scene.path, longest_path), scene.reason),
           scene.place, [] { return std::string(); });
    }
    for (const GodotLostNode& lost : tree_.lost_nodes) {
      if (plain(lost.node->type) != "CollisionShape") continue;
      note(result_.left_out, "it stands below a node that is missing", lost.place, [&] {
        return node_path(tree_, lost.root) + "/" + *lost.node->parent + "/" + lost.node->name;
      });
    }
    for (std::uint32_t i = 0; i < tree_.nodes.size(); ++i) {
      if (i % nodes_between_polls == 0) poll();
      if (plain(tree_.nodes[i].type) == "CollisionShape") {
        read_shape(i);
      } else if (is_other_solid(tree_.nodes[i])) {
        read_solid(i);
      }
    }
    for (const GodotFile& file : tree_.files) result_.files.push_back(file.name);
    result_.nodes = tree_.nodes.size();
    result_.bodies = bodies_.size();
    rounding_.add_note(tree_.files[0].name, &result_.notes);
    return std::move(result_);
  }

 private:
  std::string where(const GodotPlace& place, const std::string& path) const {
    return fmt::format("{}: line {}{}", tree_.files[place.file].name, place.line,
                       path.empty() ? "" : ": " + in_quotes(path, longest_path));
  }
  /// Counts it; `lost` is what a strict import does not stand. `path()` is asked for once a reason.
  template <class Path>
  void note(std::map<std::string, GodotTally>& to, const std::string& reason,
            const GodotPlace& place, const Path& path, bool lost = true) {
    GodotTally& tally = to[reason];
    if (tally.count++ == 0) tally.first = where(place, path());
    if (strict_ && lost) {
      refuse(tally.first, "{}, which a strict import refuses", reason);
    }
  }

  void note(std::map<std::string, GodotTally>& to, const std::string& reason, std::uint32_t node,
            bool lost = true) {
    note(
        to, reason, tree_.nodes[node].place, [&] { return node_path(tree_, node); }, lost);
  }
  void note_area(std::uint32_t node) {
    note(result_.not_solid, "it is of an area, which notices and does not block", node, false);
  }

  void read_shape(std::uint32_t node) {
    const GodotTreeNode& at = tree_.nodes[node];
    const GodotTreeNode* body = at.parent == none ? nullptr : &tree_.nodes[at.parent];
    if (at.properties.disabled.value_or(false)) {
      return note(result_.not_solid, "it is disabled", node, false);
    }
    if (body != nullptr && is_area(body->type)) return note_area(node);
    if (body != nullptr && body->missing_scene) {
      return note(result_.left_out, "its body is in a scene that is missing", node);
    }
    if (body == nullptr || !is_body(body->type)) {
      return note(result_.not_solid, "it is of no body", node, false);
    }
    if (!at.has_shape) return note(result_.not_solid, "it has no shape", node, false);
    if (at.shape == nullptr) return note(result_.left_out, "its shape is missing", node);
    if (plain(at.shape->type) == "SeparationRayShape" || at.shape->type == "RayShape") {
      return note(result_.not_solid, "it is a ray", node, false);
    }
    if (!is_taken(*at.shape)) {
      return note(result_.left_out,
                  fmt::format("unsupported shape type {}", in_quotes(at.shape->type)), node);
    }
    add(node);
  }

  void read_solid(std::uint32_t node) {
    const GodotTreeNode& at = tree_.nodes[node];
    if (at.parent != none && is_area(tree_.nodes[at.parent].type)) return note_area(node);
    note(result_.left_out, fmt::format("unsupported shape type {}", in_quotes(at.type)), node);
  }

  void add(std::uint32_t node) {
    const GodotTreeNode& at = tree_.nodes[node];
    const std::optional<PlacedShape> placed = placed_godot_shape(*at.shape, maps_[node]);
    if (!placed) return note(result_.left_out, "its transform flattens the shape", node);
    Attributes attributes;
    attributes.mask = tree_.nodes[at.parent].properties.collision_layer.value_or(1);
    attributes.group = body_number(at.parent);
    attributes.label = std::uint64_t{at.place.file} << 32 | at.place.line;
    try {
      add_placed(result_.scene, *placed, attributes);
      check_rounding(*placed, maps_[node].origin);
    } catch (const Error& error) {
      refuse(where(at.place, node_path(tree_, node)), "{}", error.what());
    }
    ++result_.taken[at.shape->type];
    if (placed->approximation == nullptr) return;
    note(result_.approximated, placed->approximation, node);
    result_.largest_volume = std::max(result_.largest_volume, placed->volume);
  }

  void check_rounding(const PlacedShape& placed, const Double3& place) {
    std::visit(
        [&]<class S>(const S& s) {
          rounding_.begin(kind_name(kind_for<S>), result_.scene.count(kind_for<S>) - 1);
          if constexpr (std::is_same_v<S, Aabb>) {
            const double size[] = {s.max.x - s.min.x, s.max.y - s.min.y, s.max.z - s.min.z};
            rounding_.ball(place, least_size(size) / 2);
          } else if constexpr (std::is_same_v<S, Obb>) {
            const double size[] = {s.half_extents.x, s.half_extents.y, s.half_extents.z};
            rounding_.ball(place, least_size(size));
          } else if constexpr (!std::is_same_v<S, Plane>) {
            rounding_.ball(place, s.radius);
          }
        },
        placed.shape);
  }

  std::uint32_t body_number(std::uint32_t body) {
    return bodies_.try_emplace(body, static_cast<std::uint32_t>(bodies_.size())).first->second;
  }

  const GodotTree& tree_;
  std::vector<Affine> maps_;
  bool strict_;
  GodotImport result_;
  RoundingCheck rounding_;
  std::map<std::uint32_t, std::uint32_t> bodies_;
};

}  // namespace

GodotImport import_godot(const std::string& name, const std::string& path, const GodotReader& read,
                         bool strict) {
  const GodotTree tree = read_godot_tree(name, path, read);
  GodotImport result = Import(tree, strict).run();
  result.files[0] = "res://" + path;  // the same whatever the file was called by
  return result;
}

std::filesystem::path found_root(const std::filesystem::path& scene) {
  namespace fs = std::filesystem;
  const fs::path own = fs::absolute(scene).lexically_normal().parent_path();
  for (fs::path folder = own;; folder = folder.parent_path()) {
    if (is_there(folder / "project.godot")) return folder;
    if (folder == folder.parent_path()) break;
  }
  const GodotFile file = parse_godot(scene.string(), read_text(scene));
  fs::path best = own;
  std::size_t most = 0;
  for (fs::path folder = own;; folder = folder.parent_path()) {
    std::size_t there = 0;
    for (const auto& [id, path] : file.externals) {
      if (path.starts_with("res://") && is_there(folder / path.substr(6))) ++there;
    }
    if (there > most) {
      best = folder;
      most = there;
    }
    if (folder == folder.parent_path()) return best;
  }
}

GodotImport import_godot(const std::filesystem::path& scene, const GodotOptions& options) {
  namespace fs = std::filesystem;
  const fs::path root = options.root.empty() ? found_root(scene) : fs::absolute(options.root);
  std::error_code ignored;
  if (!fs::is_directory(root, ignored)) {
    fail(ErrorKind::usage, "{} is no folder", root.string());
  }
  const std::string below = fs::absolute(scene)
                                .lexically_normal()
                                .lexically_relative(root.lexically_normal())
                                .generic_string();
  if (below.empty() || below.starts_with("..")) {
    fail(ErrorKind::usage, "{} lies outside of the project in {}", scene.string(), root.string());
  }
  const GodotReader read = [&root, &below, &scene](const std::string& path) {
    const fs::path file = path == below ? scene : root / path;
    if (path != below && !is_there(file)) return std::optional<std::string>();
    return std::optional(read_text(file));
  };
  return import_godot(scene.string(), below, read, options.strict);
}

}  // namespace sightline::io
