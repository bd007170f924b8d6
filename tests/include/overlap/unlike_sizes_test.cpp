// Two shapes of unlike size in touch, 1e6 away from the origin.
//
// What is asked is asked of the stored floats, and answered as well as near the origin: only
// differences of places are taken, and those are exact. What is lost is lost before: at 1e6 floats
// lie 1/16 apart, so a box or a capsule's segment of 0.001 is stored as nothing, or as 1/16, and
// centres move by up to 1/32. Radii and half extents keep their sizes. Half-spaces alone count from
// the origin: their height errs by 2^-53 of the distance, 1e-10 at 1e6.
#include <sightline/geometry/overlap/overlaps.hpp>

#include "tests/include/overlap/near_pairs.hpp"
#include "tests/support/scale.hpp"

#include <gtest/gtest.h>

namespace sightline::testing {
namespace {

constexpr float m = 1e6f;

TEST(UnlikeSizes, ABigBallAndAGrain) {
  // Centres 1000 + 1/16 apart, a grain of 1/16: in touch, and apart by one float of its radius,
  // which is 4e-9. A sum of the radii in floats does not see that.
  const Sphere ball{{m, -m, m}, 1000};
  const Sphere grain{{m + 1000.0625f, -m, m}, 0.0625f};
  Sphere less = grain;
  less.radius = next_down(grain.radius);
  EXPECT_EQ(ball.radius + grain.radius, ball.radius + less.radius);
  EXPECT_TRUE(overlaps(ball, grain));
  EXPECT_FALSE(overlaps(ball, less));
  EXPECT_TRUE(overlaps(Capsule{ball.center, ball.center, 1000}, grain));
  EXPECT_FALSE(overlaps(Capsule{ball.center, ball.center, 1000}, less));
}

TEST(UnlikeSizes, AFloorAndAGrain) {
  const Aabb floor{{m, m, m}, {m + 5000, m + 5000, m + 1}};
  const Obb slab{{m + 2500, m + 2500, m + 0.5f}, {2500, 2500, 0.5f}, Quat{}};
  const Plane ground{{0, 0, 1}, m + 1};
  const Sphere grain{{m + 4000, m + 7, m + 1.0625f}, 0.0625f};
  Sphere less = grain;
  less.radius = next_down(grain.radius);
  const Capsule rod{grain.center, {m + 4000, m + 7, m + 4000}, 0.0625f};
  const auto expect = [&](const auto& below) {
    EXPECT_TRUE(overlaps(below, grain));
    EXPECT_FALSE(overlaps(below, less));
    EXPECT_TRUE(overlaps(below, rod));
    EXPECT_FALSE(overlaps(below, Capsule{rod.a, rod.b, less.radius}));
  };
  expect(floor);
  expect(frame(slab));
  expect(ground);
}

TEST(UnlikeSizes, SmallBoxesAreStoredAsPointsThere) {
  const Aabb small{{m, m, m}, {m + 0.001f, m + 0.001f, m + 0.001f}};
  EXPECT_EQ(small.min.x, small.max.x);
  const ObbFrame turned = frame(Obb{{m, m, m}, {0.0005f, 0.0005f, 0.0005f}, {0, 0, 1, 1}});
  const Sphere next_place{{m + 0.0625f, m, m}, 0};
  EXPECT_FALSE(overlaps(small, next_place));
  EXPECT_FALSE(overlaps(turned, next_place));
  EXPECT_TRUE(overlaps(small, Sphere{{m, m, m}, 0}));
  // An Obb keeps its size: its faces are where they were given, beside a centre that is stored.
  EXPECT_TRUE(overlaps(turned, Sphere{{m + 0.0625f, m, m}, 0.0621f}));
  EXPECT_FALSE(overlaps(turned, Sphere{{m + 0.0625f, m, m}, 0.0619f}));
}

/// Right wherever certificates say something, in the smaller shape's sizes.
template <class A, class B>
void expect_right_at_1e6() {
  oracle::Dice dice(6001);
  const std::uint64_t n = scaled(20'000);
  std::uint64_t known = 0;
  for (const double unlike : {1e-1, 1e-2, 1e-4, 1e-6}) {
    const overlap_tests::Cell cell{1e6, 1, 1, unlike};
    for (std::uint64_t i = 0; i < n; ++i) {
      const auto p = overlap_tests::near_pair<A, B>(dice, cell);
      const auto v = judge(oracle::body(p.a, p.from), oracle::body(p.b, p.from), p.n, p.on_a,
                           p.on_b, oracle::Real(4e-7) * p.smallest);
      if (v.meeting == oracle::Meeting::unknown) continue;
      ++known;
      EXPECT_EQ(overlaps(p.a, p.b), v.meeting == oracle::Meeting::meet);
    }
  }
  EXPECT_GT(known, n);
}
TEST(UnlikeSizes, RightBut4e7OfTheSmaller) {
  expect_right_at_1e6<ObbFrame, Sphere>();
  expect_right_at_1e6<ObbFrame, Capsule>();
  expect_right_at_1e6<Capsule, ObbFrame>();
  expect_right_at_1e6<ObbFrame, ObbFrame>();
  expect_right_at_1e6<Triangle, ObbFrame>();
  expect_right_at_1e6<Triangle, Sphere>();
  expect_right_at_1e6<Triangle, Capsule>();
  expect_right_at_1e6<Sphere, Sphere>();
  expect_right_at_1e6<Sphere, Capsule>();
  expect_right_at_1e6<Capsule, Capsule>();
}

}  // namespace
}  // namespace sightline::testing
