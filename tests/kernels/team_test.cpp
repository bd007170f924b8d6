// The emulated teams: what they give, and what they refuse.
#include "tests/standin/host_team.hpp"

#include <gtest/gtest.h>

#include <thread>
#include <vector>

namespace sightline::testing {
namespace {

using standin::HostBlock;
using standin::HostWarp;
using standin::LaneOrder;

TEST(HostTeam, BallotsAndExchanges) {
  const HostWarp warp(nullptr, LaneOrder::downwards);
  HostWarp::Lanes<bool> odd;
  HostWarp::Lanes<std::uint32_t> number;
  warp.each([&](int lane) {
    odd[lane] = lane % 2 != 0;
    number[lane] = static_cast<std::uint32_t>(lane);
  });
  EXPECT_EQ(warp.ballot(odd), 0xAAAAAAAAu);
  const HostWarp::Lanes<std::uint32_t> other = warp.exchange(number, 5);
  warp.each([&](int lane) { EXPECT_EQ(other[lane], static_cast<std::uint32_t>(lane ^ 5)); });
  EXPECT_EQ(warp.broadcast(number, 17), 17u);
}

TEST(HostTeam, BlocksBallotByWarps) {
  const HostBlock block;
  HostBlock::Lanes<bool> bit;
  block.each([&](int lane) { bit[lane] = lane == 33 || lane == 127; });
  std::vector<std::uint32_t> words(4, 7);
  block.ballots(bit, [&](int i, std::uint32_t word) { words[static_cast<std::size_t>(i)] = word; });
  EXPECT_EQ(words, (std::vector<std::uint32_t>{0, 2, 0, 0x80000000u}));
}

TEST(HostTeam, CountsOnesAndFindsTheLowest) {
  EXPECT_EQ(count_ones(0), 0u);
  EXPECT_EQ(count_ones(0xFFFFFFFFu), 32u);
  for (std::uint32_t b = 0; b < 32; ++b) {
    EXPECT_EQ(kernels::lowest_one(1u << b), b);
    EXPECT_EQ(kernels::lowest_one(0xFFFFFFFFu << b), b);
  }
}

TEST(HostTeam, CountersOfManyThreads) {
  std::uint64_t sum = 0, least = ~std::uint64_t{0};
  std::vector<std::thread> threads;
  for (std::uint64_t t = 0; t < 4; ++t) {
    threads.emplace_back([&, t] {
      for (std::uint64_t i = 0; i < 1000; ++i) {
        HostWarp::add(&sum, 2);
        HostWarp::lower(&least, 5000 - 4 * i - t);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(sum, 8000u);
  EXPECT_EQ(least, 5000u - 4 * 999 - 3);
}

// Of two that swap, one comes second, and sees what the first has written.
TEST(HostTeam, WhoSwapsSecondSeesTheFirstsWork) {
  for (int again = 0; again < 200; ++again) {
    std::uint32_t meeting = 0, written[2] = {}, seconds = 0;
    const auto come = [&](std::uint32_t me) {
      written[me] = 10 + me;
      const std::uint32_t other = HostWarp::swap(&meeting, me + 1);
      if (other == 0) return;
      ++seconds;
      EXPECT_EQ(written[other - 1], 10 + other - 1);
    };
    std::thread first(come, 0), second(come, 1);
    first.join();
    second.join();
    EXPECT_EQ(seconds, 1u);
  }
}

TEST(HostTeam, WordsAreReadAndWrittenAtAnyTime) {
  const HostWarp warp(nullptr, LaneOrder::downwards);
  HostWarp::Words<2> words;
  warp.each([&](int lane) {
    words.write(static_cast<std::uint32_t>(lane % 2), 7);
    words.add(static_cast<std::uint32_t>(lane % 2), static_cast<std::uint32_t>(lane));
  });
  EXPECT_EQ(words.read(0), 7u);
  EXPECT_EQ(words.read(1), 8u);
}

using HostTeamDeathTest = ::testing::Test;

TEST(HostTeamDeathTest, RefusesWordsThatWereNeverWritten) {
  HostWarp::Words<2> words;
  words.write(0, 1);
  EXPECT_DEATH(words.read(1), "never written");
  EXPECT_DEATH(words.add(1, 1), "never written");
}

TEST(HostTeamDeathTest, RefusesAnothersRegisters) {
  const HostWarp warp;
  HostWarp::Lanes<int> value;
  EXPECT_DEATH(warp.each([&](int lane) { value[lane] = value[lane ^ 1]; }), "another's registers");
  EXPECT_DEATH(value[0] = 1, "another's registers");
}

TEST(HostTeamDeathTest, RefusesABallotInAStep) {
  const HostWarp warp;
  HostWarp::Lanes<bool> bit;
  EXPECT_DEATH(warp.each([&](int) { warp.ballot(bit); }), "a step within a step");
  const HostBlock block;
  EXPECT_DEATH(block.each([&](int) { block.sync(); }), "a step within a step");
}

TEST(HostTeamDeathTest, RefusesSharedMemoryWithoutASync) {
  const HostBlock block;
  HostBlock::Shared<int> tile;
  EXPECT_DEATH(tile.read(3), "never written");
  block.each([&](int lane) { tile.write(lane, lane); });
  EXPECT_DEATH(tile.read(3), "before a sync");
  block.sync();
  EXPECT_EQ(tile.read(3), 3);
  EXPECT_DEATH(tile.write(3, 4), "overwritten before a sync");
  block.sync();
  tile.write(3, 4);
  block.sync();
  EXPECT_EQ(tile.read(3), 4);
}

}  // namespace
}  // namespace sightline::testing
