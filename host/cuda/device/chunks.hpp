// Jobs cut into chunks that are on their way to the device, through it and back at the same time.
#pragma once

#include "host/cuda/device/workspace.hpp"

namespace sightline::cuda {

/// How a chunk lies in its memory, the same on both sides: [0, in_end) is copied to the device,
/// [out_begin, out_end) back; what follows up to device_end is only on the device.
struct ChunkBytes {
  std::uint64_t in_end = 0, out_begin = 0, out_end = 0, device_end = 0;
};

/// What is done with each chunk of a job's elements.
class ChunkJob {
 public:
  ChunkJob() = default;
  ChunkJob(const ChunkJob&) = delete;
  ChunkJob& operator=(const ChunkJob&) = delete;
  virtual ~ChunkJob() = default;

  /// Of a chunk of n elements; grows with n.
  virtual ChunkBytes bytes(std::uint64_t n) const = 0;
  /// Of this chunk, where it may take less than others of n elements.
  virtual ChunkBytes bytes_of(std::uint64_t first, std::uint64_t n) const;
  /// Fills what goes to the device.
  virtual void pack(std::uint64_t first, std::uint64_t n, std::byte* host) const = 0;
  /// Puts the work into the stream. Does not wait.
  virtual void launch(cudaStream_t stream, std::uint64_t first, std::uint64_t n,
                      std::byte* device) const = 0;
  /// Takes what came back. Chunks come back in any order, one after the other.
  virtual void unpack(std::uint64_t first, std::uint64_t n, const std::byte* host) = 0;
};

inline ChunkBytes ChunkJob::bytes_of(std::uint64_t, std::uint64_t n) const { return bytes(n); }

/// What limits the chunks of a job. Answers depend on none of it.
struct ChunkLimits {
  std::uint64_t most = 0;     ///< elements; 0: as many as are worth a copy
  std::uint64_t granule = 1;  ///< chunks begin at its multiples
};

/// Does the n elements of the job; returns when all have come back. Where memory is short the
/// chunks become smaller; throws Error{out_of_memory} where not even a granule fits. After an
/// exception work may still be under way in the workspace, until it ends or is cleared.
void run_chunks(const Lease& lease, ChunkJob& job, std::uint64_t n, const ChunkLimits& limits);

}  // namespace sightline::cuda
