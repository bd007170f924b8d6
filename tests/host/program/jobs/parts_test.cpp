// The program's small parts: sizes, samples, transposed bits.
#include "host/program/jobs/bit_matrix.hpp"
#include "host/program/jobs/bytes.hpp"
#include "host/program/results/verify.hpp"

#include <gtest/gtest.h>

#include <random>

namespace sightline::cli {
namespace {

TEST(Bytes, Parse) {
  EXPECT_EQ(parse_bytes("4096"), 4096u);
  EXPECT_EQ(parse_bytes("64K"), 65536u);
  EXPECT_EQ(parse_bytes("256M"), 268435456u);
  EXPECT_EQ(parse_bytes("256MiB"), 268435456u);
  EXPECT_EQ(parse_bytes("256mb"), 268435456u);
  EXPECT_EQ(parse_bytes("1.5G"), 1610612736u);
  for (const char* bad : {"", "M", "-1", "12Q", "1 G", "1e99", "99999999999999G", "nan", "12MM"}) {
    EXPECT_EQ(parse_bytes(bad), std::nullopt) << bad;
  }
}

TEST(Bytes, Words) {
  EXPECT_EQ(grouped(0), "0");
  EXPECT_EQ(grouped(999), "999");
  EXPECT_EQ(grouped(1000), "1,000");
  EXPECT_EQ(grouped(12345678), "12,345,678");
  EXPECT_EQ(format_bytes(1023), "1023 bytes");
  EXPECT_EQ(format_bytes(268435456), "268,435,456 bytes (256.0 MiB)");
  EXPECT_EQ(short_number(1234567), "1.23 M");
}

TEST(Sample, IsDistinctSpreadAndRepeatable) {
  for (const std::uint64_t total : {1ull, 7ull, 1000ull, 1000003ull, 1ull << 40}) {
    for (const std::uint64_t count : {1ull, 2ull, 7ull, 900ull}) {
      if (count > total) continue;
      const Sample sample{total, count, 5}, again{total, count, 5}, other{total, count, 6};
      std::uint64_t different = 0;
      for (std::uint64_t k = 0; k < count; ++k) {
        EXPECT_LT(sample[k], total);
        if (k > 0) {
          EXPECT_LT(sample[k - 1], sample[k]) << total << " " << count << " " << k;
        }
        EXPECT_EQ(sample[k], again[k]);
        different += sample[k] != other[k] ? 1u : 0u;
      }
      if (total / count > 100) {
        EXPECT_GT(different, 0u) << total << " " << count;
      }
    }
  }
  const Sample full{10, 10, 3};
  for (std::uint64_t k = 0; k < 10; ++k) EXPECT_EQ(full[k], k);
}

TEST(BitMatrix, Transpose) {
  const std::uint64_t seed = 11;
  std::mt19937_64 random(seed);
  for (const std::uint64_t rows : {1u, 2u, 63u, 64u, 65u, 130u}) {
    for (const std::uint64_t columns : {1u, 5u, 64u, 100u, 192u}) {
      const std::uint64_t words = bit_words(columns);
      std::vector<std::uint64_t> from(rows * words), to;
      for (std::uint64_t i = 0; i < rows; ++i) {
        for (std::uint64_t j = 0; j < columns; ++j) {
          from[i * words + j / 64] |= (random() & 1) << (j % 64);
        }
      }
      transpose_bits(from, rows, columns, to);
      ASSERT_EQ(to.size(), columns * bit_words(rows));
      for (std::uint64_t i = 0; i < rows; ++i) {
        for (std::uint64_t j = 0; j < columns; ++j) {
          ASSERT_EQ(from[i * words + j / 64] >> (j % 64) & 1,
                    to[j * bit_words(rows) + i / 64] >> (i % 64) & 1)
              << "seed " << seed << ", " << rows << " x " << columns << " at " << i << ", " << j;
        }
      }
      EXPECT_EQ(count_bits(to), count_bits(from)) << "padding is not 0";
    }
  }
}

}  // namespace
}  // namespace sightline::cli
