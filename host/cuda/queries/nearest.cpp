#include "host/cuda/queries/queries.hpp"

#include "host/cuda/chunks/chunks.hpp"

#include <algorithm>

namespace sightline::cuda {
namespace {

/// Lists the optional outputs.
void out_places(Chunk& chunk, NearestView& out, const ElementRange& rows) {
  chunk.out(out.point, rows), chunk.out(out.direction, rows);
}
void out_places(Chunk& chunk, ClearanceView& out, const ElementRange& rows) {
  chunk.out(out.t, rows), chunk.out(out.on_segment, rows), chunk.out(out.on_shape, rows);
}

/// Distances and ids are the device's working lists, and are copied back in any case.
template <class Queries, class Out>
NearestReport near_rows(const QueryContext& context, const kernels::NearRowsJob<Queries, Out>& all,
                        void (*launcher)(kernels::Stream,
                                         const kernels::NearRowsJob<Queries, Out>&),
                        const char* name) {
  NearestReport report = {all.queries.count};
  run_query(context.pool, all.queries.count, {context.most, 1}, [&](Chunk& chunk) {
    kernels::NearRowsJob<Queries, Out> job = all;
    const ElementRange queries = chunk.elements(), rows = queries.times(job.k);
    chunk.in(job.queries);
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
      for (std::uint64_t i = 0; i < queries.count; ++i) {
        report.bad_points += is_bad(all.queries[queries.first + i]);
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
