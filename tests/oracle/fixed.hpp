// Whole numbers of 64 L bits in two's complement, which are fast where it is known how long a
// number gets. A product has as many limbs as both factors together. A sum has as many limbs as the
// longer operand, whose highest bit must be free for the carry.
#pragma once

#include "tests/oracle/whole.hpp"

#include <algorithm>
#include <cstdint>

namespace sightline::oracle {

__extension__ typedef __int128 TwoLimbs;
__extension__ typedef unsigned __int128 TwoUnsignedLimbs;

template <int L>
struct Fixed {
  std::uint64_t limb[L];

  Fixed() {}               // NOLINT: leaves the limbs
  Fixed(std::int64_t x) {  // NOLINT: a number like others
    limb[0] = static_cast<std::uint64_t>(x);
    for (int i = 1; i < L; ++i) limb[i] = x < 0 ? ~std::uint64_t{0} : 0;
  }
  explicit operator Whole() const { return Whole(limb, L); }

  bool negative() const { return limb[L - 1] >> 63 != 0; }
  int sign() const {
    std::uint64_t any = 0;
    for (int i = 0; i < L; ++i) any |= limb[i];
    return negative() ? -1 : any != 0;
  }
  /// Limb i of the same number with more limbs.
  std::uint64_t word(int i) const { return i < L ? limb[i] : negative() ? ~std::uint64_t{0} : 0; }
  /// times 2^n, n >= 0.
  Fixed shifted(int n) const {
    const int whole = n / 64, part = n % 64;
    const auto from = [&](int i) { return i < 0 ? 0 : limb[i]; };
    Fixed r;
    for (int i = 0; i < L; ++i) {
      const std::uint64_t upper = from(i - whole), lower = from(i - whole - 1);
      r.limb[i] = part == 0 ? upper : (upper << part) | (lower >> (64 - part));
    }
    return r;
  }
};

template <int A, int B>
Fixed<std::max(A, B)> operator+(const Fixed<A>& a, const Fixed<B>& b) {
  Fixed<std::max(A, B)> r;
  TwoUnsignedLimbs carry = 0;
  for (int i = 0; i < std::max(A, B); ++i) {
    carry += static_cast<TwoUnsignedLimbs>(a.word(i)) + b.word(i);
    r.limb[i] = static_cast<std::uint64_t>(carry);
    carry >>= 64;
  }
  return r;
}
template <int A, int B>
Fixed<std::max(A, B)> operator-(const Fixed<A>& a, const Fixed<B>& b) {
  Fixed<std::max(A, B)> r;
  TwoUnsignedLimbs carry = 1;  // a + ~b + 1
  for (int i = 0; i < std::max(A, B); ++i) {
    carry += static_cast<TwoUnsignedLimbs>(a.word(i)) + ~b.word(i);
    r.limb[i] = static_cast<std::uint64_t>(carry);
    carry >>= 64;
  }
  return r;
}

template <int A, int B>
Fixed<A + B> operator*(const Fixed<A>& a, const Fixed<B>& b) {
  Fixed<A + B> r = 0;
  for (int i = 0; i < A; ++i) {  // of the limbs without a sign
    TwoUnsignedLimbs carry = 0;
    for (int j = 0; j < B; ++j) {
      carry += static_cast<TwoUnsignedLimbs>(a.limb[i]) * b.limb[j] + r.limb[i + j];
      r.limb[i + j] = static_cast<std::uint64_t>(carry);
      carry >>= 64;
    }
    r.limb[i + B] = static_cast<std::uint64_t>(carry);
  }
  // These limbs of a negative a say a + 2^(64 A), and the product has 2^(64 A) b too much.
  const auto subtract = [&](const std::uint64_t* x, int count, bool when) {
    const std::uint64_t keep = when ? ~std::uint64_t{0} : 0;
    TwoUnsignedLimbs carry = 1;
    for (int i = 0; i < count; ++i) {
      std::uint64_t& to = r.limb[A + B - count + i];
      carry += static_cast<TwoUnsignedLimbs>(to) + ~(x[i] & keep);
      to = static_cast<std::uint64_t>(carry);
      carry >>= 64;
    }
  };
  subtract(b.limb, B, a.negative());
  subtract(a.limb, A, b.negative());
  return r;
}
inline Fixed<2> operator*(const Fixed<1>& a, const Fixed<1>& b) {
  const TwoLimbs r = static_cast<TwoLimbs>(static_cast<std::int64_t>(a.limb[0])) *
                     static_cast<std::int64_t>(b.limb[0]);
  Fixed<2> split;
  split.limb[0] = static_cast<std::uint64_t>(r);
  split.limb[1] = static_cast<std::uint64_t>(r >> 64);
  return split;
}

template <int L>
int compare(const Fixed<L>& a, const Fixed<L>& b) {
  if (a.negative() != b.negative()) return a.negative() ? -1 : 1;
  for (int i = L - 1; i >= 0; --i) {
    if (a.limb[i] != b.limb[i]) return a.limb[i] < b.limb[i] ? -1 : 1;
  }
  return 0;
}

}  // namespace sightline::oracle
