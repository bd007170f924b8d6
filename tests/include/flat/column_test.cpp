// Columns: flat shapes with heights, against upright cylinders and segments of 3D.
#include "tests/oracle/flat_lattice.hpp"
#include "tests/support/flat_shapes.hpp"
#include "tests/support/scale.hpp"

#include <gtest/gtest.h>

namespace sightline::testing {
namespace {

template <class Shape>
class FlatColumns : public ::testing::Test {};
using ColumnKinds = ::testing::Types<Circle, Capsule2, Sector, Polygon, Aabb2, Obb2>;
TYPED_TEST_SUITE(FlatColumns, ColumnKinds);

template <class Shape>
FlatColumn<Shape> column_of(const Shape& shape, float low, float high) {
  return {shape, low, high};
}

TYPED_TEST(FlatColumns, MeetCylindersWhereBothMeet) {
  std::uint64_t yes = 0;
  for (std::uint64_t seed = 1; seed <= scaled(1'000'000); ++seed) {
    Random r(seed);
    const Vec2 base = lattice_base(r);
    const TypeParam kept = lattice_shape<TypeParam>(r, base);
    const auto shape = seen(kept);
    const Circle circle = {moved(base, lattice2(r, 12)), static_cast<float>(r.between(0, 6))};
    const int low = r.between(-6, 6), high = low + r.between(0, 4);
    const int foot = r.between(-6, 6), top = foot + r.between(0, 4);
    const auto column = column_of(shape, static_cast<float>(low), static_cast<float>(high));
    const auto agent = column_of(circle, static_cast<float>(foot), static_cast<float>(top));
    const bool truth = std::max(low, foot) <= std::min(high, top) && oracle::meets(circle, shape);
    yes += truth;
    ASSERT_EQ(overlaps(agent, column), truth) << "seed " << seed;
  }
  if (test_scale() >= 1) {
    EXPECT_GT(yes, 30'000u);
  }
}

/// The part of the segment between the heights, times |dz| so that its ends are whole.
struct Cut {
  bool any;
  Segment2 part;
  float scale;
};
Cut cut(const Segment3& s, int low, int high) {
  const int a = static_cast<int>(s.a.z), b = static_cast<int>(s.b.z), dz = b - a;
  if (std::max(a, b) < low || std::min(a, b) > high) return {false, {}, 1};
  if (dz == 0) return {true, {{s.a.x, s.a.y}, {s.b.x, s.b.y}}, 1};
  const auto at = [&](int z) {  // times |dz|
    const float whole = static_cast<float>(std::abs(dz));
    const float step = static_cast<float>(dz > 0 ? z - a : a - z);
    return Vec2{s.a.x * whole + (s.b.x - s.a.x) * step, s.a.y * whole + (s.b.y - s.a.y) * step};
  };
  return {true,
          {at(std::clamp(a, low, high)), at(std::clamp(b, low, high))},
          static_cast<float>(std::abs(dz))};
}

TYPED_TEST(FlatColumns, AreHitAsIntegersSay) {
  std::uint64_t yes = 0;
  for (std::uint64_t seed = 1; seed <= scaled(1'000'000); ++seed) {
    Random r(seed);
    const Vec2 base = lattice_base(r);
    const TypeParam kept = lattice_shape<TypeParam>(r, base);
    Segment2 flat = lattice_segment(r, base);
    // Longer ones, times |dz|, would overflow the integers' squares.
    while (max(abs(flat.b.x - flat.a.x), abs(flat.b.y - flat.a.y)) > 2000) {
      flat = lattice_segment(r, base);
    }
    const int low = r.between(-6, 6), high = low + r.between(0, 6);
    const auto height = [&] { return static_cast<float>(r.one_in(4) ? low : r.between(-8, 8)); };
    const float a = height(), b = r.one_in(8) ? a : height();
    const Segment3 s = {{flat.a.x, flat.a.y, a}, {flat.b.x, flat.b.y, b}};
    const Cut c = cut(s, low, high);
    const TypeParam larger = enlarged(kept, c.scale);
    const bool truth = c.any && oracle::meets(c.part, seen(larger));
    const auto column = column_of(seen(kept), static_cast<float>(low), static_cast<float>(high));
    const FlatInterval i = interval(s, column);
    yes += truth;
    ASSERT_EQ(i.hit, truth) << "seed " << seed;
    if (!truth) continue;
    ASSERT_TRUE(i.t_in <= i.t_out && i.t_in <= 1 && i.t_out >= 0) << "seed " << seed;
    const bool begins_inside = a >= static_cast<float>(low) && a <= static_cast<float>(high) &&
                               oracle::meets(Segment2{flat.a, flat.a}, seen(kept));
    ASSERT_EQ(i.t_in <= 0, begins_inside) << "seed " << seed;
    ASSERT_EQ(cast(s, column).t == 0, begins_inside) << "seed " << seed;
  }
  if (test_scale() >= 1) {
    EXPECT_GT(yes, 30'000u);
  }
}

TEST(FlatColumn, OfASectorIsEnteredBehindTheGapWhereTheFirstPartIsTooLow) {
  // Three quarters of a disk, open towards -x, between the heights 0 and 10.
  const FlatColumn<Sector> column = {{{0, 0}, {1, 0}, -1, 1, 5}, 0, 10};
  const Segment3 rising = {{-2, -6, -4}, {-2, 6, 8}};  // z = y + 2
  const FlatHit h = cast(rising, column);
  EXPECT_TRUE(h.hit);
  EXPECT_DOUBLE_EQ(h.t, 4.0 / 12);                    // z = 0 at y = -2, the gap's first edge
  const Segment3 later = {{-2, -6, -5}, {-2, 6, 7}};  // z = 0 at y = -1, within the gap
  EXPECT_DOUBLE_EQ(cast(later, column).t, 8.0 / 12);  // y = 2, the gap's second edge
  const Segment3 low = {{-2, -6, -9}, {-2, 1, 3}};    // ends within the gap
  EXPECT_FALSE(cast(low, column).hit);
}

TEST(FlatColumn, UprightSegmentsAndFlatColumnsCount) {
  const FlatColumn<Circle> disk = {{{1, 1}, 2}, 3, 3};
  EXPECT_TRUE(cast(Segment3{{3, 1, 0}, {3, 1, 4}}, disk).hit);
  EXPECT_DOUBLE_EQ(cast(Segment3{{3, 1, 0}, {3, 1, 4}}, disk).t, 0.75);
  EXPECT_FALSE(cast(Segment3{{3.001f, 1, 0}, {3.001f, 1, 4}}, disk).hit);
  EXPECT_FALSE(cast(Segment3{{3, 1, 0}, {3, 1, 2}}, disk).hit);
  EXPECT_TRUE(cast(Segment3{{-9, 1, 3}, {9, 1, 3}}, disk).hit);  // within its plane
  EXPECT_TRUE(cast(Segment3{{1, 1, 3}, {1, 1, 3}}, disk).hit);   // a point
  EXPECT_FALSE(cast(Segment3{{1, 1, 2}, {1, 1, 2}}, disk).hit);
}

TEST(FlatColumn, BadHeightsMeetNothing) {
  const FlatColumn<Circle> good = {{{0, 0}, 2}, 0, 2};
  const Segment3 through = {{-5, 0, 1}, {5, 0, 1}};
  ASSERT_TRUE(cast(through, good).hit && overlaps(good, good));
  for (const float bad : {std::nanf(""), infinity, -infinity}) {
    for (const auto& column : {FlatColumn<Circle>{good.shape, bad, 2}, {good.shape, 0, bad}}) {
      EXPECT_FALSE(cast(through, column).hit);
      EXPECT_FALSE(overlaps(good, column));
      EXPECT_FALSE(overlaps(column, good));
    }
    EXPECT_FALSE(cast(Segment3{{-5, 0, bad}, {5, 0, 1}}, good).hit);
    EXPECT_FALSE(cast(Segment3{{-5, 0, 1}, {5, 0, bad}}, good).hit);
    EXPECT_FALSE(cast(Segment3{{-5, bad, 1}, {5, 0, 1}}, good).hit);
  }
  const FlatColumn<Circle> upside_down = {good.shape, 2, 0};
  EXPECT_FALSE(cast(through, upside_down).hit || overlaps(good, upside_down) ||
               overlaps(upside_down, good));
}

}  // namespace
}  // namespace sightline::testing
