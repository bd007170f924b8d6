// Shapes on an integer lattice, whose distances are known in integers: right, ties included.
#include <sightline/overlap/overlaps.hpp>

#include "tests/oracle/dice.hpp"
#include "tests/oracle/lattice_overlap.hpp"
#include "tests/support/scale.hpp"

#include <gtest/gtest.h>

#include <iostream>
#include <sstream>

namespace sightline::testing {
namespace {

using oracle::Dice;
using oracle::Int;
using oracle::IntVec;
using oracle::LatticeBox;
using oracle::Near;

/// A shape as integers and as the library's floats.
struct BallOnLattice {
  IntVec center;
  Int radius;
  Sphere shape;
};
struct CapsuleOnLattice {
  IntVec a, b;
  Int radius;
  Capsule shape;
};
struct BoxOnLattice {
  LatticeBox box;
  Aabb shape;
};
/// A box of even edges in one of the 24 quarter turns.
struct TurnedBoxOnLattice {
  LatticeBox box;
  ObbFrame shape;
};
struct PlaneOnLattice {
  IntVec normal;
  Int offset;
  Plane shape;
};

Vec3 floats(IntVec v) {
  return {static_cast<float>(v.x), static_cast<float>(v.y), static_cast<float>(v.z)};
}
IntVec near_by(Dice& dice, IntVec p, int n) {
  return p + IntVec{dice.between(-n, n), dice.between(-n, n), dice.between(-n, n)};
}
/// Mostly as long as it says, often 0 along an axis.
IntVec some_step(Dice& dice) {
  const auto part = [&] { return dice.chance(0.4) ? 0 : dice.between(-6, 6); };
  return {part(), part(), part()};
}

template <class S>
S some(Dice& dice, IntVec at);
template <>
BallOnLattice some(Dice& dice, IntVec at) {
  const int r = dice.between(0, 6);
  return {at, r, {floats(at), static_cast<float>(r)}};
}
template <>
CapsuleOnLattice some(Dice& dice, IntVec at) {
  const IntVec end = at + some_step(dice);
  const int r = dice.between(0, 6);
  return {at, end, r, {floats(at), floats(end), static_cast<float>(r)}};
}
template <>
BoxOnLattice some(Dice& dice, IntVec at) {
  const IntVec h = {dice.between(0, 6), dice.between(0, 6), dice.between(0, 6)};
  const IntVec low = at - h, high = at + h;
  return {{{low.x, low.y, low.z}, {high.x, high.y, high.z}}, {floats(low), floats(high)}};
}
template <>
TurnedBoxOnLattice some(Dice& dice, IntVec at) {
  // Quaternions whose parts are 0, 1 and -1: one part, or two, or all.
  Quat q{0, 0, 0, 0};
  float* parts[4] = {&q.x, &q.y, &q.z, &q.w};
  const int kind = dice.between(0, 2);
  const auto set = [&](std::uint64_t i) { *parts[i] = dice.chance(0.5) ? 1.0f : -1.0f; };
  const std::uint64_t i = dice.below(4);
  set(i);
  if (kind == 1) set((i + 1 + dice.below(3)) % 4);
  if (kind == 2) {
    for (std::uint64_t j = 0; j < 4; ++j) set(j);
  }
  const Int half[3] = {dice.between(0, 6), dice.between(0, 6), dice.between(0, 6)};
  const ObbFrame f = frame(Obb{floats(at), floats({half[0], half[1], half[2]}), q});
  Int h[3] = {0, 0, 0};
  for (int k = 0; k < 3; ++k) {
    h[0] += f.axis[k].x != 0 ? half[k] : 0;
    h[1] += f.axis[k].y != 0 ? half[k] : 0;
    h[2] += f.axis[k].z != 0 ? half[k] : 0;
  }
  return {{{at.x - h[0], at.y - h[1], at.z - h[2]}, {at.x + h[0], at.y + h[1], at.z + h[2]}}, f};
}
/// Any lattice normal: the predicates do not ask for unit length.
template <>
PlaneOnLattice some(Dice& dice, IntVec at) {
  IntVec n{0, 0, 0};
  while (dot(n, n) == 0) n = some_step(dice);
  const Int offset = dot(n, at);
  return {n, offset, {floats(n), static_cast<float>(offset)}};
}

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

template <class A, class B>
void expect_exact(const char* name) {
  Dice dice(3001);
  std::uint64_t counts[3] = {0, 0, 0};
  const std::uint64_t n = scaled(1'000'000);
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
TEST(LatticeOverlap, PlaneAabb) { expect_exact<Ground, Box>("plane, AABB"); }
TEST(LatticeOverlap, PlaneObb) { expect_exact<Ground, Turned>("plane, OBB"); }
TEST(LatticeOverlap, PlaneSphere) { expect_exact<Ground, Ball>("plane, sphere"); }
TEST(LatticeOverlap, PlaneCapsule) { expect_exact<Ground, Pill>("plane, capsule"); }

}  // namespace
}  // namespace sightline::testing
