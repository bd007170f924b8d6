#include "host/cuda/chunks/to_device_and_back.hpp"

#include <algorithm>

namespace sightline::cuda {
namespace {

// Large enough that copies run at the bus's full rate and launch costs vanish.
constexpr std::uint64_t most_chunk_bytes = std::uint64_t{1} << 27;

std::uint64_t halved(std::uint64_t chunk, std::uint64_t granule) {
  return std::max(granule, chunk / 2 / granule * granule);
}

ChunkBytes bytes_of(const ChunkQuery& query, std::uint64_t n) {
  Chunk chunk(Chunk::Pass::measure, {0, n});
  query(chunk);
  return chunk.bytes();
}

std::uint64_t first_chunk(const ChunkQuery& query, std::uint64_t n, const ChunkLimits& limits) {
  const std::uint64_t granule = limits.granule;
  const bool capped = limits.most != 0 && limits.most < n;
  std::uint64_t chunk = capped ? std::max(granule, limits.most / granule * granule)
                               : (n + granule - 1) / granule * granule;
  while (chunk > granule && bytes_of(query, chunk).device_end > most_chunk_bytes) {
    chunk = halved(chunk, granule);
  }
  return chunk;
}

/// How many slots the chunks of n elements use.
std::size_t slots_for(std::uint64_t n, std::uint64_t chunk) {
  const std::uint64_t chunks = n / chunk + (n % chunk != 0);
  return static_cast<std::size_t>(std::min<std::uint64_t>(Workspace::slots, chunks));
}

/// Allocates the slots, for smaller chunks where memory is short; returns a chunk's elements.
std::uint64_t make_room(const Lease& lease, const ChunkQuery& query, std::uint64_t n,
                        const ChunkLimits& limits) {
  std::uint64_t chunk = first_chunk(query, n, limits);
  for (;;) {
    const ChunkBytes bytes = bytes_of(query, std::min(n, chunk));
    try {
      with_room(lease.pool(),
                [&] { lease->reserve(slots_for(n, chunk), bytes.out_end, bytes.device_end); });
      return chunk;
    } catch (const Error& error) {
      if (error.kind() != ErrorKind::out_of_memory) throw;
      if (chunk <= limits.granule) throw;
      chunk = halved(chunk, limits.granule);
    }
  }
}

void start(ChunkSlot& slot, const ChunkQuery& query, std::uint64_t first, std::uint64_t n) {
  Chunk on_host(Chunk::Pass::pack, {first, n}, slot.pinned.data());
  query(on_host);
  const ChunkBytes bytes = on_host.bytes();
  slot.first = first;
  slot.count = n;
  check(cudaMemcpyAsync(slot.device.data(), slot.pinned.data(), bytes.in_end,
                        cudaMemcpyHostToDevice, slot.stream.get()),
        "cudaMemcpyAsync");
  Chunk on_device(Chunk::Pass::launch, {first, n}, slot.device.data(), slot.stream.get());
  query(on_device);
  check(cudaMemcpyAsync(slot.pinned.data() + bytes.out_begin, slot.device.data() + bytes.out_begin,
                        bytes.out_end - bytes.out_begin, cudaMemcpyDeviceToHost, slot.stream.get()),
        "cudaMemcpyAsync");
}

void finish(ChunkSlot& slot, const ChunkQuery& query) {
  if (slot.count == 0) return;
  slot.stream.synchronize();
  Chunk chunk(Chunk::Pass::unpack, {slot.first, slot.count}, slot.pinned.data());
  query(chunk);
  slot.count = 0;
}

}  // namespace

void run_chunks(const Lease& lease, std::uint64_t n, const ChunkLimits& limits,
                const ChunkQuery& query) {
  if (n == 0) return;
  const std::uint64_t chunk = make_room(lease, query, n, limits);
  const std::size_t slots = slots_for(n, chunk);
  std::size_t next = 0;
  for (std::uint64_t first = 0; first < n; first += chunk) {
    ChunkSlot& slot = lease->slot(next);
    finish(slot, query);
    start(slot, query, first, std::min(chunk, n - first));
    next = (next + 1) % slots;
  }
  for (std::size_t i = 0; i < slots; ++i) {
    finish(lease->slot((next + i) % slots), query);
  }
}

void run_query(WorkspacePool& pool, std::uint64_t n, const ChunkLimits& limits,
               const ChunkQuery& query) {
  if (n == 0) return;
  Lease lease(pool);
  run_chunks(lease, n, limits, query);
  lease.done();
}

}  // namespace sightline::cuda
