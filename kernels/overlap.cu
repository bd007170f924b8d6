// Launchers of overlaps: see launch.hpp.
#include "kernels/grid.hpp"
#include "kernels/overlap.cuh"
#include "kernels/tuning.hpp"

#include <cuda_runtime_api.h>

#include <type_traits>

namespace sightline::kernels {
namespace {

/// A pair of oriented boxes in doubles needs the registers of two other pairs.
template <class Shape>
inline constexpr int overlap_blocks =
    std::is_same_v<Shape, ObbFrame> ? obb_overlap_blocks : other_overlap_blocks;

template <class Shape>
__global__ void __launch_bounds__(block_size, overlap_blocks<Shape>)
    count_overlaps_kernel(const __grid_constant__ CountOverlapsJob job) {
  const std::uint64_t step = std::uint64_t{gridDim.x} * block_size;
  for (std::uint64_t i = std::uint64_t{blockIdx.x} * block_size + threadIdx.x;
       i < job.queries.count; i += step) {
    count_overlaps_of<Shape>(job, i);
  }
}

template <class Shape>
__global__ void __launch_bounds__(block_size, overlap_blocks<Shape>)
    fill_overlaps_kernel(const __grid_constant__ FillOverlapsJob job) {
  const std::uint64_t step = std::uint64_t{gridDim.x} * block_size;
  for (std::uint64_t i = std::uint64_t{blockIdx.x} * block_size + threadIdx.x;
       i < job.queries.count; i += step) {
    fill_overlaps_of<Shape>(job, i);
  }
}

}  // namespace

void count_overlaps(Stream stream, const CountOverlapsJob& job) {
  if (job.queries.count == 0) return;
  const unsigned blocks = grid_size(pieces(job.queries.count, block_size));
  with_bounded_kind(job.queries.kind, [&]<class S>(ShapeTag<S>) {
    count_overlaps_kernel<S><<<blocks, block_size, 0, stream>>>(job);
  });
}

void fill_overlaps(Stream stream, const FillOverlapsJob& job) {
  if (job.queries.count == 0) return;
  const unsigned blocks = grid_size(pieces(job.queries.count, block_size));
  with_bounded_kind(job.queries.kind, [&]<class S>(ShapeTag<S>) {
    fill_overlaps_kernel<S><<<blocks, block_size, 0, stream>>>(job);
  });
}

}  // namespace sightline::kernels
