// A caster's set of 2D shapes, with bounds and masks by id.
#pragma once

#include <sightline/flat.hpp>
#include <sightline/geometry/flat/flat_shapes_view.hpp>
#include <sightline/geometry/shapes/all_shapes.hpp>

namespace sightline::detail {

class FlatSet {
 public:
  /// Throws Error{out_of_memory}.
  explicit FlatSet(FlatScene scene);

  const FlatScene& scene() const { return scene_; }
  /// With bounds and masks; valid while the set is neither moved nor destroyed.
  FlatShapesView view() const;
  std::uint64_t memory_bytes() const;

 private:
  FlatScene scene_;
  std::vector<Vec3> low_, high_;
  std::vector<std::uint32_t> mask_;  ///< empty where no shape has one
};

/// The bounds of the shapes as a scene of boxes with the same ids: trees are built over it.
ShapesView boxes_of(const FlatShapesView& shapes);

}  // namespace sightline::detail
