// The launchers of the tree on the stand-in: Thrust's sequential system, in the caller's thread.
#include "kernels/build/collapse.cuh"
#include "kernels/build/tree.cuh"

#include "tests/standin/emulate_tree.hpp"
#include "tests/standin/standin.hpp"

#include <thrust/system/cpp/execution_policy.h>

#include <algorithm>
#include <numeric>

namespace sightline::kernels {
namespace {

/// Waits for the stream, runs the work, and waits for what it has given back; the runtime's error
/// code.
template <class Work>
int wait_and_run(Stream stream, Work&& work) {
  if (const cudaError_t error = cudaStreamSynchronize(stream); error != cudaSuccess) return error;
  work();
  return cudaStreamSynchronize(stream);
}

}  // namespace

void shape_bounds(Stream stream, const ShapesView& shapes, Aabb* bounds) {
  if (shapes.bounded() == 0) return;
  standin::launch(stream, [=] {
    const ShapeBounds body{shapes, bounds};
    for (std::uint32_t id = 0; id < shapes.bounded(); ++id) body(id);
  });
}

int build_tree(Stream stream, const ShapesView& shapes, BvhNode* nodes, TreeRounds* rounds,
               bool* too_deep, const Scratch& scratch) {
  return wait_and_run(stream, [&] {
    ScratchBytes bytes(scratch);
    const auto policy = thrust::cpp::par(bytes);
    *too_deep = !build_tree_on(standin::HostDevice(policy), shapes, nodes, rounds, scratch);
  });
}

void refit_tree(Stream stream, const ShapesView& shapes, BvhNode* nodes, const TreeRounds& rounds) {
  for (int r = 0; r < rounds.count; ++r) {
    const std::uint32_t first = rounds.begin[r + 1], end = rounds.begin[r];
    standin::launch(stream, [=] {
      const RefitNode body{shapes, nodes};
      for (std::uint32_t i = first; i < end; ++i) body(i);
    });
  }
}

int tree_area(Stream stream, const BvhNode* nodes, std::uint32_t count, double* area,
              const Scratch& scratch) {
  return wait_and_run(stream, [&] {
    ScratchBytes bytes(scratch);
    *area = tree_area_on(thrust::cpp::par(bytes), nodes, count);
  });
}

int widen_tree(Stream stream, const WidenJob& job, std::uint32_t* node_count,
               const Scratch& scratch) {
  return wait_and_run(stream, [&] {
    ScratchBytes bytes(scratch);
    widen_tree_on(thrust::cpp::par(bytes), job, node_count, scratch);
  });
}

int morton_order(Stream stream, const PointsView& points, std::uint32_t* order, std::uint32_t* rank,
                 const Scratch& scratch) {
  return wait_and_run(stream, [&] {
    ScratchBytes bytes(scratch);
    morton_order_on(thrust::cpp::par(bytes), points, order, rank, scratch);
  });
}

}  // namespace sightline::kernels
