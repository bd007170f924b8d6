// bounds() truly contains the stored set, whose corners are computed in binary128.
#include <sightline/geometry/shapes/capsule.hpp>
#include <sightline/geometry/shapes/cylinder.hpp>
#include <sightline/geometry/shapes/obb.hpp>
#include <sightline/geometry/shapes/sphere.hpp>

#include "tests/accuracy/samples.hpp"
#include "tests/oracle/oracle.hpp"
#include "tests/support/scale.hpp"

#include <gtest/gtest.h>

namespace sightline {
namespace {

using oracle::Dice;
using oracle::Quad;
using Wide = oracle::Wide<Quad>;

Quad least(Quad a, Quad b) { return a < b ? a : b; }
Quad most(Quad a, Quad b) { return a < b ? b : a; }

/// The least box around the half-spaces' set: centre +- sum of h_k |column k of the inverse|.
void extents(const ObbFrame& s, Wide& lo, Wide& hi) {
  const Wide a(s.axis[0]), b(s.axis[1]), c(s.axis[2]), center(s.center), h(s.half_extents);
  const Quad volume = oracle::dot(a, oracle::cross(b, c));
  const Wide x = oracle::cross(b, c), y = oracle::cross(c, a), z = oracle::cross(a, b);
  const auto reach = [&](Quad p, Quad q, Quad r) {
    const Quad sum =
        oracle::magnitude(p) * h.x + oracle::magnitude(q) * h.y + oracle::magnitude(r) * h.z;
    return sum / oracle::magnitude(volume);
  };
  const Wide e(reach(x.x, y.x, z.x), reach(x.y, y.y, z.y), reach(x.z, y.z, z.z));
  lo = center - e;
  hi = center + e;
}

bool covers(const Aabb& box, const Wide& lo, const Wide& hi) {
  return Quad(box.min.x) <= lo.x && Quad(box.min.y) <= lo.y && Quad(box.min.z) <= lo.z &&
         Quad(box.max.x) >= hi.x && Quad(box.max.y) >= hi.y && Quad(box.max.z) >= hi.z;
}

Vec3 some_point(Dice& dice) {
  const int top = dice.chance(0.2) ? 39 : dice.between(-10, 20);
  const auto part = [&] { return dice.chance(0.1) ? 0.0f : dice.wild(-30, top); };
  return {part(), part(), part()};
}
float some_size(Dice& dice, int top) {
  return dice.chance(0.15) ? 0.0f : std::fabs(dice.wild(-40, top));
}

/// What bounds() would be with only the rounded ends moved outward by one float.
Aabb by_one_float(const ObbFrame& s) {
  const Vec3 h = s.half_extents, c = s.center;
  const auto extent = [&](float p, float q, float r) {
    return std::fabs(p) * h.x + std::fabs(q) * h.y + std::fabs(r) * h.z;
  };
  const Vec3 e{extent(s.axis[0].x, s.axis[1].x, s.axis[2].x),
               extent(s.axis[0].y, s.axis[1].y, s.axis[2].y),
               extent(s.axis[0].z, s.axis[1].z, s.axis[2].z)};
  return {{next_down(c.x - e.x), next_down(c.y - e.y), next_down(c.z - e.z)},
          {next_up(c.x + e.x), next_up(c.y + e.y), next_up(c.z + e.z)}};
}

TEST(BoundsTest, Obb) {
  Dice dice(61);
  const std::uint64_t cases = scaled(300'000);
  std::uint64_t slips = 0, loose = 0;
  for (std::uint64_t i = 0; i < cases; ++i) {
    Obb given;
    given.center = dice.chance(0.5) ? Vec3{0, 0, 0} : some_point(dice);
    const int top = dice.between(-20, 38);
    given.half_extents = {some_size(dice, top), some_size(dice, top), some_size(dice, top)};
    given.rotation = accuracy::random_rotation(dice);
    if (dice.chance(0.1)) given.rotation.x = 0;  // not quite a unit quaternion
    if (dice.chance(0.3)) {                      // nearly along the axes
      given.rotation = {dice.wild(-30, -10), dice.wild(-30, -10), dice.wild(-30, -10), 1};
    }
    const ObbFrame s = frame(given);
    Wide lo(0, 0, 0), hi(0, 0, 0);
    extents(s, lo, hi);
    const Aabb box = bounds(s);
    ASSERT_TRUE(covers(box, lo, hi)) << "seed 61, case " << i;
    slips += !covers(by_one_float(s), lo, hi);
    const Quad width = hi.x - lo.x, got = Quad(box.max.x) - Quad(box.min.x);
    const Quad sum = Quad(s.half_extents.x) + Quad(s.half_extents.y) + Quad(s.half_extents.z);
    const Quad place = oracle::magnitude(Quad(s.center.x)) + width;
    loose += got - width > sum * 4e-6 + place * 4e-7 + Quad(0x1p-140);
  }
  EXPECT_GT(slips, cases / 50) << "the padding would not be needed";
  EXPECT_EQ(loose, 0u);
}

TEST(BoundsTest, SphereAndCapsule) {
  Dice dice(62);
  for (std::uint64_t i = 0; i < scaled(300'000); ++i) {
    const Capsule s{some_point(dice), some_point(dice), some_size(dice, 39)};
    const Wide a(s.a), b(s.b), r(s.radius, s.radius, s.radius);
    ASSERT_TRUE(covers(bounds(Sphere{s.a, s.radius}), a - r, a + r)) << "seed 62, case " << i;
    const Wide lo(least(a.x, b.x), least(a.y, b.y), least(a.z, b.z));
    const Wide hi(most(a.x, b.x), most(a.y, b.y), most(a.z, b.z));
    ASSERT_TRUE(covers(bounds(s), lo - r, hi + r)) << "seed 62, case " << i;
  }
}

/// The disc at an end reaches r * sqrt(1 - n_i^2) along an axis.
TEST(BoundsTest, Cylinder) {
  Dice dice(63);
  std::uint64_t loose = 0;
  for (std::uint64_t i = 0; i < scaled(300'000); ++i) {
    Cylinder s{some_point(dice), some_point(dice), some_size(dice, 39)};
    if (dice.chance(0.5)) {  // nearly along an axis
      const float length = dice.wild(-20, 20);
      Vec3 e{length * dice.wild(-60, -1), length * dice.wild(-60, -1), length * dice.wild(-60, -1)};
      (&e.x)[dice.below(3)] = length;
      s.b = {s.a.x + e.x, s.a.y + e.y, s.a.z + e.z};
    }
    const Wide a(s.a), b(s.b), e = b - a;
    const Quad ee = oracle::dot(e, e), r(s.radius);
    if (!(ee > 0)) continue;
    const auto reach = [&](Quad p, Quad q) { return r * oracle::root((p * p + q * q) / ee); };
    const Wide d(reach(e.y, e.z), reach(e.z, e.x), reach(e.x, e.y));
    const Wide lo(least(a.x, b.x), least(a.y, b.y), least(a.z, b.z));
    const Wide hi(most(a.x, b.x), most(a.y, b.y), most(a.z, b.z));
    const Aabb box = bounds(s);
    ASSERT_TRUE(covers(box, lo - d, hi + d)) << "seed 63, case " << i;
    const Quad place = oracle::magnitude(a.x) + oracle::magnitude(b.x) + d.x;
    const Quad width = hi.x - lo.x + d.x * 2, got = Quad(box.max.x) - Quad(box.min.x);
    loose += got - width > place * 4e-6 + r * Quad(0x1p-68) + Quad(0x1p-140);
  }
  EXPECT_EQ(loose, 0u);
}

}  // namespace
}  // namespace sightline
