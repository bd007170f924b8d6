// Launchers of all hits: see launch.hpp.
#include "kernels/launch/tuning.hpp"
#include "kernels/queries/hits.cuh"
#include "kernels/traverse/grid_loops.cuh"

namespace sightline::kernels {
namespace {

__global__ void __launch_bounds__(block_size, all_hits_blocks)
    count_hits_kernel(const __grid_constant__ CountHitsJob job) {
  for_each_item(job.rays.count, [&](std::uint64_t i) { count_hits_of(job, i); });
}

__global__ void __launch_bounds__(block_size, all_hits_blocks)
    fill_hits_kernel(const __grid_constant__ FillHitsJob job) {
  for_each_item(job.rays.count, [&](std::uint64_t i) { fill_hits_of(job, i); });
}

__global__ void __launch_bounds__(block_size, all_hits_blocks)
    winding_kernel(const __grid_constant__ WindingJob job) {
  for_each_item(job.points.count, [&](std::uint64_t i) { winding_of(job, i); });
}

}  // namespace

void winding(Stream stream, const WindingJob& job) {
  launch_threads(stream, job.points.count, winding_kernel, job);
}

void count_hits(Stream stream, const CountHitsJob& job) {
  launch_threads(stream, job.rays.count, count_hits_kernel, job);
}

void fill_hits(Stream stream, const FillHitsJob& job) {
  launch_threads(stream, job.rays.count, fill_hits_kernel, job);
}

}  // namespace sightline::kernels
