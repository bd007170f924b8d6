// The memory of builds: given back in the order of a stream, and kept for the next build. On the
// stand-in device.
#include "host/cuda/device/pool.hpp"
#include "host/cuda/device/handles.hpp"
#include "tests/host/cuda/fixture.hpp"
#include "tests/standin/standin.hpp"
#include "tests/support/answers.hpp"
#include "tests/support/refusal.hpp"

namespace sightline::testing {
namespace {

class PoolTest : public ::testing::Test {
 protected:
  void TearDown() override {
    standin::set_plan({});
    EXPECT_EQ(standin::state().allocations, 0u);
    EXPECT_EQ(standin::state().pools, 0u);
  }
};

// What is given back stays in the pool for the next one that asks, until the pool is trimmed.
TEST_F(PoolTest, DoesNotWaitAndKeepsWhatIsGivenBack) {
  standin::Plan plan;
  plan.schedule = standin::Schedule::late;
  standin::set_plan(plan);
  const cuda::MemoryPool pool(0);
  const cuda::OwnStream stream;
  const std::uint64_t before = standin::state().device_bytes;
  std::uint64_t kept = 0;
  for (int again = 0; again < 3; ++again) {
    const cuda::StreamMemory memory(pool, stream.get());
    void* const bytes = memory.allocate(10'000);
    ASSERT_NE(bytes, nullptr);
    ASSERT_EQ(cudaMemsetAsync(bytes, 0, 10'000, stream.get()), cudaSuccess);
    memory.release(bytes);
    EXPECT_GE(standin::state().unfinished, 1u);
    stream.synchronize();
    EXPECT_GT(standin::state().device_bytes, before);
    if (again == 0) kept = standin::state().device_bytes;
    EXPECT_EQ(standin::state().device_bytes, kept) << "taken anew";
    EXPECT_EQ(pool.bytes(), kept - before);
  }
  pool.trim();
  EXPECT_EQ(standin::state().device_bytes, before);
}

TEST_F(PoolTest, NamesTheBytesWhereMemoryIsShort) {
  const cuda::OwnStream stream;
  const cuda::MemoryPool pool(0);
  standin::Plan plan;
  plan.memory_bytes = 1000;
  standin::set_plan(plan);
  expect_error(ErrorKind::out_of_memory, {"4194304 bytes"},
               [&] { cuda::StreamMemory(pool, stream.get()).allocate(4'194'304); });
  EXPECT_EQ(cudaGetLastError(), cudaSuccess);
}

TEST_F(PoolTest, TreesAreBuiltWhereTheDriverHasNoPools) {
  standin::Plan plan;
  plan.memory_pools = false;
  standin::set_plan(plan);
  const Scene scene = make_scene(SceneFamily::random, 100, 6);
  const std::vector<Ray> rays = trouble(scene, 300, 7);
  const Caster cuda(scene, CudaOptions{}), truth(scene, ReferenceOptions{});
  EXPECT_EQ(first_difference(answers_of(truth, rows_of(rays), Inside::solid),
                             answers_of(cuda, rows_of(rays), Inside::solid)),
            rays.size());
}

}  // namespace
}  // namespace sightline::testing
