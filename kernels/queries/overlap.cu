// Launchers of overlaps: see launch.hpp.
#include "kernels/launch/tuning.hpp"
#include "kernels/queries/overlap.cuh"
#include "kernels/traverse/grid_loops.cuh"

#include <type_traits>

namespace sightline::kernels {
namespace {

/// A pair of oriented boxes in doubles needs the registers of two other pairs.
template <class Shape>
inline constexpr int overlap_blocks =
    std::is_same_v<Shape, ObbFrame> ? obb_overlap_blocks : other_overlap_blocks;

template <class Shape, bool triangles>
__global__ void __launch_bounds__(block_size, overlap_blocks<Shape>)
    count_overlaps_kernel(const __grid_constant__ CountOverlapsJob job) {
  for_each_item(job.queries.count,
                [&](std::uint64_t i) { count_overlaps_of<Shape, triangles>(job, i); });
}

template <class Shape, bool triangles>
__global__ void __launch_bounds__(block_size, overlap_blocks<Shape>)
    fill_overlaps_kernel(const __grid_constant__ FillOverlapsJob job) {
  for_each_item(job.queries.count,
                [&](std::uint64_t i) { fill_overlaps_of<Shape, triangles>(job, i); });
}

}  // namespace

void count_overlaps(Stream stream, const CountOverlapsJob& job) {
  with_overlap_kernel(
      job, [&]<class S, bool triangles>(ShapeTag<S>, std::bool_constant<triangles>) {
        launch_threads(stream, job.queries.count, count_overlaps_kernel<S, triangles>, job);
      });
}

void fill_overlaps(Stream stream, const FillOverlapsJob& job) {
  with_overlap_kernel(
      job, [&]<class S, bool triangles>(ShapeTag<S>, std::bool_constant<triangles>) {
        launch_threads(stream, job.queries.count, fill_overlaps_kernel<S, triangles>, job);
      });
}

}  // namespace sightline::kernels
