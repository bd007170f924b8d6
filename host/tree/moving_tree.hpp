// The wide tree of shapes that move.
#pragma once

#include "host/tree/wide_bvh.hpp"

#include <sightline/caster.hpp>

#include <optional>

namespace sightline::detail {

/// A tree that can be refitted.
struct MovingTree {
  WideBvh bvh;
  std::optional<double> area_when_built;  ///< before the first refit; none: never refitted
};

/// Builds and widens a tree; throws as build_bvh and widen do.
MovingTree build_tree(const ShapesView& shapes);

/// The tree over moved shapes, as many as before unless `how` is rebuild: `before` refitted, or a
/// new tree; `automatic` rebuilds where the boxes are outgrown. Throws as build_tree does.
MovingTree updated(const MovingTree& before, const ShapesView& shapes, Update how);

}  // namespace sightline::detail
