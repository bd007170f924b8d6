// Order and lateness of what streams do: what CUDA promises holds, and what it does not, shows.
#include "tests/standin/handles.hpp"

#include <atomic>
#include <chrono>
#include <set>
#include <string>
#include <thread>
#include <vector>

namespace sightline::standin {
namespace {

struct Case {
  Schedule schedule;
  std::uint64_t seed;
};

class StandinStreams : public testing::TestWithParam<Case> {
 protected:
  StandinStreams() { start(); }
  ~StandinStreams() override { set_plan({}); }
  void start(int devices = 1) {
    Plan plan;
    plan.schedule = GetParam().schedule;
    plan.seed = GetParam().seed;
    plan.devices = devices;
    set_plan(plan);
  }
};

std::vector<Case> all_cases() {
  std::vector<Case> cases;
  for (std::uint64_t seed = 1; seed <= 8; ++seed) {
    cases.push_back({Schedule::late, seed});
    cases.push_back({Schedule::threads, seed});
  }
  return cases;
}
INSTANTIATE_TEST_SUITE_P(, StandinStreams, testing::ValuesIn(all_cases()), [](const auto& one) {
  return (one.param.schedule == Schedule::late ? "Late" : "Threads") +
         std::to_string(one.param.seed);
});

TEST_P(StandinStreams, KeepTheirOrder) {
  const Stream stream;
  const Ints a(1), out(1, true);
  ASSERT_CUDA(cudaMemsetAsync(a.data(), 0, sizeof(int), stream.handle));
  for (int i = 1; i <= 9; ++i) {
    launch(stream.handle, [&a, i] { a[0] = a[0] * 10 + i; });
  }
  ASSERT_CUDA(
      cudaMemcpyAsync(out.data(), a.data(), sizeof(int), cudaMemcpyDeviceToHost, stream.handle));
  ASSERT_CUDA(cudaStreamSynchronize(stream.handle));
  EXPECT_EQ(out[0], 123456789);
}

TEST_P(StandinStreams, PageableMemoryIsReadAtTheCallAndWrittenBeforeItReturns) {
  const Stream stream;
  const Ints a(1);
  int in = 5, out = 0;
  ASSERT_CUDA(cudaMemcpyAsync(a.data(), &in, sizeof in, cudaMemcpyHostToDevice, stream.handle));
  in = 6;
  ASSERT_CUDA(cudaMemcpyAsync(&out, a.data(), sizeof out, cudaMemcpyDeviceToHost, stream.handle));
  EXPECT_EQ(out, 5);
}

TEST_P(StandinStreams, AnEventOrdersOneStreamAfterAnother) {
  const Stream first, second;
  const Ints a(1);
  const Event event;
  launch(first.handle, [&a] { a[0] = 7; });
  ASSERT_CUDA(cudaEventRecord(event.handle, first.handle));
  ASSERT_CUDA(cudaStreamWaitEvent(second.handle, event.handle, 0));
  launch(second.handle, [&a] { a[0] += 1; });
  ASSERT_CUDA(cudaStreamSynchronize(second.handle));
  int out = 0;
  ASSERT_CUDA(cudaMemcpyAsync(&out, a.data(), sizeof out, cudaMemcpyDeviceToHost, first.handle));
  EXPECT_EQ(out, 8);
}

TEST_P(StandinStreams, AnEventIsWaitedForAsItWasRecordedThen) {
  const Stream first, second;
  const Event event;
  int before = 0, after = 0;
  ASSERT_CUDA(cudaEventSynchronize(event.handle));
  ASSERT_CUDA(cudaStreamWaitEvent(second.handle, event.handle, 0));
  launch(first.handle, [&before] { before = 1; });
  ASSERT_CUDA(cudaEventRecord(event.handle, first.handle));
  launch(first.handle, [&after] { after = 1; });
  ASSERT_CUDA(cudaEventSynchronize(event.handle));
  EXPECT_EQ(before, 1);
  ASSERT_CUDA(cudaStreamSynchronize(first.handle));
  EXPECT_EQ(after, 1);
}

TEST_P(StandinStreams, EventsTellTheTimeBetweenThem) {
  const Stream stream;
  cudaEvent_t start = nullptr;
  ASSERT_CUDA(cudaEventCreate(&start));
  const Event end(0), untimed;
  float ms = -1;
  EXPECT_EQ(cudaEventElapsedTime(&ms, start, end.handle), cudaErrorInvalidResourceHandle);
  ASSERT_CUDA(cudaEventRecord(start, stream.handle));
  launch(stream.handle, [] { std::this_thread::sleep_for(std::chrono::milliseconds(5)); });
  ASSERT_CUDA(cudaEventRecord(end.handle, stream.handle));
  ASSERT_CUDA(cudaEventRecord(untimed.handle, stream.handle));
  if (GetParam().schedule == Schedule::late) {
    EXPECT_EQ(cudaEventElapsedTime(&ms, start, end.handle), cudaErrorNotReady);
  }
  EXPECT_EQ(ms, -1);
  ASSERT_CUDA(cudaStreamSynchronize(stream.handle));
  EXPECT_EQ(cudaEventElapsedTime(&ms, start, untimed.handle), cudaErrorInvalidResourceHandle);
  EXPECT_CUDA(cudaEventElapsedTime(&ms, start, end.handle));
  EXPECT_GE(ms, 5);
  EXPECT_CUDA(cudaEventElapsedTime(&ms, end.handle, start));
  EXPECT_LE(ms, -5);
  EXPECT_CUDA(cudaEventDestroy(start));
}

TEST_P(StandinStreams, TheDefaultStreamAndThoseThatBlockWaitForEachOther) {
  const Stream blocking(0);
  int a = 0;
  launch(nullptr, [&a] { a = a * 10 + 1; });
  launch(blocking.handle, [&a] { a = a * 10 + 2; });
  launch(nullptr, [&a] { a = a * 10 + 3; });
  ASSERT_CUDA(cudaStreamSynchronize(nullptr));
  EXPECT_EQ(a, 123);
}

TEST_P(StandinStreams, ADestroyedStreamStillDoesItsWork) {
  const Event event;
  std::atomic<int> done = 0;
  {
    const Stream stream;
    for (int i = 0; i < 5; ++i) launch(stream.handle, [&done] { ++done; });
    ASSERT_CUDA(cudaEventRecord(event.handle, stream.handle));
  }
  ASSERT_CUDA(cudaEventSynchronize(event.handle));
  EXPECT_EQ(done, 5);
}

TEST_P(StandinStreams, BelongToTheDeviceTheyWereMadeOn) {
  start(2);
  const Stream stream;
  const Event event;
  const Ints a(1), pinned(1, true);
  ASSERT_CUDA(cudaSetDevice(1));
  const Event other_event;
  launch(stream.handle, [] { FAIL(); });
  EXPECT_EQ(cudaGetLastError(), cudaErrorInvalidResourceHandle);
  EXPECT_EQ(cudaEventRecord(other_event.handle, stream.handle), cudaErrorInvalidResourceHandle);
  EXPECT_CUDA(cudaEventRecord(event.handle, stream.handle));
  EXPECT_CUDA(cudaMemsetAsync(a.data(), 0, sizeof(int), stream.handle));
  EXPECT_CUDA(
      cudaMemcpyAsync(pinned.data(), a.data(), sizeof(int), cudaMemcpyDeviceToHost, stream.handle));
  EXPECT_CUDA(cudaStreamSynchronize(stream.handle));
  EXPECT_EQ(pinned[0], 0);
  ASSERT_CUDA(cudaSetDevice(0));
}

TEST_P(StandinStreams, ServeManyThreads) {
  constexpr int threads = 4, rounds = 50;
  std::vector<std::thread> all;
  std::atomic<int> wrong = 0;
  for (int t = 0; t < threads; ++t) {
    all.emplace_back([&wrong, t] {
      const Stream stream;
      const Ints a(1), in(1, true), out(1, true);
      for (int i = 0; i < rounds; ++i) {
        in[0] = 1000 * t + i;
        cudaMemcpyAsync(a.data(), in.data(), sizeof(int), cudaMemcpyHostToDevice, stream.handle);
        launch(stream.handle, [&a] { a[0] += 1; });
        cudaMemcpyAsync(out.data(), a.data(), sizeof(int), cudaMemcpyDeviceToHost, stream.handle);
        cudaStreamSynchronize(stream.handle);
        wrong += out[0] != 1000 * t + i + 1;
      }
    });
  }
  for (std::thread& thread : all) thread.join();
  EXPECT_EQ(wrong, 0);
}

// What is promised to nobody must be seen to go wrong, or no test of ours would find it.

/// As late as allowed.
void start_late(std::uint64_t seed) {
  Plan plan;
  plan.schedule = Schedule::late;
  plan.seed = seed;
  set_plan(plan);
}

TEST(StandinLateness, APinnedBufferOverwrittenTooEarlyShows) {
  start_late(1);
  const Stream stream;
  const Ints a(1), in(1, true), out(1, true);
  in[0] = 1;
  out[0] = 0;
  ASSERT_CUDA(
      cudaMemcpyAsync(a.data(), in.data(), sizeof(int), cudaMemcpyHostToDevice, stream.handle));
  in[0] = 2;
  ASSERT_CUDA(
      cudaMemcpyAsync(out.data(), a.data(), sizeof(int), cudaMemcpyDeviceToHost, stream.handle));
  EXPECT_EQ(out[0], 0) << "read before the stream was waited for";
  EXPECT_EQ(state().unfinished, 2u);
  ASSERT_CUDA(cudaStreamSynchronize(stream.handle));
  EXPECT_EQ(out[0], 2);
}

// cudaMemcpy waits for the host's memory, but not for what the device alone, or a staged copy,
// does.
TEST(StandinLateness, ASynchronousCopyWaitsOnlyForTheHostsMemory) {
  start_late(1);
  const Ints a(1), b(1), pinned(1, true);
  int in = 1, out = 0;
  ASSERT_CUDA(cudaMemcpy(a.data(), &in, sizeof in, cudaMemcpyHostToDevice));
  in = 2;
  ASSERT_CUDA(cudaMemcpy(b.data(), a.data(), sizeof in, cudaMemcpyDeviceToDevice));
  EXPECT_EQ(state().unfinished, 2u);
  ASSERT_CUDA(cudaMemcpy(&out, b.data(), sizeof in, cudaMemcpyDeviceToHost));
  EXPECT_EQ(out, 1);
  pinned[0] = 3;
  ASSERT_CUDA(cudaMemcpy(a.data(), pinned.data(), sizeof in, cudaMemcpyHostToDevice));
  EXPECT_EQ(state().unfinished, 0u);
  EXPECT_EQ(cudaMemcpy(a.data(), b.data(), sizeof in, cudaMemcpyHostToDevice),
            cudaErrorInvalidValue);
}

TEST(StandinLateness, StreamsWithoutAnEventRunInEveryOrder) {
  std::set<std::string> orders;
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    start_late(seed);
    const Stream a, b, c;
    std::string order;
    launch(a.handle, [&order] { order += 'a'; });
    launch(b.handle, [&order] { order += 'b'; });
    launch(c.handle, [&order] { order += 'c'; });
    ASSERT_CUDA(cudaStreamSynchronize(b.handle));
    ASSERT_NE(order.find('b'), std::string::npos) << "seed " << seed;
    orders.insert(order);
    set_plan({});
  }
  // b alone or with others before and after it.
  for (const char* order :
       {"b", "ab", "cb", "ba", "bc", "abc", "acb", "bac", "bca", "cab", "cba"}) {
    EXPECT_TRUE(orders.contains(order)) << order;
  }
}

TEST(StandinLateness, AStreamThatDoesNotBlockMissesTheDefaultStream) {
  bool seen_early = false;
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    start_late(seed);
    const Stream stream;
    int value = 0, seen = 0;
    launch(nullptr, [&value] { value = 1; });
    launch(stream.handle, [&value, &seen] { seen = value; });
    ASSERT_CUDA(cudaStreamSynchronize(stream.handle));
    seen_early |= seen == 0;
    set_plan({});
  }
  EXPECT_TRUE(seen_early);
}

}  // namespace
}  // namespace sightline::standin
