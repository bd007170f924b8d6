// The order of rays on the device in which a rival casts them best: by the signs of their
// direction, then along the Morton curve of a box, by their origin or the middle of a segment.
#pragma once

#include "bench/rivals/cubql.hpp"

namespace sightline::rivals {

class DeviceRaySort {
 public:
  /// Takes the memory for calls of at most `most` rays, so that no call waits for memory. `around`
  /// holds the scene. Throws Error{out_of_memory}, Error{device}.
  DeviceRaySort(std::uint32_t most, const Aabb& around);
  ~DeviceRaySort();
  DeviceRaySort(const DeviceRaySort&) = delete;
  DeviceRaySort& operator=(const DeviceRaySort&) = delete;

  /// Sorts in the stream and does not wait: the order [rays.count], on the device, until the next
  /// call. rays.order is not read.
  const std::uint32_t* sort(CUstream_st* stream, const CubqlRays& rays);

 private:
  std::uint32_t most_;
  Aabb around_;
  std::uint32_t* memory_ = nullptr;  ///< codes, indices and the sort's second ones, [most] each
  void* temporary_ = nullptr;
  std::size_t temporary_bytes_ = 0;
};

}  // namespace sightline::rivals
