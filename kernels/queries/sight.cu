// Launchers of line of sight, fields of view and reordering: see launch.hpp.
#include "kernels/queries/fields.cuh"
#include "kernels/queries/sight_batch.cuh"
#include "kernels/traverse/grid_loops.cuh"
#include "kernels/traverse/wide_kernel.cuh"

namespace sightline::kernels {
namespace {

__global__ void __launch_bounds__(block_size, sight_blocks)
    sight_kernel(const __grid_constant__ SightJob job) {
  for_each_warp(job.viewpoints.count * job.row_words, [&](const DeviceWarp& warp, std::uint64_t k) {
    sight_word(warp, BruteSearch{job.scene}, job, k);
  });
}

/// One box a thread.
__global__ void __launch_bounds__(block_size)
    target_boxes_kernel(const __grid_constant__ SightJob job) {
  for_each_item(BoxWords(job).count, [&](std::uint64_t k) { put_target_box(job, k); });
}

__global__ void __launch_bounds__(block_size, sight_blocks)
    sight_pairs_kernel(const __grid_constant__ SightPairsJob job) {
  for_each_warp(bit_words32(job.from.count), [&](const DeviceWarp& warp, std::uint64_t k) {
    sight_pairs_word(warp, BruteSearch{job.scene}, job, k);
  });
}

__global__ void __launch_bounds__(block_size, sight_blocks)
    count_points_kernel(const __grid_constant__ CountPointsJob job) {
  for_each_warp(pieces(job.points.count, warp_size), [&](const DeviceWarp& warp, std::uint64_t k) {
    count_points_word(warp, BruteSearch{job.scene}, job, k);
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

/// One point a thread.
__global__ void __launch_bounds__(block_size)
    lowest_nodes_kernel(const __grid_constant__ LowestNodesJob job) {
  for_each_item(job.points.count, [&](std::uint64_t k) { put_lowest_node(job, k); });
}

void decide_boxes(Stream stream, const SightJob& job) {
  launch_threads(stream, BoxWords(job).count, target_boxes_kernel, job);
  search_boxes(job, [&](const auto& search) { launch_wide<box_search_blocks>(stream, search); });
}

}  // namespace

void sight(Stream stream, const SightJob& asked) {
  const std::uint64_t warps = asked.viewpoints.count * asked.row_words;
  if (warps == 0) return;
  const SightJob job = with_useful_boxes(asked);
  if (job.box_words != nullptr) decide_boxes(stream, job);
  if (job.scene.has_tree) return launch_wide<wide_any_blocks>(stream, job);
  launch_warps(stream, warps, sight_kernel, job);
}

void self_sight(Stream stream, const SelfSightJob& job) {
  const std::uint64_t warps = self_sight_squares(job);
  if (warps == 0) return;
  sight(stream, upper_half(job));
  launch_warps(stream, warps, mirror_kernel, job);
}

void lowest_nodes(Stream stream, const LowestNodesJob& job) {
  launch_threads(stream, job.points.count, lowest_nodes_kernel, job);
}

void reorder_bits(Stream stream, const ReorderBitsJob& job) {
  launch_warps(stream, reorder_pieces(job), reorder_bits_kernel, job);
}

void fields_of_view(Stream stream, const FieldsJob& job) {
  launch_warps(stream, field_pieces(job), fields_kernel, job);
}

void sight_pairs(Stream stream, const SightPairsJob& job) {
  const std::uint64_t warps = bit_words32(job.from.count);
  if (warps == 0) return;
  if (job.scene.has_tree) return launch_wide<wide_any_blocks>(stream, job);
  launch_warps(stream, warps, sight_pairs_kernel, job);
}

void count_points(Stream stream, const CountPointsJob& job) {
  const std::uint64_t warps = pieces(job.points.count, warp_size);
  if (warps == 0) return;
  if (job.scene.has_tree) return launch_wide<wide_any_blocks>(stream, job);
  launch_warps(stream, warps, count_points_kernel, job);
}

}  // namespace sightline::kernels
