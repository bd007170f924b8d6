// On integer lattices every answer of 2D is the one that integers give.
#include "tests/oracle/flat_lattice.hpp"
#include "tests/oracle/flat_oracle.hpp"
#include "tests/support/flat_shapes.hpp"
#include "tests/support/scale.hpp"

#include <gtest/gtest.h>

namespace sightline::testing {
namespace {

template <class Shape>
class FlatLattice : public ::testing::Test {};
using LatticeKinds = ::testing::Types<Circle, Capsule2, Sector, Polygon, Aabb2, Obb2>;
TYPED_TEST_SUITE(FlatLattice, LatticeKinds);

TYPED_TEST(FlatLattice, CirclesOverlapAsIntegersSay) {
  std::uint64_t yes = 0, touching = 0;
  const std::uint64_t cases = scaled(1'000'000);
  for (std::uint64_t seed = 1; seed <= cases; ++seed) {
    Random r(seed);
    const Vec2 base = lattice_base(r);
    const TypeParam kept = lattice_shape<TypeParam>(r, base);
    const auto shape = seen(kept);
    const Circle circle = {moved(base, lattice2(r, 12)), static_cast<float>(r.between(0, 6))};
    const bool truth = oracle::meets(circle, shape);
    yes += truth;
    Circle more = circle;
    more.radius -= 1;
    touching += truth && circle.radius > 0 && !oracle::meets(more, shape);
    ASSERT_EQ(overlaps(circle, shape), truth) << "seed " << seed;
    ASSERT_EQ(overlaps(shape, circle), truth) << "seed " << seed;
  }
  if (test_scale() >= 1) {
    EXPECT_GT(yes, cases / 10);
    EXPECT_LT(yes, cases / 10 * 9);
    EXPECT_GT(touching, cases / 50);
  }
}

/// What the ends say of the segment's own ends, exactly, and that they lie on the boundary.
template <class Shape>
void expect_ends(const Segment2& s, const Shape& shape, const FlatInterval& i, std::uint64_t seed) {
  const bool a_inside = oracle::meets(Segment2{s.a, s.a}, shape);
  ASSERT_EQ(i.t_in <= 0, a_inside) << "seed " << seed;
  if constexpr (!std::is_same_v<Shape, Sector>) {
    ASSERT_EQ(i.t_out >= 1, oracle::meets(Segment2{s.b, s.b}, shape)) << "seed " << seed;
  }
  ASSERT_LE(i.t_in, i.t_out);
  ASSERT_TRUE(i.t_in <= 1 && i.t_out >= 0) << "seed " << seed;
  if (s.a.x == s.b.x && s.a.y == s.b.y) {
    ASSERT_TRUE(i.t_in < -1e300 && i.t_out > 1e300);
    return;
  }
  for (const double t : {i.t_in, i.t_out}) {
    const oracle::Point at = oracle::at(s, t);
    ASSERT_LT(std::abs(oracle::distance(at, shape)), 2e-11L) << "seed " << seed << " t " << t;
  }
}

TYPED_TEST(FlatLattice, SegmentsHitAsIntegersSay) {
  std::uint64_t yes = 0;
  const std::uint64_t cases = scaled(1'000'000);
  for (std::uint64_t seed = 1; seed <= cases; ++seed) {
    Random r(seed);
    const Vec2 base = lattice_base(r);
    const TypeParam kept = lattice_shape<TypeParam>(r, base);
    const auto shape = seen(kept);
    const Segment2 s = lattice_segment(r, base);
    const bool truth = oracle::meets(s, shape);
    const FlatInterval i = interval(s, shape);
    yes += truth;
    ASSERT_EQ(i.hit, truth) << "seed " << seed;
    ASSERT_EQ(interval(Segment2{s.b, s.a}, shape).hit, truth) << "seed " << seed;
    if (truth) expect_ends(s, shape, i, seed);
    if (this->HasFatalFailure()) return;
  }
  if (test_scale() >= 1) {
    EXPECT_GT(yes, cases / 10);
    EXPECT_LT(yes, cases / 10 * 9);
  }
}

// Boxes along directions of no whole length: two different whole answers are further apart than
// long doubles err, so that within 1e-10 it is touching.
TEST(FlatLatticeBoxes, OfAnyDirectionTouchExactly) {
  for (std::uint64_t seed = 1; seed <= scaled(100'000); ++seed) {
    Random r(seed);
    const Vec2 base = lattice_base(r), turn = lattice2(r, 5);
    if (turn.x == 0 && turn.y == 0) continue;
    Obb2 box = lattice_shape<Obb2>(r, base);
    box.cosine = turn.x;
    box.sine = turn.y;
    if (r.one_in(4)) box.half_extents.y = 0;
    const Circle circle = {moved(base, lattice2(r, 12)), static_cast<float>(r.between(0, 6))};
    const auto distance = oracle::distance(oracle::point(circle.center), box) - circle.radius;
    ASSERT_EQ(overlaps(circle, box), distance < 1e-10L) << "seed " << seed;
    const Vec2 a = moved(base, lattice2(r, 300)), b = moved(base, lattice2(r, 12));
    const Segment2 s = r.one_in(2) ? Segment2{a, b} : Segment2{b, a};
    ASSERT_EQ(interval(s, box).hit, oracle::nearest(s, box).distance < 1e-10L) << "seed " << seed;
  }
}

}  // namespace
}  // namespace sightline::testing
