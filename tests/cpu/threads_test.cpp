// How the cpu backend cuts its jobs, and that every piece is done.
#include "host/cpu/threads.hpp"

#include <sightline/error.hpp>

#include <gtest/gtest.h>

#include <atomic>
#include <new>
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

TEST(Threads, PartsShrinkTowardsTheEnd) {
  constexpr std::uint64_t least = 64, most = 1024;
  for (const int count : {1, 2, 3}) {
    const Threads threads(count);
    for (const std::uint64_t n : {0u, 1u, 64u, 100u, 1024u, 1025u, 9999u, 20000u}) {
      std::vector<std::atomic<int>> done(n);
      std::vector<std::atomic<std::uint64_t>> end_of(n + 1);  // 0: no part begins there
      threads.for_each_shrinking_part(n, least, most, no_state,
                                      [&](int, std::uint64_t begin, std::uint64_t end) {
                                        end_of[begin] = end;
                                        for (std::uint64_t i = begin; i < end; ++i) ++done[i];
                                      });
      const std::string what = std::to_string(n) + " elements, " + std::to_string(count);
      for (std::uint64_t i = 0; i < n; ++i) EXPECT_EQ(done[i], 1) << what << ", element " << i;
      std::uint64_t before = most;
      for (std::uint64_t begin = 0; begin < n; begin = end_of[begin]) {
        ASSERT_GT(end_of[begin], begin) << what;
        const std::uint64_t size = end_of[begin] - begin;
        EXPECT_EQ(begin % 64, 0u) << what;
        EXPECT_LE(size, before) << what;
        if (begin + size < n) {
          EXPECT_GE(size, least) << what;
        }
        before = size;
      }
      if (count > 1 && n == 20000) {
        EXPECT_LE(before, 2 * least) << what;
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
