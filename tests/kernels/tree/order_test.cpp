// The order of points along the Morton curve.
#include "tests/kernels/tree/systems.hpp"
#include "tests/support/adversarial_pairs.hpp"
#include "tests/support/random_scene.hpp"
#include "tests/support/scale.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

namespace sightline::testing {
namespace {

constexpr float nan = std::numeric_limits<float>::quiet_NaN();

PointsView rows_of(const std::vector<Vec3>& points) {
  PointsView view;
  view.count = points.size();
  if (!points.empty()) view.position = Vec3Column::rows(points);
  return view;
}

/// The order on every system, checked to be one and the same, and the inverse of its ranks.
std::vector<std::uint32_t> order_of(const std::vector<Vec3>& points) {
  CountedScratch memory;
  const Order first = packaged_thrust.morton_order(System::cpp, rows_of(points), memory.get());
  for (const Thrust* thrust : every_thrust()) {
    for (const System system : every_system) {
      CountedScratch scratch;
      const Order o = thrust->morton_order(system, rows_of(points), scratch.get());
      EXPECT_EQ(o.order, first.order) << name_of(system) << " of Thrust " << thrust->version;
      EXPECT_EQ(o.rank, first.rank) << name_of(system) << " of Thrust " << thrust->version;
      EXPECT_EQ(scratch.bytes(), 0u);
    }
  }
  for (std::uint32_t k = 0; k < points.size(); ++k) {
    const std::uint32_t point = first.order[k];
    EXPECT_LT(point, points.size());
    if (point < points.size()) {
      EXPECT_EQ(first.rank[point], k);
    }
  }
  return first.order;
}

/// The bits of x, y, z in turn, the highest first.
std::uint32_t interleaved(std::uint32_t x, std::uint32_t y, std::uint32_t z, int bits) {
  std::uint32_t code = 0;
  for (int b = bits - 1; b >= 0; --b) {
    code = code << 3 | (x >> b & 1) << 2 | (y >> b & 1) << 1 | (z >> b & 1);
  }
  return code;
}

TEST(MortonOrder, IsTheCurveOfACube) {
  constexpr int bits = 4;
  constexpr std::uint32_t side = 1u << bits;
  std::vector<Vec3> points(side * side * side);
  std::vector<std::uint32_t> shuffle(points.size());
  std::iota(shuffle.begin(), shuffle.end(), 0u);
  Random r(1);
  for (std::size_t i = shuffle.size(); i > 1; --i) {
    std::swap(shuffle[i - 1], shuffle[static_cast<std::size_t>(r.below(static_cast<int>(i)))]);
  }
  std::vector<std::uint32_t> expected(points.size());
  for (std::uint32_t i = 0; i < points.size(); ++i) {
    const std::uint32_t x = shuffle[i] % side, y = shuffle[i] / side % side,
                        z = shuffle[i] / side / side;
    points[i] = {static_cast<float>(x), static_cast<float>(y) - 100, static_cast<float>(z) + 7};
    expected[interleaved(x, y, z, bits)] = i;
  }
  EXPECT_EQ(order_of(points), expected);
}

TEST(MortonOrder, OfALineIsTheLine) {
  std::vector<Vec3> points;
  for (int i = 0; i < 5000; ++i) points.push_back({3, static_cast<float>(i * 37 % 5000), -1});
  const std::vector<std::uint32_t> order = order_of(points);
  for (std::size_t k = 1; k < order.size(); ++k) {
    EXPECT_LT(points[order[k - 1]].y, points[order[k]].y) << k;
  }
}

TEST(MortonOrder, FlatSetsAreCutAlongTheirWidth) {
  // 1024 x 1024 x 1: ten cuts of x and y come before the first of z.
  std::vector<Vec3> points;
  for (int i = 0; i < 4096; ++i) {
    points.push_back({static_cast<float>(i % 64) * 16.25f, static_cast<float>(i / 64) * 16.25f,
                      static_cast<float>(i * 7 % 2)});
  }
  const std::vector<std::uint32_t> order = order_of(points);
  for (std::size_t first = 0; first < order.size(); first += 64) {
    float low = infinity, high = -infinity;
    for (std::size_t k = first; k < first + 64; ++k) {
      low = min(points[order[k]].x, low);
      high = max(points[order[k]].x, high);
    }
    EXPECT_LE(high - low, 7 * 16.25f) << first;
  }
}

TEST(MortonOrder, EqualPointsKeepTheirOrderAndBadOnesComeLast) {
  const float beyond = 0x1.000002p40f;
  const std::vector<Vec3> points = {{1, 1, 1},        {nan, 0, 0}, {1, 1, 1},      {0, 0, 0},
                                    {0, infinity, 0}, {0, 0, 0},   {beyond, 0, 0}, {1, 1, 1}};
  EXPECT_EQ(order_of(points), (std::vector<std::uint32_t>{3, 5, 0, 2, 7, 1, 4, 6}));
}

TEST(MortonOrder, OfFewAndOfBadPoints) {
  EXPECT_TRUE(order_of({}).empty());
  EXPECT_EQ(order_of({{1, 2, 3}}), (std::vector<std::uint32_t>{0}));
  EXPECT_EQ(order_of({{nan, 2, 3}, {1, nan, 0}}), (std::vector<std::uint32_t>{0, 1}));
  EXPECT_EQ(order_of({{1, 1, 1}, {1, 1, 1}, {1, 1, 1}}), (std::vector<std::uint32_t>{0, 1, 2}));
}

TEST(MortonOrder, OfTheWholeDomainAndOfTheLeastFloats) {
  const float far = domain_limit, least = 0x1p-149f;
  EXPECT_EQ(order_of({{far, far, far}, {-far, -far, -far}, {0, 0, 0}}),
            (std::vector<std::uint32_t>{1, 2, 0}));
  // Too near each other for cells between them.
  EXPECT_EQ(order_of({{least, 0, 0}, {0, 0, 0}}), (std::vector<std::uint32_t>{0, 1}));
}

TEST(MortonOrder, RandomPointsAreOrderedOnEverySystem) {
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    Random r(seed);
    std::vector<Vec3> points(std::max<std::uint64_t>(5000, scaled(200000)));
    for (Vec3& p : points) p = r.one_in(50) ? Vec3{nan, 0, 0} : r.vec(-100, 100);
    std::vector<std::uint32_t> order = order_of(points);
    std::sort(order.begin(), order.end());
    for (std::uint32_t i = 0; i < order.size(); ++i) ASSERT_EQ(order[i], i) << "seed " << seed;
  }
}

}  // namespace
}  // namespace sightline::testing
