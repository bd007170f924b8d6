// The launchers of the tree: the one file in which nvcc sees Thrust.
#include "kernels/build/collapse.cuh"
#include "kernels/build/hploc_tree.cuh"
#include "kernels/build/tree.cuh"
#include "kernels/launch/grid.hpp"
#include "kernels/launch/tuning.hpp"

#include <cuda_runtime_api.h>

#include <thrust/system/cuda/execution_policy.h>
#include <thrust/system_error.h>

namespace sightline::kernels {
namespace {

constexpr unsigned threads = 256;

template <class Body>
__global__ void __launch_bounds__(threads)
    for_each_kernel(std::uint32_t first, std::uint32_t end, Body body) {
  const std::uint64_t i = first + std::uint64_t{blockIdx.x} * threads + threadIdx.x;
  if (i < end) body(static_cast<std::uint32_t>(i));
}

template <class Body>
void launch(Stream stream, std::uint32_t first, std::uint32_t end, const Body& body) {
  if (first >= end) return;
  const unsigned blocks = (end - first - 1) / threads + 1;
  for_each_kernel<<<blocks, threads, 0, stream>>>(first, end, body);
}

__global__ void __launch_bounds__(block_size, hploc_blocks)
    hploc_kernel(const __grid_constant__ HplocJob job) {
  __shared__ HplocMemory<DeviceWarp> memory[block_size / warp_size];
  const std::uint32_t warp = threadIdx.x / warp_size;
  const std::uint64_t place = std::uint64_t{blockIdx.x} * block_size + warp * warp_size;
  if (place >= job.count) return;
  HplocWarp<DeviceWarp>(DeviceWarp{}, job, memory[warp]).run(static_cast<std::uint32_t>(place));
}

void require(cudaError_t error) {
  if (error != cudaSuccess) throw thrust::system_error(error, thrust::cuda_category());
}

/// The Device of build_tree_on().
template <class Policy>
class ThrustDevice {
 public:
  ThrustDevice(const Policy& policy, Stream stream) : policy_(policy), stream_(stream) {}
  const Policy& policy() const { return policy_; }
  void climb(const HplocJob& job) const {
    const auto blocks = static_cast<unsigned>(pieces(job.count, block_size));
    hploc_kernel<<<blocks, block_size, 0, stream_>>>(job);
    require(cudaGetLastError());
  }
  void fetch(void* to, const void* from, std::size_t bytes) const {
    require(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToHost, stream_));
    require(cudaStreamSynchronize(stream_));
  }

 private:
  const Policy& policy_;
  Stream stream_;
};

/// Runs work(policy), which waits for the stream only where a step returns a value, and waits at
/// the end. Returns the runtime's error code.
template <class Work>
int run(Stream stream, const Scratch& scratch, Work&& work) {
  try {
    ScratchBytes bytes(scratch);
    work(thrust::cuda::par_nosync(bytes).on(stream));
  } catch (const thrust::system_error& error) {
    return error.code().value();
  }
  return cudaStreamSynchronize(stream);
}

}  // namespace

void shape_bounds(Stream stream, const ShapesView& shapes, Aabb* bounds) {
  launch(stream, 0, shapes.bounded(), ShapeBounds{shapes, bounds});
}

int build_tree(Stream stream, const ShapesView& shapes, BvhNode* nodes, TreeRounds* rounds,
               bool* too_deep, const Scratch& scratch) {
  return run(stream, scratch, [&](const auto& policy) {
    *too_deep = !build_tree_on(ThrustDevice(policy, stream), shapes, nodes, rounds, scratch);
  });
}

void refit_tree(Stream stream, const ShapesView& shapes, BvhNode* nodes, const TreeRounds& rounds) {
  for (int r = 0; r < rounds.count; ++r) {
    launch(stream, rounds.begin[r + 1], rounds.begin[r], RefitNode{shapes, nodes});
  }
}

int tree_area(Stream stream, const BvhNode* nodes, std::uint32_t count, double* area,
              const Scratch& scratch) {
  return run(stream, scratch,
             [&](const auto& policy) { *area = tree_area_on(policy, nodes, count); });
}

int widen_tree(Stream stream, const WidenJob& job, std::uint32_t* node_count,
               const Scratch& scratch) {
  return run(stream, scratch,
             [&](const auto& policy) { widen_tree_on(policy, job, node_count, scratch); });
}

int morton_order(Stream stream, const PointsView& points, std::uint32_t* order, std::uint32_t* rank,
                 const Scratch& scratch) {
  return run(stream, scratch,
             [&](const auto& policy) { morton_order_on(policy, points, order, rank, scratch); });
}

}  // namespace sightline::kernels
