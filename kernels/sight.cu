// Launchers of line of sight, fields of view and reordering: see launch.hpp.
#include "kernels/fields.cuh"
#include "kernels/sight_batch.cuh"
#include "kernels/wide_kernel.cuh"

namespace sightline::kernels {
namespace {

constexpr int warps_of_block = block_size / warp_size;

/// Calls body(warp, k) for every k < n, in the warps of the grid.
template <class Body>
__device__ void for_each_warp(std::uint64_t n, Body&& body) {
  const std::uint64_t step = std::uint64_t{gridDim.x} * warps_of_block;
  for (std::uint64_t k = std::uint64_t{blockIdx.x} * warps_of_block + threadIdx.x / warp_size;
       k < n; k += step) {
    body(DeviceWarp{}, k);
  }
}

template <class Search>
__global__ void __launch_bounds__(block_size, sight_blocks)
    sight_kernel(const __grid_constant__ SightJob job) {
  for_each_warp(job.viewpoints.count * job.row_words, [&](const DeviceWarp& warp, std::uint64_t k) {
    sight_word(warp, Search{job.scene}, job, k);
  });
}

/// One box a thread.
__global__ void __launch_bounds__(block_size)
    target_boxes_kernel(const __grid_constant__ SightJob job) {
  const std::uint64_t count = BoxWords(job).count, step = std::uint64_t{gridDim.x} * block_size;
  for (std::uint64_t k = std::uint64_t{blockIdx.x} * block_size + threadIdx.x; k < count;
       k += step) {
    put_target_box(job, k);
  }
}

template <class Search>
__global__ void __launch_bounds__(block_size, sight_blocks)
    sight_pairs_kernel(const __grid_constant__ SightPairsJob job) {
  for_each_warp(bit_words32(job.from.count), [&](const DeviceWarp& warp, std::uint64_t k) {
    sight_pairs_word(warp, Search{job.scene}, job, k);
  });
}

template <class Search>
__global__ void __launch_bounds__(block_size, sight_blocks)
    count_points_kernel(const __grid_constant__ CountPointsJob job) {
  for_each_warp(pieces(job.points.count, warp_size), [&](const DeviceWarp& warp, std::uint64_t k) {
    count_points_word(warp, Search{job.scene}, job, k);
  });
}

__global__ void __launch_bounds__(block_size)
    mirror_kernel(const __grid_constant__ SelfSightJob job) {
  for_each_warp(self_sight_squares(job),
                [&](const DeviceWarp& warp, std::uint64_t k) { mirror_square(warp, job, k); });
}

__global__ void __launch_bounds__(block_size)
    reorder_bits_kernel(const __grid_constant__ ReorderBitsJob job) {
  for_each_warp(reorder_pieces(job),
                [&](const DeviceWarp& warp, std::uint64_t k) { reorder_piece(warp, job, k); });
}

__global__ void __launch_bounds__(block_size) fields_kernel(const __grid_constant__ FieldsJob job) {
  for_each_warp(field_pieces(job),
                [&](const DeviceWarp& warp, std::uint64_t k) { field_piece(warp, job, k); });
}

/// Blocks for n warps.
unsigned blocks_for(std::uint64_t n) { return grid_size(pieces(n, warps_of_block)); }

void decide_boxes(Stream stream, const SightJob& job) {
  const unsigned boxes = grid_size(pieces(BoxWords(job).count, block_size));
  target_boxes_kernel<<<boxes, block_size, 0, stream>>>(job);
  search_boxes(job, [&](const auto& search) { launch_wide<box_search_blocks>(stream, search); });
}

}  // namespace

void sight(Stream stream, const SightJob& asked) {
  const std::uint64_t warps = asked.viewpoints.count * asked.row_words;
  if (warps == 0) return;
  const SightJob job = with_useful_boxes(asked);
  if (job.box_words != nullptr) decide_boxes(stream, job);
  if (job.scene.is_wide()) {
    launch_wide<wide_any_blocks>(stream, job);
  } else if (job.scene.has_tree) {
    sight_kernel<LaneTreeSearch><<<blocks_for(warps), block_size, 0, stream>>>(job);
  } else {
    sight_kernel<LaneBruteSearch><<<blocks_for(warps), block_size, 0, stream>>>(job);
  }
}

void self_sight(Stream stream, const SelfSightJob& job) {
  const std::uint64_t warps = self_sight_squares(job);
  if (warps == 0) return;
  sight(stream, upper_half(job));
  mirror_kernel<<<blocks_for(warps), block_size, 0, stream>>>(job);
}

void reorder_bits(Stream stream, const ReorderBitsJob& job) {
  const std::uint64_t warps = reorder_pieces(job);
  if (warps == 0) return;
  reorder_bits_kernel<<<blocks_for(warps), block_size, 0, stream>>>(job);
}

void fields_of_view(Stream stream, const FieldsJob& job) {
  const std::uint64_t warps = field_pieces(job);
  if (warps == 0) return;
  fields_kernel<<<blocks_for(warps), block_size, 0, stream>>>(job);
}

void sight_pairs(Stream stream, const SightPairsJob& job) {
  const std::uint64_t warps = bit_words32(job.from.count);
  if (warps == 0) return;
  if (job.scene.is_wide()) {
    launch_wide<wide_any_blocks>(stream, job);
  } else if (job.scene.has_tree) {
    sight_pairs_kernel<LaneTreeSearch><<<blocks_for(warps), block_size, 0, stream>>>(job);
  } else {
    sight_pairs_kernel<LaneBruteSearch><<<blocks_for(warps), block_size, 0, stream>>>(job);
  }
}

void count_points(Stream stream, const CountPointsJob& job) {
  const std::uint64_t warps = pieces(job.points.count, warp_size);
  if (warps == 0) return;
  if (job.scene.is_wide()) {
    launch_wide<wide_any_blocks>(stream, job);
  } else if (job.scene.has_tree) {
    count_points_kernel<LaneTreeSearch><<<blocks_for(warps), block_size, 0, stream>>>(job);
  } else {
    count_points_kernel<LaneBruteSearch><<<blocks_for(warps), block_size, 0, stream>>>(job);
  }
}

}  // namespace sightline::kernels
