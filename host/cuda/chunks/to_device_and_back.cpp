#include "host/cuda/chunks/to_device_and_back.hpp"

#include "host/cuda/all_cores.hpp"

#include <tbb/task_group.h>

#include <algorithm>

namespace sightline::cuda {
namespace {

// Large enough that copies run at the bus's full rate and launch costs vanish. Estimates: of the
// first, bench/drivers measures smaller ones too.
constexpr std::uint64_t fewest_chunks = 16;
constexpr std::uint64_t least_bytes = std::uint64_t{1} << 24, most_bytes = std::uint64_t{1} << 26;
constexpr std::uint64_t most_bytes_of_kernels = std::uint64_t{1} << 27;

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
  const std::uint64_t most =
      limits.waits_for == WaitsFor::kernels
          ? most_bytes_of_kernels
          : std::clamp(bytes_of(query, chunk).device_end / fewest_chunks, least_bytes, most_bytes);
  while (chunk > granule && bytes_of(query, chunk).device_end > most) {
    chunk = halved(chunk, granule);
  }
  return chunk;
}

/// How many slots the chunks of n elements use; few of large ones.
std::size_t slots_for(std::uint64_t n, std::uint64_t chunk, const ChunkLimits& limits) {
  const std::uint64_t chunks = n / chunk + (n % chunk != 0);
  const std::uint64_t most = limits.waits_for == WaitsFor::kernels ? 3 : Workspace::slots;
  return static_cast<std::size_t>(std::min(most, chunks));
}

/// Allocates the slots, for smaller chunks where memory is short; returns a chunk's elements.
std::uint64_t make_room(const Lease& lease, const ChunkQuery& query, std::uint64_t n,
                        const ChunkLimits& limits) {
  std::uint64_t chunk = first_chunk(query, n, limits);
  for (;;) {
    const ChunkBytes bytes = bytes_of(query, std::min(n, chunk));
    try {
      with_room(lease.pool(), [&] {
        lease->reserve(slots_for(n, chunk, limits), bytes.out_end, bytes.device_end);
      });
      return chunk;
    } catch (const Error& error) {
      if (error.kind() != ErrorKind::out_of_memory) throw;
      if (chunk <= limits.granule) throw;
      chunk = halved(chunk, limits.granule);
    }
  }
}

void launch(ChunkSlot& slot, const ChunkQuery& query, const ElementRange& elements,
            const ChunkBytes& bytes) {
  slot.first = elements.first;
  slot.count = elements.count;
  check(cudaMemcpyAsync(slot.device.data(), slot.pinned.data(), bytes.in_end,
                        cudaMemcpyHostToDevice, slot.stream.get()),
        "cudaMemcpyAsync");
  Chunk on_device(Chunk::Pass::launch, elements, slot.device.data(), slot.stream.get());
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

/// Calls pack(), which makes no calls of the runtime, on another thread if there is one, and
/// meanwhile(), which waits for the device, on this.
template <class Pack, class Meanwhile>
void pack_meanwhile(const Pack& pack, const Meanwhile& meanwhile) {
  if (all_cores().is_alone()) {  // a task that waits for another thread would wait for ever
    pack();
    return meanwhile();
  }
  // Of a context of its own, or the caller's cancelled tasks would take this one with them.
  tbb::task_group_context own(tbb::task_group_context::isolated);
  tbb::task_group packing(own);
  const auto wait = [&] { all_cores().run([&] { packing.wait(); }); };
  all_cores().run([&] { packing.run(pack); });
  try {
    meanwhile();  // on this thread, whose device is set
  } catch (...) {
    wait();
    throw;
  }
  wait();
}

}  // namespace

void run_chunks(const Lease& lease, std::uint64_t n, const ChunkLimits& limits,
                const ChunkQuery& query) {
  if (n == 0) return;
  const std::uint64_t size = make_room(lease, query, n, limits);
  const std::uint64_t chunks = n / size + (n % size != 0);
  const std::size_t slots = slots_for(n, size, limits);
  const auto slot_of = [&](std::uint64_t i) -> ChunkSlot& { return lease->slot(i % slots); };
  for (std::uint64_t i = 0; i < chunks; ++i) {
    const ElementRange elements = {i * size, std::min(size, n - i * size)};
    ChunkBytes bytes;
    const auto pack = [&] {
      Chunk chunk(Chunk::Pass::pack, elements, slot_of(i).pinned.data());
      query(chunk);
      bytes = chunk.bytes();
    };
    if (i + 1 < chunks) {  // whose slot is taken back meanwhile
      pack_meanwhile(pack, [&] { finish(slot_of(i + 1), query); });
    } else {
      pack();
    }
    launch(slot_of(i), query, elements, bytes);
  }
  for (std::uint64_t i = chunks; i < chunks + slots; ++i) finish(slot_of(i), query);
}

void run_query(WorkspacePool& pool, std::uint64_t n, const ChunkLimits& limits,
               const ChunkQuery& query) {
  if (n == 0) return;
  Lease lease(pool);
  run_chunks(lease, n, limits, query);
  lease.done();
}

}  // namespace sightline::cuda
