// Squares of bits turned over, and rows of bits in another order.
#include "kernels/queries/bits.cuh"

#include "tests/kernels/kernels_test.hpp"
#include "tests/standin/emulate_sight.hpp"

#include <gtest/gtest.h>

namespace sightline::testing {
namespace {

using kernels::ReorderBitsJob;
using standin::emulate;
using standin::HostWarp;
using standin::LaneOrder;
using standin::Steps;

TEST(BitSquare, IsTurnedOver) {
  Random r(1);
  for (int i = 0; i < 2000; ++i) {
    std::uint32_t in[32];
    for (int k = 0; k < 32; ++k) {
      in[k] = static_cast<std::uint32_t>(r.bits());
      if (i < 1024) in[k] = k == i / 32 ? 1u << (i % 32) : 0;  // every single bit first
    }
    Steps steps;
    const HostWarp warp(&steps, every_lane_order[i % 2]);
    HostWarp::Lanes<std::uint32_t> word;
    warp.each([&](int lane) { word[lane] = in[lane]; });
    kernels::transpose(warp, word);
    warp.each([&](int lane) {
      for (int k = 0; k < 32; ++k) {
        ASSERT_EQ(word[lane] >> k & 1u, in[k] >> lane & 1u) << "matrix " << i;
      }
    });
    EXPECT_EQ(steps.exchanges, 5u);
    if (HasFatalFailure()) return;
  }
}

/// A matrix of random bits, padding included, and two orders.
struct Shuffle {
  std::uint64_t rows, columns, row_words;
  std::vector<std::uint32_t> in, row_rank, column_rank;

  Shuffle(std::uint64_t r, std::uint64_t c, std::uint64_t more_words, Random& random)
      : rows(r), columns(c), row_words(kernels::bit_words32(c) + more_words) {
    in.resize(rows * row_words);
    for (std::uint32_t& word : in) word = static_cast<std::uint32_t>(random.bits());
    row_rank = random_order(rows, random);
    column_rank = random_order(columns, random);
  }

  /// Rows [first, first + n) of the matrix in its orders; whether it holds `expected`.
  void expect(std::uint64_t first, std::uint64_t n, bool by_rows, bool by_columns,
              LaneOrder order) const {
    Guarded<std::uint32_t> out(n * row_words);
    std::uint64_t visible = 3;
    ReorderBitsJob job{in.data(), out.data(), n, columns, row_words, first};
    if (by_rows) job.row_rank = row_rank.data();
    if (by_columns) job.column_rank = column_rank.data();
    job.visible = &visible;
    emulate(job, {nullptr, order});
    std::vector<std::uint32_t> expected(n * row_words);
    std::uint64_t ones = 3;
    for (std::uint64_t i = 0; i < n; ++i) {
      const std::uint64_t row = by_rows ? row_rank[first + i] : first + i;
      for (std::uint64_t j = 0; j < columns; ++j) {
        const bool bit = bit_of(&in[row * row_words], by_columns ? column_rank[j] : j);
        expected[i * row_words + j / 32] |= std::uint32_t{bit} << (j % 32);
        ones += bit;
      }
    }
    EXPECT_TRUE(out.is(expected)) << rows << " x " << columns << ", rows from " << first;
    EXPECT_EQ(visible, ones) << rows << " x " << columns;
    job.visible = nullptr;
    emulate(job, {nullptr, order});
    EXPECT_TRUE(out.is(expected));
  }
};

TEST(ReorderBits, PutsEveryBitInItsPlace) {
  Random r(2);
  for (const std::uint64_t rows : {0u, 1u, 2u, 33u}) {
    for (const std::uint64_t columns :
         {0u, 1u, 31u, 32u, 33u, 63u, 64u, 65u, 1024u, 1025u, 2100u}) {
      const Shuffle shuffle(rows, columns, r.one_in(4) ? 2 : 0, r);
      for (const bool by_rows : {false, true}) {
        for (const bool by_columns : {false, true}) {
          shuffle.expect(0, rows, by_rows, by_columns, every_lane_order[r.below(2)]);
          shuffle.expect(rows / 3, rows - rows / 3, by_rows, by_columns, LaneOrder::upwards);
        }
      }
    }
  }
}

// 70 words make three pieces of a row, of 32, 32 and 6 words.
TEST(ReorderBits, CostsTwoStepsAWord) {
  Random r(3);
  const Shuffle shuffle(5, 70 * 32, 0, r);
  std::vector<std::uint32_t> out(5 * 70);
  Steps steps;
  emulate(ReorderBitsJob{shuffle.in.data(), out.data(), 5, 70 * 32, 70}, {&steps});
  EXPECT_EQ(steps.ballots, 5 * 70u);
  EXPECT_EQ(steps.each, 5 * (2 * 70 + 3u));
  EXPECT_EQ(out, shuffle.in);
}

}  // namespace
}  // namespace sightline::testing
