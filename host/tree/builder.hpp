// The binary tree: binned SAH, one shape per leaf.
#pragma once

#include "host/common/pages.hpp"

#include <sightline/geometry/bvh/bvh.hpp>
#include <sightline/geometry/shapes/all_shapes.hpp>

namespace sightline::detail {

/// A tree that owns its nodes.
struct Bvh {
  PageVector<BvhNode> nodes;

  BvhView view() const {
    return {nodes.empty() ? nullptr : nodes.data(), static_cast<std::uint32_t>(nodes.size())};
  }
};

/// The peak memory of build_bvh for so many shapes, and what its tree keeps.
struct BuildBytes {
  std::uint64_t peak, kept;
};
BuildBytes bvh_bytes(std::uint64_t bounded_shapes);

/// A tree over the bounded shapes; the same nodes for the same bounds with any number of threads
/// (it uses those of the task arena it is called in). Throws Error{usage} for more than 2^31
/// shapes, Error{out_of_memory}, and Error{internal} rather than exceed bvh_max_depth.
/// Source: Wald, "On fast construction of SAH-based bounding volume hierarchies" (2007), section 3;
/// then see reinsert.
Bvh build_bvh(const ShapesView& shapes);

}  // namespace sightline::detail
