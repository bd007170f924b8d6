#include "host/cuda/queries/queries.hpp"

#include "host/cuda/device/chunks.hpp"

#include <algorithm>

namespace sightline::cuda {
namespace {

/// Names what comes back beside distances and ids.
void out_places(Chunk& chunk, NearestView& out, const Range& rows) {
  chunk.out(out.point, rows), chunk.out(out.direction, rows);
}
void out_places(Chunk& chunk, ClearanceView& out, const Range& rows) {
  chunk.out(out.t, rows), chunk.out(out.on_segment, rows), chunk.out(out.on_shape, rows);
}

/// Distances and ids are the device's lists, and come back whether asked for or not.
template <class Asked, class Out>
NearestReport near_rows(const QueryContext& context, const kernels::NearRowsJob<Asked, Out>& all,
                        void (*launcher)(kernels::Stream, const kernels::NearRowsJob<Asked, Out>&),
                        const char* name) {
  NearestReport report = {all.asked.count};
  run_query(context.pool, all.asked.count, {context.most, 1}, [&](Chunk& chunk) {
    kernels::NearRowsJob<Asked, Out> job = all;
    const Range asked = chunk.elements(), rows = asked.times(job.k);
    chunk.in(job.asked);
    chunk.out_always(job.out.distance, rows);
    chunk.out_always(job.out.id, rows);
    out_places(chunk, job.out, rows);
    chunk.launch([&](cudaStream_t stream) {
      launcher(stream, job);
      check_launch(name);
    });
    chunk.unpack([&] {
      const auto missing = std::count(job.out.id, job.out.id + rows.count, none);
      report.found += rows.count - static_cast<std::uint64_t>(missing);
      for (std::uint64_t i = 0; i < asked.count; ++i) {
        report.bad_points += is_bad(all.asked[asked.first + i]);
      }
    });
  });
  return report;
}

}  // namespace

NearestReport nearest(const QueryContext& context, const PointsView& points, std::uint32_t k,
                      float range, const NearestView& out) {
  return near_rows<PointsView, NearestView>(context, {context.scene, points, k, range, out},
                                            kernels::nearest, "nearest");
}

NearestReport clearance(const QueryContext& context, const PointPairsView& segments,
                        std::uint32_t k, float range, const ClearanceView& out) {
  return near_rows<PointPairsView, ClearanceView>(context, {context.scene, segments, k, range, out},
                                                  kernels::clearance, "clearance");
}

}  // namespace sightline::cuda
