// Time and memory of the device, for the programs that measure it.
#pragma once

#include "host/cuda/device/check.hpp"
#include "host/cuda/device/handles.hpp"
#include "host/cuda/device/memory.hpp"
#include "host/gen/rays.hpp"

#include <cuda_profiler_api.h>
#include <cuda_runtime_api.h>

#include <vector>

namespace sightline::bench {

/// Between two events of a stream.
class Stopwatch {
 public:
  explicit Stopwatch(cudaStream_t stream) : stream_(stream) {
    cuda::check(cudaEventCreate(&start_), "cudaEventCreate");
    cuda::check(cudaEventCreate(&end_), "cudaEventCreate");
  }
  ~Stopwatch() {
    cudaEventDestroy(start_);
    cudaEventDestroy(end_);
  }
  Stopwatch(const Stopwatch&) = delete;
  Stopwatch& operator=(const Stopwatch&) = delete;

  /// Seconds of the work that `launch` puts into the stream; waits for it. A profiler that has been
  /// told so looks at this work alone.
  template <class F>
  double seconds(F&& launch) {
    cuda::check(cudaProfilerStart(), "cudaProfilerStart");
    cuda::check(cudaEventRecord(start_, stream_), "cudaEventRecord");
    launch();
    cuda::check(cudaEventRecord(end_, stream_), "cudaEventRecord");
    cuda::check(cudaEventSynchronize(end_), "cudaEventSynchronize");
    float milliseconds = 0;
    cuda::check(cudaEventElapsedTime(&milliseconds, start_, end_), "cudaEventElapsedTime");
    cuda::check(cudaProfilerStop(), "cudaProfilerStop");
    return static_cast<double>(milliseconds) * 1e-3;
  }

 private:
  cudaStream_t stream_;
  cudaEvent_t start_ = nullptr, end_ = nullptr;
};

/// An array [n] on the device.
template <class T>
class DeviceArray {
 public:
  explicit DeviceArray(std::uint64_t n) : memory_(n * sizeof(T)) {}
  explicit DeviceArray(const std::vector<T>& values) : DeviceArray(values.size()) {
    cuda::check(cudaMemcpy(data(), values.data(), memory_.bytes(), cudaMemcpyHostToDevice),
                "cudaMemcpy");
    // It may return before the last of it has come, and streams of our own do not wait for it.
    cuda::check(cudaStreamSynchronize(nullptr), "cudaStreamSynchronize");
  }
  T* data() const { return reinterpret_cast<T*>(memory_.data()); }
  std::vector<T> values() const {
    std::vector<T> copy(memory_.bytes() / sizeof(T));
    cuda::check(cudaMemcpy(copy.data(), data(), memory_.bytes(), cudaMemcpyDeviceToHost),
                "cudaMemcpy");
    return copy;
  }

 private:
  cuda::DeviceMemory memory_;
};

/// Rays whose columns lie on the device.
struct DeviceRays {
  DeviceArray<Vec3> origin, direction;
  RaysView view;

  explicit DeviceRays(const gen::RaySet& set) : origin(set.origin), direction(set.direction) {
    view.count = set.size();
    view.origin = std::span<const Vec3>(origin.data(), view.count);
    view.direction = std::span<const Vec3>(direction.data(), view.count);
    view.t_min = set.t_min;
    view.t_max = set.t_max;
  }
};

}  // namespace sightline::bench
