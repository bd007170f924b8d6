// Scene: the shapes, as structure-of-arrays columns that the caller fills.
#pragma once

#include <sightline/error.hpp>
#include <sightline/queries/ray.hpp>
#include <sightline/shapes/shapes.hpp>

#include <array>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace sightline::detail {
struct SceneParts;
}

namespace sightline {

/// What a shape carries beside its geometry.
struct Attributes {
  std::uint32_t mask = 0xFFFFFFFFu;
  std::uint32_t group = none;
  std::uint64_t label = 0;
};

/// Attributes [n] as columns; a column with null data gives every shape its common value.
struct AttributesView {
  Column<std::uint32_t> mask{nullptr, sizeof(std::uint32_t), 0xFFFFFFFFu};
  Column<std::uint32_t> group{nullptr, sizeof(std::uint32_t), none};
  Column<std::uint64_t> label{nullptr, sizeof(std::uint64_t), 0};
};

/// Shapes of five kinds, numbered kind by kind (aabb, obb, sphere, capsule, plane) and within a
/// kind in the order added.
///
/// Each add_* returns the index within its kind (of the first shape, for batches). A bad shape
/// (NaN, infinity, outside the domain, negative radius or extent, min > max, quaternion or normal
/// further than 1e-4 from unit length) throws Error{bad_input} naming the indices, and nothing of
/// that call is added. Numbers are kept as given. Not thread-safe while it is being filled.
class Scene {
 public:
  Scene();
  Scene(const Scene&);
  Scene(Scene&&) noexcept;
  Scene& operator=(const Scene&);
  Scene& operator=(Scene&&) noexcept;
  ~Scene();

  std::uint32_t add_aabb(const Aabb& shape, const Attributes& attributes = {});
  std::uint32_t add_obb(const Obb& shape, const Attributes& attributes = {});
  std::uint32_t add_sphere(const Sphere& shape, const Attributes& attributes = {});
  std::uint32_t add_capsule(const Capsule& shape, const Attributes& attributes = {});
  std::uint32_t add_plane(const Plane& shape, const Attributes& attributes = {});

  // Batches: n shapes from columns.
  std::uint32_t add_aabbs(std::uint64_t n, Vec3Column min, Vec3Column max,
                          const AttributesView& attributes = {});
  /// Rotation: quaternion columns x, y, z, w.
  std::uint32_t add_obbs(std::uint64_t n, Vec3Column center, Vec3Column half_extents,
                         const std::array<Column<float>, 4>& rotation,
                         const AttributesView& attributes = {});
  std::uint32_t add_spheres(std::uint64_t n, Vec3Column center, Column<float> radius,
                            const AttributesView& attributes = {});
  std::uint32_t add_capsules(std::uint64_t n, Vec3Column a, Vec3Column b, Column<float> radius,
                             const AttributesView& attributes = {});
  std::uint32_t add_planes(std::uint64_t n, Vec3Column normal, Column<float> offset,
                           const AttributesView& attributes = {});

  // Moving shapes: the shape of this index within its kind takes other numbers and keeps its id and
  // attributes. Refused as add_* refuses, and Error{usage} past the end; then nothing of that call
  // is changed. A built caster is told by `caster.update(scene)`.
  void set_aabb(std::uint32_t index, const Aabb& shape);
  void set_obb(std::uint32_t index, const Obb& shape);
  void set_sphere(std::uint32_t index, const Sphere& shape);
  void set_capsule(std::uint32_t index, const Capsule& shape);
  void set_plane(std::uint32_t index, const Plane& shape);

  // Batches: the n shapes from `first` on.
  void set_aabbs(std::uint32_t first, std::uint64_t n, Vec3Column min, Vec3Column max);
  void set_obbs(std::uint32_t first, std::uint64_t n, Vec3Column center, Vec3Column half_extents,
                const std::array<Column<float>, 4>& rotation);
  void set_spheres(std::uint32_t first, std::uint64_t n, Vec3Column center, Column<float> radius);
  void set_capsules(std::uint32_t first, std::uint64_t n, Vec3Column a, Vec3Column b,
                    Column<float> radius);
  void set_planes(std::uint32_t first, std::uint64_t n, Vec3Column normal, Column<float> offset);

  /// All shapes; fewer than 2^32 - 1.
  std::uint64_t size() const;
  std::uint32_t count(Kind kind) const;
  /// The id of a shape; holds once no more shapes are added. Throws Error{usage} past the end.
  std::uint32_t id(Kind kind, std::uint32_t index) const;
  /// The inverse of id().
  std::pair<Kind, std::uint32_t> kind_and_index(std::uint32_t id) const;
  Attributes attributes(std::uint32_t id) const;
  /// Whether any shape of this kind was given a mask, group or label of its own.
  bool has_masks(Kind kind) const;
  bool has_groups(Kind kind) const;
  bool has_labels(Kind kind) const;

  /// The shapes as the caller gave them; `index` counts within the kind.
  Aabb aabb(std::uint32_t index) const;
  Obb obb(std::uint32_t index) const;
  Sphere sphere(std::uint32_t index) const;
  Capsule capsule(std::uint32_t index) const;
  Plane plane(std::uint32_t index) const;

  /// The columns that the arithmetic reads; valid until the scene changes, ends or becomes a
  /// caster's. The scene keeps the bounds in it from now on: 24 bytes a shape.
  ShapesView view() const;
  /// The union of the bounds of all shapes but planes; empty (min > max) when there are none.
  Aabb bounds() const;

 private:
  friend struct detail::SceneParts;
  struct Columns;
  std::unique_ptr<Columns> columns_;
};

}  // namespace sightline
