// Triangles against triangles, exactly: by the signs of orientations of stored points. Touching
// overlaps. Proof: docs/project/proofs/triangles.md, "Overlaps".
#pragma once

#include <sightline/geometry/overlap/finite.hpp>

namespace sightline {

/// On which side of the plane through p, q and r the point s is: the sign of
/// (p - s) . ((q - s) x (r - s)); 0 where the four are in one plane. Of two edges p q and r s, how
/// their lines pass each other.
template <class P>
SIGHTLINE_APART int orientation_sign(SIGHTLINE_SELDOM_PARAMETER(P) p,
                                     SIGHTLINE_SELDOM_PARAMETER(P) q,
                                     SIGHTLINE_SELDOM_PARAMETER(P) r,
                                     SIGHTLINE_SELDOM_PARAMETER(P) s) {
  return determinant_sign(split_difference(p, s), split_difference(q, s), split_difference(r, s));
}

/// Of two segments in one plane, whether they have a common point. They have one exactly if their
/// bounds do and if, in the view along each axis, the ends of neither are strictly on one side of
/// the other. One of the views shows the plane, or the line of both, one to one.
template <class P>
SIGHTLINE_APART bool segments_meet_in_plane(SIGHTLINE_SELDOM_PARAMETER(P) p,
                                            SIGHTLINE_SELDOM_PARAMETER(P) q,
                                            SIGHTLINE_SELDOM_PARAMETER(P) r,
                                            SIGHTLINE_SELDOM_PARAMETER(P) s) {
  const auto apart = [](float a, float b, float c, float d) SIGHTLINE_LAMBDA {
    return max(a, b) < min(c, d) || max(c, d) < min(a, b);
  };
  if (apart(p.x, q.x, r.x, s.x) || apart(p.y, q.y, r.y, s.y) || apart(p.z, q.z, r.z, s.z)) {
    return false;
  }
  const SplitVec3 first = split_difference(q, p), second = split_difference(s, r);
  const SplitVec3 pr = split_difference(r, p), ps = split_difference(s, p);
  const SplitVec3 rp = split_difference(p, r), rq = split_difference(q, r);
  for (int i = 0; i < 3; ++i) {
    const int j = (i + 1) % 3;
    if (minor_sign(first, pr, i, j) * minor_sign(first, ps, i, j) > 0) return false;
    if (minor_sign(second, rp, i, j) * minor_sign(second, rq, i, j) > 0) return false;
  }
  return true;
}

/// Of two triangles in one plane: edges meet, or one contains the other.
template <class T>
SIGHTLINE_APART bool meet_in_plane(SIGHTLINE_SELDOM_PARAMETER(T) s,
                                   SIGHTLINE_SELDOM_PARAMETER(T) t) {
  if (contains(s, t.a) || contains(t, s.a)) return true;
  const Vec3 p[4] = {s.a, s.b, s.c, s.a}, q[4] = {t.a, t.b, t.c, t.a};
  for (int k = 0; k < 9; ++k) {
    const int i = k / 3, j = k % 3;
    if (segments_meet_in_plane<Vec3>(p[i], p[i + 1], q[j], q[j + 1])) return true;
  }
  return false;
}

/// Three signs, of a triangle's corners or edges.
struct ThreeSigns {
  int a, b, c;

  SIGHTLINE_HD bool all_zero() const { return a == 0 && b == 0 && c == 0; }
  /// None is positive where another one is negative.
  SIGHTLINE_HD bool agree() const {
    return (a >= 0 && b >= 0 && c >= 0) || (a <= 0 && b <= 0 && c <= 0);
  }
  SIGHTLINE_HD bool all_one_side() const { return a != 0 && a == b && b == c; }
};

/// The sides of a plane on which a triangle's corners are.
template <class T>
SIGHTLINE_HD ThreeSigns corner_signs(const T& plane, const T& t) {
  const auto side = [&](const Vec3& p) SIGHTLINE_LAMBDA {
    return orientation_sign<Vec3>(plane.a, plane.b, plane.c, p);
  };
  return {side(t.a), side(t.b), side(t.c)};
}
/// How the line through p and q passes a triangle's edges.
template <class T>
SIGHTLINE_HD ThreeSigns edge_signs(const Vec3& p, const Vec3& q, const T& t) {
  const auto pass = [&](const Vec3& from, const Vec3& to)
                        SIGHTLINE_LAMBDA { return orientation_sign<Vec3>(p, q, from, to); };
  return {pass(t.a, t.b), pass(t.b, t.c), pass(t.c, t.a)};
}

/// Whether a segment with ends on these sides of a triangle's plane meets it in one point, and that
/// is in the triangle.
template <class T>
SIGHTLINE_HD bool crosses(const Vec3& p, const Vec3& q, int side_p, int side_q, const T& t) {
  return side_p != side_q && side_p * side_q <= 0 && edge_signs(p, q, t).agree();
}
/// Whether an edge of t, whose corners are on these sides of the plane of s, crosses s.
template <class T>
SIGHTLINE_HD bool an_edge_crosses(const T& t, const ThreeSigns& side, const T& s) {
  return crosses(t.a, t.b, side.a, side.b, s) || crosses(t.b, t.c, side.b, side.c, s) ||
         crosses(t.c, t.a, side.c, side.a, s);
}

/// Whether the two closed sets have a common point; of finite corners.
///
/// If a corner is off the other triangle's plane, some edge crosses the other triangle in one
/// point, or there is no common point. Otherwise all corners are in one plane, or both triangles
/// are segments of lines that pass each other.
template <class T>
SIGHTLINE_APART bool exactly_meet(SIGHTLINE_SELDOM_PARAMETER(T) s,
                                  SIGHTLINE_SELDOM_PARAMETER(T) t) {
  const ThreeSigns of_t = corner_signs(s, t);
  if (of_t.all_one_side()) return false;
  const ThreeSigns of_s = corner_signs(t, s);
  if (of_s.all_one_side()) return false;
  if (an_edge_crosses(t, of_t, s) || an_edge_crosses(s, of_s, t)) return true;
  if (!of_t.all_zero() || !of_s.all_zero()) return false;  // nor are all edges below in one plane
  if (!edge_signs(s.a, s.b, t).all_zero() || !edge_signs(s.b, s.c, t).all_zero() ||
      !edge_signs(s.c, s.a, t).all_zero()) {
    return false;
  }
  return meet_in_plane<T>(s, t);
}

/// Exact.
SIGHTLINE_HD bool overlaps(const Triangle& a, const Triangle& b) {
  return is_finite(a) && is_finite(b) && exactly_meet<Triangle>(a, b);
}

}  // namespace sightline
