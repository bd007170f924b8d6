// Temporary device memory for the launchers that build.
#pragma once

#include "kernels/launch/launch.hpp"

#include <sightline/error.hpp>

#include <cuda_runtime_api.h>

namespace sightline::testing {

/// The device's memory for a builder; counted, and failing on demand.
class DeviceScratch {
 public:
  explicit DeviceScratch(int failing = 0) : failing_(failing) {}
  kernels::Scratch get() { return {this, allocate, release}; }
  int calls() const { return calls_; }
  int alive() const { return alive_; }

 private:
  static void* allocate(void* self, std::size_t bytes) {
    auto& me = *static_cast<DeviceScratch*>(self);
    void* memory = nullptr;
    if (++me.calls_ == me.failing_ || cudaMalloc(&memory, bytes + 1) != cudaSuccess) {
      throw Error(ErrorKind::out_of_memory, "no memory for the test");
    }
    ++me.alive_;
    return memory;
  }
  static void release(void* self, void* memory, std::size_t) {
    --static_cast<DeviceScratch*>(self)->alive_;
    cudaFree(memory);
  }
  int failing_, calls_ = 0, alive_ = 0;
};

}  // namespace sightline::testing
