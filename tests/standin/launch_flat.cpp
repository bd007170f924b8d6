// The launchers of kernels/flat.cu on the stand-in device: the same bodies, one after the other.
#include "kernels/flat.cuh"
#include "tests/standin/standin.hpp"

namespace sightline::kernels {

void count_flat(Stream stream, const CountFlatJob& job) {
  if (job.circles.count == 0) return;
  standin::launch(stream, [job] {
    for (std::uint64_t i = 0; i < job.circles.count; ++i) count_flat_of(job, i);
  });
}

void fill_flat(Stream stream, const FillFlatJob& job) {
  if (job.circles.count == 0) return;
  standin::launch(stream, [job] {
    for (std::uint64_t i = 0; i < job.circles.count; ++i) fill_flat_of(job, i);
  });
}

void cast_flat(Stream stream, const CastFlatJob& job) {
  if (job.segments.count == 0) return;
  standin::launch(stream, [job] {
    for (std::uint64_t i = 0; i < job.segments.count; ++i) cast_flat_of(job, i);
  });
}

}  // namespace sightline::kernels
