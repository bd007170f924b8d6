// Queries in chunks: copies to the device, kernels and copies back overlap.
#pragma once

#include "host/cuda/chunks/chunk_arrays.hpp"
#include "host/cuda/chunks/workspace.hpp"

#include <functional>

namespace sightline::cuda {

/// Lists the arrays of a chunk and what is done with them: see Chunk. More elements take at least
/// as much memory. Chunks are unpacked one at a time, in order, while one at a time is packed by
/// another thread: what packing and unpacking write must not be shared.
using ChunkQuery = std::function<void(Chunk&)>;

/// What a query waits for: the bus, and then its call has many chunks, since the first and the last
/// overlap with nothing; or its kernels, which do better with much at a time.
enum class WaitsFor { bus, kernels };

/// Limits of a query's chunks. Answers do not depend on them.
struct ChunkLimits {
  std::uint64_t most = 0;     ///< elements; 0: chosen
  std::uint64_t granule = 1;  ///< chunks begin at its multiples
  WaitsFor waits_for = WaitsFor::bus;
};

/// Answers n elements, and returns when all have come back. Where memory is short the chunks become
/// smaller; throws Error{out_of_memory} where not even a granule fits. After an exception, work may
/// still be running in the workspace until it is destroyed or cleared.
void run_chunks(const Lease& lease, std::uint64_t n, const ChunkLimits& limits,
                const ChunkQuery& query);

/// The same in a workspace of the pool, for a query that needs it for nothing else.
void run_query(WorkspacePool& pool, std::uint64_t n, const ChunkLimits& limits,
               const ChunkQuery& query);

}  // namespace sightline::cuda
