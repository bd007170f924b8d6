// The walks of a chunk: what they pack, place and take back, and that they agree on the places.
#include "host/cuda/chunks/chunk_arrays.hpp"
#include "host/cuda/chunks/uncached_writes.hpp"

#include <gtest/gtest.h>

#include <array>
#include <numeric>
#include <vector>

namespace sightline::testing {
namespace {

using cuda::Chunk;
using cuda::ChunkBytes;
using cuda::ElementRange;

constexpr std::uint64_t alignment = cuda::BumpLayout::alignment;

/// A query's arrays, of which each element has two outputs.
struct Arrays {
  PointsView points;
  const Vec3* dense = nullptr;
  std::uint64_t* sum = nullptr;
  std::uint32_t *out = nullptr, *unasked = nullptr, *needed = nullptr, *bits = nullptr,
                *temporary = nullptr;
  std::uint64_t* to_bits = nullptr;

  void name(Chunk& chunk) {
    chunk.in(points);
    chunk.in(dense);
    chunk.sum(sum);
    chunk.out(out, chunk.elements().times(2));
    chunk.out(unasked);
    chunk.out_always(needed, chunk.elements());
    chunk.out_bits(bits, to_bits);
    temporary = chunk.temporary<std::uint32_t>(chunk.count());
  }
};

class ChunkTest : public ::testing::Test {
 protected:
  static constexpr std::uint64_t n = 200;
  static constexpr ElementRange part = {64, 100};

  ChunkTest() {
    for (std::uint64_t i = 0; i < n; ++i) {
      const auto x = static_cast<float>(i);
      rows_.push_back({x, -x, 2 * x});
      masks_.push_back(static_cast<std::uint32_t>(7 * i));
    }
    given_.points.count = n;
    given_.points.position = Vec3Column::rows(rows_);
    given_.points.mask = masks_;
    given_.points.exclude.common = 5;
    given_.dense = rows_.data();
    given_.sum = &total_;
    given_.out = out_.data();
    given_.to_bits = bits_.data();
    memory_.fill(std::byte{0x5A});
  }

  /// The arrays of a part on a walk.
  Arrays on(Chunk::Pass walk, ChunkBytes* bytes = nullptr) {
    Arrays arrays = given_;
    Chunk chunk(walk, part, memory_.data());
    arrays.name(chunk);
    if (bytes != nullptr) *bytes = chunk.bytes();
    return arrays;
  }

