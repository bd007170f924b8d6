// Trees of other builders than ours.
#pragma once

#include "host/tree/builder.hpp"
#include "tests/support/adversarial_pairs.hpp"

#include <sightline/geometry/shapes/shapes_view.hpp>

#include <cstring>
#include <utility>
#include <vector>

namespace sightline::testing {

/// A tree that any builder might have made: every node takes two of what is there, at random, and
/// its parent comes before it.
inline detail::Bvh careless_tree(const ShapesView& shapes, std::uint64_t seed) {
  struct Root {
    Aabb box;
    BvhChild child;
  };
  std::vector<Root> roots;
  for (std::uint32_t i = 0; i < shapes.bounded(); ++i) {
    roots.push_back({shapes.bounds[i], i | bvh_leaf_bit});
  }
  detail::Bvh bvh;
  bvh.nodes.resize(roots.size() - 1);
  Random r(seed);
  for (std::size_t node = roots.size() - 1; node-- > 0;) {
    std::memset(static_cast<void*>(&bvh.nodes[node]), 0, sizeof(BvhNode));
    for (int k = 0; k < 2; ++k) {
      std::swap(roots[static_cast<std::size_t>(r.below(static_cast<int>(roots.size())))],
                roots.back());
      bvh.nodes[node].bounds[k] = roots.back().box;
      bvh.nodes[node].child[k] = roots.back().child;
      roots.pop_back();
    }
    roots.push_back(
        {unite(bvh.nodes[node].bounds[0], bvh.nodes[node].bounds[1]), static_cast<BvhChild>(node)});
  }
  return bvh;
}

}  // namespace sightline::testing
