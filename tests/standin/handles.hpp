// What the stand-in's own tests hold of it.
#pragma once

#include "tests/standin/standin.hpp"

#include <gtest/gtest.h>

#include <cstddef>

namespace sightline::standin {

#define EXPECT_CUDA(call) EXPECT_EQ(cudaGetErrorName(call), cudaGetErrorName(cudaSuccess))
#define ASSERT_CUDA(call) ASSERT_EQ(cudaGetErrorName(call), cudaGetErrorName(cudaSuccess))

/// Memory of either kind with as many ints, freed at the end.
class Ints {
 public:
  explicit Ints(std::size_t count, bool pinned = false) : pinned_(pinned) {
    void* memory = nullptr;
    EXPECT_CUDA(pinned ? cudaHostAlloc(&memory, count * sizeof(int), cudaHostAllocDefault)
                       : cudaMalloc(&memory, count * sizeof(int)));
    ints_ = static_cast<int*>(memory);
  }
  Ints(const Ints&) = delete;
  Ints& operator=(const Ints&) = delete;
  ~Ints() { pinned_ ? cudaFreeHost(ints_) : cudaFree(ints_); }

  int* data() const { return ints_; }
  int& operator[](std::size_t i) const { return ints_[i]; }

 private:
  int* ints_ = nullptr;
  bool pinned_;
};

struct Stream {
  explicit Stream(unsigned flags = cudaStreamNonBlocking) {
    EXPECT_CUDA(cudaStreamCreateWithFlags(&handle, flags));
  }
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;
  ~Stream() { cudaStreamDestroy(handle); }
  cudaStream_t handle = nullptr;
};

struct Event {
  explicit Event(unsigned flags = cudaEventDisableTiming) {
    EXPECT_CUDA(cudaEventCreateWithFlags(&handle, flags));
  }
  Event(const Event&) = delete;
  Event& operator=(const Event&) = delete;
  ~Event() { cudaEventDestroy(handle); }
  cudaEvent_t handle = nullptr;
};

}  // namespace sightline::standin
