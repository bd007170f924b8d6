// How shapes on an integer lattice meet, in integers: no root, and fractions as pairs.
//
// The least distance of two convex shapes lies at one of a few times along a segment; the distance
// at each of these is compared, so that nothing hangs on having picked the right one.
#pragma once

#include "tests/oracle/lattice_truth.hpp"

namespace sightline::oracle {

/// The points low <= x <= high.
struct LatticeBox {
  Int low[3], high[3];
};

/// How near two shapes come: apart, or in touch only, or with room.
enum class Near { apart, touch, overlap };

/// A square of a distance, num / den, against a squared radius.
struct SquaredDistance {
  Int num, den = 1;
  Near against(Int radius) const {
    const Int r = radius * radius * den;
    return num > r ? Near::apart : num == r ? Near::touch : Near::overlap;
  }
};
inline SquaredDistance least(SquaredDistance a, SquaredDistance b) {
  return a.num * b.den <= b.num * a.den ? a : b;
}

inline Int square(IntVec v) { return dot(v, v); }

/// The point a + e * t, t cut to 0 .. 1, and how far it is from p.
inline SquaredDistance at_time(IntVec a, IntVec e, Rational t, IntVec p) {
  if (t.num < 0) t.num = 0;
  if (t.num > t.den) t.num = t.den;
  return {square((a - p) * t.den + e * t.num), t.den * t.den};
}

/// A point and a segment.
inline SquaredDistance distance(IntVec p, IntVec a, IntVec b) {
  const IntVec e = b - a;
  const Int ee = square(e);
  if (ee == 0) return {square(p - a)};
  return at_time(a, e, {dot(p - a, e), ee}, p);
}

/// Two segments.
inline SquaredDistance distance(IntVec a, IntVec b, IntVec p, IntVec q) {
  SquaredDistance d = least(least(distance(p, a, b), distance(q, a, b)),
                            least(distance(a, p, q), distance(b, p, q)));
  // Where |a - p + s u - t v| is stationary, by Cramer's rule.
  const IntVec u = b - a, v = q - p, w = a - p;
  const Int uu = square(u), vv = square(v), uv = dot(u, v), det = uu * vv - uv * uv;
  if (det == 0) return d;
  const Int s = uv * dot(v, w) - vv * dot(u, w), t = uu * dot(v, w) - uv * dot(u, w);
  if (s < 0 || s > det || t < 0 || t > det) return d;
  return least(d, {square(w * det + u * s - v * t), det * det});
}

/// den times how far x / den lies outside of low .. high.
inline Int outside(Int x, Int low, Int high, Int den) {
  return x < low * den ? x - low * den : x > high * den ? x - high * den : Int{0};
}

/// The segment's point at time t, and a box.
inline SquaredDistance at_time(IntVec a, IntVec e, Rational t, const LatticeBox& box) {
  const Int start[3] = {a.x, a.y, a.z}, step[3] = {e.x, e.y, e.z};
  Int sum = 0;
  for (int i = 0; i < 3; ++i) {
    const Int g = outside(start[i] * t.den + step[i] * t.num, box.low[i], box.high[i], t.den);
    sum += g * g;
  }
  return {sum, t.den * t.den};
}

/// A segment and a box: at an end, at a plane of the box, or where one of the 26 parabolas that
/// belong to its faces, edges and corners is least.
inline SquaredDistance distance(IntVec a, IntVec b, const LatticeBox& box) {
  const IntVec e = b - a;
  const Int start[3] = {a.x, a.y, a.z}, step[3] = {e.x, e.y, e.z};
  SquaredDistance d = least(at_time(a, e, {0, 1}, box), at_time(a, e, {1, 1}, box));
  const auto try_time = [&](Int num, Int den) {
    if (den < 0) num = -num, den = -den;
    if (den > 0 && 0 <= num && num <= den) d = least(d, at_time(a, e, {num, den}, box));
  };
  for (int sides = 0; sides < 27; ++sides) {
    Int along = 0, speed = 0;
    for (int i = 0, rest = sides; i < 3; ++i, rest /= 3) {
      if (rest % 3 == 0) continue;
      const Int gap = start[i] - (rest % 3 == 1 ? box.low[i] : box.high[i]);
      try_time(-gap, step[i]);
      along += gap * step[i];
      speed += step[i] * step[i];
    }
    try_time(-along, speed);
  }
  return d;
}

/// A point and a box.
inline SquaredDistance distance(IntVec p, const LatticeBox& box) {
  return at_time(p, {0, 0, 0}, {0, 1}, box);
}

/// Two boxes.
inline SquaredDistance distance(const LatticeBox& a, const LatticeBox& b) {
  Int sum = 0;
  for (int i = 0; i < 3; ++i) {
    const Int up = b.low[i] - a.high[i], down = a.low[i] - b.high[i];
    const Int gap = up > 0 ? up : down > 0 ? down : Int{0};
    sum += gap * gap;
  }
  return {sum};
}
/// Of boxes 0 is a touch, unless they share more than a face.
inline Near near(const LatticeBox& a, const LatticeBox& b) {
  if (distance(a, b).num > 0) return Near::apart;
  for (int i = 0; i < 3; ++i) {
    if (a.low[i] == b.high[i] || b.low[i] == a.high[i]) return Near::touch;
  }
  return Near::overlap;
}

/// A ball that lies `height` / |normal| above a half-space.
inline Near near_below(Int height, Int radius, Int normal_square) {
  if (height < 0) return Near::overlap;
  const Int h = height * height, r = radius * radius * normal_square;
  return h > r ? Near::apart : h == r ? Near::touch : Near::overlap;
}

}  // namespace sightline::oracle
