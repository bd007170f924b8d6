// Scene: the shapes, as structure-of-arrays columns that the caller fills.
#pragma once

#include <sightline/error.hpp>
#include <sightline/ray.hpp>
#include <sightline/shapes.hpp>

#include <array>
#include <bit>
#include <cstring>
#include <memory>
#include <ranges>
#include <span>
#include <utility>

namespace sightline::detail {

struct SceneParts;

/// The numbers of shapes, each a column.
template <class Shapes>
auto numbers_of(const Shapes& shapes) {
  using Shape = std::ranges::range_value_t<Shapes>;
  std::array<Column<float>, sizeof(Shape) / sizeof(float)> all;
  const auto* const first = reinterpret_cast<const float*>(std::ranges::data(shapes));
  for (std::size_t i = 0; i < all.size(); ++i) {
    all[i] = {first == nullptr ? first : first + i, std::ranges::size(shapes), sizeof(Shape)};
  }
  return all;
}
/// The same of columns; a Vec3Column is three.
template <class... Columns>
auto numbers_in(const Columns&... columns) {
  std::array<Column<float>, (... + (sizeof(Columns) / sizeof(Column<float>)))> all;
  Column<float>* to = all.data();
  ((std::memcpy(static_cast<void*>(to), &columns, sizeof columns),
    to += sizeof columns / sizeof *to),
   ...);
  return all;
}

}  // namespace sightline::detail

namespace sightline {

struct ShapesView;

/// Shapes of a kind that lie side by side, such as a vector of them.
template <class Shapes>
concept SceneShapes =
    std::ranges::contiguous_range<Shapes> && SceneShape<std::ranges::range_value_t<Shapes>>;

/// What a shape carries beside its geometry.
struct Attributes {
  std::uint32_t mask = 0xFFFFFFFFu;  ///< a ray meets it when their masks have a bit in common
  std::uint32_t group = none;        ///< rays can exclude a whole group
  std::uint64_t label = 0;           ///< what the caller calls it; no query reads it
};

/// Attributes [n] as columns; a column of one value gives it to every shape.
struct AttributesView {
  Column<std::uint32_t> mask = 0xFFFFFFFFu;  ///< as in Attributes
  Column<std::uint32_t> group = none;        ///< as in Attributes
  Column<std::uint64_t> label = 0;           ///< as in Attributes

  /// Calls f(name, column...) with each column of these views.
  template <class F, class... V>
  static void columns(F&& f, V&&... v) {
    f("mask", v.mask...), f("group", v.group...), f("label", v.label...);
  }
};

/// Shapes, numbered kind by kind (aabb, obb, sphere, capsule, plane) and within a kind in the order
/// added.
///
/// Each add returns the index within its kind (of the first shape, for batches). A bad shape
/// (NaN, infinity, outside the domain, negative radius or extent, min > max, quaternion or normal
/// further than 1e-4 from unit length) throws Error{bad_input} naming the indices, and nothing of
/// that call is added; Error{usage} where columns have not as many elements as shapes are added.
/// Numbers are kept as given. Not thread-safe while it is being filled. A scene that has been moved
/// from is empty.
class Scene {
 public:
  Scene();                             ///< without shapes
  Scene(const Scene&);                 ///< copies every shape
  Scene(Scene&&) noexcept;             ///< leaves an empty scene
  Scene& operator=(const Scene&);      ///< copies every shape
  Scene& operator=(Scene&&) noexcept;  ///< leaves an empty scene
  ~Scene();

  /// One shape.
  template <SceneShape Shape>
  std::uint32_t add(const Shape& shape, const Attributes& attributes = {}) {
    return add(std::span(&shape, 1), {attributes.mask, attributes.group, attributes.label});
  }
  /// Shapes of one kind that lie side by side, such as a std::vector<Sphere>.
  template <SceneShapes Shapes>
  std::uint32_t add(const Shapes& shapes, const AttributesView& attributes = {}) {
    return add(kind_for<std::ranges::range_value_t<Shapes>>, std::ranges::size(shapes),
               detail::numbers_of(shapes), attributes);
  }
  /// n shapes from a column for each of their numbers, in the order in which the struct has them
  /// (an Obb's rotation: x, y, z, w).
  std::uint32_t add(Kind kind, std::uint64_t n, std::span<const Column<float>> numbers,
                    const AttributesView& attributes = {});

  // Moving shapes: the shape of this index within its kind takes other numbers and keeps its id and
  // attributes. Refused as add() refuses, and Error{usage} past the end; then nothing of that call
  // is changed. A built caster is told by `caster.update(scene)`.
  /// One shape.
  template <SceneShape Shape>
  void set(std::uint32_t index, const Shape& shape) {
    set(index, std::span(&shape, 1));
  }
  /// The shapes from `first` on: as many as lie side by side.
  template <SceneShapes Shapes>
  void set(std::uint32_t first, const Shapes& shapes) {
    set(kind_for<std::ranges::range_value_t<Shapes>>, first, std::ranges::size(shapes),
        detail::numbers_of(shapes));
  }
  /// n shapes of a kind from `first` on, from columns as add() takes them.
  void set(Kind kind, std::uint32_t first, std::uint64_t n, std::span<const Column<float>> numbers);

  /// Takes shapes away by their indices within the kind. Those that stay keep their order, so that
  /// later ones come to lower indices and ids. Throws Error{usage} for an index past the end; then
  /// nothing is removed. An index that comes twice counts once.
  void remove(Kind kind, std::span<const std::uint32_t> indices);
  /// One of them.
  void remove(Kind kind, std::uint32_t index) { remove(kind, std::span(&index, 1)); }

