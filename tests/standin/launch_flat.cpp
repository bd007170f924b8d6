// The launchers of kernels/flat.cu on the stand-in device: the same bodies, one after the other.
#include "kernels/flat.cuh"
#include "tests/standin/standin.hpp"

namespace sightline::kernels {

void count_flat(Stream stream, const CountFlatJob& job) {
  standin::launch_each(stream, job.circles.count, job, count_flat_of);
}

void fill_flat(Stream stream, const FillFlatJob& job) {
  standin::launch_each(stream, job.circles.count, job, fill_flat_of);
}

void cast_flat(Stream stream, const CastFlatJob& job) {
  standin::launch_each(stream, job.segments.count, job, cast_flat_of);
}

}  // namespace sightline::kernels
