// The launchers of kernels/nearest.cu on the stand-in device: the same body, one point or segment
// after the other.
#include "kernels/nearest.cuh"
#include "tests/standin/standin.hpp"

namespace sightline::kernels {
namespace {

template <class Job>
void launch_near_rows(Stream stream, const Job& job) {
  if (job.queries.count == 0) return;
  standin::launch(stream, [job] {
    for (std::uint64_t i = 0; i < job.queries.count; ++i) nearest_of(job, i);
  });
}

}  // namespace

void nearest(Stream stream, const NearestJob& job) { launch_near_rows(stream, job); }
void clearance(Stream stream, const ClearanceJob& job) { launch_near_rows(stream, job); }

}  // namespace sightline::kernels
