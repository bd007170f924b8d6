/// @file
/// Scene: the shapes that queries are asked about.
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

/// A contiguous range of shapes of one kind, such as `std::vector<Sphere>`.
template <class Shapes>
concept SceneShapes =
    std::ranges::contiguous_range<Shapes> && SceneShape<std::ranges::range_value_t<Shapes>>;

/// Attributes of a shape.
struct Attributes {
  std::uint32_t mask = 0xFFFFFFFFu;  ///< a query counts the shape if (mask & query mask) != 0
  std::uint32_t group = none;        ///< rays and points can exclude a group
  std::uint64_t label = 0;           ///< a number of the caller's, which no query reads
};

/// Attributes of shapes [n] as columns. A column is an array of n elements or one value for all
/// shapes.
struct AttributesView {
  Column<std::uint32_t> mask = 0xFFFFFFFFu;  ///< see Attributes::mask
  Column<std::uint32_t> group = none;        ///< see Attributes::group
  Column<std::uint64_t> label = 0;           ///< see Attributes::label

  /// Calls f(name, column...) with each column of the views v.
  template <class F, class... V>
  static void columns(F&& f, V&&... v) {
    f("mask", v.mask...), f("group", v.group...), f("label", v.label...);
  }
};

/// Set of shapes. Ids number the shapes kind by kind (aabb, obb, sphere, capsule, cylinder,
/// triangle, plane),
/// and within a kind in the order added. Numbers are kept as given.
///
/// A bad shape throws Error{bad_input} naming the indices, and the call adds or changes nothing. A
/// shape is bad if a number is NaN, infinite or outside the domain. It is also bad if a radius or
/// extent is negative, if min > max, if the ends of a cylinder are equal, or if the length of a
/// quaternion or normal is further than 1e-4 from 1.
///
/// Only one thread may change a scene, and no other may read it meanwhile. A scene that was moved
/// from is empty.
///
/// @code{.cpp}
/// Scene scene;
/// scene.add_aabb({{-1, -1, 0}, {1, 1, 3}});
/// const std::vector<Sphere> spheres = {{{4, 0, 1}, 0.5f}, {{6, 0, 1}, 0.5f}};
/// scene.add(spheres, {.mask = 2u});
/// scene.set(1, Sphere{{6, 1, 1}, 0.5f});               // moves the second sphere
/// const std::uint32_t id = scene.id(Kind::sphere, 1);  // 2
/// @endcode
class Scene {
 public:
  Scene();                             ///< Makes a scene without shapes.
  Scene(const Scene&);                 ///< Copies all shapes.
  Scene(Scene&&) noexcept;             ///< Moves the shapes and leaves an empty scene.
  Scene& operator=(const Scene&);      ///< Copies all shapes.
  Scene& operator=(Scene&&) noexcept;  ///< Moves the shapes and leaves an empty scene.
  ~Scene();

  /// @name Adding shapes
  /// Each call returns the index within the kind of the shape, or of the first shape. It throws
  /// Error{bad_input} for bad shapes and for more than 2^32 - 2 shapes in all. It throws
  /// Error{usage} for columns of different length, and Error{out_of_memory}. If it throws, it adds
  /// nothing.
  /// @{

  /// Adds a shape.
  /// @param shape       an Aabb, Obb, Sphere, Capsule, Cylinder, Triangle or Plane
  /// @param attributes  mask, group and label
  template <SceneShape Shape>
  std::uint32_t add(const Shape& shape, const Attributes& attributes = {}) {
    return add(std::span(&shape, 1), {attributes.mask, attributes.group, attributes.label});
  }
  /// Adds contiguous shapes of one kind.
  /// @param shapes      shapes [n], such as `std::vector<Sphere>`
  /// @param attributes  masks, groups and labels: [n] or one for all
  template <SceneShapes Shapes>
  std::uint32_t add(const Shapes& shapes, const AttributesView& attributes = {}) {
    return add(kind_for<std::ranges::range_value_t<Shapes>>, std::ranges::size(shapes),
               detail::numbers_of(shapes), attributes);
  }
  /// Adds shapes from columns of their numbers.
  /// @param kind        kind of the shapes
  /// @param n           number of shapes
  /// @param numbers     one column [n] for each number of the struct, in its order
  /// @param attributes  masks, groups and labels: [n] or one for all
  std::uint32_t add(Kind kind, std::uint64_t n, std::span<const Column<float>> numbers,
                    const AttributesView& attributes = {});

