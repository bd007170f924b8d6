// Whether two triangles of stored floats have a common point, in whole numbers and by other
// formulas than the library's: where an edge crosses the other triangle's plane, and that place's
// weights of the corners; within a plane, common points of edges as lines in space.
#pragma once

#include "tests/oracle/triangle_truth.hpp"

namespace sightline::oracle {

template <class N>
struct CornersOf {
  VecOf<N> at[3];

  CornersOf(const Unit& unit, const Triangle& t)
      : at{unit.of<N>(t.a), unit.of<N>(t.b), unit.of<N>(t.c)} {}
};

template <class N>
bool is_on_segment(const VecOf<N>& x, const VecOf<N>& from, const VecOf<N>& to) {
  const auto w = x - from, e = to - from;
  if (is_zero(e)) return is_zero(w);
  if (!is_zero(cross(w, e))) return false;
  const auto along = dot(w, e);
  return along.sign() >= 0 && compare(along, dot(e, e)) <= 0;
}

/// p + x u = r + y v by Cramer's rule in space; parallel ones have a common point where an end of
/// one is on the other.
template <class N>
bool segments_meet(const VecOf<N>& p, const VecOf<N>& q, const VecOf<N>& r, const VecOf<N>& s) {
  const auto u = q - p, v = s - r, w = r - p;
  const auto g = cross(u, v);
  if (is_zero(g)) {
    return is_on_segment(p, r, s) || is_on_segment(q, r, s) || is_on_segment(r, p, q) ||
           is_on_segment(s, p, q);
  }
  if (dot(w, g).sign() != 0) return false;
  const auto all = dot(g, g), x = dot(cross(w, v), g), y = dot(cross(w, u), g);
  return x.sign() >= 0 && compare(x, all) <= 0 && y.sign() >= 0 && compare(y, all) <= 0;
}

/// Whether the weights b / all and c / all are those of a point of the triangle.
template <class N>
bool are_weights(const N& b, const N& c, const N& all) {
  const int sign = all.sign();
  return b.sign() * sign >= 0 && c.sign() * sign >= 0 && compare(b + c, all) * sign <= 0;
}

template <class N>
bool segment_meets(const VecOf<N>& p, const VecOf<N>& q, const CornersOf<N>& t) {
  const VecOf<N>& a = t.at[0];
  const auto e1 = t.at[1] - a, e2 = t.at[2] - a;
  const auto n = cross(e1, e2);
  const auto meets_an_edge = [&] {
    return segments_meet(p, q, a, t.at[1]) || segments_meet(p, q, t.at[1], t.at[2]) ||
           segments_meet(p, q, t.at[2], a);
  };
  if (is_zero(n)) return meets_an_edge();
  const auto to_p = p - a, to_q = q - a;
  const auto high_p = dot(n, to_p), high_q = dot(n, to_q);
  if (high_p.sign() * high_q.sign() > 0) return false;
  const int i = n.x.sign() != 0 ? 0 : n.y.sign() != 0 ? 1 : 2, j = (i + 1) % 3, k = (i + 2) % 3;
  const auto weights = [&](const auto& w_j, const auto& w_k, const auto& all) {
    return are_weights(w_j * e2.at(k) - w_k * e2.at(j), e1.at(j) * w_k - e1.at(k) * w_j, all);
  };
  if (high_p.sign() == 0 && high_q.sign() == 0) {
    return weights(to_p.at(j), to_p.at(k), n.at(i)) || meets_an_edge();
  }
  // The crossing, from a and times high_q - high_p.
  const auto from_a = [&](int axis) { return high_q * to_p.at(axis) - high_p * to_q.at(axis); };
  return weights(from_a(j), from_a(k), (high_q - high_p) * n.at(i));
}

/// Some edge of one meets the other: of the common points, a convex set, an extreme one is on an
/// edge.
template <class N>
bool meet_in(const CornersOf<N>& s, const CornersOf<N>& t) {
  for (int k = 0; k < 3; ++k) {
    if (segment_meets(s.at[k], s.at[(k + 1) % 3], t)) return true;
    if (segment_meets(t.at[k], t.at[(k + 1) % 3], s)) return true;
  }
  return false;
}

inline bool truly_meet(const Triangle& s, const Triangle& t) {
  const Unit unit = {s.a, s.b, s.c, t.a, t.b, t.c};
  const auto in = [&]<class N>(N) { return meet_in(CornersOf<N>(unit, s), CornersOf<N>(unit, t)); };
  if (unit.digits <= 60) return in(Fixed<1>());
  if (unit.digits <= 124) return in(Fixed<2>());
  if (unit.digits <= 188) return in(Fixed<3>());
  return in(Whole());
}

}  // namespace sightline::oracle
