#include "host/cuda/queries/queries.hpp"

#include "host/cuda/chunks/to_device_and_back.hpp"

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
NearestReport near_rows(const QueryContext& context, const detail::NearestOf<Queries, Out>& asked,
                        void (*launcher)(kernels::Stream,
                                         const kernels::NearRowsJob<Queries, Out>&),
                        const char* name) {
  NearestReport report = {asked.queries.count};
  run_query(context.pool, asked.queries.count, {context.most, 1}, [&](Chunk& chunk) {
    kernels::NearRowsJob<Queries, Out> job = {context.scene, asked.queries, asked.k, asked.range,
                                              asked.out};
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
        report.bad_points += is_bad(asked.queries[queries.first + i]);
      }
    });
  });
  return report;
}

}  // namespace

NearestReport answer_query(const QueryContext& context, const detail::Nearest& asked) {
  return near_rows(context, asked, kernels::nearest, "nearest");
}

NearestReport answer_query(const QueryContext& context, const detail::Clearance& asked) {
  return near_rows(context, asked, kernels::clearance, "clearance");
}

WindingReport answer_query(const QueryContext& context, const detail::Winding& asked) {
  WindingReport report = {asked.points.count};
  run_query(context.pool, asked.points.count, {context.most, 1}, [&](Chunk& chunk) {
    kernels::WindingJob job = {context.scene, asked.points, asked.numbers};
    chunk.in(job.points);
    chunk.out_always(job.numbers, chunk.elements());
    chunk.launch([&](cudaStream_t stream) {
      kernels::winding(stream, job);
      check_launch("winding");
    });
    chunk.unpack([&] {
      for (std::uint64_t k = 0; k < chunk.count(); ++k) {
        report.inside += job.numbers[k] != 0;
        report.bad_points += !in_domain(asked.points[chunk.first() + k].position);
      }
    });
  });
  return report;
}

}  // namespace sightline::cuda
