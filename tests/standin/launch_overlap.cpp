// The launchers of kernels/overlap.cu on the stand-in device: the same bodies, one shape after the
// other.
#include "kernels/overlap.cuh"
#include "tests/standin/standin.hpp"

namespace sightline::kernels {

void count_overlaps(Stream stream, const CountOverlapsJob& job) {
  with_bounded_kind(job.queries.kind, [&]<class S>(ShapeTag<S>) {
    standin::launch_each(stream, job.queries.count, job, count_overlaps_of<S>);
  });
}

void fill_overlaps(Stream stream, const FillOverlapsJob& job) {
  with_bounded_kind(job.queries.kind, [&]<class S>(ShapeTag<S>) {
    standin::launch_each(stream, job.queries.count, job, fill_overlaps_of<S>);
  });
}

}  // namespace sightline::kernels
