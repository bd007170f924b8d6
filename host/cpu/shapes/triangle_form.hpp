// Lower bounds of the distances of points to a triangle, in plain floats: one point, or lanes of
// them (docs/project/proofs/overlap-distance-sweep.md, "Distances of points to triangles").
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

/// -inf next to the triangle. A place b u + c v near the nearest one gives a direction; a plane
/// across it separates the point from all three corners, whatever the rounding of the place.
template <class F>
SIGHTLINE_HD F distance_at_least(const Vec3T<F>& p, const TriangleForm& s) {
  const Vec3T<F> w = {p.x - F(s.a.x), p.y - F(s.a.y), p.z - F(s.a.z)};
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
  const Vec3T<F> g = {w.x - (b * F(s.u.x) + c * F(s.v.x)), w.y - (b * F(s.u.y) + c * F(s.v.y)),
                      w.z - (b * F(s.u.z) + c * F(s.v.z))};
  const F gg = (g.x * g.x + g.y * g.y) + g.z * g.z;
  const F gw = (g.x * w.x + g.y * w.y) + g.z * w.z;
  const F least = gw - max(max(along(g, s.u), along(g, s.v)), F(0));
  const F err = (((abs(w.x) + abs(w.y)) + abs(w.z)) + F(s.size)) * F(0x1p-16f) + F(0x1p-60f);
  const auto is_apart = (gg > F(0x1p-80f)) & (gg < F(0x1p120f));
  return select(is_apart, least / sqrt(select(is_apart, gg, F(1))) - err, F(-infinity));
}

}  // namespace sightline::detail
