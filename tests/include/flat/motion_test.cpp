// What moving, mirroring, reversing and renumbering change in 2D: nothing. To the bit, where the
// motion is exact.
#include "tests/support/random_flat.hpp"
#include "tests/support/scale.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace sightline::testing {
namespace {

Vec2 turned(const Vec2& v) { return {-v.y, v.x}; }
Circle turned(const Circle& s) { return {turned(s.center), s.radius}; }
Capsule2 turned(const Capsule2& s) { return {turned(s.a), turned(s.b), s.radius}; }
Sector turned(const Sector& s) {
  return {turned(s.center), turned(s.direction), s.cosine, s.sine, s.radius};
}
Aabb2 turned(const Aabb2& s) { return {{-s.max.y, s.min.x}, {-s.min.y, s.max.x}}; }
Obb2 turned(const Obb2& s) { return {turned(s.center), s.half_extents, -s.sine, s.cosine}; }
Polygon turned(Polygon s) {
  for (Vec2& v : s.corners) v = turned(v);
  return s;
}

Vec2 mirrored(const Vec2& v) { return {-v.x, v.y}; }
Circle mirrored(const Circle& s) { return {mirrored(s.center), s.radius}; }
Capsule2 mirrored(const Capsule2& s) { return {mirrored(s.a), mirrored(s.b), s.radius}; }
Sector mirrored(const Sector& s) {
  return {mirrored(s.center), mirrored(s.direction), s.cosine, s.sine, s.radius};
}
Aabb2 mirrored(const Aabb2& s) { return {{-s.max.x, s.min.y}, {-s.min.x, s.max.y}}; }
Obb2 mirrored(const Obb2& s) { return {mirrored(s.center), s.half_extents, s.cosine, -s.sine}; }
Polygon mirrored(Polygon s) {
  for (Vec2& v : s.corners) v = mirrored(v);
  return s;
}

/// The same corners the other way round, or begun elsewhere.
Polygon reversed(Polygon s) {
  std::reverse(s.corners.begin(), s.corners.begin() + s.count);
  return s;
}
Polygon renumbered(Polygon s) {
  std::rotate(s.corners.begin(), s.corners.begin() + s.count / 2, s.corners.begin() + s.count);
  return s;
}
Capsule2 reversed(const Capsule2& s) { return {s.b, s.a, s.radius}; }

Segment2 turned(const Segment2& s) { return {turned(s.a), turned(s.b)}; }
Segment2 mirrored(const Segment2& s) { return {mirrored(s.a), mirrored(s.b)}; }

bool same(const FlatInterval& a, const FlatInterval& b) {
  return a.hit == b.hit && (!a.hit || (a.t_in == b.t_in && a.t_out == b.t_out));
}

template <class Shape>
class FlatMotion : public ::testing::Test {};
using MotionKinds = ::testing::Types<Circle, Capsule2, Sector, Polygon, Aabb2, Obb2>;
TYPED_TEST_SUITE(FlatMotion, MotionKinds);

TYPED_TEST(FlatMotion, QuarterTurnsAndMirrorsKeepEveryBit) {
  for (std::uint64_t seed = 1; seed <= scaled(300'000); ++seed) {
    Random r(seed);
    const float size = r.power_of_two(-4, 4);
    const Vec2 center = random_place(r, size);
    TypeParam shape = random_flat<TypeParam>(r, center, size);
    Circle c = {moved(center, vec2(r, 2 * size)), size * r.uniform(0, 2)};
    Segment2 s = {moved(center, vec2(r, 2 * size)), moved(center, vec2(r, 2 * size))};
    const bool first = overlaps(c, seen(shape));
    const FlatInterval seen_first = interval(s, seen(shape));
    for (int k = 0; k < 3; ++k) {
      shape = turned(shape), c = turned(c), s = turned(s);
      ASSERT_EQ(overlaps(c, seen(shape)), first) << "seed " << seed << " turn " << k;
      ASSERT_TRUE(same(interval(s, seen(shape)), seen_first)) << "seed " << seed << " turn " << k;
    }
    shape = mirrored(shape), c = mirrored(c), s = mirrored(s);
    ASSERT_EQ(overlaps(c, seen(shape)), first) << "seed " << seed;
    ASSERT_TRUE(same(interval(s, seen(shape)), seen_first)) << "seed " << seed;
  }
}

TYPED_TEST(FlatMotion, PowersOfTwoKeepEveryBit) {
  for (std::uint64_t seed = 1; seed <= scaled(100'000); ++seed) {
    Random r(seed);
    const Vec2 base = lattice_base(r);
    const TypeParam shape = lattice_shape<TypeParam>(r, base);
    const Circle c = {moved(base, lattice2(r, 12)), static_cast<float>(r.between(0, 6))};
    const Segment2 s = lattice_segment(r, base);
    const float k = std::ldexp(1.0f, r.one_in(2) ? -60 : 40);
    const TypeParam far = enlarged(shape, k);
    ASSERT_EQ(overlaps(enlarged(c, k), seen(far)), overlaps(c, seen(shape))) << "seed " << seed;
    const Segment2 t = {times(s.a, k), times(s.b, k)};
    ASSERT_TRUE(same(interval(t, seen(far)), interval(s, seen(shape)))) << "seed " << seed;
  }
}

TEST(FlatOrder, OfCornersAndEndsDoesNotMatter) {
  for (std::uint64_t seed = 1; seed <= scaled(200'000); ++seed) {
    Random r(seed);
    const Vec2 base = lattice_base(r);
    const Polygon p = lattice_shape<Polygon>(r, base), back = reversed(p), from = renumbered(p);
    const Capsule2 capsule = lattice_shape<Capsule2>(r, base);
    const Circle c = {moved(base, lattice2(r, 12)), static_cast<float>(r.between(0, 6))};
    const Segment2 s = lattice_segment(r, base);
    ASSERT_EQ(overlaps(c, seen(p)), overlaps(c, seen(back))) << "seed " << seed;
    ASSERT_EQ(overlaps(c, seen(p)), overlaps(c, seen(from))) << "seed " << seed;
    ASSERT_TRUE(same(interval(s, seen(p)), interval(s, seen(back)))) << "seed " << seed;
    ASSERT_TRUE(same(interval(s, seen(p)), interval(s, seen(from)))) << "seed " << seed;
    ASSERT_EQ(overlaps(c, capsule), overlaps(c, reversed(capsule))) << "seed " << seed;
    ASSERT_EQ(interval(s, capsule).hit, interval(s, reversed(capsule)).hit) << "seed " << seed;
  }
}

}  // namespace
}  // namespace sightline::testing
