// How work is cut: words, triangles, grids.
#include "kernels/launch/grid.hpp"
#include "kernels/traverse/matrix_tile.cuh"

#include "tests/support/adversarial_pairs.hpp"

#include <gtest/gtest.h>

#include <set>
#include <utility>

namespace sightline::testing {
namespace {

using kernels::MatrixEntry;
using kernels::triangle_entry;
using kernels::triangle_size;

TEST(Grid, WordsComeInPairs) {
  const std::uint64_t words[][2] = {{0, 0}, {1, 2}, {32, 2}, {64, 2}, {65, 4}, {128, 4}, {129, 6}};
  for (const auto& [n, w] : words) EXPECT_EQ(kernels::bit_words32(n), w) << n;
  EXPECT_EQ(kernels::bit_words32(~std::uint64_t{0}), std::uint64_t{1} << 59);
  EXPECT_EQ(kernels::pieces(~std::uint64_t{0}, 128), std::uint64_t{1} << 57);
}

TEST(Grid, IsNeverLargerThanAGridMayBe) {
  EXPECT_EQ(kernels::grid_size(1), 1u);
  EXPECT_EQ(kernels::grid_size(0x7FFFFFFF), 0x7FFFFFFFu);
  EXPECT_EQ(kernels::grid_size(0x80000000), 0x7FFFFFFFu);
  EXPECT_EQ(kernels::grid_size(std::uint64_t{1} << 40), 0x7FFFFFFFu);
}

// Small rather than too few for all warps, and large where there are several for each.
TEST(Tiles, GrowWithTheirMatrix) {
  const auto size = [](std::uint64_t pairs) { return kernels::tile_size(pairs, {}); };
  EXPECT_EQ(size(1 << 20), 352u);
  EXPECT_EQ(size(1 << 22), 1024u);
  EXPECT_EQ(size(1 << 24), 1376u);
  EXPECT_EQ(size(100'000'000), 4096u);
}

TEST(Triangle, HasEveryPlaceOnce) {
  for (std::uint64_t side = 0; side <= 130; ++side) {
    std::set<std::pair<std::uint64_t, std::uint64_t>> seen;
    for (std::uint64_t k = 0; k < triangle_size(side); ++k) {
      const MatrixEntry p = triangle_entry(k, side);
      ASSERT_TRUE(p.row <= p.column && p.column < side) << "side " << side << ", k " << k;
      seen.emplace(p.row, p.column);
    }
    ASSERT_EQ(seen.size(), side * (side + 1) / 2) << "side " << side;
    ASSERT_EQ(triangle_size(side), seen.size()) << "side " << side;
  }
}

/// Which k gives this place.
std::uint64_t number_of(const MatrixEntry& p, std::uint64_t side) {
  const std::uint64_t shift = side % 2 == 0 ? 1 : 0, width = side + shift;
  if (p.row < (side + 1) / 2) return p.row * width + p.column + shift;
  return (side - shift - p.row) * width + (p.column - p.row);
}

// No two k give one place: the place tells k. So in large matrices too each place comes once.
TEST(Triangle, TellsItsNumberInLargeMatrices) {
  Random r(1);
  for (int i = 0; i < 200000; ++i) {
    const std::uint64_t side = 1 + (r.bits() >> r.between(32, 60));
    const std::uint64_t size = triangle_size(side);
    const std::uint64_t from_end = r.bits() % (size < 4 ? size : 4);
    for (const std::uint64_t k : {r.bits() % size, from_end, size - 1 - from_end}) {
      const MatrixEntry p = triangle_entry(k, side);
      ASSERT_TRUE(p.row <= p.column && p.column < side) << "side " << side << ", k " << k;
      ASSERT_EQ(number_of(p, side), k) << "side " << side;
    }
  }
}

}  // namespace
}  // namespace sightline::testing
