// Things that move on an integer lattice, from up to 40,000 away: whether they meet a shape is
// right, ties included.
#include "tests/include/sweep/sweep_test.hpp"
#include "tests/support/lattice_shapes.hpp"

#include <gtest/gtest.h>

#include <iostream>

namespace sightline::testing {
namespace {

using oracle::IntLine;
using oracle::IntZonotope;

/// What moves, as integers: a segment from 0 to `edge`, and a radius.
struct MoverOnLattice {
  IntVec edge;
  int radius;
};

/// A body that lies within a radius of a zonotope.
struct RoundOnLattice {
  IntZonotope core;
  Int radius;
};
RoundOnLattice round_body(const BallOnLattice& s) { return {{s.center}, s.radius}; }
RoundOnLattice round_body(const CapsuleOnLattice& s) {
  RoundOnLattice r{{s.a}, s.radius};
  r.core.spread(s.b - s.a);
  return r;
}
RoundOnLattice round_body(const BoxOnLattice& s) { return {oracle::zonotope(s.box), 0}; }
RoundOnLattice round_body(const TurnedBoxOnLattice& s) { return {oracle::zonotope(s.box), 0}; }

template <class Shape>
bool meets(const IntLine& line, const MoverOnLattice& m, const Shape& s, Int parts, Int less) {
  RoundOnLattice body = round_body(s);
  if (dot(m.edge, m.edge) > 0) body.core.spread(m.edge * -1);
  body.core.corner = body.core.corner * parts;
  for (IntVec& side : body.core.side) side = side * parts;
  return oracle::comes_within({line.o * parts, line.d}, body.core,
                              (m.radius + body.radius) * parts - less);
}
bool meets(const IntLine& line, const MoverOnLattice& m, const TriangleOnLattice& s, Int parts,
           Int less) {
  oracle::LatticeTriangle body = s.corners;
  for (IntVec& corner : body.corner) corner = corner * parts;
  return oracle::comes_within({line.o * parts, line.d}, body, m.edge * -parts,
                              m.radius * parts - less);
}
/// Lines along a plane stay as far above it as they are; all others meet it.
bool meets(const IntLine& line, const MoverOnLattice& m, const PlaneOnLattice& s, Int parts,
           Int less) {
  if (dot(s.normal, line.d) != 0) return true;
  const Int a = dot(s.normal, line.o) - s.offset, b = a + dot(s.normal, m.edge);
  const oracle::Near near =
      oracle::near_below((a < b ? a : b) * parts, m.radius * parts - less, dot(s.normal, s.normal));
  return near != oracle::Near::apart;
}

/// A line that passes by `at`, from a lattice point up to 20,000 off.
struct LatticeWay {
  IntLine line;
  int steps;  ///< from its origin to near `at`
};
LatticeWay some_way(Dice& dice, IntVec at) {
  IntVec d{0, 0, 0};
  while (dot(d, d) == 0) {
    const auto part = [&] { return dice.chance(0.3) ? 0 : dice.between(-12, 12); };
    d = {part(), part(), part()};
  }
  const int steps = dice.between(0, 3) == 0 ? dice.between(0, 5) : dice.between(0, 1600);
  return {{near_by(dice, at, 14) - d * steps, d}, steps};
}

template <class Mover>
Mover mover_at(const MoverOnLattice& m, IntVec at);
template <>
MovingSphere mover_at(const MoverOnLattice& m, IntVec) {
  return {static_cast<float>(m.radius)};
}
template <>
Capsule mover_at(const MoverOnLattice& m, IntVec at) {
  return {floats(at), floats(at + m.edge), static_cast<float>(m.radius)};
}
template <class Mover>
MoverOnLattice some_mover(Dice& dice) {
  if constexpr (std::is_same_v<Mover, MovingSphere>) return {{0, 0, 0}, dice.between(1, 6)};
  IntVec e{0, 0, 0};
  while (dot(e, e) == 0) e = some_step(dice);
  return {e, dice.between(0, 6)};
}

template <class Mover, class Shape>
void expect_exact_sweeps(const char* name) {
  Dice dice(5001);
  std::uint64_t hits = 0, touches = 0;
  const std::uint64_t n = scaled(1'000'000);
  const int places[3] = {0, 100, 5000};
  for (std::uint64_t i = 0; i < n; ++i) {
    const IntVec at = near_by(dice, {0, 0, 0}, places[dice.below(3)]);
    const Shape s = some<Shape>(dice, at);
    const MoverOnLattice m = some_mover<Mover>(dice);
    const LatticeWay way = some_way(dice, at);
    const Mover mover = mover_at<Mover>(m, way.line.o);
    Ray ray;
    ray.origin = floats(way.line.o);
    ray.direction = floats(way.line.d);
    const bool truth = meets(way.line, m, s, 1, 0);
    const bool got = sweep_interval(scale(ray).line, mover, s.shape).hit;
    // Far off nothing is inside, and the line is the ray; then the gate is asked as well.
    const bool far = way.steps > 60 && !std::is_same_v<Shape, PlaneOnLattice>;
    const bool whole = far ? is_hit(cast_mover(ray, mover, s.shape, Inside::solid)) : truth;
    hits += truth;
    if (i % 8 == 0 && truth) touches += !meets(way.line, m, s, 64, 1);
    if (got == truth && whole == truth) continue;
    ADD_FAILURE() << name << " " << i << ": " << got << whole << ", truth " << truth << "\n"
                  << text(ray) << " " << text(mover);
    return;
  }
  std::cout << name << ": " << hits << " hits of " << n << ", of an eighth of them " << touches
            << " within 1/64 of a miss\n";
  EXPECT_GT(hits, n / 20);
  EXPECT_LT(hits, n - n / 40);
  EXPECT_GT(touches, n / 40'000);
}

using Ball = BallOnLattice;
using Pill = CapsuleOnLattice;
using Box = BoxOnLattice;
using Turned = TurnedBoxOnLattice;
using Sheet = TriangleOnLattice;
using Ground = PlaneOnLattice;

TEST(LatticeSweeps, SphereAabb) { expect_exact_sweeps<MovingSphere, Box>("sphere, AABB"); }
TEST(LatticeSweeps, SphereObb) { expect_exact_sweeps<MovingSphere, Turned>("sphere, OBB"); }
TEST(LatticeSweeps, SphereSphere) { expect_exact_sweeps<MovingSphere, Ball>("sphere, sphere"); }
TEST(LatticeSweeps, SphereCapsule) { expect_exact_sweeps<MovingSphere, Pill>("sphere, capsule"); }
TEST(LatticeSweeps, SphereTriangle) {
  expect_exact_sweeps<MovingSphere, Sheet>("sphere, triangle");
}
TEST(LatticeSweeps, SpherePlane) { expect_exact_sweeps<MovingSphere, Ground>("sphere, plane"); }
TEST(LatticeSweeps, CapsuleAabb) { expect_exact_sweeps<Capsule, Box>("capsule, AABB"); }
TEST(LatticeSweeps, CapsuleObb) { expect_exact_sweeps<Capsule, Turned>("capsule, OBB"); }
TEST(LatticeSweeps, CapsuleSphere) { expect_exact_sweeps<Capsule, Ball>("capsule, sphere"); }
TEST(LatticeSweeps, CapsuleCapsule) { expect_exact_sweeps<Capsule, Pill>("capsule, capsule"); }
TEST(LatticeSweeps, CapsuleTriangle) { expect_exact_sweeps<Capsule, Sheet>("capsule, triangle"); }
TEST(LatticeSweeps, CapsulePlane) { expect_exact_sweeps<Capsule, Ground>("capsule, plane"); }

}  // namespace
}  // namespace sightline::testing
