// The order that rays are traced in, and queries answered.
#include "host/cpu/rays/ray_order.hpp"

#include "host/cpu/shapes/query_order.hpp"
#include "tests/host/cpu/rays/expected_record.hpp"
#include "tests/support/random_scene.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

namespace sightline::testing {
namespace {

using detail::grid_bits;
using detail::RawRay;
using detail::RayBuckets;

std::vector<std::uint32_t> random_keys(std::uint32_t count, std::uint64_t seed) {
  Random r(seed);
  const std::uint32_t mask =
      r.one_in(3) ? 0x00e00003u : (1u << (3 * grid_bits + 3)) - 1;  // few keys: many ties
  std::vector<std::uint32_t> keys(count);
  for (std::uint32_t& key : keys) key = static_cast<std::uint32_t>(r.bits()) & mask;
  if (r.one_in(4)) {
    for (std::uint32_t& key : keys) key |= 7u << 3 * grid_bits;  // one octant alone
  }
  return keys;
}

/// Keys to sort by: of cells there are eight along an axis.
void expect_order(RayBuckets& buckets, const std::vector<std::uint32_t>& keys, bool by_place) {
  const auto count = static_cast<std::uint32_t>(keys.size());
  std::vector<Ray> rays(count);  // t_max tells the index
  for (std::uint32_t i = 0; i < count; ++i) rays[i].t_max = static_cast<float>(i);
  std::vector<std::uint32_t> expected(count);
  std::iota(expected.begin(), expected.end(), 0u);
  const int octant_shift = 3 * grid_bits, shift = by_place ? octant_shift - 9 : octant_shift;
  std::stable_sort(expected.begin(), expected.end(), [&](std::uint32_t a, std::uint32_t b) {
    return keys[a] >> shift < keys[b] >> shift;
  });
  buckets.count(keys.data(), count, by_place);
  for_each_simd([&](const detail::SimdKernels& simd) {
    std::vector<std::uint32_t> next = buckets.next, position = keys;
    std::vector<RawRay> sorted(count);
    simd.rays.place(rows_of(rays), count, buckets.shift, next.data(), position.data(),
                    sorted.data());
    for (std::uint32_t k = 0; k < count; ++k) {
      ASSERT_EQ(sorted[k].t_max, static_cast<float>(expected[k])) << simd.name << ", at " << k;
      ASSERT_EQ(position[expected[k]], k) << simd.name;
    }
  });
  std::size_t octant_end[9] = {};
  for (std::uint32_t k = 0; k < count; ++k) {
    octant_end[(keys[expected[k]] >> octant_shift) + 1] = k + 1;
  }
  for (int o = 0; o <= 8; ++o) {
    if (o > 0) octant_end[o] = std::max(octant_end[o], octant_end[o - 1]);
    ASSERT_EQ(buckets.octant_begin[o], octant_end[o]) << "octant " << o;
  }
}

// One object for all: what a job leaves behind must not reach the next.
TEST(RayBuckets, HoldRaysInTheOrderOfKeysStably) {
  RayBuckets buckets;
  for (std::uint64_t seed = 1; seed <= 30; ++seed) {
    for (const std::uint32_t count : {0u, 1u, 2u, 64u, 100u, 2049u, 30000u}) {
      const std::vector<std::uint32_t> keys = random_keys(count, seed);
      for (const bool by_place : {true, false}) {
        expect_order(buckets, keys, by_place);
        ASSERT_FALSE(HasFatalFailure())
            << count << " keys, by place " << by_place << ", seed " << seed;
      }
    }
  }
}

TEST(KeyOrder, SortsStably) {
  detail::KeyOrder order;
  for (std::uint64_t seed = 1; seed <= 30; ++seed) {
    for (const std::uint32_t count : {0u, 1u, 2u, 64u, 100u, 2047u, 2048u, 2049u, 30000u}) {
      const std::vector<std::uint32_t> keys = random_keys(count, seed);
      std::vector<std::uint32_t> expected(count);
      std::iota(expected.begin(), expected.end(), 0u);
      std::stable_sort(expected.begin(), expected.end(),
                       [&](std::uint32_t a, std::uint32_t b) { return keys[a] < keys[b]; });
      const std::uint32_t* const sorted = order.sort(keys);
      ASSERT_EQ(std::vector<std::uint32_t>(sorted, sorted + count), expected)
          << count << " keys, seed " << seed;
    }
  }
}

std::vector<Ray> rays_between(const Vec3& low, const Vec3& high, float t_max) {
  std::vector<Ray> rays(2);
  rays[0].origin = low;
  rays[1].origin = high;
  for (Ray& r : rays) r.direction = {2, 0, 0}, r.t_max = t_max;
  return rays;
}

TEST(GridOver, SpansTheWidestAxis) {
  const detail::RayGrid grid =
      detail::grid_over(rows_of(rays_between({1, 2, 3}, {2, 6, 5}, 8)), false);
  EXPECT_EQ(grid.low.x, 1.0f);
  EXPECT_EQ(grid.low.y, 2.0f);
  EXPECT_EQ(grid.low.z, 3.0f);
  EXPECT_EQ(grid.scale, static_cast<float>(detail::grid_cells) / 4);
}

TEST(GridOver, ByMidpointsOfRaysThatEnd) {
  const auto ending = rays_between({1, 2, 3}, {2, 6, 5}, 8);
  EXPECT_EQ(detail::grid_over(rows_of(ending), true).low.x, 9.0f);
  const auto endless = rays_between({1, 2, 3}, {2, 6, 5}, infinity);
  EXPECT_EQ(detail::grid_over(rows_of(endless), true).low.x, 1.0f);
}

TEST(GridOver, PlacesThatAreOneOrBadHaveNoScale) {
  const auto equal = rays_between({1, 2, 3}, {1, 2, 3}, 1);
  EXPECT_EQ(detail::grid_over(rows_of(equal), false).scale, 0.0f);
  const auto bad = rays_between({infinity, 0, 0}, {0, -infinity, 0}, 1);
  EXPECT_EQ(detail::grid_over(rows_of(bad), false).scale, 0.0f);
  const auto close = rays_between({0, 0, 0}, {0x1p-140f, 0, 0}, 1);
  EXPECT_EQ(detail::grid_over(rows_of(close), false).scale, 0.0f);
  EXPECT_EQ(detail::grid_over(RaysView{}.slice(0, 0), false).scale, 0.0f);
}

}  // namespace
}  // namespace sightline::testing
