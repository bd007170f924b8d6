// Lower bounds of the distances of points and segments to a triangle, in plain floats: one, or
// lanes of points (docs/project/proofs/overlap-distance-sweep.md, "Distances of points to
// triangles").
#pragma once

#include <sightline/geometry/shapes/triangle.hpp>

namespace sightline::detail {

/// A triangle for many points, relative to its corner a.
struct TriangleForm {
  Vec3 a, u, v;                      ///< u = b - a, v = c - a
  float uu, uv, vv;                  ///< products of them
  float of_plane, of_u, of_v, of_w;  ///< 1 / (uu vv - uv^2), 1 / uu, 1 / vv, 1 / |v - u|^2
  float size;
};

/// 0 where the quotient would be next to nothing, or no float.
inline float inverse_of(float x) { return x > 0x1p-60f ? 1 / x : 0.0f; }
inline TriangleForm triangle_form(const Triangle& s) {
  const Vec3 u = {s.b.x - s.a.x, s.b.y - s.a.y, s.b.z - s.a.z};
  const Vec3 v = {s.c.x - s.a.x, s.c.y - s.a.y, s.c.z - s.a.z};
  const float uu = (u.x * u.x + u.y * u.y) + u.z * u.z, vv = (v.x * v.x + v.y * v.y) + v.z * v.z;
  const float uv = (u.x * v.x + u.y * v.y) + u.z * v.z;
  const float size = ((abs(u.x) + abs(u.y)) + abs(u.z)) + ((abs(v.x) + abs(v.y)) + abs(v.z));
  return {s.a,
          u,
          v,
          uu,
          uv,
          vv,
          inverse_of(uu * vv - uv * uv),
          inverse_of(uu),
          inverse_of(vv),
          inverse_of((uu - uv) + (vv - uv)),
          size};
}

template <class F>
SIGHTLINE_HD F along(const Vec3T<F>& p, const Vec3& e) {
  return (p.x * F(e.x) + p.y * F(e.y)) + p.z * F(e.z);
}
template <class F>
SIGHTLINE_HD F within_edge(const F& t) {
  return min(max(t, F(0)), F(1));
}

/// The vector to a point, w from the corner a, from a place b u + c v near the nearest one.
template <class F>
SIGHTLINE_HD Vec3T<F> way_to(const Vec3T<F>& w, const TriangleForm& s) {
  const F d = along(w, s.u), e = along(w, s.v);
  const F uu = F(s.uu), uv = F(s.uv), vv = F(s.vv);
  // The foot, and the places on the edges; `far` is their squared distance, less that of a.
  const F in_b = (vv * d - uv * e) * F(s.of_plane), in_c = (uu * e - uv * d) * F(s.of_plane);
  const F on_u = within_edge(d * F(s.of_u)), on_v = within_edge(e * F(s.of_v));
  const F on_w = within_edge(((e - d) + (uu - uv)) * F(s.of_w));
  const F far_u = on_u * (on_u * uu - (d + d)), far_v = on_v * (on_v * vv - (e + e));
  const F of_u = F(1) - on_w;
  const F far_w = of_u * (of_u * uu + (on_w * uv - d) * F(2)) + on_w * (on_w * vv - (e + e));
  const auto inside =
      (in_b >= F(0)) & (in_c >= F(0)) & (in_b + in_c <= F(1)) & (F(s.of_plane) > F(0));
  const auto is_v = far_v < far_u, is_w = far_w < min(far_u, far_v);
  const F edge_b = select(is_w, of_u, select(is_v, F(0), on_u));
  const F edge_c = select(is_w, on_w, select(is_v, on_v, F(0)));
  const F b = select(inside, in_b, edge_b), c = select(inside, in_c, edge_c);
  return {w.x - (b * F(s.u.x) + c * F(s.v.x)), w.y - (b * F(s.u.y) + c * F(s.v.y)),
          w.z - (b * F(s.u.z) + c * F(s.v.z))};
}

/// How far a plane across g separates the triangle from points of which the least has g . w = gw,
/// within `size` of the corner a; -inf where g is next to nothing.
template <class F>
SIGHTLINE_HD F separation(const Vec3T<F>& g, const F& gw, const F& size, const TriangleForm& s) {
  const F gg = (g.x * g.x + g.y * g.y) + g.z * g.z;
  const F least = gw - max(max(along(g, s.u), along(g, s.v)), F(0));
  const F err = (size + F(s.size)) * F(0x1p-16f) + F(0x1p-60f);
  const auto is_apart = (gg > F(0x1p-80f)) & (gg < F(0x1p120f));
  return select(is_apart, least / sqrt(select(is_apart, gg, F(1))) - err, F(-infinity));
}

/// -inf next to the triangle. The plane separates the point from all three corners, whatever the
/// rounding of the place that gives its direction.
template <class F>
SIGHTLINE_HD F distance_at_least(const Vec3T<F>& p, const TriangleForm& s) {
  const Vec3T<F> w = {p.x - F(s.a.x), p.y - F(s.a.y), p.z - F(s.a.z)};
  const Vec3T<F> g = way_to(w, s);
  const F gw = (g.x * w.x + g.y * w.y) + g.z * w.z;
  return separation(g, gw, (abs(w.x) + abs(w.y)) + abs(w.z), s);
}

/// The same of a segment: three times the point of it that is nearest to the triangle's place, and
/// the other way round.
inline float distance_at_least(const Vec3& from, const Vec3& to, const TriangleForm& s) {
  const auto difference = [](const Vec3& p, const Vec3& q) {
    return Vec3{p.x - q.x, p.y - q.y, p.z - q.z};
  };
  const Vec3 w = difference(from, s.a), w_end = difference(to, s.a), e = difference(w_end, w);
  const float inverse = inverse_of(along(e, e));
  Vec3 place = {(s.u.x + s.v.x) * (1 / 3.0f), (s.u.y + s.v.y) * (1 / 3.0f),
                (s.u.z + s.v.z) * (1 / 3.0f)};
  Vec3 g = {0, 0, 0};
  for (int turn = 0; turn < 3; ++turn) {
    const float t = within_edge(along(difference(place, w), e) * inverse);
    const Vec3 at = {w.x + t * e.x, w.y + t * e.y, w.z + t * e.z};
    g = turn < 2 ? way_to(at, s) : difference(at, place);
    place = difference(at, g);
  }
  const float size =
      ((abs(w.x) + abs(w.y)) + abs(w.z)) + ((abs(w_end.x) + abs(w_end.y)) + abs(w_end.z));
  return separation(g, min(along(g, w), along(g, w_end)), size, s);
}

}  // namespace sightline::detail
