// Signs of determinants of stored floats, and quotients of them: by doubles that know when they are
// right, else without any error. Proofs: docs/project/proofs/triangles.md.
#pragma once

#include <sightline/geometry/exact/expansion.hpp>
#include <sightline/geometry/exact/wide_vec.hpp>

namespace sightline {

/// A vector that is high + low exactly; `low` is what rounding `high` lost.
struct SplitVec3 {
  double high[3], low[3];
};
SIGHTLINE_HD SplitVec3 split(const Vec3& v) { return {{v.x, v.y, v.z}, {0, 0, 0}}; }
SIGHTLINE_HD SplitVec3 split_difference(const Vec3& a, const Vec3& b) {
  const auto lost = [](double x, double y, double rounded)
                        SIGHTLINE_LAMBDA { return lost_of_sum(x, -y, rounded); };
  SplitVec3 r = {{double{a.x} - b.x, double{a.y} - b.y, double{a.z} - b.z}, {}};
  r.low[0] = lost(a.x, b.x, r.high[0]);
  r.low[1] = lost(a.y, b.y, r.high[1]);
  r.low[2] = lost(a.z, b.z, r.high[2]);
  return r;
}

/// A number in doubles and the largest error of it: 0 where no operation rounded.
struct Bounded {
  double value, error;

  SIGHTLINE_HD bool has_sign() const { return wide_abs(value) > error || error == 0; }
};
/// Of numbers that come by at most 15 roundings from terms with sizes of this sum.
SIGHTLINE_HD Bounded bounded(double value, double size, double lost) {
  return {value, lost == 0 ? 0 : size * 0x1p-49};
}

// What follows down to signs and quotients is a function of its own each, and a template for that
// alone: SIGHTLINE_APART.

/// p_i q_j - p_j q_i.
template <class Vec>
SIGHTLINE_APART Bounded bounded_minor(const Vec& p, const Vec& q, int i, int j) {
  const double a = p.high[i] * q.high[j], b = p.high[j] * q.high[i], value = a - b;
  double lost = wide_abs(p.low[i]) + wide_abs(p.low[j]) + wide_abs(q.low[i]) + wide_abs(q.low[j]);
  lost += wide_abs(lost_of_product(p.high[i], q.high[j], a));
  lost += wide_abs(lost_of_product(p.high[j], q.high[i], b));
  lost += wide_abs(lost_of_sum(a, -b, value));
  return bounded(value, wide_abs(a) + wide_abs(b), lost);
}
template <class Vec>
SIGHTLINE_APART Expansion exact_minor(const Vec& p, const Vec& q, int i, int j) {
  Expansion sum;
  for (int k = 0; k < 8; ++k) {  // the high and low parts of both factors of both products
    const bool second = (k & 4) != 0;
    const int of_p = second ? j : i, of_q = second ? i : j;
    const double a = (k & 1) != 0 ? p.high[of_p] : p.low[of_p];
    const double b = (k & 2) != 0 ? q.high[of_q] : q.low[of_q];
    add_product(sum, second ? -a : a, b);
  }
  return sum;
}

/// r . (p x q).
template <class Vec>
SIGHTLINE_APART Bounded bounded_determinant(const Vec& r, const Vec& p, const Vec& q) {
  double sum = 0, size = 0, lost = 0;
  for (int i = 0; i < 3; ++i) {
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    const double a = p.high[j] * q.high[k], b = p.high[k] * q.high[j], minor = a - b;
    const double term = r.high[i] * minor, next = sum + term;
    lost += wide_abs(r.low[i]) + wide_abs(p.low[i]) + wide_abs(q.low[i]);
    lost += wide_abs(lost_of_product(p.high[j], q.high[k], a));
    lost += wide_abs(lost_of_product(p.high[k], q.high[j], b));
    lost += wide_abs(lost_of_sum(a, -b, minor));
    lost += wide_abs(lost_of_product(r.high[i], minor, term));
    lost += wide_abs(lost_of_sum(sum, term, next));
    size += wide_abs(r.high[i]) * (wide_abs(a) + wide_abs(b));
    sum = next;
  }
  return bounded(sum, size, lost);
}
template <class Vec>
SIGHTLINE_APART Expansion exact_determinant(const Vec& r, const Vec& p, const Vec& q) {
  Expansion sum;
  for (int i = 0; i < 3; ++i) {
    const Expansion minor = exact_minor(p, q, (i + 1) % 3, (i + 2) % 3);
    add_product(sum, minor, r.low[i]);
    add_product(sum, minor, r.high[i]);
  }
  return sum;
}

/// p x q, each component within 2^-50 of itself.
template <class Vec>
SIGHTLINE_APART WideVec3 exact_cross(const Vec& p, const Vec& q) {
  return {exact_minor(p, q, 1, 2).estimate(), exact_minor(p, q, 2, 0).estimate(),
          exact_minor(p, q, 0, 1).estimate()};
}

/// The sign of r . (p x q).
template <class Vec>
SIGHTLINE_APART int determinant_sign(const Vec& r, const Vec& p, const Vec& q) {
  const Bounded b = bounded_determinant(r, p, q);
  return b.has_sign() ? sign_of(b.value) : exact_determinant(r, p, q).sign();
}
/// The sign of p_i q_j - p_j q_i.
template <class Vec>
SIGHTLINE_APART int minor_sign(const Vec& p, const Vec& q, int i, int j) {
  const Bounded b = bounded_minor(p, q, i, j);
  return b.has_sign() ? sign_of(b.value) : exact_minor(p, q, i, j).sign();
}

/// The sign of the edge function d . ((p - o) x (q - o)): on which side of the edge from p to q the
/// line o + t d passes.
SIGHTLINE_HD int edge_sign(const Vec3& o, const Vec3& d, const Vec3& p, const Vec3& q) {
  return determinant_sign(split(d), split_difference(p, o), split_difference(q, o));
}

/// n / d rounded once to the nearest float, where the errors allow only one float.
SIGHTLINE_HD bool sure_quotient(const Bounded& n, const Bounded& d, float& quotient) {
  if (!(d.error * 8 <= wide_abs(d.value)) || d.value == 0) return false;
  const double q = n.value / d.value;
  const double error =
      (n.error + wide_abs(q) * d.error) / (wide_abs(d.value) - d.error) + wide_abs(q) * 0x1p-51;
  const float least = static_cast<float>(q - error), greatest = static_cast<float>(q + error);
  quotient = greatest + 0.0f;
  return least == greatest;
}

/// (p_i q_j - p_j q_i) / (r_i s_j - r_j s_i), rounded once to the nearest float.
template <class Vec>
SIGHTLINE_APART float minor_quotient(const Vec& p, const Vec& q, const Vec& r, const Vec& s, int i,
                                     int j) {
  float quotient;
  const Bounded n = bounded_minor(p, q, i, j), d = bounded_minor(r, s, i, j);
  if (sure_quotient(n, d, quotient)) return quotient;
  return rounded_quotient(exact_minor(p, q, i, j), exact_minor(r, s, i, j));
}

}  // namespace sightline
