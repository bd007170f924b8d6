// The queries of the CUDA backend: arrays go to the device in chunks, answers come back. What they
// answer: see host/backend/queries.hpp.
#pragma once

#include "host/backend/queries.hpp"
#include "host/cuda/chunks/workspace.hpp"
#include "host/cuda/cuda_backend.hpp"
#include "kernels/launch/launch.hpp"

namespace sightline::cuda {

/// What every query needs.
template <class Scene>
struct Context {
  WorkspacePool& pool;
  Scene scene;
  std::uint64_t most = 0;  ///< elements of a chunk, at most; 0: chosen
};
struct QueryContext : Context<kernels::DeviceScene> {
  MatrixLimits limits;
};
using FlatContext = Context<kernels::FlatDeviceScene>;

// Each in the file of its kind. All overlaps and all hits are counted first, then fetched, at most
// `most` at a time.
#define SIGHTLINE_ANSWER(Query) \
  detail::Query::Report answer_query(const QueryContext& context, const detail::Query& asked);
SIGHTLINE_FOR_EACH_QUERY(SIGHTLINE_ANSWER)
#undef SIGHTLINE_ANSWER
#define SIGHTLINE_ANSWER(Query) \
  detail::Query::Report answer_query(const FlatContext& context, const detail::Query& asked);
SIGHTLINE_FOR_EACH_FLAT_QUERY(SIGHTLINE_ANSWER)
#undef SIGHTLINE_ANSWER

}  // namespace sightline::cuda
