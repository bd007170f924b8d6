// Bounds of 2D shapes contain them and little more, and the gates of sets are monotone.
#include "tests/support/random_flat.hpp"
#include "tests/support/scale.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace sightline::testing {
namespace {

using Real = long double;

struct RealPoint {
  Real x, y;
};
RealPoint outward(const Vec2& center, Real angle, Real radius) {
  return {center.x + radius * std::cos(angle), center.y + radius * std::sin(angle)};
}

// Points that reach furthest, and others, of each kind; by other means than the bounds are found.

constexpr int directions = 256;
constexpr Real turn_of = 2 * 3.14159265358979323846264338327950288L / directions;

template <class Use>
void for_each_point(const Circle& s, const Use& use) {
  for (int k = 0; k < directions; ++k) use(outward(s.center, k * turn_of, s.radius));
}
template <class Use>
void for_each_point(const Capsule2& s, const Use& use) {
  for_each_point(Circle{s.a, s.radius}, use);
  for_each_point(Circle{s.b, s.radius}, use);
}
template <class Use>
void for_each_point(const Sector& s, const Use& use) {
  const Real middle = std::atan2(Real{s.direction.y}, Real{s.direction.x});
  const Real half = std::atan2(s.sine > 0 ? Real{s.sine} : Real{0}, Real{s.cosine});
  use({s.center.x, s.center.y});
  for (int k = -directions; k <= directions; ++k) {
    use(outward(s.center, middle + half * k / directions, s.radius));
  }
  // The outermost points of the circle, where they are in the sector with room to spare.
  for (int quarter = -4; quarter <= 4; ++quarter) {
    const Real angle = quarter * turn_of * directions / 4;
    if (std::abs(angle - middle) < half * (1 - 1e-15L)) {
      use(outward(s.center, angle, s.radius * (1 - 1e-18L)));
    }
  }
}
template <class Use>
void for_each_point(const ConvexPolygon& s, const Use& use) {
  for (int i = 0; i < s.count; ++i) use({s.corners[i].x, s.corners[i].y});
}
template <class Use>
void for_each_point(const Aabb2& s, const Use& use) {
  use({s.min.x, s.min.y});
  use({s.max.x, s.max.y});
}
template <class Use>
void for_each_point(const Obb2& s, const Use& use) {
  const Real length = std::hypot(Real{s.cosine}, Real{s.sine});
  const RealPoint x = {s.cosine / length, s.sine / length};
  for (const int i : {-1, 1}) {
    for (const int j : {-1, 1}) {
      const Real a = i * Real{s.half_extents.x}, b = j * Real{s.half_extents.y};
      use({s.center.x + a * x.x - b * x.y, s.center.y + a * x.y + b * x.x});
    }
  }
}

template <class Shape>
class FlatBounds : public ::testing::Test {};
using Kinds = ::testing::Types<Circle, Capsule2, Sector, Polygon, Aabb2, Obb2>;
TYPED_TEST_SUITE(FlatBounds, Kinds);

TYPED_TEST(FlatBounds, ContainTheShapeAndLittleMore) {
  for (std::uint64_t seed = 1; seed <= scaled(8'000); ++seed) {
    Random r(seed);
    const float size = r.power_of_two(-8, 8);
    const Vec2 center = random_place(r, size);
    const TypeParam kept = r.one_in(4) ? lattice_shape<TypeParam>(r, lattice_base(r))
                                       : random_flat<TypeParam>(r, center, size);
    const auto shape = seen(kept);
    const Aabb2 box = bounds(shape);
    RealPoint low = {1e30L, 1e30L}, high = {-1e30L, -1e30L};
    for_each_point(shape, [&](const RealPoint& p) {
      low = {std::min(low.x, p.x), std::min(low.y, p.y)};
      high = {std::max(high.x, p.x), std::max(high.y, p.y)};
    });
    ASSERT_TRUE(box.min.x <= low.x && box.min.y <= low.y) << "seed " << seed;
    ASSERT_TRUE(box.max.x >= high.x && box.max.y >= high.y) << "seed " << seed;
    // What lies between the directions looked at is at most 1 - cos(half of one) of the radius.
    const Real most = std::max(std::max(high.x - low.x, high.y - low.y),
                               std::max(std::abs(high.x), std::abs(low.x)) * 1e-3L);
    const Real far = std::max(std::max(std::abs(low.x), std::abs(high.x)),
                              std::max(std::abs(low.y), std::abs(high.y)));
    const Real slack = most * 4e-4L + far * 4e-7L + 1e-40L;
    ASSERT_TRUE(box.min.x >= low.x - slack && box.min.y >= low.y - slack) << "seed " << seed;
    ASSERT_TRUE(box.max.x <= high.x + slack && box.max.y <= high.y + slack) << "seed " << seed;
  }
}

// Every point of a segment that is in a shape's bounds passes the gate; and what passes for a box
// passes for any that contains it, with a bound that is no larger.
TEST(FlatGates, AreMonotone) {
  std::uint64_t passed = 0, not_the_larger = 0;
  for (std::uint64_t seed = 1; seed <= scaled(400'000); ++seed) {
    Random r(seed);
    const float size = r.power_of_two(-8, 8), far = r.one_in(4) ? 1e6f * size : 4 * size;
    const auto point = [&] { return r.one_in(4) ? lattice2(r, 4) : vec2(r, far); };
    Segment2 s = {point(), point()};
    if (r.one_in(8)) s.b = s.a;
    if (r.one_in(4)) (r.one_in(2) ? s.b.x = s.a.x : s.b.y = s.a.y);
    const SegmentReach reach = segment_search(s, Inside::solid, 1).reach;
    // Often about a point of the segment, or with the point as a corner.
    const float t = r.uniform(0, 1);
    const Vec2 on = {s.a.x + t * (s.b.x - s.a.x), s.a.y + t * (s.b.y - s.a.y)};
    const Vec2 low = r.one_in(2) ? on : moved(on, vec2(r, size));
    const Aabb small = lifted({low, {low.x + r.uniform(0, size), low.y + r.uniform(0, size)}});
    Aabb large = small;
    if (r.one_in(2)) large.min.x = r.one_in(2) ? next_down(large.min.x) : large.min.x - size;
    if (r.one_in(2)) large.min.y = r.one_in(2) ? next_down(large.min.y) : large.min.y - size;
    if (r.one_in(2)) large.max.x = r.one_in(2) ? next_up(large.max.x) : large.max.x + size;
    if (r.one_in(2)) large.max.y = r.one_in(2) ? next_up(large.max.y) : large.max.y + size;
    if (!overlaps(reach, small)) {
      not_the_larger += !overlaps(reach, large);
      continue;
    }
    ++passed;
    ASSERT_TRUE(overlaps(reach, large)) << "seed " << seed;
    ASSERT_LE(entry(reach, large), entry(reach, small)) << "seed " << seed;
    ASSERT_TRUE(entry(reach, small) >= 0 && entry(reach, small) <= 1) << "seed " << seed;
  }
  EXPECT_GT(passed, scaled(400'000) / 10);
  EXPECT_GT(not_the_larger, scaled(400'000) / 10) << "a gate that always passes is none";
}

// A box that the segment meets in a point of the lattice passes; one beside the line does not.
TEST(FlatGates, AreExactOnLattices) {
  std::uint64_t beside = 0;
  for (std::uint64_t seed = 1; seed <= scaled(400'000); ++seed) {
    Random r(seed);
    const Vec2 base = lattice_base(r), a = moved(base, lattice2(r, 8)),
               b = moved(base, lattice2(r, 8));
    const Vec2 low = moved(base, lattice2(r, 8));
    const Aabb2 box = {low, moved(low, extents(r, 4))};
    const SegmentReach reach = segment_search({a, b}, Inside::solid, 1).reach;
    const bool meets = interval(Segment2{a, b}, box).hit;
    ASSERT_EQ(overlaps(reach, lifted(box)), meets) << "seed " << seed;
    beside += !meets && overlaps(reach.bounds, lifted(box));
    if (!meets) continue;
    const FlatInterval i = interval(Segment2{a, b}, box);
    const double first = i.t_in > 0 ? i.t_in : 0;
    ASSERT_EQ(entry(reach, lifted(box)), first) << "seed " << seed;
  }
  EXPECT_GT(beside, scaled(400'000) / 50) << "the boxes alone do not tell";
}

}  // namespace
}  // namespace sightline::testing
