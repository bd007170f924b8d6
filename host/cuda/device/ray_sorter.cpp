#include "host/cuda/device/ray_sorter.hpp"

#include <sightline/error.hpp>

namespace sightline::cuda {
namespace {

// Estimates, not yet measured: a sort costs about an eighth of a nanosecond a ray and the latency
// of eight kernels. It saves reads of the tree, which matter only where it has outgrown the L2
// cache.
constexpr std::uint64_t fewest_rays = std::uint64_t{1} << 20, fewest_shapes = 1'000'000;
constexpr std::uint64_t most_rays = 0xFFFFFFFFu;  // ray indices have 32 bits

}  // namespace

DeviceRayOrder::DeviceRayOrder(const RaysView& rays, const Aabb& around, const StreamMemory& memory)
    : memory_(memory) {
  auto* const order =
      static_cast<std::uint32_t*>(memory_->allocate(rays.count * sizeof(std::uint32_t)));
  try {
    check(static_cast<cudaError_t>(
              kernels::ray_order(memory.stream(), rays, around, order, memory_->allocator())),
          "ray_order");
  } catch (...) {
    memory_->release(order);
    throw;
  }
  order_ = order;
}

bool RaySorter::sorts(std::uint64_t rays, RayLocation location) const {
  if (how_ == SortRays::never || rays == 0 || rays > most_rays) return false;
  if (how_ == SortRays::always) return true;
  return location == RayLocation::on_device && rays >= fewest_rays && shapes_ >= fewest_shapes;
}

DeviceRayOrder RaySorter::order(const RaysView& rays, RayLocation location,
                                const StreamMemory& memory) const {
  if (!sorts(rays.count, location)) return {};
  try {
    return {rays, around_, memory};
  } catch (const Error& error) {
    if (how_ == SortRays::always || error.kind() != ErrorKind::out_of_memory) throw;
  }
  return {};
}

SortRays sorting_in(const MemoryPool& memory, SortRays how) {
  if (memory.is_ordered() || how == SortRays::never) return how;
  if (how == SortRays::automatic) return SortRays::never;
  throw Error(ErrorKind::device,
              "cuda:" + std::to_string(memory.device()) +
                  ": rays cannot be sorted on it: its driver has no memory pools");
}

}  // namespace sightline::cuda
