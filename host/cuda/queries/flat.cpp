#include "host/cuda/queries/queries.hpp"

#include "host/cuda/device/columns.hpp"
#include "host/cuda/queries/overlap_batches.hpp"

namespace sightline::cuda {
namespace {

/// See overlap_batches.hpp.
struct QueryCircles {
  const kernels::FlatDeviceScene& scene;
  const CirclesView& circles;

  std::uint64_t first() const { return 0; }
  std::uint64_t size() const { return circles.count; }

  CirclesView room_for(std::uint64_t n, Chunk& chunk) const {
    CirclesView at = circles;
    chunk.to_fill(at, n);
    return at;
  }

  void put(std::uint64_t index, const CirclesView& at, std::uint64_t k) const {
    for_each_column(
        [&]<class T>(const Column<T>& from, const Column<T>& to) {
          if (to.data != nullptr) const_cast<T*>(to.data)[k] = from[index];
        },
        circles, at);
  }

  void count(cudaStream_t stream, const CirclesView& at, std::uint32_t most,
             std::uint32_t* counts) const {
    kernels::count_flat(stream, {scene, at, most, counts});
    check_launch("count_flat");
  }
  void fill(cudaStream_t stream, const CirclesView& at, const kernels::RowPiece* pieces,
            std::uint32_t* ids) const {
    kernels::fill_flat(stream, {scene, at, pieces, ids});
    check_launch("fill_flat");
  }
};

auto all_of(const kernels::FlatDeviceScene& scene, const CirclesView& circles) {
  return [&](const auto& use) { use(QueryCircles{scene, circles}); };
}

}  // namespace

OverlapReport answer_query(const FlatContext& context, const detail::CirclesAny& asked) {
  return overlap_any_of(context, asked.queries.count, all_of(context.scene, asked.queries),
                        asked.bits);
}

OverlapReport answer_query(const FlatContext& context, const detail::CirclesCount& asked) {
  return overlap_count_of(context, asked.queries.count, all_of(context.scene, asked.queries),
                          asked.counts);
}

OverlapRows answer_query(const FlatContext& context, const detail::CirclesAll& asked) {
  return overlap_all_of(context, asked.queries.count, all_of(context.scene, asked.queries));
}

std::uint64_t answer_query(const FlatContext& context, const detail::SegmentHits& asked) {
  std::uint64_t found = 0;
  run_query(context.pool, asked.segments.count, {context.most, 1}, [&](Chunk& chunk) {
    kernels::CastFlatJob job = {context.scene, asked.segments, asked.hits, asked.inside};
    chunk.in(job.segments);
    chunk.out_always(job.hits.t, chunk.elements());
    chunk.out_always(job.hits.id, chunk.elements());
    chunk.out_always(job.hits.flags, chunk.elements());
    chunk.launch([&](cudaStream_t stream) {
      kernels::cast_flat(stream, job);
      check_launch("cast_flat");
    });
    chunk.unpack([&] {
      const std::uint32_t *const id = job.hits.id, *const end = id + chunk.count();
      found += static_cast<std::uint64_t>(end - id - std::count(id, end, none));
    });
  });
  return found;
}

}  // namespace sightline::cuda
