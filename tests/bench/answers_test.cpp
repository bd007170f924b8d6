// How a rival's answers are held to ours.
#include "bench/harness/answers.hpp"

#include <gtest/gtest.h>

namespace sightline::bench {
namespace {

constexpr std::uint8_t hit = hit_flags::hit;

Answers hits(std::vector<float> t, std::vector<std::uint32_t> id, std::vector<std::uint8_t> flags) {
  Answers a;
  a.t = std::move(t);
  a.id = std::move(id);
  a.flags = std::move(flags);
  return a;
}

TEST(Answers, DifferencesAreCountedApart) {
  const Answers ours = hits({1, 2, infinity, 4, infinity}, {7, 8, none, 9, none}, {1, 1, 0, 1, 0});
  EXPECT_EQ(difference(ours, ours, 5).hits, 0u);
  EXPECT_EQ(difference(ours, ours, 5).rays, 5u);
  Answers theirs = ours;
  theirs.t[0] = 1.5f;   // farther
  theirs.id[1] = 5;     // another shape
  theirs.id[2] = 3;     // a hit for a miss
  theirs.id[3] = none;  // a miss for a hit
  theirs.t[4] = 0;      // a miss that does not say +inf
  const Difference d = difference(ours, theirs, 5);
  EXPECT_EQ(d.rays, 5u);
  EXPECT_EQ(d.hits, 3u);
  EXPECT_EQ(d.ids, 1u);
  EXPECT_DOUBLE_EQ(d.largest_t, 0.5);
  EXPECT_EQ(difference(ours, theirs, 2).hits, 0u) << "only the first rays count";
}

TEST(Answers, NotANumberIsAnyDistanceApart) {
  const Answers ours = hits({1}, {7}, {hit});
  Answers theirs = ours;
  theirs.t[0] = std::numeric_limits<float>::quiet_NaN();
  EXPECT_EQ(difference(ours, theirs, 1).largest_t, infinity);
}

TEST(Answers, RaysThatBeginInsideAreLeftOut) {
  const Answers ours = hits({0, 1}, {7, 8}, {hit | hit_flags::started_inside, hit});
  Answers theirs = ours;
  theirs.id[0] = none;
  const Difference d = difference(ours, theirs, 2);
  EXPECT_EQ(d.rays, 1u);
  EXPECT_EQ(d.hits, 0u);
}

TEST(Answers, BitsAreCountedUpToTheLast) {
  Answers ours, theirs;
  ours.bits = {0, 0};
  theirs.bits = {1u | std::uint64_t{1} << 63, 0b111000};
  EXPECT_EQ(difference(ours, theirs, 128).hits, 5u);
  EXPECT_EQ(difference(ours, theirs, 68).hits, 3u);
  EXPECT_EQ(difference(ours, theirs, 64).hits, 2u);
  EXPECT_EQ(difference(ours, theirs, 1).hits, 1u);
}

TEST(Answers, HashesAndBytesTellAnswersApart) {
  Answers a = hits({1}, {7}, {hit}), b = a;
  EXPECT_EQ(a.hash(), b.hash());
  EXPECT_TRUE(same_answers(a, b));
  b.flags[0] = 0;
  EXPECT_NE(a.hash(), b.hash());
  EXPECT_FALSE(same_answers(a, b));
  b = a;
  b.poison();
  EXPECT_FALSE(same_answers(a, b));
  EXPECT_EQ(difference(a, b, 1).ids, 1u);
}

Answers overlaps(std::vector<std::uint64_t> offsets, std::vector<std::uint32_t> ids) {
  Answers a;
  a.offsets = std::move(offsets);
  a.id = std::move(ids);
  return a;
}

TEST(Difference, RowsOfOverlapsDifferByLengthOrId) {
  const Answers ours = overlaps({0, 2, 2, 3}, {4, 7, 1});
  EXPECT_EQ(difference(ours, ours, 3).hits, 0u);
  EXPECT_EQ(difference(ours, overlaps({0, 2, 2, 3}, {4, 7, 2}), 3).hits, 1u);
  EXPECT_EQ(difference(ours, overlaps({0, 1, 2, 3}, {4, 7, 1}), 3).hits, 2u);
  EXPECT_EQ(difference(ours, overlaps({0, 1, 2, 3}, {4, 7, 1}), 1).hits, 1u);
  Answers counts, others;
  counts.counts = {1, 2, 3};
  others.counts = {1, 0, 0};
  EXPECT_EQ(difference(counts, others, 2).hits, 1u);
  EXPECT_FALSE(same_answers(counts, others));
  EXPECT_FALSE(same_answers(ours, overlaps({0, 1, 2, 3}, {4, 7, 1})));
  EXPECT_NE(ours.hash(), overlaps({0, 1, 2, 3}, {4, 7, 1}).hash());
}

TEST(Difference, OfDistancesCountsPointsOutside) {
  Answers ours, theirs;
  ours.t = {2, -1, infinity, 4};
  ours.id = {1, 2, none, 3};
  theirs = ours;
  EXPECT_EQ(difference(ours, theirs, 4).rays, 3u);
  theirs.t = {2.5f, 9, infinity, 4};
  theirs.id = {1, 5, 6, 2};
  const Difference d = difference(ours, theirs, 4);
  EXPECT_EQ(d.hits, 1u);
  EXPECT_EQ(d.ids, 1u);
  EXPECT_DOUBLE_EQ(d.largest_t, 0.25);
}

}  // namespace
}  // namespace sightline::bench
