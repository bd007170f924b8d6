/// @file
/// 2D: sets of shapes, and queries of circles and segments on every backend.
#pragma once

#include <sightline/caster.hpp>
#include <sightline/error.hpp>
#include <sightline/flat_shapes.hpp>

#include <array>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace sightline {

struct FlatShapesView;

/// Set of 2D shapes. Ids number the shapes kind by kind (circle, capsule, sector, polygon, aabb,
/// obb), and within a kind in the order added. Numbers are kept as given. See
/// docs/reference/flat.md.
///
/// A query counts a shape if their masks have a common bit. Only one thread may change a set, and
/// no other may read it meanwhile.
class FlatScene {
 public:
  /// The mask of shapes without a mask of their own.
  static constexpr std::uint32_t every_mask = 0xFFFFFFFFu;

  /// Makes a set without shapes.
  FlatScene() = default;
  /// Copies all shapes.
  FlatScene(const FlatScene&);
  /// Moves the shapes and leaves an empty set.
  FlatScene(FlatScene&&) noexcept = default;
  /// Copies all shapes.
  FlatScene& operator=(const FlatScene&);
  /// Moves the shapes and leaves an empty set.
  FlatScene& operator=(FlatScene&&) noexcept = default;

  /// @name Adding shapes
  /// Each call returns the index within the kind. It throws Error{bad_input} naming the index for a
  /// bad shape and for more than 2^32 - 2 shapes in all, and Error{out_of_memory}; then it adds
  /// nothing. A shape is bad if a number is NaN, infinite or above 2^40 in size. It is also bad if
  /// a radius or extent is negative, if min > max, or if a direction or (cosine, sine) is 0.
  /// @{

  /// Adds a shape.
  /// @param shape  a Circle, Capsule2, Sector, Aabb2 or Obb2
  /// @param mask   mask of the shape
  template <class Shape>
  std::uint32_t add(const Shape& shape, std::uint32_t mask = every_mask);
  /// Adds a convex polygon. The corners are copied.
  /// @param corners  1 to 2^31 - 1 corners, in convex position and in order
  /// @param mask     mask of the polygon
  std::uint32_t add_polygon(std::span<const Vec2> corners, std::uint32_t mask = every_mask);

  /// Adds a circle.
  std::uint32_t add_circle(const Circle& shape, std::uint32_t mask = every_mask) {
    return add(shape, mask);
  }
  std::uint32_t add_circle(const Vec2& center,
                           float radius) = delete;  ///< catches forgotten braces
  /// Adds a capsule.
  std::uint32_t add_capsule(const Capsule2& shape, std::uint32_t mask = every_mask) {
    return add(shape, mask);
  }
  /// Adds a sector.
  std::uint32_t add_sector(const Sector& shape, std::uint32_t mask = every_mask) {
    return add(shape, mask);
  }
  /// Adds an axis-aligned box.
  std::uint32_t add_aabb(const Aabb2& shape, std::uint32_t mask = every_mask) {
    return add(shape, mask);
  }
  /// Adds an oriented box.
  std::uint32_t add_obb(const Obb2& shape, std::uint32_t mask = every_mask) {
    return add(shape, mask);
  }

  /// @}

  /// Returns the number of shapes, at most 2^32 - 2.
  std::uint64_t size() const;
  /// Returns the number of shapes of a kind.
  std::uint32_t count(FlatKind kind) const;
  /// Returns the id of a shape from its kind and its index within the kind. Adding shapes changes
  /// ids.
  /// @throws Error{usage} if the index is past the end
  std::uint32_t id(FlatKind kind, std::uint32_t index) const;
  /// Returns the kind of a shape and its index within the kind from its id.
  /// @throws Error{usage} if the id is past the end
  std::pair<FlatKind, std::uint32_t> kind_and_index(std::uint32_t id) const;
  /// Returns whether a shape of the kind has a mask of its own.
  bool has_masks(FlatKind kind) const;
  /// Returns the mask of a shape from its kind and its index within the kind.
  /// @throws Error{usage} if the index is past the end
  std::uint32_t mask(FlatKind kind, std::uint32_t index) const;

  /// Returns the shapes as the caller gave them, without bounds and masks. The view is valid until
  /// the set changes.
  FlatShapesView view() const;
  /// Returns the union of the bounds of all shapes; min > max without shapes.
  Aabb2 bounds() const;
  /// Returns the memory of the shapes in bytes.
  std::uint64_t memory_bytes() const;

