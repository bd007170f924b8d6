#include "tests/kernels/tree/rounds.hpp"
#include "tests/kernels/tree/systems.inl"

#include <sightline/geometry/shapes/shapes_view.hpp>

namespace sightline::testing {

const Thrust packaged_thrust = this_thrust;

Tree build_by_rounds(const ShapesView& shapes) {
  Tree tree;
  CountedScratch memory;
  const kernels::Scratch scratch = memory.get();
  tree.bvh.nodes.resize(kernels::tree_nodes(shapes.bounded()));
  on(System::cpp, scratch, [&](const auto& policy) {
    kernels::build_by_rounds_on(policy, shapes, tree.bvh.nodes.data(), &tree.rounds, scratch);
  });
  return tree;
}

}  // namespace sightline::testing
