// 2D: a set of shapes that the caller fills, and circles and segments at it, on every backend.
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

/// 2D shapes of six kinds, numbered kind by kind (circle, capsule, sector, polygon, aabb, obb) and
/// within a kind in the order added. See docs/reference/flat.md for what each is.
///
/// Each add_* returns the index within its kind. A bad shape (NaN, infinity, a number beyond 2^40,
/// a negative size, min > max, a direction or turn of length 0, no corners, corners that are not in
/// convex position and in order) throws Error{bad_input} naming the index, and is not added.
/// Numbers are kept as given. A circle or segment that asks counts for a shape when their masks
/// have a bit in common. Not thread-safe while it is being filled.
class FlatScene {
 public:
  /// Of shapes that are given none.
  static constexpr std::uint32_t every_mask = 0xFFFFFFFFu;

  FlatScene() = default;
  /// A copy.
  FlatScene(const FlatScene&);
  /// Takes over; what is left is empty.
  FlatScene(FlatScene&&) noexcept = default;
  /// A copy.
  FlatScene& operator=(const FlatScene&);
  /// Takes over; what is left is empty.
  FlatScene& operator=(FlatScene&&) noexcept = default;

  /// A Circle, Capsule2, Sector, Aabb2 or Obb2.
  template <class Shape>
  std::uint32_t add(const Shape& shape, std::uint32_t mask = every_mask);
  /// The corners are copied; at most 2^31 - 1 of them.
  std::uint32_t add_polygon(std::span<const Vec2> corners, std::uint32_t mask = every_mask);

  // The same by the names of the kinds.

  /// Adds one.
  std::uint32_t add_circle(const Circle& shape, std::uint32_t mask = every_mask) {
    return add(shape, mask);
  }
  std::uint32_t add_circle(const Vec2& center, float radius) = delete;  ///< forgotten braces
  /// Adds one.
  std::uint32_t add_capsule(const Capsule2& shape, std::uint32_t mask = every_mask) {
    return add(shape, mask);
  }
  /// Adds one.
  std::uint32_t add_sector(const Sector& shape, std::uint32_t mask = every_mask) {
    return add(shape, mask);
  }
  /// Adds one.
  std::uint32_t add_aabb(const Aabb2& shape, std::uint32_t mask = every_mask) {
    return add(shape, mask);
  }
  /// Adds one.
  std::uint32_t add_obb(const Obb2& shape, std::uint32_t mask = every_mask) {
    return add(shape, mask);
  }

  /// All shapes; fewer than 2^32 - 1.
  std::uint64_t size() const;
  /// How many shapes of a kind there are.
  std::uint32_t count(FlatKind kind) const;
  /// The id of a shape; holds once no more shapes are added. Throws Error{usage} past the end.
  std::uint32_t id(FlatKind kind, std::uint32_t index) const;
  /// The inverse of id().
  std::pair<FlatKind, std::uint32_t> kind_and_index(std::uint32_t id) const;
  /// Whether any shape of this kind was given a mask of its own.
  bool has_masks(FlatKind kind) const;
  /// The mask of a shape.
  std::uint32_t mask(FlatKind kind, std::uint32_t index) const;

  /// The shapes as the caller gave them, without bounds and masks; valid until the set changes.
  FlatShapesView view() const;
  /// The union of the bounds of all shapes; min > max when there are none.
  Aabb2 bounds() const;
  /// Memory of the shapes.
  std::uint64_t memory_bytes() const;

 private:
  /// As FlatShapesView has them.
  struct Arrays {
    std::vector<Circle> circle;
    std::vector<Capsule2> capsule;
    std::vector<Sector> sector;
    std::vector<std::uint64_t> polygon_end;  ///< in corner
    std::vector<Vec2> corner;
    std::vector<Aabb2> aabb;
    std::vector<Obb2> obb;
  };

  /// Adds what a shape's array has of it; the index within the kind.
  template <class Shape, class Element>
  std::uint32_t push(const Element& element, std::uint32_t mask);

  Arrays arrays_;
  /// Of each kind; empty while every shape has the default.
  std::array<std::vector<std::uint32_t>, flat_kind_count> masks_;
};

/// A set of 2D shapes that answers for batches of circles and segments. Answers are a pure function
/// of the set and the question: the same bytes from every backend, tree, thread count and chunking.
///
/// As Caster: a query returns its answers; but for overlap_all it also writes them to the caller's
/// arrays and returns the report. A built caster may be queried from many threads at once. Throws
/// as Caster does.
class FlatCaster {
 public:
  /// Builds the set on a backend.
  explicit FlatCaster(FlatScene scene, const CasterOptions& options = AutomaticOptions{});
  /// Takes over; what is left throws Error{usage} when it is asked.
  FlatCaster(FlatCaster&&) noexcept;
  /// The same.
  FlatCaster& operator=(FlatCaster&&) noexcept;
  ~FlatCaster();

  /// The set as it was given.
  const FlatScene& scene() const;
  /// The backend in use.
  Backend backend() const;
  /// One line for people: backend, device, threads.
  std::string description() const;
  /// Memory held by the set and its tree, in bytes.
  std::uint64_t memory_bytes() const;

  // Which shapes each circle overlaps: see geometry/flat/flat_overlaps.hpp. Touching overlaps.

  /// Whether any, for each circle [n]: bits [bit_words(n)]; padding bits are 0.
  Bits<OverlapReport> overlap_any(const CirclesView& circles) const;
  /// The same into the caller's arrays.
  OverlapReport overlap_any(const CirclesView& circles, std::span<std::uint64_t> bits) const;
  /// How many, for each circle [n].
  Counts<OverlapReport> overlap_count(const CirclesView& circles) const;
  /// The same into the caller's arrays.
  OverlapReport overlap_count(const CirclesView& circles, std::span<std::uint32_t> counts) const;
  /// All, for each circle [n]. Takes up to three times the memory of the rows while it runs.
  OverlapRows overlap_all(const CirclesView& circles) const;

  /// The first hit of each segment [n], the one with the least (t, id): see
  /// geometry/flat/flat_segment.hpp. t counts in lengths of the segment, from 0 to 1, and is
  /// compared before it is rounded to a float. A bad segment is flagged as a bad ray. Throws
  /// Error{usage} where `hits` asks for normals.
  Hits cast(const SegmentsView& segments, Inside inside = Inside::solid) const;
  /// The same into the caller's arrays.
  CastReport cast(const SegmentsView& segments, const HitArrays& hits,
                  Inside inside = Inside::solid) const;

 private:
  struct Impl;
  Impl& impl() const;

  std::unique_ptr<Impl> impl_;
};

}  // namespace sightline