  /// @}
  /// @name Changing shapes
  /// A shape keeps its id and attributes when it is set. Caster::update() passes changes to a
  /// caster. Each call throws as add() does, and Error{usage} for an index past the end; then it
  /// changes nothing.
  /// @{

  /// Replaces the numbers of a shape, given by its index within the kind.
  template <SceneShape Shape>
  void set(std::uint32_t index, const Shape& shape) {
    set(index, std::span(&shape, 1));
  }
  /// Replaces the numbers of consecutive shapes of one kind.
  /// @param first   index within the kind of the first shape
  /// @param shapes  the new numbers [n]
  template <SceneShapes Shapes>
  void set(std::uint32_t first, const Shapes& shapes) {
    set(kind_for<std::ranges::range_value_t<Shapes>>, first, std::ranges::size(shapes),
        detail::numbers_of(shapes));
  }
  /// Replaces the numbers of consecutive shapes from columns.
  /// @param kind     kind of the shapes
  /// @param first    index within the kind of the first shape
  /// @param n        number of shapes
  /// @param numbers  one column [n] for each number of the struct, in its order
  void set(Kind kind, std::uint32_t first, std::uint64_t n, std::span<const Column<float>> numbers);

  /// Removes shapes. The other shapes keep their order, so later shapes get lower indices and ids.
  /// @param kind     kind of the shapes
  /// @param indices  indices within the kind, in any order; a repeated index counts once
  void remove(Kind kind, std::span<const std::uint32_t> indices);
  /// Removes a shape, given by its index within the kind.
  void remove(Kind kind, std::uint32_t index) { remove(kind, std::span(&index, 1)); }

  /// @}

  /// Returns a shape as the caller gave it: `scene.get<Obb>(0)`.
  /// @param index  index within the kind
  /// @throws Error{usage} if the index is past the end
  template <SceneShape Shape>
  Shape get(std::uint32_t index) const {
    std::array<float, sizeof(Shape) / sizeof(float)> numbers;
    read(kind_for<Shape>, index, numbers.data());
    return std::bit_cast<Shape>(numbers);
  }

  /// @name Shapes by the names of the kinds
  /// These calls do what add() and get() do. Columns have n elements or one value for all shapes.
  /// @{

  /// Adds an axis-aligned box.
  std::uint32_t add_aabb(const Aabb& shape, const Attributes& attributes = {}) {
    return add(shape, attributes);
  }
  std::uint32_t add_aabb(const Vec3& min, const Vec3& max) = delete;  ///< catches forgotten braces
  /// Adds n axis-aligned boxes from columns of corners.
  std::uint32_t add_aabbs(std::uint64_t n, Vec3Column min, Vec3Column max,
                          const AttributesView& attributes = {}) {
    return add(Kind::aabb, n, detail::numbers_in(min, max), attributes);
  }
  /// Returns the axis-aligned box of this index, as it was given.
  Aabb aabb(std::uint32_t index) const { return get<Aabb>(index); }

  /// Adds an oriented box.
  std::uint32_t add_obb(const Obb& shape, const Attributes& attributes = {}) {
    return add(shape, attributes);
  }
  std::uint32_t add_obb(const Vec3& center,
                        const Vec3& half_extents) = delete;  ///< catches forgotten braces
  /// Adds n oriented boxes from columns; the rotations are columns x, y, z, w.
  std::uint32_t add_obbs(std::uint64_t n, Vec3Column center, Vec3Column half_extents,
                         const std::array<Column<float>, 4>& rotation,
                         const AttributesView& attributes = {}) {
    return add(Kind::obb, n, detail::numbers_in(center, half_extents, rotation), attributes);
  }
  /// Returns the oriented box of this index, as it was given.
  Obb obb(std::uint32_t index) const { return get<Obb>(index); }