  /// The shape as the caller gave it; `index` counts within the kind. get<Obb>(0), for one.
  template <SceneShape Shape>
  Shape get(std::uint32_t index) const {
    std::array<float, sizeof(Shape) / sizeof(float)> numbers;
    read(kind_for<Shape>, index, numbers.data());
    return std::bit_cast<Shape>(numbers);
  }

  // The same by the names of the kinds: one shape, or columns of their numbers; the rotation of
  // Obbs as columns x, y, z, w.
  /// An AABB.
  std::uint32_t add_aabb(const Aabb& shape, const Attributes& attributes = {}) {
    return add(shape, attributes);
  }
  std::uint32_t add_aabb(const Vec3& min, const Vec3& max) = delete;  ///< forgotten braces
  /// n of them from columns.
  std::uint32_t add_aabbs(std::uint64_t n, Vec3Column min, Vec3Column max,
                          const AttributesView& attributes = {}) {
    return add(Kind::aabb, n, detail::numbers_in(min, max), attributes);
  }
  /// As it was given.
  Aabb aabb(std::uint32_t index) const { return get<Aabb>(index); }

  /// An OBB.
  std::uint32_t add_obb(const Obb& shape, const Attributes& attributes = {}) {
    return add(shape, attributes);
  }
  std::uint32_t add_obb(const Vec3& center,
                        const Vec3& half_extents) = delete;  ///< forgotten braces
  /// n of them from columns.
  std::uint32_t add_obbs(std::uint64_t n, Vec3Column center, Vec3Column half_extents,
                         const std::array<Column<float>, 4>& rotation,
                         const AttributesView& attributes = {}) {
    return add(Kind::obb, n, detail::numbers_in(center, half_extents, rotation), attributes);
  }
  /// As it was given.
  Obb obb(std::uint32_t index) const { return get<Obb>(index); }

  /// A sphere.
  std::uint32_t add_sphere(const Sphere& shape, const Attributes& attributes = {}) {
    return add(shape, attributes);
  }
  std::uint32_t add_sphere(const Vec3& center, float radius) = delete;  ///< forgotten braces
  /// n of them from columns.
  std::uint32_t add_spheres(std::uint64_t n, Vec3Column center, Column<float> radius,
                            const AttributesView& attributes = {}) {
    return add(Kind::sphere, n, detail::numbers_in(center, radius), attributes);
  }
  /// As it was given.
  Sphere sphere(std::uint32_t index) const { return get<Sphere>(index); }

  /// A capsule.
  std::uint32_t add_capsule(const Capsule& shape, const Attributes& attributes = {}) {
    return add(shape, attributes);
  }
  std::uint32_t add_capsule(const Vec3& a, const Vec3& b) = delete;  ///< forgotten braces
  /// n of them from columns.
  std::uint32_t add_capsules(std::uint64_t n, Vec3Column a, Vec3Column b, Column<float> radius,
                             const AttributesView& attributes = {}) {
    return add(Kind::capsule, n, detail::numbers_in(a, b, radius), attributes);
  }
  /// As it was given.
  Capsule capsule(std::uint32_t index) const { return get<Capsule>(index); }

  /// A plane.
  std::uint32_t add_plane(const Plane& shape, const Attributes& attributes = {}) {
    return add(shape, attributes);
  }
  std::uint32_t add_plane(const Vec3& normal, float offset) = delete;  ///< forgotten braces
  /// n of them from columns.
  std::uint32_t add_planes(std::uint64_t n, Vec3Column normal, Column<float> offset,
                           const AttributesView& attributes = {}) {
    return add(Kind::plane, n, detail::numbers_in(normal, offset), attributes);
  }
  /// As it was given.
  Plane plane(std::uint32_t index) const { return get<Plane>(index); }

  /// All shapes; fewer than 2^32 - 1.
  std::uint64_t size() const;
  /// The shapes of this kind.
  std::uint32_t count(Kind kind) const;
  /// The id of a shape; holds once no more shapes are added. Throws Error{usage} past the end.
  std::uint32_t id(Kind kind, std::uint32_t index) const;
  /// The inverse of id().
  std::pair<Kind, std::uint32_t> kind_and_index(std::uint32_t id) const;
  /// What the shape of this id was given. Throws Error{usage} past the end.
  Attributes attributes(std::uint32_t id) const;
  bool has_masks(Kind kind) const;   ///< whether any shape of this kind has a mask of its own
  bool has_groups(Kind kind) const;  ///< the same of groups
  bool has_labels(Kind kind) const;  ///< the same of labels

  /// The columns that the arithmetic reads (geometry/shapes/shapes_view.hpp); valid until the scene
  /// changes, ends or becomes a caster's. The scene keeps the bounds in it from now on: 24 bytes a
  /// shape.
  ShapesView view() const;
  /// The same with null bounds, which are not made for it.
  ShapesView view_without_bounds() const;
  /// The union of the bounds of all shapes but planes; empty (min > max) when there are none.
  Aabb bounds() const;

 private:
  friend struct detail::SceneParts;

  void read(Kind kind, std::uint32_t index, float* numbers) const;

  struct Columns;
  const Columns& columns() const;  // of a scene that has been moved from: none
  Columns& columns();

  std::unique_ptr<Columns> columns_;
};

}  // namespace sightline
