// The launchers of kernels/hits.cu on the stand-in device: the same bodies, one ray after the
// other.
#include "kernels/hits.cuh"
#include "tests/standin/standin.hpp"

namespace sightline::kernels {

void count_hits(Stream stream, const CountHitsJob& job) {
  if (job.rays.count == 0) return;
  standin::launch(stream, [job] {
    for (std::uint64_t i = 0; i < job.rays.count; ++i) count_hits_of(job, i);
  });
}

void fill_hits(Stream stream, const FillHitsJob& job) {
  if (job.rays.count == 0) return;
  standin::launch(stream, [job] {
    for (std::uint64_t i = 0; i < job.rays.count; ++i) fill_hits_of(job, i);
  });
}

}  // namespace sightline::kernels
