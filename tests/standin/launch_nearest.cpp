// The launchers of kernels/nearest.cu on the stand-in device: the same body, one point or segment
// after the other.
#include "kernels/nearest.cuh"
#include "tests/standin/standin.hpp"

namespace sightline::kernels {

void nearest(Stream stream, const NearestJob& job) {
  standin::launch_each(stream, job.queries.count, job, nearest_of<NearestJob>);
}
void clearance(Stream stream, const ClearanceJob& job) {
  standin::launch_each(stream, job.queries.count, job, nearest_of<ClearanceJob>);
}

}  // namespace sightline::kernels
