// The launchers of kernels/queries/flat.cu, hits.cu, nearest.cu and overlap.cu on the stand-in
// device: the same bodies, one item after the other.
#include "kernels/queries/flat.cuh"
#include "kernels/queries/hits.cuh"
#include "kernels/queries/nearest.cuh"
#include "kernels/queries/overlap.cuh"
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

void count_hits(Stream stream, const CountHitsJob& job) {
  standin::launch_each(stream, job.rays.count, job, count_hits_of);
}
void fill_hits(Stream stream, const FillHitsJob& job) {
  standin::launch_each(stream, job.rays.count, job, fill_hits_of);
}
void winding(Stream stream, const WindingJob& job) {
  standin::launch_each(stream, job.points.count, job, winding_of);
}

void nearest(Stream stream, const NearestJob& job) {
  standin::launch_each(stream, job.queries.count, job, nearest_of<NearestJob>);
}
void clearance(Stream stream, const ClearanceJob& job) {
  standin::launch_each(stream, job.queries.count, job, nearest_of<ClearanceJob>);
}

void count_overlaps(Stream stream, const CountOverlapsJob& job) {
  with_overlap_kernel(
      job, [&]<class S, bool triangles>(ShapeTag<S>, std::bool_constant<triangles>) {
        standin::launch_each(stream, job.queries.count, job, count_overlaps_of<S, triangles>);
      });
}
void fill_overlaps(Stream stream, const FillOverlapsJob& job) {
  with_overlap_kernel(
      job, [&]<class S, bool triangles>(ShapeTag<S>, std::bool_constant<triangles>) {
        standin::launch_each(stream, job.queries.count, job, fill_overlaps_of<S, triangles>);
      });
}

}  // namespace sightline::kernels
