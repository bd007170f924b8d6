#include "host/tree/split.hpp"

#include "tests/support/adversarial_pairs.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

namespace sightline::testing {
namespace {

using detail::Box8;
using detail::BuildExtent;
using detail::BuildItem;
using detail::Cut;

std::vector<BuildItem> random_items(Random& r, std::size_t n) {
  std::vector<BuildItem> items(n);
  const bool flat = r.one_in(4), few_places = r.one_in(4);
  for (std::uint32_t i = 0; i < n; ++i) {
    const Vec3 center = few_places ? r.lattice(-2, 2) : r.vec(-100, 100);
    const Vec3 half = flat ? Vec3{0, 0, 0} : r.vec(0, 3);
    items[i] = BuildItem({minus(center, half), plus(center, half)}, i);
  }
  return items;
}

BuildExtent extent_of(std::span<const BuildItem> items) {
  BuildExtent extent;
  for (const BuildItem& item : items) extent.add(item);
  return extent;
}

/// Lane 3 of either half is anything.
bool same_box(const Box8& a, const Box8& b) {
  for (const int lane : {0, 1, 2, 4, 5, 6}) {
    if (a[lane] != b[lane]) return false;
  }
  return true;
}

/// A cut of copies of the items, which then stand in order in `items`.
Cut cut(std::vector<BuildItem>& items) {
  std::vector<BuildItem> other(items.size());
  const Cut made = detail::cut_by_sah(items, other, extent_of(items));
  if (made.moved) items = other;
  return made;
}

float cost_of(std::span<const BuildItem> side) {
  return half_area(detail::aabb_of_union(extent_of(side).box)) *
         static_cast<float>(side.size() + 4);
}
float cost_of(std::span<const BuildItem> items, std::size_t left) {
  return cost_of(items.first(left)) + cost_of(items.subspan(left));
}

TEST(Cut, KeepsTheShapesAndKnowsBothSides) {
  for (std::uint64_t seed = 1; seed <= 400; ++seed) {
    Random r(seed);
    const std::size_t n = seed == 400 ? (1u << 17) + 5000
                          : seed % 20 == 0
                              ? 20000
                              : 2 + static_cast<std::size_t>(r.below(600)) / (1 + seed % 30);
    std::vector<BuildItem> items = random_items(r, n);
    const std::vector<BuildItem> before = items;
    const Cut made = cut(items);
    ASSERT_GE(made.left, 1u) << "seed " << seed;
    ASSERT_LT(made.left, n) << "seed " << seed;
    std::vector<bool> seen(n);
    for (const BuildItem& item : items) {
      ASSERT_LT(item.id(), n) << "seed " << seed;
      ASSERT_FALSE(seen[item.id()]) << "seed " << seed;
      seen[item.id()] = true;
      ASSERT_TRUE(same_box(item.box, before[item.id()].box)) << "seed " << seed;
    }
    const std::span<const BuildItem> all = items;
    const std::span<const BuildItem> sides[] = {all.first(made.left), all.subspan(made.left)};
    for (int k = 0; k < 2; ++k) {
      const BuildExtent expected = extent_of(sides[k]);
      EXPECT_TRUE(same_box(made.extent[k].box, expected.box)) << "seed " << seed << " side " << k;
      if (sides[k].size() <= detail::small_range) continue;
      EXPECT_TRUE(same_box(made.extent[k].centers, expected.centers))
          << "seed " << seed << " side " << k;
    }
  }
}

TEST(Cut, OfASmallRangeIsTheCheapestOfAll) {
  for (std::uint64_t seed = 1; seed <= 2000; ++seed) {
    Random r(seed);
    std::vector<BuildItem> items =
        random_items(r, 3 + static_cast<std::size_t>(r.below(detail::small_range - 2)));
    std::vector<BuildItem> sorted = items;
    const Cut made = cut(items);
    const float cost = cost_of(items, made.left);
    for (int axis = 0; axis < 3; ++axis) {
      std::sort(sorted.begin(), sorted.end(), [&](const auto& a, const auto& b) {
        return detail::doubled_center(a.box)[axis] < detail::doubled_center(b.box)[axis] ||
               (detail::doubled_center(a.box)[axis] == detail::doubled_center(b.box)[axis] &&
                a.id() < b.id());
      });
      for (std::size_t left = 1; left < items.size(); ++left) {
        ASSERT_LE(cost, cost_of(sorted, left)) << "seed " << seed << " axis " << axis;
      }
    }
  }
}

// A row of clusters of equal size has one best cut, in the middle gap, which bins must see.
TEST(Cut, OfALargeRangeFindsTheGap) {
  for (const std::size_t n : {40u, 1000u, 40000u, 200000u}) {
    for (int axis = 0; axis < 3; ++axis) {
      Random r(n);
      std::vector<BuildItem> items(n);
      for (std::uint32_t i = 0; i < n; ++i) {
        Vec3 at = r.vec(0, 1);
        (axis == 0 ? at.x : axis == 1 ? at.y : at.z) += i % 2 == 0 ? 0.0f : 10.0f;
        items[i] = BuildItem({at, at}, i);
      }
      EXPECT_EQ(cut(items).left, n / 2) << n << " along " << axis;
      for (std::size_t i = 0; i < n; ++i) {
        ASSERT_EQ(items[i].id() % 2, i < n / 2 ? 0u : 1u) << n << " along " << axis;
      }
    }
  }
}

TEST(Cut, WhereCentersCoincideInHalves) {
  for (const std::size_t n : {2u, 3u, 16u, 17u, 1000u, 200001u}) {
    std::vector<BuildItem> items(n);
    for (std::uint32_t i = 0; i < n; ++i) items[i] = BuildItem({{1, 2, 3}, {4, 5, 6}}, i);
    const Cut made = cut(items);
    EXPECT_LE(made.left, n - n / 2);
    EXPECT_GE(made.left, n / 2);
  }
}

}  // namespace
}  // namespace sightline::testing
