// What a line and a triangle have in common, in whole numbers and by other formulas than the
// library's: the crossing of the plane and its place within the corners; within the plane, the
// common points with each edge as lines in space.
#pragma once

#include <sightline/shapes.hpp>

#include "tests/oracle/fixed.hpp"

#include <algorithm>
#include <initializer_list>
#include <utility>

namespace sightline::oracle {

template <class N>
struct VecOf {
  N x, y, z;
  const N& at(int axis) const { return axis == 0 ? x : axis == 1 ? y : z; }
};
using WholeVec = VecOf<Whole>;

template <class N>
VecOf<N> operator-(const VecOf<N>& a, const VecOf<N>& b) {
  return {a.x - b.x, a.y - b.y, a.z - b.z};
}
template <class N, class M>
auto cross(const VecOf<N>& a, const VecOf<M>& b) {
  using Product = decltype(a.y * b.z - a.z * b.y);
  return VecOf<Product>{a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
template <class N, class M>
auto dot(const VecOf<N>& a, const VecOf<M>& b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}
template <class N>
bool is_zero(const VecOf<N>& v) {
  return v.x.sign() == 0 && v.y.sign() == 0 && v.z.sign() == 0;
}

/// A power of two in which some floats are whole numbers of at most so many binary digits: each
/// times 2^shift.
struct Unit {
  int shift = -128, digits = 0;

  Unit(std::initializer_list<Vec3> all) {
    float largest = 0;
    for (const Vec3& v : all) {
      for (const float x : {v.x, v.y, v.z}) {
        if (x != 0) shift = std::max(shift, -OddTimesPower(x).exponent);
        largest = std::max(largest, std::fabs(x));
      }
    }
    if (largest > 0) digits = std::ilogb(largest) + 1 + shift;
  }
  template <class N>
  VecOf<N> of(const Vec3& v) const {
    const auto one = [&](float x) {
      const OddTimesPower parts(x);
      return parts.odd == 0 ? N(0) : N(parts.odd).shifted(parts.exponent + shift);
    };
    return {one(v.x), one(v.y), one(v.z)};
  }
};

/// A line and a triangle in numbers N. Places have one unit and the direction has another, so that
/// most numbers are short.
template <class N>
struct PairOf {
  Unit place, aim;
  VecOf<N> o, d, corner[3];

  PairOf(const Vec3& origin, const Vec3& direction, const Triangle& t)
      : PairOf({origin, t.a, t.b, t.c}, {direction}, origin, direction, t) {}
  PairOf(const Unit& places, const Unit& aims, const Vec3& origin, const Vec3& direction,
         const Triangle& t)
      : place(places),
        aim(aims),
        o(place.of<N>(origin)),
        d(aim.of<N>(direction)),
        corner{place.of<N>(t.a), place.of<N>(t.b), place.of<N>(t.c)} {}

  /// d . ((p - o) x (q - o)) of the edge from corner k, times 2^edge_shift().
  auto edge(int k) const { return dot(d, cross(corner[k] - o, corner[(k + 1) % 3] - o)); }
  int edge_shift() const { return 2 * place.shift + aim.shift; }
  /// t as the quotient of a length and a speed in the units of this pair.
  template <class A, class B>
  Ratio time(const A& length, const B& speed) const {
    const int slower = aim.shift - place.shift;
    return ratio(Whole(length).shifted(std::max(slower, 0)),
                 Whole(speed).shifted(std::max(-slower, 0)));
  }
};
using WholePair = PairOf<Whole>;

/// The first and the last common point, and the corners' weights b and c of the first.
struct TriangleTruth {
  bool hit = false, in_plane = false;
  Ratio t_in, t_out;
  int facing = 0;  ///< the sign of d . n
  Ratio weight_b, weight_c;
};

/// Where the line crosses the plane; the largest numbers are sums of products of five.
template <class N>
TriangleTruth crossing_truth(const PairOf<N>& p) {
  const auto e1 = p.corner[1] - p.corner[0], e2 = p.corner[2] - p.corner[0];
  const auto w = p.corner[0] - p.o;
  const auto n = cross(e1, e2);
  const auto speed = dot(n, p.d), way = dot(n, w);
  // speed * (the crossing - a). It is in the plane, so that its cross products with the edges are
  // multiples of n: the weights of b and c times speed, which one component of n shows.
  const int i = n.x.sign() != 0 ? 0 : n.y.sign() != 0 ? 1 : 2, j = (i + 1) % 3, k = (i + 2) % 3;
  const auto from_a = [&](int axis) { return way * p.d.at(axis) - speed * w.at(axis); };
  const auto x_j = from_a(j), x_k = from_a(k);
  const auto b = x_j * e2.at(k) - x_k * e2.at(j), c = e1.at(j) * x_k - e1.at(k) * x_j;
  const auto all = n.at(i) * speed;
  const int sign = all.sign();
  TriangleTruth r;
  r.facing = speed.sign();
  r.hit = b.sign() * sign >= 0 && c.sign() * sign >= 0 && compare(b + c, all) * sign <= 0;
  if (!r.hit) return r;
  r.weight_b = ratio(Whole(b), Whole(all)), r.weight_c = ratio(Whole(c), Whole(all));
  r.t_in = r.t_out = p.time(way, speed);
  return r;
}

/// A line in the plane of the corners, or corners on a line.
template <class N>
TriangleTruth plane_truth(const PairOf<N>& p) {
  TriangleTruth r;
  r.in_plane = true;
  const bool has_area = !is_zero(cross(p.corner[1] - p.corner[0], p.corner[2] - p.corner[0]));
  const auto take = [&](const Ratio& t, const Ratio(&weight)[3]) {
    if (!r.hit || compare(t, r.t_in) < 0) {
      r.t_in = t;
      if (has_area) r.weight_b = weight[1], r.weight_c = weight[2];
    }
    if (!r.hit || compare(t, r.t_out) > 0) r.t_out = t;
    r.hit = true;
  };
  for (int k = 0; k < 3; ++k) {
    const int next = (k + 1) % 3;
    const auto to = p.corner[k] - p.o, e = p.corner[next] - p.corner[k];
    const auto past = cross(to, p.d);
    Ratio weight[3];
    weight[k].n = 1;
    if (is_zero(past)) take(p.time(dot(to, p.d), dot(p.d, p.d)), weight);
    const auto g = cross(p.d, e);
    const auto gg = dot(g, g);
    if (gg.sign() == 0 || dot(to, g).sign() != 0) continue;  // parallel, or skew
    // t d = to + s e
    const auto s = dot(past, g);
    if (s.sign() < 0 || compare(s, gg) > 0) continue;
    weight[k] = {Whole(gg - s), Whole(gg)}, weight[next] = {Whole(s), Whole(gg)};
    take(p.time(dot(cross(to, e), g), gg), weight);
  }
  return r;
}

template <class N>
TriangleTruth truth_in(const PairOf<N>& p) {
  const auto n = cross(p.corner[1] - p.corner[0], p.corner[2] - p.corner[0]);
  if (dot(n, p.d).sign() != 0) return crossing_truth(p);
  if (dot(n, p.corner[0] - p.o).sign() != 0) return {};
  return plane_truth(p);
}

/// Of a line with a direction. Of L limbs four bits stay free: a product of k coordinates or
/// differences, and a sum of such products, needs less than 3 k bits more than k coordinates.
inline TriangleTruth truth(const Vec3& origin, const Vec3& direction, const Triangle& t) {
  const Unit place = {origin, t.a, t.b, t.c}, aim = {direction};
  const int digits = std::max(place.digits, aim.digits);
  const auto in = [&]<class N>(N) { return truth_in(PairOf<N>(place, aim, origin, direction, t)); };
  if (digits <= 60) return in(Fixed<1>());
  if (digits <= 124) return in(Fixed<2>());
  if (digits <= 188) return in(Fixed<3>());
  return in(Whole());
}

}  // namespace sightline::oracle
