// RAII for the current device and for streams.
#pragma once

#include "host/cuda/device/check.hpp"

namespace sightline::cuda {

/// Makes a device this thread's current one, and restores the caller's at the end.
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

/// A new stream on the current device, which does not wait for the default stream. The destructor
/// waits for its work, so that the memory it uses may be released afterwards.
class OwnStream {
 public:
  OwnStream();
  ~OwnStream();
  OwnStream(const OwnStream&) = delete;
  OwnStream& operator=(const OwnStream&) = delete;

  cudaStream_t get() const { return stream_; }
  /// Waits for all its work; throws its errors.
  void synchronize(Where where = Where::here()) const;

 private:
  cudaStream_t stream_ = nullptr;
};

}  // namespace sightline::cuda
