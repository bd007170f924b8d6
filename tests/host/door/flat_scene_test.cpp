// What a set of 2D shapes keeps, numbers and refuses.
#include "tests/support/flat_sets.hpp"

#include <gtest/gtest.h>

namespace sightline::testing {
namespace {

/// The words with which the set refuses what `add` adds; it is then as it was.
template <class Add>
std::string refusal(const Add& add) {
  FlatScene set;
  set.add_circle({{1, 2}, 3}, 5);
  try {
    add(set);
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::bad_input);
    EXPECT_EQ(set.size(), 1u);
    EXPECT_EQ(set.view().size(), 1u);
    return error.what();
  }
  return "taken";
}
std::string refusal_of(const std::vector<Vec2>& corners) {
  return refusal([&](FlatScene& set) { set.add_polygon(corners); });
}

TEST(FlatScene, NumbersKindByKind) {
  FlatScene set;
  EXPECT_EQ(set.add_obb({{0, 0}, {1, 1}, 1, 0}), 0u);
  EXPECT_EQ(set.add_circle({{0, 0}, 1}), 0u);
  EXPECT_EQ(set.add_circle({{4, 0}, 1}, 2), 1u);
  const Vec2 corners[] = {{0, 0}, {1, 0}, {0, 1}};
  EXPECT_EQ(set.add_polygon(corners), 0u);
  EXPECT_EQ(set.size(), 4u);
  EXPECT_EQ(set.id(FlatKind::obb, 0), 3u);
  EXPECT_EQ(set.id(FlatKind::polygon, 0), 2u);
  EXPECT_EQ(set.kind_and_index(1), std::pair(FlatKind::circle, 1u));
  EXPECT_EQ(set.mask(FlatKind::circle, 0), FlatScene::every_mask);
  EXPECT_EQ(set.mask(FlatKind::circle, 1), 2u);
  EXPECT_FALSE(set.has_masks(FlatKind::obb));
  EXPECT_THROW(set.id(FlatKind::sector, 0), Error);
  EXPECT_THROW(set.kind_and_index(4), Error);
  const Aabb2 all = set.bounds();
  EXPECT_TRUE(all.min.x <= -1 && all.min.x > -1.001f && all.max.x >= 5 && all.max.x < 5.001f);
  EXPECT_GT(FlatScene().bounds().min.x, FlatScene().bounds().max.x);
  EXPECT_EQ(FlatScene(set).view().polygon(0).count, 3);
}

TEST(FlatScene, RefusesBadShapes) {
  const float nan = NAN, big = 0x1.8p40f;
  const auto of = [](const auto& shape) {
    return refusal([&](FlatScene& set) { add_to(set, shape, 1); });
  };
  EXPECT_EQ(of(Circle{{0, 0}, -1}), "circle 1 is refused: the radius is negative");
  EXPECT_EQ(of(Circle{{nan, 0}, 1}), "circle 1 is refused: a value is NaN or infinite");
  EXPECT_EQ(of(Circle{{big, 0}, 1}), "circle 1 is refused: a value is larger than 2^40 in size");
  EXPECT_EQ(of(Circle{{0, 0}, big}), "circle 1 is refused: a value is larger than 2^40 in size");
  EXPECT_EQ(of(Capsule2{{0, 0}, {0, infinity}, 1}),
            "capsule 0 is refused: a value is NaN or infinite");
  EXPECT_EQ(of(Sector{{0, 0}, {0, 0}, 1, 0, 1}),
            "sector 0 is refused: the direction has no length");
  EXPECT_EQ(of(Sector{{0, 0}, {1, 0}, 0, -1, 1}),
            "sector 0 is refused: the half angle's cosine is 0 and its sine is not above 0");
  EXPECT_EQ(of(Sector{{0, 0}, {1, 0}, nan, 1, 1}),
            "sector 0 is refused: a value is NaN or infinite");
  EXPECT_EQ(of(Sector{{0, 0}, {1, 0}, 1, 0, -1}), "sector 0 is refused: the radius is negative");
  EXPECT_EQ(of(Aabb2{{0, 1}, {1, 0}}), "aabb 0 is refused: min is greater than max");
  EXPECT_EQ(of(Obb2{{0, 0}, {1, -1}, 1, 0}), "obb 0 is refused: a half extent is negative");
  EXPECT_EQ(of(Obb2{{0, 0}, {1, 1}, 0, 0}), "obb 0 is refused: its cosine and sine are both 0");
  EXPECT_EQ(refusal_of({}), "polygon 0 is refused: it has no corners");
  EXPECT_EQ(refusal_of({{0, 0}, {nan, 0}}), "polygon 0 is refused: a value is NaN or infinite");
}

TEST(FlatScene, RefusesPolygonsThatAreNotConvex) {
  const std::string words =
      "polygon 0 is refused: its corners are not in convex position and in "
      "order";
  EXPECT_EQ(refusal_of({{0, 0}, {2, 0}, {1, 1}, {2, 2}, {0, 2}}), words) << "a notch";
  EXPECT_EQ(refusal_of({{0, 0}, {2, 2}, {2, 0}, {0, 2}}), words) << "a bow tie";
  EXPECT_EQ(refusal_of({{0, 10}, {-6, -8}, {9, 3}, {-9, 3}, {6, -8}}), words) << "a star";
  EXPECT_EQ(refusal_of({{0, 0}, {1, 0}, {1, 1}, {0, 1}, {0, 0}, {1, 0}, {1, 1}, {0, 1}}), words)
      << "twice round";
  EXPECT_EQ(refusal_of({{1e6f, 1e6f},
                        {1e6f + 2, 1e6f},
                        {1e6f + 1, 1e6f + 1},
                        {1e6f + 2, 1e6f + 2},
                        {1e6f, 1e6f + 2}}),
            words)
      << "far away";
}

TEST(FlatScene, TakesConvexPolygonsOfAnyFloats) {
  EXPECT_EQ(refusal_of({{3, 4}}), "taken");
  EXPECT_EQ(refusal_of({{3, 4}, {3, 4}, {3, 4}}), "taken");
  EXPECT_EQ(refusal_of({{0, 0}, {1, 5}}), "taken");
  EXPECT_EQ(refusal_of({{0, 0}, {2, 0}, {1, 0}}), "taken") << "flat";
  EXPECT_EQ(refusal_of({{0, 0}, {0, 0}, {1, 0}, {2, 0}, {2, 2}, {2, 2}, {0, 2}, {0, 1}}), "taken");
  // Regular outlines, whose floats are off by a rounding: either way round, far away, of many
  // corners.
  for (const int n : {3, 7, 100, 100'000}) {
    for (const double far : {0.0, 1e4, 1e6}) {
      std::vector<Vec2> corners;
      for (int k = 0; k < n; ++k) {
        const double angle = 6.283185307179586 * k / n;
        corners.push_back({static_cast<float>(far + 10 * std::cos(angle)),
                           static_cast<float>(far / 3 + 10 * std::sin(angle))});
      }
      EXPECT_EQ(refusal_of(corners), "taken") << n << ", " << far;
      std::reverse(corners.begin(), corners.end());
      EXPECT_EQ(refusal_of(corners), "taken") << n << ", " << far;
    }
  }
}

}  // namespace
}  // namespace sightline::testing
