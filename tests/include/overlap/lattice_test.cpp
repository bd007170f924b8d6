// Shapes on an integer lattice, whose distances are known in integers: right, ties included.
#include <sightline/geometry/overlap/overlaps.hpp>

#include "tests/support/lattice_shapes.hpp"
#include "tests/support/scale.hpp"

#include <gtest/gtest.h>

#include <iostream>

namespace sightline::testing {
namespace {

using oracle::Near;

using oracle::distance;
using oracle::near_below;
Near near(const BallOnLattice& a, const BallOnLattice& b) {
  return oracle::SquaredDistance{oracle::square(a.center - b.center)}.against(a.radius + b.radius);
}
Near near(const CapsuleOnLattice& a, const BallOnLattice& b) {
  return distance(b.center, a.a, a.b).against(a.radius + b.radius);
}
Near near(const CapsuleOnLattice& a, const CapsuleOnLattice& b) {
  return distance(a.a, a.b, b.a, b.b).against(a.radius + b.radius);
}
template <class Box>
Near near(const BallOnLattice& a, const Box& b) {
  return distance(a.center, b.box).against(a.radius);
}
template <class Box>
Near near(const CapsuleOnLattice& a, const Box& b) {
  return distance(a.a, a.b, b.box).against(a.radius);
}
template <class A, class B>
Near near_boxes(const A& a, const B& b) {
  return oracle::near(a.box, b.box);
}
Near near(const BoxOnLattice& a, const BoxOnLattice& b) { return near_boxes(a, b); }
Near near(const BoxOnLattice& a, const TurnedBoxOnLattice& b) { return near_boxes(a, b); }
Near near(const TurnedBoxOnLattice& a, const TurnedBoxOnLattice& b) { return near_boxes(a, b); }
Near near(const PlaneOnLattice& a, const BallOnLattice& b) {
  return near_below(dot(a.normal, b.center) - a.offset, b.radius, dot(a.normal, a.normal));
}
Near near(const PlaneOnLattice& a, const CapsuleOnLattice& b) {
  const Int from = dot(a.normal, b.a), to = dot(a.normal, b.b);
  return near_below((from < to ? from : to) - a.offset, b.radius, dot(a.normal, a.normal));
}
template <class Box>
Near near(const PlaneOnLattice& a, const Box& b) {
  const Int n[3] = {a.normal.x, a.normal.y, a.normal.z};
  Int height = -a.offset;
  for (int i = 0; i < 3; ++i) height += n[i] * (n[i] < 0 ? b.box.high[i] : b.box.low[i]);
  return near_below(height, 0, 1);
}

Near near(const TriangleOnLattice& a, const BallOnLattice& b) {
  return distance(b.center, a.corners).against(b.radius);
}
Near near(const TriangleOnLattice& a, const CapsuleOnLattice& b) {
  return distance(b.a, b.b, a.corners).against(b.radius);
}
template <class Box>
Near near(const TriangleOnLattice& a, const Box& b) {
  return oracle::near(a.corners, b.box);
}
Near near(const PlaneOnLattice& a, const TriangleOnLattice& b) {
  const auto height = [&](int k) { return dot(a.normal, b.corners.corner[k]) - a.offset; };
  const Int x = height(0), y = height(1), z = height(2), low = x < y ? x : y;
  return near_below(low < z ? low : z, 0, dot(a.normal, a.normal));
}

template <class A, class B>
void expect_exact(const char* name, std::uint64_t pairs = 1'000'000) {
  Dice dice(3001);
  std::uint64_t counts[3] = {0, 0, 0};
  const std::uint64_t n = scaled(pairs);
  const int places[4] = {0, 100, 5000, 19980};
  for (std::uint64_t i = 0; i < n; ++i) {
    const IntVec at = near_by(dice, {0, 0, 0}, places[dice.below(4)]);
    const A a = some<A>(dice, at);
    const B b = some<B>(dice, near_by(dice, at, dice.between(1, 14)));
    const Near truth = near(a, b);
    ++counts[static_cast<int>(truth)];
    const bool got = overlaps(a.shape, b.shape), turned = overlaps(b.shape, a.shape);
    if (got == turned && got == (truth != Near::apart)) continue;
    ADD_FAILURE() << name << " " << i << ": " << got << turned << ", truth "
                  << static_cast<int>(truth);
    return;
  }
  std::cout << name << ": apart " << counts[0] << ", in touch " << counts[1] << ", overlapping "
            << counts[2] << "\n";
  EXPECT_GT(counts[0], n / 10);
  EXPECT_GT(counts[1], n / 400);
  EXPECT_GT(counts[2], n / 20);
}

using Ball = BallOnLattice;
using Pill = CapsuleOnLattice;
using Box = BoxOnLattice;
using Turned = TurnedBoxOnLattice;
using Ground = PlaneOnLattice;
using Face = TriangleOnLattice;

TEST(LatticeOverlap, AabbAabb) { expect_exact<Box, Box>("AABB, AABB"); }
TEST(LatticeOverlap, AabbObb) { expect_exact<Box, Turned>("AABB, OBB"); }
TEST(LatticeOverlap, ObbObb) { expect_exact<Turned, Turned>("OBB, OBB"); }
TEST(LatticeOverlap, SphereAabb) { expect_exact<Ball, Box>("sphere, AABB"); }
TEST(LatticeOverlap, SphereObb) { expect_exact<Ball, Turned>("sphere, OBB"); }
TEST(LatticeOverlap, SphereSphere) { expect_exact<Ball, Ball>("sphere, sphere"); }
TEST(LatticeOverlap, CapsuleAabb) { expect_exact<Pill, Box>("capsule, AABB"); }
TEST(LatticeOverlap, CapsuleObb) { expect_exact<Pill, Turned>("capsule, OBB"); }
TEST(LatticeOverlap, CapsuleSphere) { expect_exact<Pill, Ball>("capsule, sphere"); }
TEST(LatticeOverlap, CapsuleCapsule) { expect_exact<Pill, Pill>("capsule, capsule"); }
TEST(LatticeOverlap, TriangleSphere) { expect_exact<Face, Ball>("triangle, sphere"); }
TEST(LatticeOverlap, TriangleCapsule) { expect_exact<Face, Pill>("triangle, capsule"); }
TEST(LatticeOverlap, TriangleAabb) { expect_exact<Face, Box>("triangle, AABB", 200'000); }
TEST(LatticeOverlap, TriangleObb) { expect_exact<Face, Turned>("triangle, OBB", 200'000); }
TEST(LatticeOverlap, PlaneTriangle) { expect_exact<Ground, Face>("plane, triangle"); }
TEST(LatticeOverlap, PlaneAabb) { expect_exact<Ground, Box>("plane, AABB"); }
TEST(LatticeOverlap, PlaneObb) { expect_exact<Ground, Turned>("plane, OBB"); }
TEST(LatticeOverlap, PlaneSphere) { expect_exact<Ground, Ball>("plane, sphere"); }
TEST(LatticeOverlap, PlaneCapsule) { expect_exact<Ground, Pill>("plane, capsule"); }

}  // namespace
}  // namespace sightline::testing
