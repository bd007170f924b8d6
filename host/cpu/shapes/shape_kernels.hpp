// Overlaps and nearest shapes of few, compiled once per instruction set: what floats know of many
// spheres, points or boxes. What they do not know is left to the caller, who decides it exactly.
#pragma once

#include "host/cpu/shapes/few_shapes.hpp"

#include <tuple>

namespace sightline::detail {

/// Spheres, or bodies of them, that a kernel takes at once.
inline constexpr std::uint32_t most_spheres = 512;

/// Points in columns, of which some are given.
struct PointGroup {
  static constexpr std::uint32_t most = 16;
  alignas(64) float x[most] = {}, y[most] = {}, z[most] = {};
  std::uint32_t given = 0;  ///< as bits

  void set(std::uint32_t k, const Vec3& p) {
    x[k] = p.x, y[k] = p.y, z[k] = p.z;
    given |= 1u << k;
  }
};

/// Lower bounds of nearest()'s signed distances of the given points to each of few shapes, which
/// are numbered in the order of kinds, those of a kind in that of their list; -inf in a box or next
/// to it (docs/project/proofs/overlap-distance-sweep.md, "Certain balls").
struct DistanceBounds {
  static constexpr std::uint32_t most_shapes = 256;
  alignas(64) float least[most_shapes][PointGroup::most];
  alignas(64) float nearest[PointGroup::most];         ///< the least of a point
  alignas(64) float nearest_number[PointGroup::most];  ///< the first shape that has it
};

/// The bounds of up to 64 query shapes as columns; missing ones are empty.
struct QueryBoxes {
  static constexpr std::uint32_t most = 64;
  alignas(64) float low[3][most], high[3][most];

  // Inlined: a call per query would cost 4 %.
  [[gnu::always_inline]] void set(std::uint32_t k, const Aabb& b) {
    const float lows[] = {b.min.x, b.min.y, b.min.z}, highs[] = {b.max.x, b.max.y, b.max.z};
    for (int axis = 0; axis < 3; ++axis) low[axis][k] = lows[axis], high[axis][k] = highs[axis];
  }
  void clear_from(std::uint32_t k) {
    for (; k < most; ++k) set(k, empty_aabb());
  }
};

/// Spheres by eights, and groups of these.
struct SphereColumns {
  static constexpr std::uint32_t most = 256;
  alignas(64) float x[most] = {}, y[most] = {}, z[most] = {}, radius[most] = {};
};
struct SphereGroup {
  std::uint8_t eight, lanes;
};
/// Which spheres of an eight surely overlap a shape, as bits, and which may.
struct EightVerdict {
  std::uint8_t surely, possibly;
};
/// Writes the verdicts [count] of the eights of the groups in a list.
template <class Shape>
using TestGroups = void (*)(const SphereColumns& spheres, const SphereGroup* groups,
                            const std::uint16_t* list, std::uint32_t count,
                            const LaneForm<Shape>& shape, const SphereMargin& margin,
                            EightVerdict* verdicts);

/// One instruction set's code. Of n <= most_spheres spheres (bodies) `doubts` gets the indices of
/// those of which floats are not sure, in place of whose bits are zeros; their number is returned.
struct ShapeKernels {
  /// Writes the bits of the spheres that overlap some shape, in whole words.
  std::uint32_t (*spheres_any)(const ShapeBlocks& shapes, const Vec3* center, const float* radius,
                               std::uint32_t n, std::uint64_t* bits, std::uint32_t* doubts);
  /// Writes how many shapes each sphere overlaps.
  std::uint32_t (*spheres_count)(const ShapeBlocks& shapes, const Vec3* center, const float* radius,
                                 std::uint32_t n, std::uint32_t* counts, std::uint32_t* doubts);
  /// Writes the bits of the bodies, of so many spheres each, 8 or more, of which some sphere
  /// overlaps some shape.
  std::uint32_t (*bodies_any)(const ShapesForBodiesView& shapes, const Vec3* center,
                              const float* radius, std::uint32_t body, std::uint32_t n,
                              std::uint64_t* bits, std::uint32_t* doubts);
  /// By the kind of the shape.
  ShapeKinds::Each<std::tuple, TestGroups> test_groups;
  /// Writes which query boxes overlap each of n boxes.
  void (*boxes_meeting)(const QueryBoxes& queries, const Aabb* boxes, std::uint32_t n,
                        std::uint64_t* bits);
  /// Of at most `most_shapes`; those of points that are not given are arbitrary.
  void (*bound_distances)(const FormLists& shapes, const PointGroup& points,
                          DistanceBounds& bounds);
  /// Writes PointGroup::most * number + point for each bound of the shapes [begin, end) that is at
  /// most the point's limit, and returns their number.
  std::uint32_t (*bounds_within)(const DistanceBounds& bounds, std::uint32_t given,
                                 const float* limit, std::uint32_t begin, std::uint32_t end,
                                 std::uint16_t* found);
};

}  // namespace sightline::detail
