// What a Scene holds: the caller's columns, and what is derived from them.
#pragma once

#include <sightline/scene.hpp>

#include <vector>

namespace sightline::detail {

/// The attributes of one kind; a column stays empty while every shape has the default.
struct AttributeColumns {
  std::vector<std::uint32_t> mask, group;
  std::vector<std::uint64_t> label;
};

template <class T>
using OwnedColumn = std::vector<T>;

struct SceneColumns {
  ShapeKinds::Columns<OwnedColumn> shapes;
  std::array<AttributeColumns, kind_count> attributes;
  /// Of the triangles, but for those behind the last mesh, which are part of none.
  std::vector<std::uint32_t> mesh;
  std::uint32_t meshes = 0;  ///< the number of the next one
};

std::uint32_t count(const SceneColumns& c, Kind kind);

/// Adds the attributes of a shape whose numbers are there; never throws after make_room().
void append(SceneColumns& c, Kind kind, const Attributes& a);

/// Room for n more shapes of a kind; with `attributes`, also for those columns that a shape of the
/// batch needs. Throws std::bad_alloc with nothing changed but capacity.
struct NeededAttributes {
  bool mask = false, group = false, label = false;
};
void make_room(SceneColumns& c, Kind kind, std::uint64_t n, const NeededAttributes& needed);

/// By id; derived when a view is first asked for after a change.
struct AttributesById {
  std::vector<std::uint32_t> mask, group;  ///< empty when no shape has its own
};
AttributesById attributes_by_id(const SceneColumns& c);

/// The columns; no bounds.
ShapesView view_of(const SceneColumns& c, const AttributesById& attributes);

/// By id, of the shapes that have some.
std::vector<Aabb> bounds_by_id(const ShapesView& shapes);

/// What a caster asks of a scene beside its door: most backends have boxes of their own.
struct SceneParts {
  /// Whether view() has made bounds, and frees them: views that have them are valid no longer.
  static bool has_bounds(const Scene& scene);
  static void drop_bounds(Scene& scene);
  /// How many triangles have the number of their mesh, or none's.
  static std::uint64_t mesh_numbers(const Scene& scene);
};

}  // namespace sightline::detail
