// Where rows of unlike length are cut.
#include "host/program/jobs/row_cuts.hpp"

#include "tests/support/adversarial_pairs.hpp"

#include <gtest/gtest.h>

namespace sightline::testing {
namespace {

using cli::for_each_cut;
using cli::RowLimits;
using cli::RowSums;

/// Rows of 0 to `most` elements, in stretches of few and of many.
std::vector<std::uint32_t> row_lengths(std::uint64_t rows, std::uint32_t most, std::uint64_t seed) {
  Random r(seed);
  std::vector<std::uint32_t> lengths(rows);
  bool many = true;
  for (std::uint32_t& n : lengths) {
    if (r.one_in(3000)) many = !many;
    n = static_cast<std::uint32_t>(r.below(many ? static_cast<int>(most) + 1 : 2));
  }
  return lengths;
}

TEST(RowCuts, KeepToTheLimitsAndCountAgainOnlyWhereTheyMust) {
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    Random r(seed);
    const std::uint64_t rows = seed % 7 == 0 ? 0 : static_cast<std::uint64_t>(r.below(40'000));
    const std::vector<std::uint32_t> lengths = row_lengths(rows, 50, seed);
    const std::uint32_t most = seed % 3 == 0 ? 20 : none;  // kept of a row
    RowSums sums(rows);
    const std::uint64_t half = rows / 3;
    sums.add(0, std::span(lengths).first(half), most);
    sums.add(half, std::span(lengths).subspan(half), most);
    const RowLimits limits = {static_cast<std::uint64_t>(r.between(1, 20'000)),
                              static_cast<std::uint64_t>(r.between(1, 400'000) >> r.below(16))};
    std::vector<std::uint32_t> kept = lengths;
    std::uint64_t all = 0, next = 0, counted = 0, dense = 0;
    for (std::uint32_t& n : kept) all += n = std::min(n, most);
    for (std::uint64_t b = 0; b * RowSums::block < rows; ++b) {
      if (sums.of_block(b) > limits.elements) dense += RowSums::block;
    }
    for_each_cut(
        sums, limits,
        [&](std::uint64_t first, std::uint64_t n) {
          EXPECT_LE(n, limits.rows);
          counted += n;
          return std::span<const std::uint32_t>(kept).subspan(first, n);
        },
        [&](std::uint64_t first, std::uint64_t n, std::uint64_t most_elements) {
          ASSERT_EQ(first, next);
          ASSERT_GT(n, 0u);
          ASSERT_LE(n, limits.rows);
          std::uint64_t elements = 0;
          for (std::uint64_t i = first; i < first + n; ++i) elements += kept[i];
          ASSERT_LE(elements, most_elements);
          ASSERT_TRUE(most_elements <= limits.elements || n == 1) << "rows " << n;
          next = first + n;
        });
    if (HasFatalFailure()) return;
    EXPECT_EQ(next, rows) << "seed " << seed;
    EXPECT_EQ(sums.elements(), all) << "seed " << seed;
    EXPECT_LE(counted, dense) << "seed " << seed;
  }
}

// Ranges as long as may be: neither by single blocks nor by single rows.
TEST(RowCuts, AreFew) {
  const std::vector<std::uint32_t> lengths(100'000, 3);
  RowSums sums(lengths.size());
  sums.add(0, lengths, none);
  int cuts = 0;
  const auto use = [&](std::uint64_t, std::uint64_t, std::uint64_t) { ++cuts; };
  const auto count = [&](std::uint64_t first, std::uint64_t n) {
    return std::span<const std::uint32_t>(lengths).subspan(first, n);
  };
  for_each_cut(sums, {1'000'000, 1'000'000}, count, use);
  EXPECT_EQ(cuts, 1);
  cuts = 0;
  for_each_cut(sums, {1'000'000, 150'000}, count, use);
  EXPECT_EQ(cuts, 3);
  cuts = 0;
  for_each_cut(sums, {1'000'000, 3000}, count, use);  // by rows of a block
  EXPECT_LE(cuts, 125);
}

}  // namespace
}  // namespace sightline::testing
