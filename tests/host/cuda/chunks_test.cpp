// Chunks on their way: what is done at once, in which order, and how large they are. On the
// stand-in device.
#include "host/cuda/chunks/to_device_and_back.hpp"
#include "tests/standin/standin.hpp"

#include <gtest/gtest.h>

#include <tbb/global_control.h>
#include <tbb/task_arena.h>

#include <atomic>
#include <chrono>
#include <functional>
#include <numeric>
#include <thread>
#include <vector>

namespace sightline::testing {
namespace {

using cuda::Chunk;

constexpr std::uint64_t slots = cuda::Workspace::slots;

/// Waits for the other side, as long as a test may take; false: it does not come.
bool wait_for(const std::atomic<bool>& other) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(5);
  while (!other && std::chrono::steady_clock::now() < end) std::this_thread::yield();
  return other;
}

class ChunksTest : public ::testing::Test {
 protected:
  static constexpr std::uint64_t n = 40;

  ChunksTest() : in_(n), out_(n) { std::iota(in_.begin(), in_.end(), 1u); }
  ~ChunksTest() override {
    standin::set_plan({});
    EXPECT_EQ(standin::state().allocations, 0u);
  }

  /// Copies the elements to the device and back, one a chunk.
  void copy(const std::function<void(std::uint64_t)>& pack,
            const std::function<void(std::uint64_t)>& unpack) {
    cuda::WorkspacePool pool(0);
    cuda::run_query(pool, n, {1, 1}, [&](Chunk& chunk) {
      const std::uint32_t* in = in_.data();
      std::uint32_t* out = out_.data();
      chunk.in(in);
      chunk.out(out);
      chunk.pack([&] { pack(chunk.first()); });
      chunk.launch([&](cudaStream_t stream) {
        cuda::check(cudaMemcpyAsync(out, in, sizeof *in, cudaMemcpyDeviceToDevice, stream),
                    "cudaMemcpyAsync");
      });
      chunk.unpack([&] { unpack(chunk.first()); });
    });
  }

  std::vector<std::uint32_t> in_, out_;
  tbb::global_control two_threads_{tbb::global_control::max_allowed_parallelism, 2};
  tbb::task_arena arena_{2};
};

TEST_F(ChunksTest, OneIsPackedWhileAnotherIsUnpacked) {
  std::atomic<bool> packs = false, unpacks = false;
  constexpr std::uint64_t packed = 20, unpacked = packed + 1 - slots;
  arena_.execute([&] {
    copy(
        [&](std::uint64_t i) {
          if (i != packed) return;
          packs = true;
          EXPECT_TRUE(wait_for(unpacks));
        },
        [&](std::uint64_t i) {
          if (i != unpacked) return;
          unpacks = true;
          EXPECT_TRUE(wait_for(packs));
        });
  });
  EXPECT_EQ(out_, in_);
}

TEST_F(ChunksTest, AreUnpackedOneByOneInOrder) {
  std::uint64_t next_packed = 0, next_unpacked = 0;
  std::atomic<int> packing = 0, unpacking = 0;
  copy(
      [&](std::uint64_t i) {
        EXPECT_EQ(++packing, 1);
        EXPECT_EQ(i, next_packed++);
        --packing;
      },
      [&](std::uint64_t i) {
        EXPECT_EQ(++unpacking, 1);
        EXPECT_EQ(i, next_unpacked++);
        --unpacking;
      });
  EXPECT_EQ(next_packed, n);
  EXPECT_EQ(next_unpacked, n);
  EXPECT_EQ(out_, in_);
}

TEST_F(ChunksTest, AnErrorOnEitherSideEndsBoth) {
  for (const bool packs : {true, false}) {
    for (const std::uint64_t at : {std::uint64_t{0}, slots, n - 1}) {
      const auto fail_at = [&](bool here) {
        return [=](std::uint64_t i) {
          if (here && i == at) throw Error(ErrorKind::device, "as the test wants");
        };
      };
      EXPECT_THROW(copy(fail_at(packs), fail_at(!packs)), Error) << packs << ", " << at;
    }
  }
}

// 1 MiB an element, on the device alone.
TEST_F(ChunksTest, AreManyOfTheBusAndLargeOfKernels) {
  struct Case {
    std::uint64_t elements;
    cuda::WaitsFor waits_for;
    std::uint64_t chunks, peak;
  };
  using enum cuda::WaitsFor;
  for (const Case& expected : {Case{8, bus, 1, 8},
                               {64, bus, 4, 64},
                               {512, bus, 16, 160},
                               {2048, bus, 32, 320},
                               {64, kernels, 1, 64},
                               {512, kernels, 4, 384}}) {
    standin::set_plan({});
    cuda::WorkspacePool pool(0);
    std::uint64_t chunks = 0;
    cuda::run_query(pool, expected.elements, {0, 1, expected.waits_for}, [&](Chunk& chunk) {
      chunk.temporary<std::byte>(chunk.count() << 20);
      chunk.unpack([&] { ++chunks; });
    });
    EXPECT_EQ(chunks, expected.chunks) << expected.elements << " MiB";
    EXPECT_EQ(standin::state().peak_device_bytes >> 20, expected.peak);
  }
}

}  // namespace
}  // namespace sightline::testing
