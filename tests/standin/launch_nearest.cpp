// The launcher of kernels/nearest.cu on the stand-in device: the same body, one point after the
// other.
#include "kernels/nearest.cuh"
#include "tests/standin/standin.hpp"

namespace sightline::kernels {

void nearest(Stream stream, const NearestJob& job) {
  if (job.points.count == 0) return;
  standin::launch(stream, [job] {
    for (std::uint64_t i = 0; i < job.points.count; ++i) nearest_of(job, i);
  });
}

}  // namespace sightline::kernels