  std::vector<Vec3> rows_;
  std::vector<std::uint32_t> masks_;
  std::uint64_t total_ = 1000;
  std::array<std::uint32_t, 2 * n> out_{};
  std::array<std::uint64_t, 4> bits_{};
  Arrays given_;
  alignas(alignment) std::array<std::byte, 1 << 16> memory_{};
};

TEST_F(ChunkTest, PacksThePartAsDenseColumns) {
  const Arrays at = on(Chunk::Pass::pack);
  EXPECT_EQ(at.points.count, part.count);
  EXPECT_EQ(at.points.position.x.stride, static_cast<std::ptrdiff_t>(sizeof(float)));
  EXPECT_EQ(at.points.exclude.data, nullptr);
  for (std::uint64_t i = 0; i < part.count; ++i) {
    const SightPoint expected = given_.points[part.first + i], seen = at.points[i];
    EXPECT_EQ(seen.position.x, expected.position.x);
    EXPECT_EQ(seen.position.y, expected.position.y);
    EXPECT_EQ(seen.position.z, expected.position.z);
    EXPECT_EQ(seen.mask, expected.mask);
    EXPECT_EQ(seen.exclude, 5u);
    EXPECT_EQ(at.dense[i].z, expected.position.z);
  }
  EXPECT_EQ(*at.sum, 0u);
  EXPECT_EQ(at.unasked, nullptr);
  EXPECT_NE(at.needed, nullptr);
}

TEST_F(ChunkTest, PacksStridedAndDenseColumnsOfAnyLength) {
  std::vector<Vec3> rows(70'000);
  std::vector<std::uint32_t> masks(rows.size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const auto x = static_cast<float>(i);
    rows[i] = {x, x + 0.25f, -x};
    masks[i] = static_cast<std::uint32_t>(3 * i);
  }
  std::vector<std::byte> memory(rows.size() * 16 + 8 * alignment);
  auto* const base =
      memory.data() + (0 - reinterpret_cast<std::uintptr_t>(memory.data())) % alignment;
  for (const std::uint64_t count : {1u, 3u, 255u, 256u, 257u, 8191u, 65'535u}) {
    PointsView points;
    points.count = rows.size();
    points.position = Vec3Column::rows(rows);
    points.mask = masks;
    const PointsView given = points;
    Chunk chunk(Chunk::Pass::pack, {5, count}, base);
    chunk.in(points);
    std::uint64_t wrong = 0;
    for (std::uint64_t i = 0; i < count; ++i) {
      const SightPoint a = points[i], b = given[5 + i];
      wrong += a.position.x != b.position.x || a.position.y != b.position.y ||
               a.position.z != b.position.z || a.mask != b.mask;
    }
    EXPECT_EQ(wrong, 0u) << count;
  }
}

TEST_F(ChunkTest, TakesBackWhatBelongsToThePart) {
  const Arrays device = on(Chunk::Pass::launch);
  *device.sum = 34;
  std::iota(device.out, device.out + 2 * part.count, 1u);
  std::fill_n(device.bits, 4, 0xFFFFFFFFu);
  on(Chunk::Pass::unpack);
  EXPECT_EQ(total_, 1034u);
  for (std::uint64_t i = 0; i < 2 * n; ++i) {
    const bool inside = i >= 2 * part.first && i < 2 * (part.first + part.count);
    EXPECT_EQ(out_[i], inside ? i - 2 * part.first + 1 : 0) << i;
  }
  EXPECT_EQ(bits_, (std::array<std::uint64_t, 4>{0, ~std::uint64_t{0}, ~std::uint64_t{0}, 0}));
}

TEST_F(ChunkTest, WalksAgreeAndMeasureWhatTheyTake) {
  ChunkBytes packed, launched, measured;
  const Arrays a = on(Chunk::Pass::pack, &packed), b = on(Chunk::Pass::launch, &launched);
  EXPECT_EQ(a.points.mask.data, b.points.mask.data);
  EXPECT_EQ(a.temporary, b.temporary);
  Arrays arrays = given_;
  Chunk chunk(Chunk::Pass::measure, {0, part.count});
  arrays.name(chunk);
  measured = chunk.bytes();
  for (const ChunkBytes& bytes : {packed, launched}) {
    EXPECT_EQ(bytes.in_end, measured.in_end);
    EXPECT_EQ(bytes.out_begin, measured.out_begin);
    EXPECT_EQ(bytes.out_end, measured.out_end);
    EXPECT_EQ(bytes.device_end, measured.device_end);
  }
  // Sums are copied both ways, temporary arrays not at all.
  const auto place = [&](const void* array) {
    return static_cast<std::uint64_t>(static_cast<const std::byte*>(array) - memory_.data());
  };
  EXPECT_EQ(place(a.sum), packed.out_begin);
  EXPECT_EQ(place(a.sum + 1), packed.in_end);
  EXPECT_EQ(place(a.bits + 4), packed.out_end);
  EXPECT_EQ(place(a.temporary + part.count), packed.device_end);
  EXPECT_GE(place(a.temporary), packed.out_end);
}

TEST_F(ChunkTest, RowsOfBitsGoToTheirPlacesInTheMatrix) {
  std::array<std::uint64_t, 12> matrix{};  // rows of 3, of which the middle word is ours
  const auto walk = [&](Chunk::Pass how) {
    Chunk chunk(how, {1, 2}, memory_.data());
    std::uint32_t* bits = nullptr;
    chunk.out_rows(bits, {matrix.data() + 1, 3, 1});
    return bits;
  };
  std::iota(walk(Chunk::Pass::launch), walk(Chunk::Pass::launch) + 4, 1u);
  walk(Chunk::Pass::unpack);
  std::array<std::uint64_t, 12> expected{};
  expected[4] = 1 | std::uint64_t{2} << 32;
  expected[7] = 3 | std::uint64_t{4} << 32;
  EXPECT_EQ(matrix, expected);
}

TEST_F(ChunkTest, SortedRowsOfBitsGoToTheCallersRows) {
  const std::uint32_t order[] = {2, 3, 1, 0};
  for (const std::uint64_t stride : {1u, 3u}) {
    std::array<std::uint64_t, 12> matrix{}, expected{};
    const auto walk = [&](Chunk::Pass how) {
      Chunk chunk(how, {1, 2}, memory_.data());
      std::uint32_t* bits = nullptr;
      chunk.out_rows(bits, {matrix.data(), stride, 1, order});
      return bits;
    };
    std::iota(walk(Chunk::Pass::launch), walk(Chunk::Pass::launch) + 4, 1u);
    walk(Chunk::Pass::unpack);
    expected[3 * stride] = 1 | std::uint64_t{2} << 32;
    expected[1 * stride] = 3 | std::uint64_t{4} << 32;
    EXPECT_EQ(matrix, expected);
  }
}

TEST(UncachedWrites, WriteWhatTheyAreGivenAndNoMore) {
  alignas(64) std::array<std::uint8_t, 256> to{};
  std::array<std::uint8_t, 256> from{};
  std::iota(from.begin(), from.end(), std::uint8_t{1});
  for (std::size_t begin = 0; begin < 33; ++begin) {
    for (std::size_t n = 0; n < 100; ++n) {
      to.fill(0);
      cuda::write_past_caches(to.data() + begin, from.data() + 7, n);
      cuda::fence_writes();
      std::array<std::uint8_t, 256> expected{};
      std::copy_n(from.begin() + 7, n, expected.begin() + static_cast<std::ptrdiff_t>(begin));
      ASSERT_EQ(to, expected) << n << " bytes to " << begin;
    }
  }
}

}  // namespace
}  // namespace sightline::testing
