// The launchers of kernels/hits.cu on the stand-in device: the same bodies, one ray after the
// other.
#include "kernels/hits.cuh"
#include "tests/standin/standin.hpp"

namespace sightline::kernels {

void count_hits(Stream stream, const CountHitsJob& job) {
  standin::launch_each(stream, job.rays.count, job, count_hits_of);
}

void fill_hits(Stream stream, const FillHitsJob& job) {
  standin::launch_each(stream, job.rays.count, job, fill_hits_of);
}

}  // namespace sightline::kernels
