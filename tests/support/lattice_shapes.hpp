// Shapes on an integer lattice, as integers and as the library's floats.
#pragma once

#include <sightline/geometry/shapes/all_shapes.hpp>

#include "tests/oracle/dice.hpp"
#include "tests/oracle/lattice_triangle.hpp"

namespace sightline::testing {

using oracle::Dice;
using oracle::Int;
using oracle::IntVec;
using oracle::LatticeBox;

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
struct TriangleOnLattice {
  oracle::LatticeTriangle corners;
  Triangle shape;
};
struct PlaneOnLattice {
  IntVec normal;
  Int offset;
  Plane shape;
};

inline Vec3 floats(IntVec v) {
  return {static_cast<float>(v.x), static_cast<float>(v.y), static_cast<float>(v.z)};
}
inline Triangle triangle_of(const oracle::LatticeTriangle& s) {
  return {floats(s.corner[0]), floats(s.corner[1]), floats(s.corner[2])};
}
inline IntVec near_by(Dice& dice, IntVec p, int n) {
  return p + IntVec{dice.between(-n, n), dice.between(-n, n), dice.between(-n, n)};
}
/// Mostly as long as it says, often 0 along an axis.
inline IntVec some_step(Dice& dice) {
  const auto part = [&] { return dice.chance(0.4) ? 0 : dice.between(-6, 6); };
  return {part(), part(), part()};
}

template <class S>
S some(Dice& dice, IntVec at);
template <>
inline BallOnLattice some(Dice& dice, IntVec at) {
  const int r = dice.between(0, 6);
  return {at, r, {floats(at), static_cast<float>(r)}};
}
template <>
inline CapsuleOnLattice some(Dice& dice, IntVec at) {
  const IntVec end = at + some_step(dice);
  const int r = dice.between(0, 6);
  return {at, end, r, {floats(at), floats(end), static_cast<float>(r)}};
}
template <>
inline BoxOnLattice some(Dice& dice, IntVec at) {
  const IntVec h = {dice.between(0, 6), dice.between(0, 6), dice.between(0, 6)};
  const IntVec low = at - h, high = at + h;
  return {{{low.x, low.y, low.z}, {high.x, high.y, high.z}}, {floats(low), floats(high)}};
}
template <>
inline TurnedBoxOnLattice some(Dice& dice, IntVec at) {
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
/// A fifth of them without area.
template <>
inline TriangleOnLattice some(Dice& dice, IntVec at) {
  const IntVec b = at + some_step(dice);
  const IntVec c = dice.chance(0.1) ? at + (b - at) * dice.between(-1, 2) : at + some_step(dice);
  return {{{at, b, c}}, {floats(at), floats(b), floats(c)}};
}
/// Any lattice normal: the predicates do not ask for unit length.
template <>
inline PlaneOnLattice some(Dice& dice, IntVec at) {
  IntVec n{0, 0, 0};
  while (dot(n, n) == 0) n = some_step(dice);
  const Int offset = dot(n, at);
  return {n, offset, {floats(n), static_cast<float>(offset)}};
}

}  // namespace sightline::testing
