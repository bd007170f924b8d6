// Calls that fail because the plan says so.
#include "tests/standin/handles.hpp"

#include <functional>
#include <vector>

namespace sightline::standin {
namespace {

class StandinFaults : public testing::TestWithParam<Schedule> {
 protected:
  ~StandinFaults() override { set_plan({}); }
  static Plan failing(std::uint64_t call, cudaError_t error) {
    Plan plan;
    plan.schedule = GetParam();
    plan.failing_call = call;
    plan.error = error;
    return plan;
  }
};
INSTANTIATE_TEST_SUITE_P(, StandinFaults, testing::Values(Schedule::late, Schedule::threads),
                         [](const auto& one) {
                           return one.param == Schedule::late ? "Late" : "Threads";
                         });

TEST_P(StandinFaults, EveryCallIsCountedAndCanFail) {
  set_plan({});
  const Stream stream;
  const Event event;
  const Ints a(1), pinned(1, true);
  int device = 0;
  cudaDeviceProp properties{};
  cudaPointerAttributes attributes{};
  std::size_t free = 0, total = 0;
  const std::vector<std::function<cudaError_t()>> calls = {
      [&] { return cudaGetDeviceCount(&device); },
      [&] { return cudaGetDevice(&device); },
      [&] { return cudaSetDevice(0); },
      [&] { return cudaGetDeviceProperties(&properties, 0); },
      [&] { return cudaMemGetInfo(&free, &total); },
      [&] { return cudaPointerGetAttributes(&attributes, a.data()); },
      [&] {
        return cudaMemcpyAsync(a.data(), pinned.data(), 4, cudaMemcpyHostToDevice, stream.handle);
      },
      [&] { return cudaMemsetAsync(a.data(), 0, 4, stream.handle); },
      [&] { return cudaStreamSynchronize(stream.handle); },
      [&] { return cudaStreamWaitEvent(stream.handle, event.handle, 0); },
      [&] { return cudaEventRecord(event.handle, stream.handle); },
      [&] { return cudaEventSynchronize(event.handle); },
      [&] {
        launch(stream.handle, [] {});
        return cudaGetLastError();
      },
  };
  for (std::size_t i = 0; i < calls.size(); ++i) {
    set_plan(failing(i + 1, cudaErrorLaunchTimeout));
    for (std::size_t k = 0; k < calls.size(); ++k) {
      EXPECT_EQ(calls[k](), k == i ? cudaErrorLaunchTimeout : cudaSuccess)
          << "call " << k << ", call " << i << " fails";
      EXPECT_EQ(cudaGetLastError(),
                k == i && k + 1 < calls.size() ? cudaErrorLaunchTimeout : cudaSuccess);
    }
    EXPECT_EQ(state().calls, calls.size());
  }
}

TEST_P(StandinFaults, WhatFailsToAllocateAllocatesNothing) {
  set_plan({});
  const State before = state();
  void* memory = nullptr;
  cudaStream_t stream = nullptr;
  cudaEvent_t event = nullptr;
  set_plan(failing(1, cudaErrorMemoryAllocation));
  EXPECT_STREQ(state().failed, "");
  EXPECT_EQ(cudaMalloc(&memory, 4), cudaErrorMemoryAllocation);
  EXPECT_STREQ(state().failed, "cudaMalloc");
  set_plan(failing(1, cudaErrorMemoryAllocation));
  EXPECT_EQ(cudaHostAlloc(&memory, 4, cudaHostAllocDefault), cudaErrorMemoryAllocation);
  set_plan(failing(1, cudaErrorUnknown));
  EXPECT_EQ(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), cudaErrorUnknown);
  set_plan(failing(1, cudaErrorUnknown));
  EXPECT_EQ(cudaEventCreateWithFlags(&event, cudaEventDisableTiming), cudaErrorUnknown);
  EXPECT_EQ(state().allocations, before.allocations);
  EXPECT_EQ(state().streams, before.streams);
  EXPECT_EQ(state().events, before.events);
}

TEST_P(StandinFaults, WhatFailsToReleaseReleasesAllTheSame) {
  set_plan({});
  const State before = state();
  for (std::uint64_t n = 1; n <= 8; ++n) {
    void *memory = nullptr, *pinned = nullptr;
    cudaStream_t stream = nullptr;
    cudaEvent_t event = nullptr;
    set_plan(failing(n, cudaErrorUnknown));
    cudaMalloc(&memory, 4);
    cudaHostAlloc(&pinned, 4, cudaHostAllocDefault);
    cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
    cudaEventCreateWithFlags(&event, cudaEventDisableTiming);
    if (event != nullptr) cudaEventDestroy(event);
    if (stream != nullptr) cudaStreamDestroy(stream);
    cudaFreeHost(pinned);
    cudaFree(memory);
    EXPECT_EQ(state().allocations, before.allocations) << "call " << n;
    EXPECT_EQ(state().streams, before.streams) << "call " << n;
    EXPECT_EQ(state().events, before.events) << "call " << n;
  }
}

TEST_P(StandinFaults, AFailedLaunchDoesNothing) {
  set_plan({});
  const Stream stream;
  int ran = 0;
  set_plan(failing(1, cudaErrorLaunchOutOfResources));
  launch(stream.handle, [&ran] { ++ran; });
  EXPECT_EQ(cudaPeekAtLastError(), cudaErrorLaunchOutOfResources);
  EXPECT_STREQ(state().failed, "launch");
  launch(stream.handle, [&ran] { ran += 10; });
  EXPECT_EQ(cudaGetLastError(), cudaErrorLaunchOutOfResources) << "success clears no error";
  EXPECT_CUDA(cudaStreamSynchronize(stream.handle));
  EXPECT_EQ(ran, 10);
}

TEST_P(StandinFaults, ALostContextFailsForGoodAndLosesItsWork) {
  set_plan({});
  const State before = state();
  {
    const Stream stream;
    const Ints a(1);
    int ran = 0;
    Plan plan = failing(2, cudaErrorIllegalAddress);
    plan.schedule = Schedule::late;
    plan.sticky = true;
    set_plan(plan);
    launch(stream.handle, [&ran] { ++ran; });
    launch(stream.handle, [&ran] { ++ran; });
    EXPECT_EQ(cudaGetLastError(), cudaErrorIllegalAddress);
    EXPECT_EQ(cudaGetLastError(), cudaErrorIllegalAddress);
    EXPECT_EQ(cudaStreamSynchronize(stream.handle), cudaErrorIllegalAddress);
    int device = 0;
    EXPECT_EQ(cudaGetDevice(&device), cudaErrorIllegalAddress);
    EXPECT_EQ(ran, 0);
    EXPECT_EQ(state().unfinished, 0u);
  }
  EXPECT_EQ(state().allocations, before.allocations);
  EXPECT_EQ(state().streams, before.streams);
}

TEST_P(StandinFaults, AnErrorThatIsReportedLateComesWithTheNextWait) {
  set_plan({});
  const Stream stream;
  const Ints a(1), out(1, true);
  out[0] = 0;
  Plan plan = failing(2, cudaErrorIllegalAddress);
  plan.schedule = Schedule::late;
  plan.report_late = true;
  set_plan(plan);
  EXPECT_CUDA(cudaMemsetAsync(a.data(), 0, 4, stream.handle));
  launch(stream.handle, [&a] { a[0] = 1; });
  EXPECT_CUDA(cudaGetLastError());
  EXPECT_CUDA(cudaMemcpyAsync(out.data(), a.data(), 4, cudaMemcpyDeviceToHost, stream.handle));
  EXPECT_EQ(cudaStreamSynchronize(stream.handle), cudaErrorIllegalAddress);
  EXPECT_EQ(cudaMemsetAsync(a.data(), 0, 4, stream.handle), cudaErrorIllegalAddress);
  EXPECT_EQ(out[0], 0);
}

TEST_P(StandinFaults, AnErrorThatIsReportedLateComesToAPageableCopy) {
  set_plan({});
  const Stream stream;
  const Ints a(1);
  Plan plan = failing(1, cudaErrorIllegalAddress);
  plan.report_late = true;
  set_plan(plan);
  launch(stream.handle, [&a] { a[0] = 1; });
  int out = 0;
  EXPECT_EQ(cudaMemcpyAsync(&out, a.data(), 4, cudaMemcpyDeviceToHost, stream.handle),
            cudaErrorIllegalAddress);
  EXPECT_EQ(out, 0);
}

TEST_P(StandinFaults, NoDeviceIsAnError) {
  Plan plan = failing(0, cudaSuccess);
  plan.devices = 0;
  set_plan(plan);
  int count = 5;
  EXPECT_EQ(cudaGetDeviceCount(&count), cudaErrorNoDevice);
  EXPECT_EQ(count, 0);
}

TEST(StandinWords, EveryErrorHasAName) {
  EXPECT_STREQ(cudaGetErrorName(cudaErrorMemoryAllocation), "cudaErrorMemoryAllocation");
  EXPECT_STREQ(cudaGetErrorString(cudaErrorMemoryAllocation), "out of memory");
}

}  // namespace
}  // namespace sightline::standin
