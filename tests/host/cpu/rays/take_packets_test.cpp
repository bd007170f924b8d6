// Which rays are tried as packets, and that no ray is lost between them.
#include "host/cpu/rays/packets.hpp"
#include "tests/support/adversarial_pairs.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <mutex>

namespace sightline::testing {
namespace {

using detail::RayRun;

/// Takes packets of 64 as `is_one` says, piece by piece of so many rays, and expects every ray in a
/// packet or in a run.
std::uint32_t tries_of(std::uint32_t count, std::uint32_t piece,
                       const std::function<bool(std::uint32_t)>& is_one) {
  std::vector<int> seen(count);
  std::vector<std::uint32_t> tried;
  std::mutex one_at_a_time;
  const auto take = [&](std::uint32_t first) {
    const std::lock_guard lock(one_at_a_time);
    tried.push_back(first);
    if (!is_one(first)) return false;
    for (std::uint32_t i = 0; i < 64; ++i) ++seen.at(first + i);
    return true;
  };
  const auto others = detail::take_packets(count, 64, piece, take);
  for (std::size_t k = 1; k < others.size(); ++k) {
    EXPECT_GT(others[k].first, others[k - 1].first + others[k - 1].count) << "runs that touch";
  }
  for (const RayRun& run : others) {
    for (std::uint32_t i = 0; i < run.count; ++i) ++seen.at(run.first + i);
  }
  for (std::uint32_t i = 0; i < count; ++i) EXPECT_EQ(seen[i], 1) << "ray " << i << " of " << count;
  std::sort(tried.begin(), tried.end());
  EXPECT_EQ(std::adjacent_find(tried.begin(), tried.end()), tried.end());
  return static_cast<std::uint32_t>(tried.size());
}

TEST(TakePackets, TriesAllWhereAFewThatLieApartAreSome) {
  for (const std::uint32_t count : {0u, 1u, 63u, 64u, 65u, 128u, 200u, 256u, 320u, 1000u, 6400u}) {
    Random r(count + 1);
    const std::uint32_t packets = count / 64;
    EXPECT_EQ(tries_of(count, count, [](std::uint32_t) { return true; }), packets);
    EXPECT_LE(tries_of(count, count, [](std::uint32_t) { return false; }), 4u);
    for (int k = 0; k < 20; ++k) tries_of(count, count, [&](std::uint32_t) { return r.one_in(2); });
    // Those at the very beginning do not speak for the others.
    if (packets >= 20) {
      EXPECT_LE(tries_of(count, count, [&](std::uint32_t first) { return first < count / 8; }), 4u);
    }
  }
}

TEST(TakePackets, PieceByPiece) {
  for (const std::uint32_t count : {640u, 641u, 1279u, 1280u, 6401u}) {
    Random r(count);
    const std::uint32_t pieces = (count + 639) / 640;
    EXPECT_EQ(tries_of(count, 640, [](std::uint32_t) { return true; }), count / 64);
    EXPECT_LE(tries_of(count, 640, [](std::uint32_t) { return false; }), 4 * pieces);
    for (int k = 0; k < 20; ++k) tries_of(count, 640, [&](std::uint32_t) { return r.one_in(2); });
    // Each piece finds out for itself.
    EXPECT_LE(tries_of(count, 640, [](std::uint32_t first) { return first < 640; }),
              4 * pieces + 6);
    EXPECT_GE(tries_of(count, 640, [](std::uint32_t first) { return first < 640; }), 10u);
  }
}

}  // namespace
}  // namespace sightline::testing
