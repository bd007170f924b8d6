// How near points, segments, boxes and lines on an integer lattice come to triangles, and to what
// these spread out along a segment: in integers, by Cramer's rule.
#pragma once

#include "tests/oracle/lattice_sweep.hpp"

namespace sightline::oracle {

struct LatticeTriangle {
  IntVec corner[3];
  IntVec edge(int k) const { return corner[(k + 1) % 3] - corner[k]; }
};

/// Whether the triangle contains the point; for larger numbers than distances are.
inline bool lies_on(IntVec p, const LatticeTriangle& s) {
  const IntVec u = s.corner[1] - s.corner[0], v = s.corner[2] - s.corner[0], w = p - s.corner[0];
  const Int uu = square(u), vv = square(v), uv = dot(u, v), det = uu * vv - uv * uv;
  if (det != 0) {
    const Int x = vv * dot(w, u) - uv * dot(w, v), y = uu * dot(w, v) - uv * dot(w, u);
    return dot(cross(u, v), w) == 0 && 0 <= x && 0 <= y && x + y <= det;
  }
  for (int k = 0; k < 3; ++k) {
    const IntVec e = s.edge(k), from = p - s.corner[k];
    const Int along = dot(e, from);
    if (square(e) == 0 && square(from) > 0) continue;
    if (square(cross(e, from)) == 0 && 0 <= along && along <= square(e)) return true;
  }
  return false;
}

/// A point: one of the edges, or the face where its foot a + x u + y v has 0 <= x, y and
/// x + y <= 1.
inline SquaredDistance distance(IntVec p, const LatticeTriangle& s) {
  const IntVec a = s.corner[0], b = s.corner[1], c = s.corner[2];
  const SquaredDistance d = least(least(distance(p, a, b), distance(p, b, c)), distance(p, c, a));
  const IntVec u = b - a, v = c - a, w = p - a, n = cross(u, v);
  const Int uu = square(u), vv = square(v), uv = dot(u, v), det = uu * vv - uv * uv;
  const Int x = vv * dot(w, u) - uv * dot(w, v), y = uu * dot(w, v) - uv * dot(w, u);
  if (det == 0 || x < 0 || y < 0 || x + y > det) return d;
  return least(d, {dot(n, w) * dot(n, w), det});
}

/// Whether the segment p + t e, 0 <= t <= 1, goes through the triangle, and not only within its
/// plane.
inline bool goes_through(IntVec p, IntVec e, const LatticeTriangle& s) {
  const auto determinant = [](IntVec a, IntVec b, IntVec c) { return dot(a, cross(b, c)); };
  const IntVec u = s.corner[1] - s.corner[0], v = s.corner[2] - s.corner[0], w = p - s.corner[0];
  const Int whole = determinant(u, v, e * -1);
  const Int x = determinant(w, v, e * -1) * sign(whole);
  const Int y = determinant(u, w, e * -1) * sign(whole);
  const Int t = determinant(u, v, w) * sign(whole), most = whole * sign(whole);
  return whole != 0 && 0 <= x && 0 <= y && x + y <= most && 0 <= t && t <= most;
}

/// A segment: at an end, at one of the edges, or through the face.
inline SquaredDistance distance(IntVec p, IntVec q, const LatticeTriangle& s) {
  if (goes_through(p, q - p, s)) return {0};
  SquaredDistance d = least(distance(p, s), distance(q, s));
  for (int k = 0; k < 3; ++k) d = least(d, distance(p, q, s.corner[k], s.corner[(k + 1) % 3]));
  return d;
}

/// Whether the line meets the triangle, and not only within its plane.
inline bool goes_through(const IntLine& line, const LatticeTriangle& s) {
  const IntVec u = s.corner[1] - s.corner[0], v = s.corner[2] - s.corner[0];
  const IntVec w = line.o - s.corner[0], n = cross(u, v);
  const Int whole = dot(n, line.d);
  const Int x = dot(cross(w, v), line.d) * sign(whole), y = dot(cross(u, w), line.d) * sign(whole);
  return whole != 0 && 0 <= x && 0 <= y && x + y <= whole * sign(whole);
}

/// Whether the line comes within the radius of the triangle that is spread out along `by`: of an
/// edge or a corner's way, or through a face or what an edge spreads out to.
inline bool comes_within(const IntLine& far, const LatticeTriangle& s, IntVec by, Int radius) {
  const IntLine line = near_to(far, s.corner[0]);
  const LatticeTriangle other = {{s.corner[0] + by, s.corner[1] + by, s.corner[2] + by}};
  for (int k = 0; k < 3; ++k) {
    const IntVec p = s.corner[k], q = s.corner[(k + 1) % 3];
    if (IntCapsule{p, q, radius}.meets(line)) return true;
    if (IntCapsule{p + by, q + by, radius}.meets(line)) return true;
    if (IntCapsule{p, p + by, radius}.meets(line)) return true;
    if (goes_through(line, p, q - p, by)) return true;
  }
  return goes_through(line, s) || goes_through(line, other);
}

/// Of a triangle and a box: an edge of one meets the other.
inline bool meet(const LatticeTriangle& t, const LatticeBox& box) {
  for (int k = 0; k < 3; ++k) {
    if (distance(t.corner[k], t.corner[(k + 1) % 3], box).num == 0) return true;
  }
  const auto corner = [&](int k) {
    return IntVec{(k & 1) != 0 ? box.high[0] : box.low[0], (k & 2) != 0 ? box.high[1] : box.low[1],
                  (k & 4) != 0 ? box.high[2] : box.low[2]};
  };
  for (int k = 0; k < 8; ++k) {
    for (int i = 0; i < 3; ++i) {
      if ((k >> i & 1) == 0 && distance(corner(k), corner(k | 1 << i), t).num == 0) return true;
    }
  }
  return false;
}
/// A touch is one that ends when the box shrinks by a hundredth.
inline Near near(const LatticeTriangle& t, const LatticeBox& box) {
  if (!meet(t, box)) return Near::apart;
  LatticeTriangle fine = t;
  LatticeBox shrunk = box;
  for (int i = 0; i < 3; ++i) {
    fine.corner[i] = t.corner[i] * 100;
    shrunk.low[i] = box.low[i] * 100 + 1, shrunk.high[i] = box.high[i] * 100 - 1;
    if (shrunk.low[i] > shrunk.high[i]) return Near::touch;
  }
  return meet(fine, shrunk) ? Near::overlap : Near::touch;
}

}  // namespace sightline::oracle
