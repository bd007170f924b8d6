#include "host/cuda/queries/queries.hpp"

#include "host/backend/bodies.hpp"
#include "host/cuda/queries/overlap_batches.hpp"

namespace sightline::cuda {
namespace {

/// The query shapes of one kind: see overlap_batches.hpp.
struct QueriesOfKind {
  const kernels::DeviceScene& scene;
  const ShapesView& shapes;
  Kind kind;

  std::uint32_t first() const { return shapes.begin[static_cast<int>(kind)]; }
  std::uint32_t size() const { return shapes.count(kind); }

  kernels::QueryShapes room_for(std::uint64_t n, Chunk& chunk) const {
    kernels::QueryShapes at = {kind, nullptr, nullptr, n};
    with_bounded_kind(kind, [&]<class S>(ShapeTag<S>) { at.shapes = chunk.to_fill<S>(n); });
    if (shapes.mask != nullptr) at.mask = chunk.to_fill<std::uint32_t>(n);
    return at;
  }

  void put(std::uint64_t index, const kernels::QueryShapes& at, std::uint64_t k) const {
    const auto i = static_cast<std::uint32_t>(index);
    with_bounded_kind(kind, [&]<class S>(ShapeTag<S>) {
      const_cast<S*>(static_cast<const S*>(at.shapes))[k] = shapes.get<S>(i);
    });
    if (at.mask != nullptr) const_cast<std::uint32_t*>(at.mask)[k] = shapes.mask[first() + i];
  }

  void count(cudaStream_t stream, const kernels::QueryShapes& at, std::uint32_t most,
             std::uint32_t* counts) const {
    kernels::count_overlaps(stream, {scene, at, most, counts});
    check_launch("count_overlaps");
  }
  void fill(cudaStream_t stream, const kernels::QueryShapes& at, const kernels::RowPiece* pieces,
            std::uint32_t* ids) const {
    kernels::fill_overlaps(stream, {scene, at, pieces, ids});
    check_launch("fill_overlaps");
  }
};

auto kinds_of(const kernels::DeviceScene& scene, const ShapesView& queries) {
  return [&](const auto& use) {
    for (int k = 0; k < ShapeKinds::bounded; ++k) {
      use(QueriesOfKind{scene, queries, static_cast<Kind>(k)});
    }
  };
}

}  // namespace

OverlapReport answer_query(const QueryContext& context, const detail::OverlapAny& asked) {
  if (asked.body > 1) {
    return detail::answer_bodies(
        asked, [&](const detail::OverlapAny& each) { return answer_query(context, each); });
  }
  return overlap_any_of(context, asked.queries.size(), kinds_of(context.scene, asked.queries),
                        asked.bits);
}

OverlapReport answer_query(const QueryContext& context, const detail::OverlapCount& asked) {
  return overlap_count_of(context, asked.queries.size(), kinds_of(context.scene, asked.queries),
                          asked.counts);
}

OverlapRows answer_query(const QueryContext& context, const detail::OverlapAll& asked) {
  return overlap_all_of(context, asked.queries.size(), kinds_of(context.scene, asked.queries));
}

}  // namespace sightline::cuda
