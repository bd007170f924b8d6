// Masks, excluded ids and excluded groups.
#include <sightline/geometry/queries/traverse.hpp>

#include "tests/support/adversarial_pairs.hpp"

#include <gtest/gtest.h>

#include <array>

namespace sightline::testing {
namespace {

/// Four half-spaces, met in turn at x = 1, 2, 3 and 4 by a ray along x.
struct Four {
  std::array<Vec3, 4> normal;
  std::array<float, 4> offset{-1, -2, -3, -4};
  std::array<std::uint32_t, 4> mask, group;
  ShapesView view;

  Four() {
    normal.fill({-1, 0, 0});
    mask.fill(0xFFFFFFFFu);
    group.fill(none);
    view.begin[kind_count] = 4;
    view.of<Plane>().normal = normal.data();
    view.of<Plane>().offset = offset.data();
    view.mask = mask.data();
    view.group = group.data();
  }
  /// The id of the first one that the ray sees.
  std::uint32_t first(const Ray& ray) const {
    const Query q = make_query(ray, Inside::solid);
    const std::uint32_t id = closest_hit({}, view, q).id;
    EXPECT_EQ(any_hit({}, view, q), id != none);
    return id;
  }
};

const Ray along_x{{0, 0, 0}, {1, 0, 0}};

TEST(Filters, AllShapesCountByDefault) {
  Four four;
  EXPECT_EQ(four.first(along_x), 0u);
  four.view.mask = nullptr;
  four.view.group = nullptr;
  EXPECT_EQ(four.first(along_x), 0u);
}

TEST(Filters, AShapeCountsWhenTheMasksShareABit) {
  Four four;
  four.mask = {1, 2, 4, 0x80000000u};
  Ray ray = along_x;
  ray.mask = 6;
  EXPECT_EQ(four.first(ray), 1u);
  ray.mask = 4;
  EXPECT_EQ(four.first(ray), 2u);
  ray.mask = 0x80000000u;
  EXPECT_EQ(four.first(ray), 3u);
  ray.mask = 8;
  EXPECT_EQ(four.first(ray), none);
  ray.mask = 0;
  EXPECT_EQ(four.first(ray), none);
  ray.mask = 0xFFFFFFFFu;
  four.mask.fill(0);
  EXPECT_EQ(four.first(ray), none);
  ray.mask = 0;  // without columns, a shape's mask is all ones
  four.view.mask = nullptr;
  EXPECT_EQ(four.first(ray), none);
}

TEST(Filters, ExcludedIdsAreNotSeen) {
  Four four;
  Ray ray = along_x;
  ray.exclude[0] = 0;
  EXPECT_EQ(four.first(ray), 1u);
  ray.exclude[1] = 1;
  EXPECT_EQ(four.first(ray), 2u);
  ray.exclude[0] = none;
  EXPECT_EQ(four.first(ray), 0u);
  ray.exclude[0] = 2;
  EXPECT_EQ(four.first(ray), 0u);
}

TEST(Filters, ExcludedGroupsAreNotSeenAndNoneIsNoGroup) {
  Four four;
  four.group = {7, 7, none, 9};
  Ray ray = along_x;
  EXPECT_EQ(four.first(ray), 0u);
  ray.exclude_group[0] = 7;
  EXPECT_EQ(four.first(ray), 2u);
  ray.exclude_group[0] = none;
  ray.exclude_group[1] = 7;
  EXPECT_EQ(four.first(ray), 2u);
  // A ray that excludes group `none` (its default) still sees shapes without a group.
  four.group.fill(none);
  EXPECT_EQ(four.first(ray), 0u);
  four.group = {0, none, none, none};
  ray.exclude_group[0] = 0;
  ray.exclude_group[1] = none;
  EXPECT_EQ(four.first(ray), 1u);
}

TEST(Filters, TogetherAllMustAgree) {
  Four four;
  four.mask = {1, 3, 3, 3};
  four.group = {5, 5, 6, none};
  Ray ray = along_x;
  ray.mask = 2;              // leaves 1, 2, 3
  ray.exclude_group[0] = 5;  // leaves 2, 3
  EXPECT_EQ(four.first(ray), 2u);
  ray.exclude[0] = 2;
  EXPECT_EQ(four.first(ray), 3u);
  ray.exclude[1] = 3;
  EXPECT_EQ(four.first(ray), none);
}

TEST(Filters, OfEqualTTheLeastIdWinsAmongThoseThatCount) {
  Four four;
  four.offset.fill(-2);
  Ray ray = along_x;
  EXPECT_EQ(four.first(ray), 0u);
  ray.exclude[0] = 0;
  EXPECT_EQ(four.first(ray), 1u);
  Best best;
  best.offer({true, 5, false}, 3);
  best.offer({true, 5, true}, 7);
  EXPECT_EQ(best.id, 3u);
  best.offer({true, 5, true}, 2);
  EXPECT_EQ(best.id, 2u);
  EXPECT_TRUE(best.started_inside);
  best.offer({false, 1, false}, 1);
  EXPECT_EQ(best.id, 2u);
  best.offer({true, 4, false}, 9);
  EXPECT_EQ(best.id, 9u);
}

TEST(Filters, BadRaysSeeNothing) {
  const Four four;
  Ray ray = along_x;
  ray.t_max = -1;
  EXPECT_EQ(four.first(ray), none);
}

}  // namespace
}  // namespace sightline::testing
