// Error-free transforms, and numbers kept as the unevaluated sum of two floats (48 bits).
//
// Source: Joldes, Muller, Popescu, "Tight and rigorous error bounds for basic building blocks of
// double-word arithmetic", ACM TOMS 44 (2017); square root: Lefevre, Louvet, Muller, Picot,
// Rideau, "Accurate calculation of Euclidean norms using double-word arithmetic" (2023).
// Bounds below hold while nothing overflows or underflows; u = 2^-24.
#pragma once

#include <sightline/geometry/base/lane.hpp>

namespace sightline {

/// hi + lo with |lo| <= ulp(hi) / 2.
template <class F>
struct Two {
  F hi, lo;
};

/// a + b exactly, where |a| >= |b|.
template <class F>
SIGHTLINE_HD Two<F> quick_two_sum(F a, F b) {
  const F s = a + b;
  return {s, b - (s - a)};
}

/// a + b exactly.
template <class F>
SIGHTLINE_HD Two<F> two_sum(F a, F b) {
  const F s = a + b;
  const F bb = s - a;
  return {s, (a - (s - bb)) + (b - bb)};
}

/// a - b exactly.
template <class F>
SIGHTLINE_HD Two<F> two_diff(F a, F b) {
  const F s = a - b;
  const F bb = s - a;
  return {s, (a - (s - bb)) - (b + bb)};
}

/// a * b exactly.
template <class F>
SIGHTLINE_HD Two<F> two_prod(F a, F b) {
  const F p = a * b;
  return {p, fma(a, b, -p)};
}

template <class F>
SIGHTLINE_HD Two<F> operator-(const Two<F>& a) {
  return {-a.hi, -a.lo};
}

/// Relative error at most 3u^2 + 13u^3.
template <class F>
SIGHTLINE_HD Two<F> operator+(const Two<F>& a, const Two<F>& b) {
  const Two<F> s = two_sum(a.hi, b.hi);
  const Two<F> t = two_sum(a.lo, b.lo);
  const Two<F> v = quick_two_sum(s.hi, s.lo + t.hi);
  return quick_two_sum(v.hi, t.lo + v.lo);
}
template <class F>
SIGHTLINE_HD Two<F> operator-(const Two<F>& a, const Two<F>& b) {
  return a + (-b);
}

/// Relative error at most 2u^2.
template <class F>
SIGHTLINE_HD Two<F> operator+(const Two<F>& a, const F& b) {
  const Two<F> s = two_sum(a.hi, b);
  return quick_two_sum(s.hi, a.lo + s.lo);
}

/// Relative error at most 2u^2.
template <class F>
SIGHTLINE_HD Two<F> operator*(const Two<F>& a, const F& b) {
  const Two<F> c = two_prod(a.hi, b);
  return quick_two_sum(c.hi, fma(a.lo, b, c.lo));
}

/// Relative error at most 4u^2.
template <class F>
SIGHTLINE_HD Two<F> operator*(const Two<F>& a, const Two<F>& b) {
  const Two<F> c = two_prod(a.hi, b.hi);
  const F cross = fma(a.lo, b.hi, fma(a.hi, b.lo, a.lo * b.lo));
  return quick_two_sum(c.hi, c.lo + cross);
}

/// Relative error at most 15u^2; b nonzero.
template <class F>
SIGHTLINE_HD Two<F> operator/(const Two<F>& a, const Two<F>& b) {
  const F q = a.hi / b.hi;
  const Two<F> r = b * q;
  return quick_two_sum(q, ((a.hi - r.hi) + (a.lo - r.lo)) / b.hi);
}

/// Exact for a power of two p, without overflow and underflow.
template <class F>
SIGHTLINE_HD Two<F> scaled(const Two<F>& a, const F& p) {
  return {a.hi * p, a.lo * p};
}

/// Relative error at most 25/8 u^2; 0 for a <= 0.
template <class F>
SIGHTLINE_HD Two<F> sqrt_or_zero(const Two<F>& a) {
  const auto positive = a.hi > F(0);
  const F hi = select(positive, a.hi, F(1));
  const F s = sqrt(hi);
  const Two<F> r = quick_two_sum(s, (fma(-s, s, hi) + a.lo) / (s + s));
  return {select(positive, r.hi, F(0)), select(positive, r.lo, F(0))};
}

template <class F>
SIGHTLINE_HD F rounded(const Two<F>& a) {
  return a.hi + a.lo;
}

template <class F>
SIGHTLINE_HD Two<F> select(const MaskOf<F>& m, const Two<F>& a, const Two<F>& b) {
  return {select(m, a.hi, b.hi), select(m, a.lo, b.lo)};
}

/// Vectors of two-floats.
template <class F>
using TwoVec3 = Vec3T<Two<F>>;

template <class F>
SIGHTLINE_HD TwoVec3<F> two_diff(const Vec3T<F>& a, const Vec3T<F>& b) {
  return {two_diff(a.x, b.x), two_diff(a.y, b.y), two_diff(a.z, b.z)};
}
template <class F>
SIGHTLINE_HD TwoVec3<F> operator-(const TwoVec3<F>& a, const TwoVec3<F>& b) {
  return {a.x - b.x, a.y - b.y, a.z - b.z};
}
template <class F>
SIGHTLINE_HD TwoVec3<F> operator+(const TwoVec3<F>& a, const TwoVec3<F>& b) {
  return {a.x + b.x, a.y + b.y, a.z + b.z};
}
template <class F>
SIGHTLINE_HD TwoVec3<F> scaled(const TwoVec3<F>& a, const F& p) {
  return {scaled(a.x, p), scaled(a.y, p), scaled(a.z, p)};
}
/// Each component times a float or a two-float.
template <class F, class S>
SIGHTLINE_HD TwoVec3<F> times(const TwoVec3<F>& a, const S& s) {
  return {a.x * s, a.y * s, a.z * s};
}
template <class F>
SIGHTLINE_HD Two<F> dot(const TwoVec3<F>& a, const Vec3T<F>& b) {
  return (a.x * b.x + a.y * b.y) + a.z * b.z;
}
template <class F>
SIGHTLINE_HD Two<F> dot(const TwoVec3<F>& a, const TwoVec3<F>& b) {
  return (a.x * b.x + a.y * b.y) + a.z * b.z;
}
/// a . b of plain vectors, to two-float accuracy.
template <class F>
SIGHTLINE_HD Two<F> two_dot(const Vec3T<F>& a, const Vec3T<F>& b) {
  return (two_prod(a.x, b.x) + two_prod(a.y, b.y)) + two_prod(a.z, b.z);
}
template <class F>
SIGHTLINE_HD TwoVec3<F> cross(const TwoVec3<F>& a, const Vec3T<F>& b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
template <class F>
SIGHTLINE_HD TwoVec3<F> cross(const TwoVec3<F>& a, const TwoVec3<F>& b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
template <class F>
SIGHTLINE_HD TwoVec3<F> select(const MaskOf<F>& m, const TwoVec3<F>& a, const TwoVec3<F>& b) {
  return {select(m, a.x, b.x), select(m, a.y, b.y), select(m, a.z, b.z)};
}
/// The high parts.
template <class F>
SIGHTLINE_HD Vec3T<F> high(const TwoVec3<F>& v) {
  return {v.x.hi, v.y.hi, v.z.hi};
}
template <class F>
SIGHTLINE_HD Vec3T<F> rounded(const TwoVec3<F>& v) {
  return {rounded(v.x), rounded(v.y), rounded(v.z)};
}

}  // namespace sightline
