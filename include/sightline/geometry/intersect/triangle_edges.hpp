// The edge functions of a line and a triangle in floats, with errors that are proven: stages A and
// B of docs/project/proofs/triangles.md.
//
// Of an edge from p to q the edge function is E = d . ((p - o) x (q - o)). The line meets the
// triangle where no two of the three have different signs; all of them are 0 where line and corners
// are in one plane. Their sum is D = d . n, n = (b - a) x (c - a).
#pragma once

#include <sightline/geometry/intersect/certain_intervals.hpp>
#include <sightline/geometry/intersect/moment.hpp>
#include <sightline/geometry/shapes/triangle.hpp>

namespace sightline {

/// Edge functions, and the largest errors of them.
template <class F>
struct EdgesT {
  F ab, bc, ca;
  F doubt_ab, doubt_bc, doubt_ca;
};
using Edges = EdgesT<float>;

/// The lanes in which the line surely meets the triangle, off its plane, and those in which it
/// surely does not.
template <class F>
SIGHTLINE_HD CertainT<F> signs_agree(const EdgesT<F>& e) {
  const auto up_ab = e.ab > e.doubt_ab, down_ab = e.ab < -e.doubt_ab;
  const auto up_bc = e.bc > e.doubt_bc, down_bc = e.bc < -e.doubt_bc;
  const auto up_ca = e.ca > e.doubt_ca, down_ca = e.ca < -e.doubt_ca;
  CertainT<F> r;
  r.hit = (up_ab & up_bc & up_ca) | (down_ab & down_bc & down_ca);
  r.miss = (up_ab | up_bc | up_ca) & (down_ab | down_bc | down_ca);
  return r;
}
/// The same where the three errors are one.
template <class F>
SIGHTLINE_HD CertainT<F> signs_agree_within(const EdgesT<F>& e, const F& doubt) {
  const F least = min(min(e.ab, e.ca), e.bc), most = max(max(e.ab, e.ca), e.bc);
  CertainT<F> r;
  r.hit = (least > doubt) | (most < -doubt);
  r.miss = (least < -doubt) & (most > doubt);
  return r;
}

/// a x b, each component a product and a fused one.
template <class F>
SIGHTLINE_HD Vec3T<F> quick_cross(const Vec3T<F>& a, const Vec3T<F>& b) {
  return {fma(a.y, b.z, -(a.z * b.y)), fma(a.z, b.x, -(a.x * b.z)), fma(a.x, b.y, -(a.y * b.x))};
}
/// |a| . |b| of the components' sizes.
template <class F>
SIGHTLINE_HD F dot_of_sizes(const Vec3T<F>& a, const Vec3T<F>& b) {
  return fma(abs(a.x), abs(b.x), fma(abs(a.y), abs(b.y), abs(a.z) * abs(b.z)));
}

/// Edge functions are those of the moment about one of the edge's own ends, so that a needle's
/// short edge is not lost in its long ones.
template <class F>
struct TriangleSidesT {
  Vec3T<F> ab, bc, ca;  ///< b - a, c - b, a - c, rounded
  F ab_size, size;      ///< |ab|_1, and that plus |bc|_1
};
template <class F>
SIGHTLINE_HD TriangleSidesT<F> sides_of(const TriangleT<F>& s) {
  TriangleSidesT<F> r;
  r.ab = difference(s.b, s.a), r.bc = difference(s.c, s.b), r.ca = difference(s.a, s.c);
  r.ab_size = sum_abs(r.ab);
  r.size = r.ab_size + sum_abs(r.bc);
  return r;
}

/// Stage A: the origin relative to a, `w`, is rounded; for origins within some 100 sizes. One doubt
/// for all three.
template <class F>
SIGHTLINE_HD EdgesT<F> quick_edges(const LineT<F>& line, const TriangleSidesT<F>& t,
                                   const Vec3T<F>& w) {
  const Vec3T<F> m = quick_cross(w, line.direction);
  const Vec3T<F> at_b = difference(m, quick_cross(t.ab, line.direction));
  const F doubt =
      fma(t.size * F(0x1p-19f), sum_abs(w) + t.ab_size, fma(t.size, F(0x1p-120f), F(0x1p-120f)));
  return {dot(t.ab, m), dot(t.bc, at_b), dot(t.ca, m), doubt, doubt, doubt};
}

/// Stage B: the origin in two parts, so that its distance does not matter.
template <class F>
SIGHTLINE_HD EdgesT<F> careful_edges(const LineT<F>& line, const TriangleSidesT<F>& t,
                                     const TwoVec3<F>& w) {
  const Vec3T<F> m = moment(w, line.direction);
  const Vec3T<F> at_b = difference(m, quick_cross(t.ab, line.direction));
  const F far = fma(max_abs(high(w)), F(0x1p-42f), F(0x1p-120f));
  const F tiny = F(0x1p-120f);
  EdgesT<F> e;
  e.ab = dot(t.ab, m), e.bc = dot(t.bc, at_b), e.ca = dot(t.ca, m);
  e.doubt_ab = fma(dot_of_sizes(t.ab, m), F(0x1p-21f), fma(t.ab_size, far, tiny));
  e.doubt_bc = fma(dot_of_sizes(t.bc, at_b), F(0x1p-20f),
                   fma(sum_abs(t.bc), fma(t.ab_size, F(0x1p-20f), far), tiny));
  e.doubt_ca = fma(dot_of_sizes(t.ca, m), F(0x1p-21f), fma(sum_abs(t.ca), far, tiny));
  return e;
}

}  // namespace sightline
