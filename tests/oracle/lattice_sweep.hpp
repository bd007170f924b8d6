// How near lines on an integer lattice come to boxes, segments and what these spread out along a
// segment are, in integers: at one of all edges, or through one of all faces.
#pragma once

#include "tests/oracle/lattice_overlap.hpp"

namespace sightline::oracle {

/// All points corner + sum of s[i] * side[i], 0 <= s[i] <= 1.
struct IntZonotope {
  IntVec corner;
  int sides = 0;
  IntVec side[4] = {};

  void spread(IntVec by) { side[sides++] = by; }
  /// The corner reached along the sides in `taken`, a bit each.
  IntVec corner_at(int taken) const {
    IntVec p = corner;
    for (int i = 0; i < sides; ++i) p = (taken >> i & 1) != 0 ? p + side[i] : p;
    return p;
  }
};

inline IntZonotope zonotope(const LatticeBox& box) {
  IntZonotope z{{box.low[0], box.low[1], box.low[2]}};
  z.spread({box.high[0] - box.low[0], 0, 0});
  z.spread({0, box.high[1] - box.low[1], 0});
  z.spread({0, 0, box.high[2] - box.low[2]});
  return z;
}

/// Whether the line meets the parallelogram p + a u + b v, and not only within its plane: Cramer's
/// rule.
inline bool goes_through(const IntLine& line, IntVec p, IntVec u, IntVec v) {
  const auto determinant = [](IntVec a, IntVec b, IntVec c) { return dot(a, cross(b, c)); };
  const IntVec w = line.o - p;
  const Int whole = determinant(u, v, line.d);
  const Int a = determinant(w, v, line.d) * sign(whole);
  const Int b = determinant(u, w, line.d) * sign(whole);
  const Int most = whole * sign(whole);
  return whole != 0 && 0 <= a && a <= most && 0 <= b && b <= most;
}

/// The same line, beginning near p.
inline IntLine near_to(const IntLine& line, IntVec p) {
  return {line.o + line.d * (dot(p - line.o, line.d) / dot(line.d, line.d)), line.d};
}

/// Whether the line comes within the radius of the body.
inline bool comes_within(const IntLine& far, const IntZonotope& z, Int radius) {
  const IntLine line = near_to(far, z.corner);
  const IntVec w = line.o - z.corner;
  Int reach = radius;
  const auto add = [&](IntVec v) { reach += v.x * sign(v.x) + v.y * sign(v.y) + v.z * sign(v.z); };
  add(line.d);
  for (const IntVec& side : z.side) add(side);
  if (dot(w, w) > reach * reach) return false;
  const int all = 1 << z.sides;
  for (int taken = 0; taken < all; ++taken) {
    const IntVec p = z.corner_at(taken);
    if (z.sides == 0) return IntCapsule{p, p, radius}.meets(line);
    for (int i = 0; i < z.sides; ++i) {
      if ((taken >> i & 1) != 0) continue;
      if (IntCapsule{p, p + z.side[i], radius}.meets(line)) return true;
      for (int j = 0; j < i; ++j) {
        if ((taken >> j & 1) == 0 && goes_through(line, p, z.side[i], z.side[j])) return true;
      }
    }
  }
  return false;
}

}  // namespace sightline::oracle
