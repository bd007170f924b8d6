// How the cpu backend cuts its jobs, and that every piece is done.
#include "host/cpu/threads.hpp"

#include <sightline/error.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <new>
#include <thread>
#include <vector>

namespace sightline::testing {
namespace {

using detail::Threads;

int no_state() { return 0; }

// Words of 64 bits belong to one part each.
TEST(Threads, PartsAreWholeWordsWithinTheirBounds) {
  for (const int count : {1, 2, 3, 64}) {
    const Threads threads(count);
    for (const std::uint64_t n : {0ull, 1ull, 63ull, 4097ull, 100001ull, 1ull << 40}) {
      const std::uint64_t part = threads.part_of(n, 4096, 65536);
      EXPECT_EQ(part % 64, 0u) << n << " elements, " << count << " threads";
      EXPECT_GE(part, 4096u) << n << " elements, " << count << " threads";
      EXPECT_LE(part, 65536u) << n << " elements, " << count << " threads";
    }
  }
}

TEST(Threads, EveryElementIsDoneOnce) {
  const Threads threads(3);
  for (const std::uint64_t n : {0u, 1u, 63u, 64u, 65u, 128u, 1000u}) {
    std::vector<std::atomic<int>> done(n);
    threads.for_each_part(n, 64, no_state, [&](int, std::uint64_t begin, std::uint64_t end) {
      EXPECT_EQ(begin % 64, 0u);
      EXPECT_LE(end, n);
      for (std::uint64_t i = begin; i < end; ++i) ++done[i];
    });
    for (std::uint64_t i = 0; i < n; ++i) EXPECT_EQ(done[i], 1) << "element " << i << " of " << n;
  }
}

// Few and even: rays meet in large parts, and no thread waits long for another.
TEST(Threads, PartsAreAsEvenAsWordsAre) {
  constexpr std::uint64_t least = 4096, most = 65536;
  for (const int count : {1, 2, 3, 64}) {
    const Threads threads(count);
    const auto all = static_cast<std::uint64_t>(count);
    for (const std::uint64_t n :
         {1ull << 18, 1000001ull, 1ull << 20, (1ull << 20) + 1, 1ull << 40}) {
      const std::uint64_t part = threads.part_of(n, least, most);
      const std::uint64_t parts = (n + part - 1) / part,
                          rounds = (n + all * most - 1) / (all * most);
      EXPECT_LE(parts, all * rounds) << n << " elements, " << count << " threads";
      if (part > least) {
        EXPECT_LT(part * all * rounds - n, 64 * all * rounds) << n << ", " << count << " threads";
      }
    }
  }
}

TEST(Threads, EveryThreadKeepsItsState) {
  const Threads threads(3);
  std::atomic<int> made{0}, parts{0};
  std::vector<std::atomic<int>> seen(3);
  threads.for_each_part(
      6400, 64, [&] { return made++; },
      [&](int state, std::uint64_t, std::uint64_t) {
        ++seen.at(static_cast<std::size_t>(state));
        ++parts;
      });
  EXPECT_LE(made, 3);
  EXPECT_EQ(parts, 100);
}

TEST(Threads, WhatATaskThrowsArrives) {
  const Threads threads(2);
  const auto task = [](int, std::uint64_t begin, std::uint64_t) {
    if (begin == 128) throw 7;
  };
  EXPECT_THROW(threads.for_each_part(1000, 64, no_state, task), int);
}

// Both pieces are under way at the same time, or this would wait for long.
TEST(Threads, AnIdleThreadTakesItsShare) {
  const Threads threads(2);
  std::atomic<int> begun{0};
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(60);
  threads.for_each_part(1, 64, no_state, [&](int, std::uint64_t, std::uint64_t) {
    detail::nested_parallel_for(2, 1, no_state, [&](int, std::uint64_t, std::uint64_t) {
      ++begun;
      while (begun < 2 && std::chrono::steady_clock::now() < deadline) std::this_thread::yield();
    });
  });
  EXPECT_EQ(begun, 2);
  EXPECT_LT(std::chrono::steady_clock::now(), deadline) << "no other thread came";
}

TEST(Threads, EveryPieceOfAShareIsDoneOnceAndBeforeItsEnd) {
  for (const int count : {1, 2, 5}) {
    const Threads threads(count);
    for (const std::uint64_t n : {0u, 1u, 10u, 64u, 1000u}) {
      std::vector<std::atomic<int>> done(4 * 1000);
      std::atomic<std::uint64_t> at_the_end{0};
      std::atomic<int> states{0};
      threads.for_each_part(4, 1, no_state, [&](int, std::uint64_t k, std::uint64_t) {
        std::atomic<std::uint64_t> pieces{0};
        detail::nested_parallel_for(
            n, 10, [&] { return ++states; },
            [&](int, std::uint64_t begin, std::uint64_t end) {
              for (std::uint64_t i = begin; i < end; ++i) ++done[k * 1000 + i], ++pieces;
            });
        at_the_end += pieces;
      });
      EXPECT_EQ(at_the_end, 4 * n) << count << " threads";
      EXPECT_LE(states, 4 * count) << "each thread has one a share";
      for (std::uint64_t i = 0; i < 4 * n; ++i) {
        ASSERT_EQ(
            done[i / std::max<std::uint64_t>(n, 1) * 1000 + i % std::max<std::uint64_t>(n, 1)], 1)
            << i << " of " << n << ", " << count << " threads";
      }
    }
  }
}

// Or it would keep the rays of two.
TEST(Threads, NoThreadBeginsAPartWithinAnother) {
  const Threads threads(4);
  std::atomic<int> within{0};
  for (int round = 0; round < 100; ++round) {
    threads.for_each_part(4, 1, no_state, [&](int, std::uint64_t, std::uint64_t) {
      static thread_local int depth = 0;
      within += depth++;
      detail::nested_parallel_for(3, 1, no_state, [&](int, std::uint64_t k, std::uint64_t) {
        if (k > 0) std::this_thread::sleep_for(std::chrono::microseconds(100));
      });
      --depth;
    });
  }
  EXPECT_EQ(within, 0);
}

TEST(Threads, WhatAShareThrowsArrives) {
  const Threads threads(2);
  const auto piece = [](int, std::uint64_t begin, std::uint64_t) {
    if (begin == 7) throw 7;
  };
  const auto part = [&](int, std::uint64_t, std::uint64_t) {
    detail::nested_parallel_for(100, 1, no_state, piece);
  };
  EXPECT_THROW(threads.for_each_part(4, 1, no_state, part), int);
}

TEST(Threads, NoMemoryForTheRaysOfAThreadIsAnError) {
  const Threads threads(2);
  const auto state = []() -> int { throw std::bad_alloc(); };
  try {
    threads.for_each_part(1000, 64, state, [](int, std::uint64_t, std::uint64_t) {});
    FAIL() << "nothing was thrown";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::out_of_memory);
  }
}

}  // namespace
}  // namespace sightline::testing
