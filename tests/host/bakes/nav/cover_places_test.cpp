// Places along walls: small worlds in which they are known, and what holds in all.
#include "tests/host/bakes/nav/cover_worlds.hpp"
#include "tests/support/backends.hpp"

#include <sightline/error.hpp>
#include <sightline/geometry/shapes/up_axis.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <tuple>

namespace sightline::testing {
namespace {

/// A plain of [-10, 10] squared, with boxes on it.
Scene plain_with(const std::vector<Aabb>& boxes) {
  Scene scene;
  scene.add_aabb(block(-10, -10, 10, 10, 0, -1));
  for (const Aabb& box : boxes) scene.add_aabb(box);
  return scene;
}

double distance_to(const Aabb& box, const Vec3& p) {
  const double x = std::max({double{box.min.x} - p.x, 0.0, double{p.x} - box.max.x});
  const double y = std::max({double{box.min.y} - p.y, 0.0, double{p.y} - box.max.y});
  return std::sqrt(x * x + y * y);
}

/// Every column in the middle of a 20 x 20 plain of quarter cells.
template <class Use>
void for_each_middle(Use&& use) {
  for (int j = 0; j < 80; ++j) {
    for (int i = 0; i < 80; ++i) {
      use(Vec3{-10 + 0.25f * (static_cast<float>(i) + 0.5f),
               -10 + 0.25f * (static_cast<float>(j) + 0.5f), 0});
    }
  }
}

std::set<std::tuple<float, float, float>> as_set(const std::vector<Vec3>& points) {
  std::set<std::tuple<float, float, float>> all;
  for (const Vec3& p : points) all.emplace(p.x, p.y, p.z);
  return all;
}

TEST(CoverPlaces, AreAllAroundABox) {
  for (const float height : {1.0f, wall_height}) {
    SCOPED_TRACE(height);
    const Aabb box = block(-2, -1, 1, 3, height);
    const Baked baked(plain_with({box}));
    CoverPlaceOptions o;
    o.spacing = 0;
    const CoverPlaces found = baked.places(o);
    std::set<std::tuple<float, float, float>> expected;
    for_each_middle([&](const Vec3& p) {
      const double d = distance_to(box, p);
      if (d >= 0.5 && d < 0.75) expected.emplace(p.x, p.y, p.z);
    });
    EXPECT_EQ(as_set(found.position), expected);
    EXPECT_EQ(found.along_walls, expected.size());
    EXPECT_EQ(found.covered, expected.size());
    for (const CoverHeight h : found.cover.height) {
      EXPECT_EQ(h, height == 1 ? CoverHeight::crouch : CoverHeight::stand);
    }
  }
}

TEST(CoverPlaces, AreNotWhereNothingCovers) {
  // One steps over a low box, and on its top there are ledges alone.
  EXPECT_EQ(Baked(plain_with({block(-2, -1, 1, 3, 0.75f)})).places().along_walls, 0u);
  EXPECT_EQ(Baked(plain_with({})).places().along_walls, 0u);
  Scene island;
  island.add_aabb(block(-3, -3, 3, 3, 5));
  EXPECT_EQ(Baked(std::move(island)).places().along_walls, 0u);
  // What hangs at the head is an obstacle, but nobody crouches behind it.
  const CoverPlaces under = Baked(plain_with({block(-2, -1, 1, 3, 3, 1.5f)})).places();
  EXPECT_GT(under.along_walls, 0u);
  EXPECT_EQ(under.covered, 0u);
  EXPECT_TRUE(under.span.empty());
}

/// Whether a place within this rectangle leans out in this direction.
bool leans(const CoverPlaces& places, const Vec3& low, const Vec3& high, std::uint32_t direction) {
  for (std::size_t i = 0; i < places.position.size(); ++i) {
    const Vec3& p = places.position[i];
    const bool inside = p.x >= low.x && p.x <= high.x && p.y >= low.y && p.y <= high.y;
    const std::uint64_t lean = places.cover.left[i] | places.cover.right[i];
    if (inside && (lean >> direction & 1) != 0) return true;
  }
  return false;
}

TEST(CoverPlaces, LeanAroundEveryCornerOfABox) {
  const Baked baked(plain_with({block(-2, -2, 2, 2)}));
  for (const float spacing : {0.5f, 1.0f, 2.0f, 4.0f, 8.0f}) {
    SCOPED_TRACE(spacing);
    CoverPlaceOptions o;
    o.spacing = spacing;
    const CoverPlaces found = baked.places(o);
    // Each side has a place before either end, from which one leans past it.
    for (const float end : {-2.0f, 2.0f}) {
      const float from = end < 0 ? end : end - 0.6f, to = end < 0 ? end + 0.6f : end;
      EXPECT_TRUE(leans(found, {-2.75f, from, 0}, {-2.5f, to, 0}, 0)) << end;
      EXPECT_TRUE(leans(found, {from, -2.75f, 0}, {to, -2.5f, 0}, 8)) << end;
      EXPECT_TRUE(leans(found, {2.5f, from, 0}, {2.75f, to, 0}, 16)) << end;
      EXPECT_TRUE(leans(found, {from, 2.5f, 0}, {to, 2.75f, 0}, 24)) << end;
    }
  }
}

TEST(CoverPlaces, LeanAtBothJambsOfADoorwayFromBothSides) {
  const Baked baked(plain_with({block(-10, 0, -0.75f, 0.25f), block(0.75f, 0, 10, 0.25f)}));
  CoverPlaceOptions o;
  o.spacing = 3;
  const CoverPlaces found = baked.places(o);
  for (const float jamb : {-0.75f, 0.75f}) {
    const float from = jamb < 0 ? jamb - 0.6f : jamb, to = jamb < 0 ? jamb : jamb + 0.6f;
    EXPECT_TRUE(leans(found, {from, -0.75f, 0}, {to, 0, 0}, 8)) << jamb;
    EXPECT_TRUE(leans(found, {from, 0.25f, 0}, {to, 1, 0}, 24)) << jamb;
  }
}

TEST(CoverPlaces, StayOnBothSidesOfAThinWall) {
  const Baked baked(plain_with({block(-3, 0, 3, 0.125f)}));
  CoverPlaceOptions o;
  o.spacing = 10;
  const CoverPlaces found = baked.places(o);
  std::uint64_t safe_below = 0, safe_above = 0;
  for (std::size_t i = 0; i < found.position.size(); ++i) {
    if (found.position[i].y < 0) safe_below |= found.cover.crouch[i];
    if (found.position[i].y > 0) safe_above |= found.cover.crouch[i];
  }
  EXPECT_EQ(safe_below >> 8 & 1, 1u);
  EXPECT_EQ(safe_above >> 24 & 1, 1u);
}

TEST(CoverPlaces, AreInTheInnerCornersOfAYard) {
  // Open towards +x. The inner corners are safe in the most directions of all places.
  const Baked baked(
      plain_with({block(-4, -4, -3.5f, 4), block(-4, 3.5f, 4, 4), block(-4, -4, 4, -3.5f)}));
  CoverPlaceOptions o;
  o.spacing = 2;
  const CoverPlaces found = baked.places(o);
  for (const float y : {-2.875f, 2.875f}) {
    EXPECT_TRUE(as_set(found.position).contains({-2.875f, y, 0.0f})) << y;
  }
}

TEST(CoverPlaces, AreOnBothFloors) {
  const Aabb low = block(-2, -2, 2, 2);
  const Aabb high = {{-2, -2, 5}, {2, 2, 8}};
  const Baked one(plain_with({low})), two(plain_with({low, block(-10, -10, 10, 10, 5, 4), high}));
  const CoverPlaces below = one.places(), both = two.places();
  std::vector<Vec3> expected = below.position;
  for (const Vec3& p : below.position) expected.push_back({p.x, p.y, 5});
  EXPECT_EQ(as_set(both.position), as_set(expected));
  EXPECT_EQ(both.along_walls, 2 * below.along_walls);
}

/// Boxes of few bits on a plain, one of them upright walls, others low or hanging.
std::vector<Aabb> some_boxes(std::uint64_t seed) {
  oracle::Dice dice(seed);
  std::vector<Aabb> boxes;
  const auto at = [&] { return 0.25f * static_cast<float>(dice.between(-36, 36)); };
  const auto size = [&](int most) { return 0.25f * static_cast<float>(dice.between(1, most)); };
  for (int i = 0; i < 10; ++i) {
    const float x = at(), y = at(), bottom = dice.chance(0.2) ? size(8) : 0;
    const float wide = size(12), deep = size(12), high = size(10);
    boxes.push_back(block(x, y, x + wide, y + deep, bottom + high, bottom));
  }
  return boxes;
}

TEST(CoverPlaces, TurnWithTheWorld) {
  std::uint64_t some = 0;
  for (std::uint64_t seed = 1; seed <= scaled(6); ++seed) {
    SCOPED_TRACE(seed);
    std::vector<Aabb> boxes = some_boxes(seed), turned;
    for (const Aabb& b : boxes) {
      turned.push_back(block(-b.max.y, b.min.x, -b.min.y, b.max.x, b.max.z, b.min.z));
    }
    CoverPlaceOptions o;
    o.spacing = 0;
    const CoverPlaces a = Baked(plain_with(boxes)).places(o);
    const CoverPlaces b = Baked(plain_with(turned)).places(o);
    using Place =
        std::tuple<float, float, float, std::uint64_t, std::uint64_t, std::uint64_t, std::uint64_t>;
    std::set<Place> before, after;
    const auto turn = [](std::uint64_t mask) { return (mask << 8 | mask >> 24) & 0xFFFFFFFF; };
    for (std::size_t i = 0; i < a.span.size(); ++i) {
      const Vec3& p = a.position[i];
      before.emplace(0.0f - p.y, p.x, p.z, turn(a.cover.crouch[i]), turn(a.cover.stand[i]),
                     turn(a.cover.left[i]), turn(a.cover.right[i]));
    }
    for (std::size_t i = 0; i < b.span.size(); ++i) {
      const Vec3& p = b.position[i];
      after.emplace(p.x, p.y, p.z, b.cover.crouch[i], b.cover.stand[i], b.cover.left[i],
                    b.cover.right[i]);
    }
    EXPECT_EQ(before, after);
    some += before.size();
  }
  EXPECT_GT(some, 100u);
}

TEST(CoverPlaces, DoNotDependOnWhichAxisIsUp) {
  for (std::uint64_t seed = 1; seed <= scaled(6); ++seed) {
    SCOPED_TRACE(seed);
    Scene z_up = plain_with(some_boxes(seed)), y_up;
    for (std::uint32_t i = 0; i < z_up.count(Kind::aabb); ++i) {
      y_up.add_aabb(upright(z_up.aabb(i), UpAxis::y));
    }
    NavOptions o = exact_options();
    CoverPlaceOptions all;
    all.spacing = 0;  // of equal places the first in the order of columns stays
    const CoverPlaces a = Baked(std::move(z_up), o).places(all);
    o.up = UpAxis::y;
    const CoverPlaces b = Baked(std::move(y_up), o).places(all);
    std::vector<Vec3> flat;
    for (const Vec3& p : b.position) flat.push_back(upright(p, UpAxis::y));
    EXPECT_GT(a.span.size(), 10u);
    EXPECT_EQ(as_set(a.position), as_set(flat));
  }
}

class CoverPlacesOn : public EveryBackend {};
INSTANTIATE_TEST_SUITE_P(, CoverPlacesOn, ::testing::ValuesIn(every_backend), name_of_backend);

TEST_P(CoverPlacesOn, AreTheSameOnEveryBackend) {
  for (std::uint64_t seed = 1; seed <= 1 + scaled(3); ++seed) {
    SCOPED_TRACE(seed);
    const Scene scene = round_world(seed);
    const Caster judge(scene, ReferenceOptions{}), tested = caster(scene);
    const NavMap map = bake_nav(judge);
    const CoverPlaces a = find_cover_places(judge, map), b = find_cover_places(tested, map);
    EXPECT_GT(a.span.size(), 0u);
    EXPECT_EQ(a.span, b.span);
    EXPECT_EQ(a.covered, b.covered);
    EXPECT_EQ(a.cover.height, b.cover.height);
    EXPECT_EQ(a.cover.facing, b.cover.facing);
    EXPECT_EQ(a.cover.distance, b.cover.distance);
    EXPECT_EQ(a.cover.crouch, b.cover.crouch);
    EXPECT_EQ(a.cover.stand, b.cover.stand);
    EXPECT_EQ(a.cover.left, b.cover.left);
    EXPECT_EQ(a.cover.right, b.cover.right);
  }
}

TEST(CoverPlaces, RefuseWhatMakesNoSense) {
  const Baked baked(plain_with({block(-2, -1, 1, 3)}));
  CoverPlaceOptions o;
  o.spacing = 17;
  EXPECT_THROW(baked.places(o), Error);
  o.spacing = -1;
  EXPECT_THROW(baked.places(o), Error);
  o = {};
  o.cover.radius = 5;
  EXPECT_THROW(baked.places(o), Error);
  o = {};
  o.max_bytes = 1000;
  EXPECT_THROW(baked.places(o), Error);
  NavOptions near = exact_options();
  near.range = 0.5f;
  EXPECT_THROW(Baked(plain_with({}), near).places(), Error);
  near.agent.radius = near.range = 0;
  EXPECT_THROW(spans_along_walls(Baked(plain_with({}), near).map), Error);
}

TEST(CoverPlaces, TellHowFarTheyAreAndEndWhenTold) {
  const Baked baked(plain_with({block(-2, -1, 1, 3)}));
  CoverPlaceOptions o;
  std::vector<std::uint64_t> told;
  o.progress = [&](std::uint64_t done, std::uint64_t) { told.push_back(done); };
  const CoverPlaces found = baked.places(o);
  EXPECT_EQ(told, (std::vector<std::uint64_t>{0, found.along_walls}));
  o.progress = [](std::uint64_t, std::uint64_t) { throw Error(ErrorKind::usage, "enough"); };
  EXPECT_THROW(baked.places(o), Error);
}

}  // namespace
}  // namespace sightline::testing
