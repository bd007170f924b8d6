#include "host/cuda/device/ray_sorter.hpp"

#include <sightline/error.hpp>

namespace sightline::cuda {
namespace {

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

bool RaySorter::sorts(std::uint64_t rays) const { return around_ && rays > 0 && rays <= most_rays; }

DeviceRayOrder RaySorter::order(const RaysView& rays, const StreamMemory& memory) const {
  if (!sorts(rays.count)) return {};
  return {rays, *around_, memory};
}

void check_sorting(const MemoryPool& memory, SortRays how) {
  if (how != SortRays::always || memory.is_ordered()) return;
  throw Error(ErrorKind::device,
              "cuda:" + std::to_string(memory.device()) +
                  ": rays cannot be sorted on it: its driver has no memory pools");
}

}  // namespace sightline::cuda
