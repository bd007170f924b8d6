// kernels/build/tree.cuh on three systems of one Thrust: included once for each, in a namespace of
// its own that the including file names SIGHTLINE_THRUST_IS.
#include "kernels/build/collapse.cuh"
#include "kernels/build/tree.cuh"

#include "tests/kernels/tree/systems.hpp"
#include "tests/standin/emulate_tree.hpp"

#include <thrust/system/cpp/execution_policy.h>
#include <thrust/system/omp/execution_policy.h>
#include <thrust/system/tbb/execution_policy.h>
#include <thrust/version.h>

#include <cstring>

namespace sightline::testing {
namespace {

template <class Work>
auto on(System system, const kernels::Scratch& scratch, Work&& work) {
  kernels::ScratchBytes bytes(scratch);
  switch (system) {
    case System::tbb:
      return work(thrust::tbb::par(bytes));
    case System::omp:
      return work(thrust::omp::par(bytes));
    default:
      return work(thrust::cpp::par(bytes));
  }
}

Tree build(System system, const ShapesView& shapes, const kernels::Scratch& scratch,
           const Building& building) {
  Tree tree;
  // What device memory may hold before.
  BvhNode rubbish;
  std::memset(static_cast<void*>(&rubbish), 0xA5, sizeof rubbish);
  tree.bvh.nodes.assign(kernels::tree_nodes(shapes.bounded()), rubbish);
  on(system, scratch, [&](const auto& policy) {
    const standin::HostDevice device(policy, building.emulation, building.warps);
    tree.was_too_deep =
        !kernels::build_tree_on(device, shapes, tree.bvh.nodes.data(), &tree.rounds, scratch);
  });
  return tree;
}

double area(System system, const detail::Bvh& bvh, const kernels::Scratch& scratch) {
  return on(system, scratch, [&](const auto& policy) {
    return kernels::tree_area_on(policy, bvh.nodes.data(),
                                 static_cast<std::uint32_t>(bvh.nodes.size()));
  });
}

WideTree widened(System system, const ShapesView& shapes, const BvhView& bvh,
                 const kernels::Scratch& scratch) {
  WideTree tree;
  QuantisedNode rubbish;
  std::memset(static_cast<void*>(&rubbish), 0xA5, sizeof rubbish);
  tree.nodes.assign(kernels::most_wide_nodes(shapes.bounded()), rubbish);
  const float bad = float_of(0xA5A5A5A5u);
  tree.records.assign(kernels::record_units(shapes), {{bad, bad, bad, bad}});
  tree.ids.assign(tree.records.size(), 0xA5A5A5A5u);
  on(system, scratch, [&](const auto& policy) {
    kernels::widen_tree_on(policy,
                           {shapes, bvh, tree.nodes.data(), tree.records.data(), tree.ids.data()},
                           &tree.node_count, scratch);
  });
  return tree;
}

Order order(System system, const PointsView& points, const kernels::Scratch& scratch) {
  Order o;
  o.order.assign(points.count, 0xA5A5A5A5u);
  o.rank.assign(points.count, 0xA5A5A5A5u);
  on(system, scratch, [&](const auto& policy) {
    kernels::morton_order_on(policy, points, o.order.data(), o.rank.data(), scratch);
  });
  return o;
}

constexpr Thrust this_thrust = {THRUST_VERSION, build, area, widened, order};

}  // namespace
}  // namespace sightline::testing
