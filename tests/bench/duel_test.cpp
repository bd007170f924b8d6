// Ours and a rival's modes in turn: who runs how often on what, and whose answers are looked at.
#include "bench/duel/duel.hpp"

#include <sightline/error.hpp>

#include <gtest/gtest.h>

namespace sightline::bench {
namespace {

constexpr std::uint64_t rays = 100'000;

Answers room() {
  Answers a;
  a.bits.resize((rays + 63) / 64);
  return a;
}

/// Answers what everyone answers, and notes on how many rays it was called.
CastFirst caster(std::vector<std::uint64_t>& calls, std::uint64_t answer = 5) {
  return [&calls, answer](std::uint64_t n, Answers& a) {
    calls.push_back(n);
    std::fill_n(a.bits.begin(), (n + 63) / 64, answer);
  };
}

TEST(Duel, OursAloneRunsOnceMoreThanItCounts) {
  std::vector<std::uint64_t> calls;
  Answers expected = room();
  const DuelResult result = duel(rays, caster(calls), expected, {}, {.pairs = 4, .timing = {}});
  EXPECT_EQ(calls, std::vector<std::uint64_t>(5, rays));
  EXPECT_EQ(expected.bits[0], 5u);
  EXPECT_TRUE(result.ratios.empty());
}

TEST(Duel, RunsInTurnOnAllRays) {
  std::vector<std::uint64_t> ours, theirs;
  std::string order;
  const auto noted = [&order](char who, CastFirst cast) {
    return [&order, who, cast = std::move(cast)](std::uint64_t n, Answers& a) {
      order += who;
      cast(n, a);
    };
  };
  Answers expected = room();
  const DuelResult result =
      duel(rays, noted('a', caster(ours)), expected, {{"only", noted('b', caster(theirs))}},
           {.pairs = 3, .timing = {}});
  EXPECT_EQ(order, "abbbababab");
  EXPECT_LT(theirs.front(), rays);
  EXPECT_EQ(theirs.back(), rays);
  EXPECT_EQ(result.ratios.size(), 3u);
  EXPECT_EQ(result.seconds.size(), 1u);
  EXPECT_EQ(result.difference.hits, 0u);
  EXPECT_GT(result.difference.rays, rays);
}

TEST(Duel, EveryModesAnswersAreCompared) {
  std::vector<std::uint64_t> calls;
  Answers expected = room();
  const std::vector<Contender> contenders = {{"right", caster(calls)}, {"wrong", caster(calls, 7)}};
  EXPECT_GT(
      duel(rays, caster(calls), expected, contenders, {.pairs = 1, .timing = {}}).difference.hits,
      0u);
}

TEST(Duel, WhatIsNotWrittenIsSeen) {
  std::vector<std::uint64_t> calls;
  Answers expected = room();
  const std::vector<Contender> contenders = {{"idle", [](std::uint64_t, Answers&) {}}};
  EXPECT_GT(
      duel(rays, caster(calls), expected, contenders, {.pairs = 1, .timing = {}}).difference.hits,
      rays / 8);
}

TEST(Duel, OursMayNotChangeItsMind) {
  std::uint64_t call = 0;
  const CastFirst fickle = [&call](std::uint64_t, Answers& a) {
    std::fill(a.bits.begin(), a.bits.end(), ++call);
  };
  std::vector<std::uint64_t> calls;
  Answers expected = room();
  EXPECT_THROW(duel(rays, fickle, expected, {}, {.pairs = 1, .timing = {}}), Error);
  EXPECT_THROW(duel(rays, fickle, expected, {{"b", caster(calls)}}, {.pairs = 1, .timing = {}}),
               Error);
}

TEST(Duel, MedianOfEvenAndOdd) {
  EXPECT_EQ(median({}), 0);
  EXPECT_EQ(median({3, 1, 2}), 2);
  EXPECT_EQ(median({4, 1, 3, 2}), 2.5);
}

TEST(Duel, CpuTimeIsSharedByThreads) {
  const Taken taken{.cpu = 6, .wall = 4};
  EXPECT_EQ((Timing{Clock::cpu, 2}.seconds(taken)), 3);
  EXPECT_EQ((Timing{Clock::cpu, 1}.seconds(taken)), 6);
  EXPECT_EQ((Timing{Clock::wall, 2}.seconds(taken)), 4);
}

}  // namespace
}  // namespace sightline::bench
