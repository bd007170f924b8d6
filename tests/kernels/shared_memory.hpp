// Memory that host and device both reach, for tests of the launchers alone: pinned memory.
#pragma once

#include <sightline/geometry/shapes/all_shapes.hpp>
#include <sightline/ray.hpp>

#include <cuda_runtime_api.h>
#include <gtest/gtest.h>

#include <cstring>
#include <vector>

namespace sightline::testing {

/// Why there is no device to launch on; empty: there is one.
inline std::string device_problem() {
  int devices = 0;
  const cudaError_t error = cudaGetDeviceCount(&devices);
  // Without a device the driver may be missing, too.
  if (error == cudaErrorNoDevice || error == cudaErrorInsufficientDriver)
    devices = 0;
  else if (error != cudaSuccess)
    return cudaGetErrorString(error);
  return devices == 0 ? "there is no CUDA device" : "";
}

// The memory of the device of tests/ptx is the host's, and Thrust copies from device to device.
#if defined(SIGHTLINE_ON_PTX)
inline cudaError_t take_shared(void** memory, std::size_t bytes) {
  return cudaMalloc(memory, bytes);
}
inline void give_shared(void* memory) { cudaFree(memory); }
#else
inline cudaError_t take_shared(void** memory, std::size_t bytes) {
  return cudaHostAlloc(memory, bytes, cudaHostAllocDefault);
}
inline void give_shared(void* memory) { cudaFreeHost(memory); }
#endif

/// Arrays until the end of a test.
class SharedMemory {
 public:
  SharedMemory() = default;
  SharedMemory(const SharedMemory&) = delete;
  SharedMemory& operator=(const SharedMemory&) = delete;
  ~SharedMemory() {
    for (void* memory : all_) give_shared(memory);
  }

  /// n elements, none of them written yet.
  template <class T>
  T* make(std::uint64_t n) {
    if (n == 0) return nullptr;
    void* memory = nullptr;
    EXPECT_EQ(take_shared(&memory, n * sizeof(T)), cudaSuccess);
    all_.push_back(memory);
    std::memset(memory, 0xA5, n * sizeof(T));
    return static_cast<T*>(memory);
  }
  /// A copy; null stays null.
  template <class T>
  const T* copy(const T* from, std::uint64_t n) {
    if (from == nullptr || n == 0) return nullptr;
    T* to = make<T>(n);
    std::memcpy(static_cast<void*>(to), from, n * sizeof(T));
    return to;
  }
  template <class T>
  const T* copy(const std::vector<T>& from) {
    return copy(from.data(), from.size());
  }
  ShapesView copy(const ShapesView& shapes) {
    ShapesView v = shapes;
    ShapeKinds::for_each([&]<class S>(ShapeTag<S>) {
      for_each_column<S>([&](const char*, const auto* from,
                             auto& to) { to = copy(from, shapes.count(kind_for<S>)); },
                         shapes.of<S>(), v.of<S>());
    });
    v.bounds = copy(v.bounds, shapes.bounded());
    v.mask = copy(v.mask, shapes.size());
    v.group = copy(v.group, shapes.size());
    return v;
  }

 private:
  std::vector<void*> all_;
};

/// Whether memory holds these elements, byte for byte; it may be null where there are none.
template <class T>
bool holds(const void* memory, const std::vector<T>& expected) {
  return expected.empty() || std::memcmp(memory, expected.data(), expected.size() * sizeof(T)) == 0;
}

/// With a stream of a device, if there is one.
class LauncherTest : public ::testing::Test {
 protected:
  void SetUp() override {
    if (const std::string problem = device_problem(); !problem.empty()) GTEST_SKIP() << problem;
    ASSERT_EQ(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking), cudaSuccess);
  }
  void TearDown() override {
    if (stream_ != nullptr) cudaStreamDestroy(stream_);
  }

  /// Waits for what was launched.
  void finish() {
    EXPECT_EQ(cudaGetLastError(), cudaSuccess);
    EXPECT_EQ(cudaStreamSynchronize(stream_), cudaSuccess);
  }

  cudaStream_t stream_ = nullptr;
};

}  // namespace sightline::testing