  /// Adds a sphere.
  std::uint32_t add_sphere(const Sphere& shape, const Attributes& attributes = {}) {
    return add(shape, attributes);
  }
  std::uint32_t add_sphere(const Vec3& center,
                           float radius) = delete;  ///< catches forgotten braces
  /// Adds n spheres from columns.
  std::uint32_t add_spheres(std::uint64_t n, Vec3Column center, Column<float> radius,
                            const AttributesView& attributes = {}) {
    return add(Kind::sphere, n, detail::numbers_in(center, radius), attributes);
  }
  /// Returns the sphere of this index, as it was given.
  Sphere sphere(std::uint32_t index) const { return get<Sphere>(index); }

  /// Adds a capsule.
  std::uint32_t add_capsule(const Capsule& shape, const Attributes& attributes = {}) {
    return add(shape, attributes);
  }
  std::uint32_t add_capsule(const Vec3& a, const Vec3& b) = delete;  ///< catches forgotten braces
  /// Adds n capsules from columns.
  std::uint32_t add_capsules(std::uint64_t n, Vec3Column a, Vec3Column b, Column<float> radius,
                             const AttributesView& attributes = {}) {
    return add(Kind::capsule, n, detail::numbers_in(a, b, radius), attributes);
  }
  /// Returns the capsule of this index, as it was given.
  Capsule capsule(std::uint32_t index) const { return get<Capsule>(index); }

  /// Adds a cylinder with flat ends.
  std::uint32_t add_cylinder(const Cylinder& shape, const Attributes& attributes = {}) {
    return add(shape, attributes);
  }
  std::uint32_t add_cylinder(const Vec3& a, const Vec3& b) = delete;  ///< catches forgotten braces
  /// Adds n cylinders from columns.
  std::uint32_t add_cylinders(std::uint64_t n, Vec3Column a, Vec3Column b, Column<float> radius,
                              const AttributesView& attributes = {}) {
    return add(Kind::cylinder, n, detail::numbers_in(a, b, radius), attributes);
  }
  /// Returns the cylinder of this index, as it was given.
  Cylinder cylinder(std::uint32_t index) const { return get<Cylinder>(index); }

  /// Adds a triangle.
  std::uint32_t add_triangle(const Triangle& shape, const Attributes& attributes = {}) {
    return add(shape, attributes);
  }
  std::uint32_t add_triangle(const Vec3& a, const Vec3& b,
                             const Vec3& c) = delete;  ///< catches forgotten braces
  /// Adds n triangles from columns of corners.
  std::uint32_t add_triangles(std::uint64_t n, Vec3Column a, Vec3Column b, Vec3Column c,
                              const AttributesView& attributes = {}) {
    return add(Kind::triangle, n, detail::numbers_in(a, b, c), attributes);
  }
  /// Returns the triangle of this index, as it was given.
  Triangle triangle(std::uint32_t index) const { return get<Triangle>(index); }

  /// Adds a plane.
  std::uint32_t add_plane(const Plane& shape, const Attributes& attributes = {}) {
    return add(shape, attributes);
  }
  std::uint32_t add_plane(const Vec3& normal, float offset) = delete;  ///< catches forgotten braces
  /// Adds n planes from columns.
  std::uint32_t add_planes(std::uint64_t n, Vec3Column normal, Column<float> offset,
                           const AttributesView& attributes = {}) {
    return add(Kind::plane, n, detail::numbers_in(normal, offset), attributes);
  }
  /// Returns the plane of this index, as it was given.
  Plane plane(std::uint32_t index) const { return get<Plane>(index); }

  /// @}
  /// @name Meshes
  /// The faces of a mesh are triangles with consecutive indices. Removing triangles removes faces,
  /// and the later faces of their mesh get lower numbers. Files keep triangles and labels, and no
  /// numbers of meshes.
  /// @{

