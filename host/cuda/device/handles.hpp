// The current device and streams, held for a scope.
#pragma once

#include "host/cuda/device/check.hpp"

namespace sightline::cuda {

/// Makes a device this thread's current one while it lives; then the caller's is current again.
class DeviceGuard {
 public:
  explicit DeviceGuard(int device);
  ~DeviceGuard();
  DeviceGuard(const DeviceGuard&) = delete;
  DeviceGuard& operator=(const DeviceGuard&) = delete;

 private:
  int callers_ = 0;
  bool changed_ = false;
};

/// A stream of its own on the current device, which does not wait for the default stream. Its end
/// waits for its work, so that what the work writes to may be released after it.
class OwnStream {
 public:
  OwnStream();
  ~OwnStream();
  OwnStream(const OwnStream&) = delete;
  OwnStream& operator=(const OwnStream&) = delete;

  cudaStream_t get() const { return stream_; }
  /// Waits for all its work; throws what failed in it.
  void synchronize(Where where = Where::here()) const;

 private:
  cudaStream_t stream_ = nullptr;
};

}  // namespace sightline::cuda