 private:
  /// The arrays of FlatShapesView.
  struct Arrays {
    std::vector<Circle> circle;
    std::vector<Capsule2> capsule;
    std::vector<Sector> sector;
    std::vector<std::uint64_t> polygon_end;  ///< index in `corner`
    std::vector<Vec2> corner;
    std::vector<Aabb2> aabb;
    std::vector<Obb2> obb;
  };

  /// Appends a shape's element to the array of its kind. Returns the index within the kind.
  template <class Shape, class Element>
  std::uint32_t push(const Element& element, std::uint32_t mask);

  Arrays arrays_;
  /// Masks of each kind; empty while all shapes have the default.
  std::array<std::vector<std::uint32_t>, flat_kind_count> masks_;
};

/// A set of 2D shapes that is ready for queries on one backend.
///
/// Answers are a pure function of the set and the query: every backend, search, number of threads
/// and chunk size gives the same bytes. Forms of calls, errors and threads are as for Caster.
///
/// @code{.cpp}
/// FlatScene set;
/// set.add_aabb({{4, -3}, {6, 3}});
/// const FlatCaster caster(std::move(set));
///
/// const float circles[] = {5, 1, 0.3f, 0, 9, 0.3f};  // rows x, y, radius
/// const Bits overlapping = caster.overlap_any(CirclesView::rows(circles));
/// // overlapping[0] and !overlapping[1]
/// const std::vector<Vec2> from = {{0, 0}}, to = {{8, 0}};
/// const Hits hits = caster.cast({from, to});  // hits.t[0] is 0.5
/// @endcode
class FlatCaster {
 public:
  /// Builds a set on a backend.
  /// @param scene    the shapes, copied or moved
  /// @param options  backend and its options
  /// @throws Error{device} if the backend is cuda and the device cannot be used
  explicit FlatCaster(FlatScene scene, const CasterOptions& options = AutomaticOptions{});
  /// Moves a caster. The calls of the other one then throw Error{usage}.
  FlatCaster(FlatCaster&&) noexcept;
  /// Moves a caster. The calls of the other one then throw Error{usage}.
  FlatCaster& operator=(FlatCaster&&) noexcept;
  ~FlatCaster();

  /// Returns the set, as it was given.
  const FlatScene& scene() const;
  /// Returns the backend in use.
  Backend backend() const;
  /// Returns one line for the user: backend, device, threads.
  std::string description() const;
  /// Returns the memory of the set and its BVH in bytes.
  std::uint64_t memory_bytes() const;

  /// @name Overlaps
  /// A circle overlaps a shape if they have a common point. A bad circle overlaps nothing.
  /// @{

  /// Returns whether each circle overlaps a shape.
  /// @param circles  circles [n]
  Bits<OverlapReport> overlap_any(const CirclesView& circles) const;
  /// Writes the bits into `bits` [bit_words(n)]. Padding bits become 0.
  OverlapReport overlap_any(const CirclesView& circles, std::span<std::uint64_t> bits) const;
  /// Returns the number of shapes that each circle overlaps.
  /// @param circles  circles [n]
  Counts<OverlapReport> overlap_count(const CirclesView& circles) const;
  /// Writes the numbers into `counts` [n].
  OverlapReport overlap_count(const CirclesView& circles, std::span<std::uint32_t> counts) const;
  /// Returns the ids of the shapes that each circle overlaps. The call takes up to three times the
  /// memory of the rows while it runs.
  /// @param circles  circles [n]
  OverlapRows overlap_all(const CirclesView& circles) const;

  /// @}

  /// Returns the first hit of each segment: the one with the least (t, id), without a normal. t is
  /// 0 to 1, and is compared before it is rounded to float. A bad segment misses and has the flag
  /// hit_flags::bad_ray.
  /// @param segments  segments [n]
  /// @param inside    inside policy
  Hits cast(const SegmentsView& segments, Inside inside = Inside::solid) const;
  /// Writes the first hits into the caller's arrays [n].
  /// @throws Error{usage} if hits.normal is not empty
  CastReport cast(const SegmentsView& segments, const HitArrays& hits,
                  Inside inside = Inside::solid) const;

 private:
  struct Impl;
  Impl& impl() const;

  std::unique_ptr<Impl> impl_;
};

}  // namespace sightline
