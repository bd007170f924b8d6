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
class Expansion {
 public:
  SIGHTLINE_HD void add(double x) {
    if (size_ == capacity) compress();
    double sum = x;
    int kept = 0;
    for (int i = 0; i < size_; ++i) {
      const double next = sum + part_[i];
      const double rest = lost_of_sum(sum, part_[i], next);
      sum = next;
      if (rest != 0) part_[kept++] = rest;
    }
    if (sum != 0) part_[kept++] = sum;
    size_ = kept;
  }
  SIGHTLINE_HD void add_product(double a, double b) {
    const double product = a * b, rest = lost_of_product(a, b, product);
    if (rest != 0) add(rest);
    if (product != 0) add(product);
  }
  SIGHTLINE_HD void add_product(const Expansion& e, double by) {
    for (int i = 0; i < e.size_; ++i) add_product(e.part_[i], by);
  }

  SIGHTLINE_HD int sign() const { return size_ == 0 ? 0 : sign_of(part_[size_ - 1]); }
  /// Within 2^-50 of itself.
  SIGHTLINE_HD double estimate() const {
    double sum = 0;
    for (int i = 0; i < size_; ++i) sum += part_[i];
    return sum;
  }

 private:
  /// Makes each part at least 2^52 times the one before: 17 suffice for 2^-600 to 2^217.
  SIGHTLINE_HD void compress() {
    double sum = part_[size_ - 1];
    int bottom = size_ - 1;
    for (int i = size_ - 2; i >= 0; --i) {
      const double next = sum + part_[i], rest = part_[i] - (next - sum);
      if (rest != 0) part_[bottom--] = next;
      sum = rest != 0 ? rest : next;
    }
    int kept = 0;
    for (int i = bottom + 1; i < size_; ++i) {
      const double next = part_[i] + sum, rest = sum - (next - part_[i]);
      if (rest != 0) part_[kept++] = rest;
      sum = next;
    }
    part_[kept++] = sum;
    size_ = kept;
  }

  static constexpr int capacity = 32;
  double part_[capacity];
  int size_ = 0;
};

/// The number in the place of a float among the floats: infinity stands for 2^128.
SIGHTLINE_HD double place_of(float x) {
  return x > largest_float ? 0x1p128 : x < -largest_float ? -0x1p128 : double{x};
}

/// n / d, rounded once to the nearest float, ties to even; d is not 0, and |n / d| is 0 or at least
/// 2^-600. Never -0.
SIGHTLINE_HD float rounded_quotient(const Expansion& n, const Expansion& d) {
  if (n.sign() == 0) return 0.0f;
  const float guess = static_cast<float>(n.estimate() / d.estimate());  // off by a float at most
  const auto beyond = [&](double x) SIGHTLINE_LAMBDA {  // the sign of n / d - x
    Expansion rest = n;
    rest.add_product(d, -x);
    return rest.sign() * d.sign();
  };
  const int odd = static_cast<int>(bits_of(guess) & 1u);
  const auto middle = [&](float neighbour)
                          SIGHTLINE_LAMBDA { return 0.5 * (place_of(guess) + place_of(neighbour)); };
  if (guess < infinity && beyond(middle(next_up(guess))) + odd > 0) return next_up(guess) + 0.0f;
  if (guess > -infinity && beyond(middle(next_down(guess))) - odd < 0) {
    return next_down(guess) + 0.0f;
  }
  return guess + 0.0f;
}

}  // namespace sightline
