// Sums of doubles that lose nothing, for signs that no fixed number of bits decides.
//
// Source: Shewchuk, "Adaptive Precision Floating-Point Arithmetic and Fast Robust Geometric
// Predicates", Discrete & Computational Geometry 18 (1997).
#pragma once

#include <sightline/geometry/base/lane.hpp>

namespace sightline {

/// a * b + c in doubles, rounded once; see fma() of floats.
#if defined(SIGHTLINE_EXPAND_FMA)
SIGHTLINE_HD double wide_fma(double a, double b, double c) { return a * b + c; }
#else
SIGHTLINE_HD double wide_fma(double a, double b, double c) { return ::fma(a, b, c); }
#endif
SIGHTLINE_HD double wide_abs(double x) { return ::fabs(x); }
SIGHTLINE_HD int sign_of(double x) { return (x > 0) - (x < 0); }

/// What a + b and a * b lose when they are rounded to `rounded`.
SIGHTLINE_HD double lost_of_sum(double a, double b, double rounded) {
  const double bb = rounded - a;
  return (a - (rounded - bb)) + (b - bb);
}
SIGHTLINE_HD double lost_of_product(double a, double b, double rounded) {
  return wide_fma(a, b, -rounded);
}

/// A sum of doubles, kept as doubles that do not overlap, the least first, none of them 0. Exact
/// while products are multiples of 2^-1074 and below 2^1000.
struct Expansion {
  static constexpr int capacity = 32;
  double part[capacity];
  int size = 0;

  SIGHTLINE_HD int sign() const { return size == 0 ? 0 : sign_of(part[size - 1]); }
  /// Within 2^-50 of itself.
  SIGHTLINE_HD double estimate() const {
    double sum = 0;
    for (int i = 0; i < size; ++i) sum += part[i];
    return sum;
  }
};

/// Makes each part at least 2^52 times the one before: 17 suffice for 2^-600 to 2^217.
template <class Sum>
SIGHTLINE_APART void compress(Sum& e) {
  double sum = e.part[e.size - 1];
  int bottom = e.size - 1;
  for (int i = e.size - 2; i >= 0; --i) {
    const double next = sum + e.part[i], rest = e.part[i] - (next - sum);
    if (rest != 0) e.part[bottom--] = next;
    sum = rest != 0 ? rest : next;
  }
  int kept = 0;
  for (int i = bottom + 1; i < e.size; ++i) {
    const double next = e.part[i] + sum, rest = sum - (next - e.part[i]);
    if (rest != 0) e.part[kept++] = rest;
    sum = next;
  }
  e.part[kept++] = sum;
  e.size = kept;
}

template <class Sum>
SIGHTLINE_APART void add(Sum& e, double x) {
  if (x == 0) return;
  if (e.size == Sum::capacity) compress(e);
  if (e.size == Sum::capacity) e.size = 1;  // of numbers that are not finite
  double sum = x;
  int kept = 0;
  for (int i = 0; i < e.size; ++i) {
    const double next = sum + e.part[i];
    const double rest = lost_of_sum(sum, e.part[i], next);
    sum = next;
    if (rest != 0) e.part[kept++] = rest;
  }
  if (sum != 0) e.part[kept++] = sum;
  e.size = kept;
}
template <class Sum>
SIGHTLINE_APART void add_product(Sum& e, double a, double b) {
  const double product = a * b;
  add(e, lost_of_product(a, b, product));
  add(e, product);
}
template <class Sum>
SIGHTLINE_APART void add_product(Sum& e, const Sum& a, double by) {
  for (int i = 0; i < a.size; ++i) add_product(e, a.part[i], by);
}

/// The number in the place of a float among the floats: infinity stands for 2^128.
SIGHTLINE_HD double place_of(float x) {
  return x > largest_float ? 0x1p128 : x < -largest_float ? -0x1p128 : double{x};
}

/// The sign of n / d - x.
template <class Sum>
SIGHTLINE_APART int side_of(const Sum& n, const Sum& d, double x) {
  Sum rest = n;
  add_product(rest, d, -x);
  return rest.sign() * d.sign();
}

/// n / d, rounded once to the nearest float, ties to even; d is not 0, and |n / d| is 0 or at least
/// 2^-600. Never -0.
template <class Sum>
SIGHTLINE_APART float rounded_quotient(const Sum& n, const Sum& d) {
  if (n.sign() == 0) return 0.0f;
  const float guess = static_cast<float>(n.estimate() / d.estimate());  // off by a float at most
  const int odd = static_cast<int>(bits_of(guess) & 1u);
  if (guess < infinity) {
    const double middle = 0.5 * (place_of(guess) + place_of(next_up(guess)));
    if (side_of(n, d, middle) + odd > 0) return next_up(guess) + 0.0f;
  }
  if (guess > -infinity) {
    const double middle = 0.5 * (place_of(guess) + place_of(next_down(guess)));
    if (side_of(n, d, middle) - odd < 0) return next_down(guess) + 0.0f;
  }
  return guess + 0.0f;
}

}  // namespace sightline
