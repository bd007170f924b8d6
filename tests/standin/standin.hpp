// A device made of host code, for tests: the CUDA runtime calls that host/cuda/ and bench/drivers
// make (include/cuda_runtime_api.h; memory.cpp, pools.cpp, streams.cpp, devices.cpp, faults.cpp)
// and the launchers of kernels/launch/launch.hpp (launch_*.cpp). Never part of the product.
//
// Its memory is the host's, with a limit, full of 0xCD bytes; a stream is a queue whose work is
// done late: at a synchronisation, or on a thread of its own. Every runtime call and every launch
// is counted, and any one of them can be made to fail. Asking for the last error or for its words
// is not counted and does not fail.
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

/// SIGHTLINE_STANDIN_SCHEDULE=late|threads; late when unset.
Schedule default_schedule();

/// A call that fails does nothing, but that what releases something releases it all the same, so
/// that what is alive afterwards was not given back. A lost context loses the work in its streams.
struct Plan {
  Schedule schedule = default_schedule();
  std::uint64_t seed = 1;
  std::uint64_t memory_bytes = std::uint64_t{1} << 30;  ///< of each device
  int devices = 1;
  int major = 9, minor = 0;              ///< compute capability of all devices
  bool memory_pools = true;              ///< whether they have any
  std::uint64_t failing_call = 0;        ///< 1 = the first call or launch from now on; 0 = none
  cudaError_t error = cudaErrorUnknown;  ///< what that call returns, or that launch leaves behind
  bool sticky = false;  ///< every later call fails with it too: the context is lost
  /// Where that call is a launch, a copy or a memset, it succeeds, and the context is lost when
  /// the stream comes to it: a later call tells. Other calls fail at once.
  bool report_late = false;
};

/// Starts over with this plan, all work done. What is allocated stays. Until the first call the
/// plan is Plan{} changed by the environment:
///   SIGHTLINE_STANDIN_FAIL=n[:error[:sticky|late]]  error as its number
///   SIGHTLINE_STANDIN_MEMORY=bytes, SIGHTLINE_STANDIN_DEVICES=n, SIGHTLINE_STANDIN_SEED=n
///   SIGHTLINE_STANDIN_REPORT=1  prints the calls and what is alive to stderr at the end
void set_plan(const Plan& plan);

/// The plan in force: for a test that changes one thing of it.
Plan plan();

struct State {
  std::uint64_t calls = 0;  ///< runtime calls and launches since set_plan, failed ones too
  std::uint64_t allocations = 0, pools = 0;               ///< alive now, pinned memory included
  std::uint64_t streams = 0, events = 0;                  ///< alive now
  std::uint64_t device_bytes = 0, peak_device_bytes = 0;  ///< of all devices; peak since set_plan
  /// The call that has failed because the plan said so, "launch" for a launch; "": none has yet.
  const char* failed = "";
  std::uint64_t unfinished = 0;  ///< operations that streams have not come to
};
State state();

/// Puts work into a stream, as a launch; what the launchers of launch_*.cpp call. A failing launch
/// does nothing, returns its error and leaves it for cudaGetLastError.
cudaError_t launch(cudaStream_t stream, std::function<void()> work);

/// Runs body(job, i) for every i < n, one after the other, as a launch; none where n is 0.
template <class Job, class Body>
void launch_each(cudaStream_t stream, std::uint64_t n, const Job& job, Body body) {
  if (n == 0) return;
  launch(stream, [n, job, body] {
    for (std::uint64_t i = 0; i < n; ++i) body(job, i);
  });
}

}  // namespace sightline::standin
