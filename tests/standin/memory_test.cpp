// Memory of the stand-in: limits, what it holds at first, and copies that cannot be.
#include "tests/standin/handles.hpp"

#include <cstdint>
#include <vector>

namespace sightline::standin {
namespace {

class StandinMemory : public testing::Test {
 protected:
  StandinMemory() { set_plan({}); }
  ~StandinMemory() override {
    set_plan({});
    EXPECT_EQ(state().allocations, before_.allocations);
    EXPECT_EQ(state().device_bytes, before_.device_bytes);
    EXPECT_EQ(state().streams, before_.streams);
    EXPECT_EQ(state().events, before_.events);
  }
  State before_ = state();
};

TEST_F(StandinMemory, IsFullOfRubbishAtFirst) {
  const Ints a(3);
  int out[3] = {};
  ASSERT_CUDA(cudaMemcpyAsync(out, a.data(), sizeof out, cudaMemcpyDeviceToHost, nullptr));
  for (const int value : out) EXPECT_EQ(value, static_cast<int>(0xCDCDCDCD));
}

TEST_F(StandinMemory, EndsAtItsLimit) {
  Plan plan;
  plan.memory_bytes = 1000;
  set_plan(plan);
  void *a = nullptr, *b = nullptr, *pinned = nullptr;
  ASSERT_CUDA(cudaMalloc(&a, 600));
  EXPECT_EQ(cudaMalloc(&b, 401), cudaErrorMemoryAllocation);
  EXPECT_EQ(b, nullptr);
  EXPECT_EQ(cudaPeekAtLastError(), cudaErrorMemoryAllocation);
  EXPECT_EQ(cudaGetLastError(), cudaErrorMemoryAllocation);
  EXPECT_EQ(cudaGetLastError(), cudaSuccess);
  EXPECT_CUDA(cudaMalloc(&b, 400));
  EXPECT_CUDA(cudaHostAlloc(&pinned, 5000, cudaHostAllocDefault));
  std::size_t free = 1, total = 1;
  EXPECT_CUDA(cudaMemGetInfo(&free, &total));
  EXPECT_EQ(free, 0u);
  EXPECT_EQ(total, 1000u);
  EXPECT_EQ(state().device_bytes, 1000u);
  EXPECT_EQ(state().allocations, before_.allocations + 3);
  EXPECT_CUDA(cudaFree(a));
  EXPECT_CUDA(cudaFree(b));
  EXPECT_EQ(cudaFree(b), cudaErrorInvalidValue);
  EXPECT_EQ(cudaFree(pinned), cudaErrorInvalidValue);
  EXPECT_CUDA(cudaFreeHost(pinned));
  EXPECT_CUDA(cudaFree(nullptr));
  EXPECT_EQ(state().peak_device_bytes, 1000u);
}

TEST_F(StandinMemory, HasALimitPerDevice) {
  Plan plan;
  plan.memory_bytes = 1000;
  plan.devices = 2;
  set_plan(plan);
  void *a = nullptr, *b = nullptr;
  ASSERT_CUDA(cudaMalloc(&a, 1000));
  ASSERT_CUDA(cudaSetDevice(1));
  EXPECT_CUDA(cudaMalloc(&b, 1000));
  cudaPointerAttributes of_a{}, of_b{};
  EXPECT_CUDA(cudaPointerGetAttributes(&of_a, a));
  EXPECT_CUDA(cudaPointerGetAttributes(&of_b, b));
  EXPECT_EQ(of_a.device, 0);
  EXPECT_EQ(of_b.device, 1);
  EXPECT_CUDA(cudaFree(a));
  EXPECT_CUDA(cudaFree(b));
  ASSERT_CUDA(cudaSetDevice(0));
  EXPECT_EQ(cudaSetDevice(2), cudaErrorInvalidDevice);
}

TEST_F(StandinMemory, KnowsWhosePointerItIs) {
  const Ints device(4), pinned(4, true);
  int mine = 0;
  const auto type = [](const void *p) {
    cudaPointerAttributes attributes{};
    EXPECT_CUDA(cudaPointerGetAttributes(&attributes, p));
    return attributes.type;
  };
  EXPECT_EQ(type(device.data() + 3), cudaMemoryTypeDevice);
  EXPECT_EQ(type(device.data() + 4), cudaMemoryTypeUnregistered);
  EXPECT_EQ(type(pinned.data()), cudaMemoryTypeHost);
  EXPECT_EQ(type(&mine), cudaMemoryTypeUnregistered);
}

TEST_F(StandinMemory, RefusesCopiesThatTheirKindDoesNotAllow) {
  const Ints device(4), pinned(4, true);
  std::vector<int> host(4);
  int *const places[3] = {device.data(), pinned.data(), host.data()};
  const cudaMemcpyKind kinds[4] = {cudaMemcpyHostToHost, cudaMemcpyHostToDevice,
                                   cudaMemcpyDeviceToHost, cudaMemcpyDeviceToDevice};
  for (int to = 0; to < 3; ++to) {
    for (int from = 0; from < 3; ++from) {
      if (to == from) continue;
      const int right = to == 0 ? 1 : from == 0 ? 2 : 0;
      for (int k = 0; k < 4; ++k) {
        EXPECT_EQ(cudaMemcpyAsync(places[to], places[from], 16, kinds[k], nullptr),
                  k == right ? cudaSuccess : cudaErrorInvalidValue)
            << "to " << to << " from " << from << " kind " << k;
      }
      EXPECT_CUDA(cudaMemcpyAsync(places[to], places[from], 16, cudaMemcpyDefault, nullptr));
    }
  }
}

TEST_F(StandinMemory, RefusesCopiesAndSetsBeyondItsEnds) {
  const Ints a(4), b(4), pinned(2, true);
  std::vector<int> host(8);
  EXPECT_EQ(cudaMemcpyAsync(a.data() + 1, b.data(), 16, cudaMemcpyDeviceToDevice, nullptr),
            cudaErrorInvalidValue);
  EXPECT_EQ(cudaMemcpyAsync(a.data(), b.data() + 1, 16, cudaMemcpyDeviceToDevice, nullptr),
            cudaErrorInvalidValue);
  EXPECT_EQ(cudaMemcpyAsync(a.data(), pinned.data(), 16, cudaMemcpyHostToDevice, nullptr),
            cudaErrorInvalidValue);
  EXPECT_EQ(cudaMemcpyAsync(a.data(), host.data(), 17, cudaMemcpyHostToDevice, nullptr),
            cudaErrorInvalidValue);
  EXPECT_EQ(cudaMemsetAsync(a.data() + 1, 0, 16, nullptr), cudaErrorInvalidValue);
  EXPECT_EQ(cudaMemsetAsync(host.data(), 0, 16, nullptr), cudaErrorInvalidValue);
  EXPECT_EQ(cudaMemcpyAsync(a.data(), nullptr, 16, cudaMemcpyHostToDevice, nullptr),
            cudaErrorInvalidValue);
  EXPECT_CUDA(cudaMemcpyAsync(nullptr, nullptr, 0, cudaMemcpyHostToDevice, nullptr));
}

TEST_F(StandinMemory, FreeingWaitsForTheWork) {
  Plan plan;
  plan.schedule = Schedule::late;
  set_plan(plan);
  const Stream stream;
  int done = 0;
  {
    const Ints a(1);
    launch(stream.handle, [&done, &a] { done = a[0] = 1; });
    EXPECT_EQ(done, 0);
  }
  EXPECT_EQ(done, 1);
}

TEST_F(StandinMemory, InTheOrderOfAStreamIsFreeWhenTheStreamComesToIt) {
  Plan plan;
  plan.schedule = Schedule::late;
  plan.memory_bytes = 1000;
  set_plan(plan);
  const Stream stream;
  void *a = nullptr, *b = nullptr;
  int seen = 0, later = 0;
  ASSERT_CUDA(cudaMallocAsync(&a, 600, stream.handle));
  launch(stream.handle, [&] { seen = *static_cast<int *>(a) = 5; });
  EXPECT_CUDA(cudaFreeAsync(a, stream.handle));
  EXPECT_EQ(cudaFreeAsync(a, stream.handle), cudaErrorInvalidValue);
  launch(stream.handle, [&] { later = *static_cast<int *>(a); });
  EXPECT_EQ(state().device_bytes, before_.device_bytes + 600);
  EXPECT_CUDA(cudaStreamSynchronize(stream.handle));
  EXPECT_EQ(seen, 5);
  EXPECT_EQ(later, static_cast<int>(0xDDDDDDDD)) << "used after it was given back";
  EXPECT_EQ(state().device_bytes, before_.device_bytes);
  // Where there is no other, it waits for what is given back.
  ASSERT_CUDA(cudaMallocAsync(&a, 600, stream.handle));
  EXPECT_CUDA(cudaFreeAsync(a, stream.handle));
  EXPECT_EQ(cudaFree(a), cudaErrorInvalidValue) << "given back already";
  ASSERT_CUDA(cudaMallocAsync(&a, 600, stream.handle));
  EXPECT_CUDA(cudaFreeAsync(a, stream.handle));
  ASSERT_CUDA(cudaMallocAsync(&b, 600, stream.handle));
  EXPECT_EQ(cudaMallocAsync(&a, 401, stream.handle), cudaErrorMemoryAllocation);
  EXPECT_EQ(cudaFreeAsync(nullptr, stream.handle), cudaSuccess);
  EXPECT_CUDA(cudaFree(b));
  plan.memory_pools = false;
  set_plan(plan);
  EXPECT_EQ(cudaMallocAsync(&a, 6, stream.handle), cudaErrorNotSupported);
  int pools = 1;
  EXPECT_CUDA(cudaDeviceGetAttribute(&pools, cudaDevAttrMemoryPoolsSupported, 0));
  EXPECT_EQ(pools, 0);
}

}  // namespace
}  // namespace sightline::standin
