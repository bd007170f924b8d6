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

/// A pool of the first device.
struct Pool {
  explicit Pool(std::uint64_t threshold) {
    cudaMemPoolProps properties = {};
    properties.allocType = cudaMemAllocationTypePinned;
    properties.location = {cudaMemLocationTypeDevice, 0};
    EXPECT_CUDA(cudaMemPoolCreate(&handle, &properties));
    EXPECT_CUDA(cudaMemPoolSetAttribute(handle, cudaMemPoolAttrReleaseThreshold, &threshold));
  }
  Pool(const Pool &) = delete;
  Pool &operator=(const Pool &) = delete;
  ~Pool() { EXPECT_CUDA(cudaMemPoolDestroy(handle)); }

  void *take(std::size_t bytes, cudaStream_t stream) const {
    void *memory = nullptr;
    EXPECT_CUDA(cudaMallocFromPoolAsync(&memory, bytes, handle, stream));
    return memory;
  }
  cudaMemPool_t handle = nullptr;
};

class StandinPools : public StandinMemory {
 protected:
  static void limit(std::uint64_t bytes) {
    Plan plan;
    plan.schedule = Schedule::late;
    plan.memory_bytes = bytes;
    set_plan(plan);
  }
  std::uint64_t taken() const { return state().device_bytes - before_.device_bytes; }
};

TEST_F(StandinPools, MemoryIsFreeWhenTheStreamComesToItsRelease) {
  limit(1000);
  const Stream stream, other;
  const Pool pool(0);
  void *a = pool.take(600, stream.handle), *b = nullptr;
  int seen = 0, later = 0;
  launch(stream.handle, [&] { seen = *static_cast<int *>(a) = 5; });
  EXPECT_CUDA(cudaFreeAsync(a, stream.handle));
  EXPECT_EQ(cudaFreeAsync(a, stream.handle), cudaErrorInvalidValue);
  launch(stream.handle, [&] { later = *static_cast<int *>(a); });
  EXPECT_EQ(taken(), 600u);
  EXPECT_CUDA(cudaStreamSynchronize(stream.handle));
  EXPECT_EQ(seen, 5);
  EXPECT_EQ(later, static_cast<int>(0xDDDDDDDD)) << "used after it was given back";
  EXPECT_EQ(taken(), 0u) << "nothing is kept";
  // The same stream's next work may have it at once; another stream's waits where there is no
  // other.
  for (const cudaStream_t next : {stream.handle, other.handle}) {
    EXPECT_CUDA(cudaFreeAsync(pool.take(600, stream.handle), stream.handle));
    b = pool.take(600, next);
    EXPECT_EQ(state().unfinished != 0, next == stream.handle);
    EXPECT_EQ(taken(), 600u);
    EXPECT_EQ(cudaMallocFromPoolAsync(&a, 401, pool.handle, next), cudaErrorMemoryAllocation);
    EXPECT_CUDA(cudaFreeAsync(b, next));
    EXPECT_CUDA(cudaStreamSynchronize(next));
  }
  EXPECT_CUDA(cudaFreeAsync(nullptr, stream.handle));
}

TEST_F(StandinPools, KeepWhatIsBelowTheirThresholds) {
  limit(1000);
  const Stream stream;
  void *a = nullptr;
  {
    const Pool pool(300);
    const auto reserved = [&] {
      std::uint64_t bytes = 0;
      EXPECT_CUDA(cudaMemPoolGetAttribute(pool.handle, cudaMemPoolAttrReservedMemCurrent, &bytes));
      return bytes;
    };
    EXPECT_CUDA(cudaFreeAsync(pool.take(700, stream.handle), stream.handle));
    EXPECT_EQ(reserved(), 700u) << "until the next synchronisation";
    EXPECT_CUDA(cudaStreamSynchronize(stream.handle));
    EXPECT_EQ(reserved(), 300u);
    EXPECT_EQ(taken(), 300u);
    EXPECT_EQ(cudaMalloc(&a, 701), cudaErrorMemoryAllocation) << "the pool has it";
    a = pool.take(200, stream.handle);
    EXPECT_EQ(reserved(), 300u);
    EXPECT_CUDA(cudaMemPoolTrimTo(pool.handle, 250));
    EXPECT_EQ(reserved(), 250u);
    EXPECT_CUDA(cudaMemPoolTrimTo(pool.handle, 0));
    EXPECT_EQ(reserved(), 200u) << "what is in use";
    EXPECT_EQ(state().pools, before_.pools + 1);
  }
  EXPECT_EQ(state().pools, before_.pools);
  EXPECT_EQ(taken(), 200u) << "stays until it is given back";
  EXPECT_CUDA(cudaFreeAsync(a, stream.handle));
  EXPECT_CUDA(cudaStreamSynchronize(stream.handle));
  EXPECT_EQ(taken(), 0u);
}

TEST_F(StandinPools, AreNotThereWhereThePlanSaysSo) {
  Plan plan;
  plan.memory_pools = false;
  set_plan(plan);
  cudaMemPool_t pool = nullptr;
  cudaMemPoolProps properties = {};
  EXPECT_EQ(cudaMemPoolCreate(&pool, &properties), cudaErrorNotSupported);
  int pools = 1;
  EXPECT_CUDA(cudaDeviceGetAttribute(&pools, cudaDevAttrMemoryPoolsSupported, 0));
  EXPECT_EQ(pools, 0);
}

}  // namespace
}  // namespace sightline::standin
