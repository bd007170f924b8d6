// The counter-based generator: uniform where it says so, and the same numbers everywhere.
#include "host/gen/random.hpp"

#include <gtest/gtest.h>

#include <set>

namespace sightline::gen {
namespace {

TEST(Draws, DependOnSeedStreamIndexAndPlaceAlone) {
  std::set<std::uint64_t> seen;
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    for (std::uint64_t stream = 0; stream < 10; ++stream) {
      for (std::uint64_t index = 0; index < 10; ++index) {
        Draws a(seed, stream, index), b(seed, stream, index);
        for (int place = 0; place < 10; ++place) {
          const std::uint64_t bits = a.bits();
          EXPECT_EQ(bits, b.bits());
          seen.insert(bits);
        }
      }
    }
  }
  EXPECT_EQ(seen.size(), 10000u);
}

TEST(Draws, KeepTheirNumbers) {
  Draws draws(1, 2, 3);
  EXPECT_EQ(draws.bits(), 6694809129887813358u);
  EXPECT_EQ(draws.uniform(), 0x1.1764b300b79e4p-2);
}

TEST(Draws, DirectionsAreUnitAndCoverTheSphereEvenly) {
  int octant[8] = {}, polar = 0;
  for (std::uint64_t i = 0; i < 80000; ++i) {
    Draws draws(5, 0, i);
    const Vec3d d = draws.direction();
    EXPECT_NEAR(d.x * d.x + d.y * d.y + d.z * d.z, 1, 1e-14);
    ++octant[(d.x > 0) + 2 * (d.y > 0) + 4 * (d.z > 0)];
    if (d.z > 0.9) ++polar;  // a cap of area (1 - 0.9) / 2
  }
  for (const int n : octant) EXPECT_NEAR(n, 10000, 500);  // 5 sigma
  EXPECT_NEAR(polar, 4000, 310);
}

TEST(Draws, RotationsAndSmallTurnsAreUnitQuaternions) {
  for (std::uint64_t i = 0; i < 1000; ++i) {
    const Quat q = Draws(6, 0, i).rotation();
    EXPECT_NEAR(q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w, 1, 3e-7);
  }
  for (double angle = -0.5; angle <= 0.5; angle += 1.0 / 64) {
    const Quat q = small_turn_about_z(angle);
    EXPECT_EQ(q.x, 0);
    EXPECT_EQ(q.y, 0);
    EXPECT_NEAR(q.z, std::sin(angle / 2), 3e-8);
    EXPECT_NEAR(q.w, std::cos(angle / 2), 6e-8);
  }
}

}  // namespace
}  // namespace sightline::gen
