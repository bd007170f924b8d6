#include "host/cuda/device/chunks.hpp"

#include <algorithm>

namespace sightline::cuda {
namespace {

// Large enough that copies run at the bus's full rate and launches cost nothing beside them.
constexpr std::uint64_t most_chunk_bytes = std::uint64_t{1} << 27;

std::uint64_t halved(std::uint64_t chunk, std::uint64_t granule) {
  return std::max(granule, chunk / 2 / granule * granule);
}

std::uint64_t first_chunk(const ChunkJob& job, std::uint64_t n, const ChunkLimits& limits) {
  const std::uint64_t granule = limits.granule;
  const bool capped = limits.most != 0 && limits.most < n;
  std::uint64_t chunk = capped ? std::max(granule, limits.most / granule * granule)
                               : (n + granule - 1) / granule * granule;
  while (chunk > granule && job.bytes(chunk).device_end > most_chunk_bytes) {
    chunk = halved(chunk, granule);
  }
  return chunk;
}

/// Slots for chunks of so many elements.
std::size_t slots_for(std::uint64_t n, std::uint64_t chunk) {
  const std::uint64_t chunks = n / chunk + (n % chunk != 0);
  return static_cast<std::size_t>(std::min<std::uint64_t>(Workspace::slots, chunks));
}

/// Makes room for chunks, smaller ones where memory is short; returns their elements.
std::uint64_t make_room(const Lease& lease, const ChunkJob& job, std::uint64_t n,
                        const ChunkLimits& limits) {
  std::uint64_t chunk = first_chunk(job, n, limits);
  for (;;) {
    const ChunkBytes bytes = job.bytes(std::min(n, chunk));
    try {
      lease->reserve(slots_for(n, chunk), bytes.out_end, bytes.device_end);
      return chunk;
    } catch (const Error& error) {
      if (error.kind() != ErrorKind::out_of_memory) throw;
      // First what other queries have left.
      if (lease.pool().trim()) continue;
      if (chunk <= limits.granule) throw;
      chunk = halved(chunk, limits.granule);
    }
  }
}

void start(Slot& slot, const ChunkJob& job, std::uint64_t first, std::uint64_t n) {
  const ChunkBytes bytes = job.bytes_of(first, n);
  job.pack(first, n, slot.pinned.data());
  slot.first = first;
  slot.count = n;
  check(cudaMemcpyAsync(slot.device.data(), slot.pinned.data(), bytes.in_end,
                        cudaMemcpyHostToDevice, slot.stream.get()),
        "cudaMemcpyAsync");
  job.launch(slot.stream.get(), first, n, slot.device.data());
  check(cudaMemcpyAsync(slot.pinned.data() + bytes.out_begin, slot.device.data() + bytes.out_begin,
                        bytes.out_end - bytes.out_begin, cudaMemcpyDeviceToHost, slot.stream.get()),
        "cudaMemcpyAsync");
}

void finish(Slot& slot, ChunkJob& job) {
  if (slot.count == 0) return;
  slot.stream.synchronize();
  job.unpack(slot.first, slot.count, slot.pinned.data());
  slot.count = 0;
}

}  // namespace

void run_chunks(const Lease& lease, ChunkJob& job, std::uint64_t n, const ChunkLimits& limits) {
  if (n == 0) return;
  const std::uint64_t chunk = make_room(lease, job, n, limits);
  const std::size_t slots = slots_for(n, chunk);
  std::size_t next = 0;
  for (std::uint64_t first = 0; first < n; first += chunk) {
    Slot& slot = lease->slot(next);
    finish(slot, job);
    start(slot, job, first, std::min(chunk, n - first));
    next = (next + 1) % slots;
  }
  for (std::size_t i = 0; i < slots; ++i) {
    finish(lease->slot((next + i) % slots), job);
  }
}

}  // namespace sightline::cuda
