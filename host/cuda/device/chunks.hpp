// Jobs cut into chunks that are on their way to the device, through it and back at the same time.
#pragma once

#include "host/cuda/device/chunk.hpp"
#include "host/cuda/device/workspace.hpp"

#include <functional>

namespace sightline::cuda {

/// Names the arrays of a chunk and what is done with them: see Chunk. More elements take at least
/// as much memory. Chunks are unpacked in any order, one after the other.
using ChunkWalk = std::function<void(Chunk&)>;

/// What limits the chunks of a job. Answers depend on none of it.
struct ChunkLimits {
  std::uint64_t most = 0;     ///< elements; 0: as many as are worth a copy
  std::uint64_t granule = 1;  ///< chunks begin at its multiples
};

/// Does n elements; returns when all have come back. Where memory is short the chunks become
/// smaller; throws Error{out_of_memory} where not even a granule fits. After an exception work may
/// still be under way in the workspace, until it ends or is cleared.
void run_chunks(const Lease& lease, std::uint64_t n, const ChunkLimits& limits,
                const ChunkWalk& walk);

/// The same in a workspace of the pool's, for a query that needs it for nothing else.
void run_query(WorkspacePool& pool, std::uint64_t n, const ChunkLimits& limits,
               const ChunkWalk& walk);

}  // namespace sightline::cuda
