// A device made of host code, for tests: the CUDA runtime calls that host/cuda/ makes
// (include/cuda_runtime_api.h, runtime.cpp) and the launchers of kernels/launch.hpp (launch_*.cpp).
// Never part of the product.
//
// Its memory is the host's, with a limit; a stream is a queue whose work is done late: at a
// synchronisation, or on a thread of its own. Every runtime call and every launch is counted, and
// any one of them can be made to fail.
#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>
#include <functional>

namespace sightline::standin {

/// When the work of the streams is done.
enum class Schedule {
  late,     ///< at a synchronisation only, as late as allowed, streams taken in turns by the seed
  threads,  ///< by one thread a stream, as soon as its turn comes
};

struct Plan {
  Schedule schedule = Schedule::late;
  std::uint64_t seed = 1;
  std::uint64_t memory_bytes = std::uint64_t{1} << 30;  ///< of each device
  int devices = 1;
  int major = 9, minor = 0;              ///< compute capability of all devices
  std::uint64_t failing_call = 0;        ///< 1 = the first call or launch from now on; 0 = none
  cudaError_t error = cudaErrorUnknown;  ///< what that call returns, or that launch leaves behind
  bool sticky = false;  ///< every later call fails with it too: the context is lost
};

/// Starts over with this plan. What is allocated stays; streams must be idle.
void set_plan(const Plan& plan);

struct State {
  std::uint64_t calls = 0;  ///< runtime calls and launches since set_plan, failed ones too
  std::uint64_t allocations = 0, streams = 0, events = 0;  ///< alive now, pinned memory included
  std::uint64_t device_bytes = 0, peak_device_bytes = 0;   ///< of all devices
};
State state();

/// Puts work into a stream, as a launch; what the launchers of launch_*.cpp call. A failing launch
/// does nothing and leaves its error for cudaGetLastError.
void launch(cudaStream_t stream, std::function<void()> work);

}  // namespace sightline::standin