  /// Adds a mesh: a triangle for each face. Returns the index of the first triangle.
  /// @param vertices    places [v]
  /// @param faces       three indices of vertices for each face [f]
  /// @param attributes  masks, groups and labels: [f] or one for all
  /// @throws Error{bad_input} as add(), and if a face names a missing vertex
  std::uint32_t add_mesh(std::span<const Vec3> vertices,
                         std::span<const std::array<std::uint32_t, 3>> faces,
                         const AttributesView& attributes = {});
  /// Adds a closed mesh, as add_mesh(). Each directed edge of its faces comes as often as its
  /// reverse; vertices with equal coordinates are one place. Rays see its surface, and
  /// Caster::winding() says what is inside.
  /// @param vertices    places [v]
  /// @param faces       three indices of vertices for each face [f], counterclockwise from outside
  /// @param attributes  masks, groups and labels: [f] or one for all
  /// @throws Error{bad_input} as add_mesh(), and for an open edge, which it names
  std::uint32_t add_solid(std::span<const Vec3> vertices,
                          std::span<const std::array<std::uint32_t, 3>> faces,
                          const AttributesView& attributes = {});
  /// Adds the convex hull of points as a closed mesh. A face with more than three corners is
  /// several triangles. Returns the index of the first triangle.
  /// @param points      points [n], at most 65,536, in any order
  /// @param attributes  mask, group and label of all its triangles
  /// @throws Error{bad_input} as add(), for more points, and if all points lie in one plane
  std::uint32_t add_hull(std::span<const Vec3> points, const Attributes& attributes = {});
  /// Moves vertices of a mesh: replaces consecutive triangles by these faces, as set().
  /// @param first     index of the first triangle
  /// @param vertices  places [v]
  /// @param faces     three indices of vertices for each face [f]
  void set_mesh(std::uint32_t first, std::span<const Vec3> vertices,
                std::span<const std::array<std::uint32_t, 3>> faces);
  /// Returns which mesh a shape is part of, counting the calls of add_mesh() from 0; `none` for
  /// other shapes.
  /// @throws Error{usage} if the id is past the end
  std::uint32_t mesh_of(std::uint32_t id) const;
  /// Returns which face of its mesh a shape is; `none` for other shapes.
  /// @throws Error{usage} if the id is past the end
  std::uint32_t face_of(std::uint32_t id) const;
  /// Returns the weights of the corners b and c of a triangle where a ray enters it: the ray meets
  /// it at a + x (b - a) + y (c - a). They are the exact quotients, each rounded once. (0, 0) for
  /// other shapes, for triangles without area, for directions of length 0, for lines that miss, and
  /// for bad rays.
  /// @param id   the shape
  /// @param ray  the ray; its interval, mask and exclusions are not read
  /// @throws Error{usage} if the id is past the end
  std::array<float, 2> corner_weights(std::uint32_t id, const Ray& ray) const;

  /// @}

  /// Returns the number of shapes, at most 2^32 - 2.
  std::uint64_t size() const;
  /// Returns the number of shapes of a kind.
  std::uint32_t count(Kind kind) const;
  /// Returns the id of a shape from its kind and its index within the kind. Adding and removing
  /// shapes changes ids.
  /// @throws Error{usage} if the index is past the end
  std::uint32_t id(Kind kind, std::uint32_t index) const;
  /// Returns the kind of a shape and its index within the kind from its id.
  /// @throws Error{usage} if the id is past the end
  std::pair<Kind, std::uint32_t> kind_and_index(std::uint32_t id) const;
  /// Returns the attributes of a shape from its id.
  /// @throws Error{usage} if the id is past the end
  Attributes attributes(std::uint32_t id) const;
  bool has_masks(Kind kind) const;   ///< Returns whether a shape of the kind has a mask of its own.
  bool has_groups(Kind kind) const;  ///< Returns whether a shape of the kind has a group.
  bool has_labels(Kind kind) const;  ///< Returns whether a shape of the kind has a label.

  /// Returns the columns that the arithmetic reads (`<sightline/geometry/shapes/shapes_view.hpp>`).
  /// They are valid until the scene changes, ends or is given to a caster. The scene then keeps the
  /// bounds of its shapes: 24 bytes per shape.
  ShapesView view() const;
  /// Returns the columns that view() returns, but null for the bounds, which are not computed.
  ShapesView view_without_bounds() const;
  /// Returns the union of the bounds of all shapes except planes; empty (min > max) without any.
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
