// Launchers of the nearest shapes: see launch.hpp.
#include "kernels/launch/tuning.hpp"
#include "kernels/queries/nearest.cuh"
#include "kernels/traverse/grid_loops.cuh"

#include <type_traits>

namespace sightline::kernels {
namespace {

template <class Job>
inline constexpr int blocks_of =
    std::is_same_v<Job, ClearanceJob> ? clearance_blocks : nearest_blocks;

template <class Job>
__global__ void __launch_bounds__(block_size, blocks_of<Job>)
    nearest_kernel(const __grid_constant__ Job job) {
  for_each_item(job.queries.count, [&](std::uint64_t i) { nearest_of(job, i); });
}

}  // namespace

void nearest(Stream stream, const NearestJob& job) {
  launch_threads(stream, job.queries.count, nearest_kernel<NearestJob>, job);
}
void clearance(Stream stream, const ClearanceJob& job) {
  launch_threads(stream, job.queries.count, nearest_kernel<ClearanceJob>, job);
}

}  // namespace sightline::kernels
