// Launchers of the nearest shapes: see launch.hpp.
#include "kernels/grid.hpp"
#include "kernels/nearest.cuh"
#include "kernels/tuning.hpp"

#include <cuda_runtime_api.h>

#include <type_traits>

namespace sightline::kernels {
namespace {

template <class Job>
inline constexpr int blocks_of =
    std::is_same_v<Job, ClearanceJob> ? clearance_blocks : nearest_blocks;

template <class Job>
__global__ void __launch_bounds__(block_size, blocks_of<Job>)
    nearest_kernel(const __grid_constant__ Job job) {
  const std::uint64_t step = std::uint64_t{gridDim.x} * block_size;
  for (std::uint64_t i = std::uint64_t{blockIdx.x} * block_size + threadIdx.x;
       i < job.queries.count; i += step) {
    nearest_of(job, i);
  }
}

template <class Job>
void launch(Stream stream, const Job& job) {
  if (job.queries.count == 0) return;
  const unsigned blocks = grid_size(pieces(job.queries.count, block_size));
  nearest_kernel<<<blocks, block_size, 0, stream>>>(job);
}

}  // namespace

void nearest(Stream stream, const NearestJob& job) { launch(stream, job); }
void clearance(Stream stream, const ClearanceJob& job) { launch(stream, job); }

}  // namespace sightline::kernels
