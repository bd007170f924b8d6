// The launchers of kernels/overlap.cu on the stand-in device: the same bodies, one shape after the
// other.
#include "kernels/overlap.cuh"
#include "tests/standin/standin.hpp"

namespace sightline::kernels {

void count_overlaps(Stream stream, const CountOverlapsJob& job) {
  if (job.queries.count == 0) return;
  standin::launch(stream, [job] {
    with_bounded_kind(job.queries.kind, [&]<class S>(ShapeTag<S>) {
      for (std::uint64_t i = 0; i < job.queries.count; ++i) count_overlaps_of<S>(job, i);
    });
  });
}

void fill_overlaps(Stream stream, const FillOverlapsJob& job) {
  if (job.queries.count == 0) return;
  standin::launch(stream, [job] {
    with_bounded_kind(job.queries.kind, [&]<class S>(ShapeTag<S>) {
      for (std::uint64_t i = 0; i < job.queries.count; ++i) fill_overlaps_of<S>(job, i);
    });
  });
}

}  // namespace sightline::kernels
