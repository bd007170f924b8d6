// Whole numbers of up to 2,560 bits: with them a triangle's answer is decided without rounding.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>

namespace sightline::oracle {

class Whole {
 public:
  Whole() {}                                                 // NOLINT: leaves the limbs
  Whole(std::int64_t x) : size_(x != 0), negative_(x < 0) {  // NOLINT: a number like others
    limb_[0] = negative_ ? ~static_cast<std::uint64_t>(x) + 1 : static_cast<std::uint64_t>(x);
  }
  /// Limbs in two's complement, the least one first.
  Whole(const std::uint64_t* limbs, int count) : negative_(limbs[count - 1] >> 63 != 0) {
    resize(count);
    std::uint64_t carry = negative_;
    for (int i = 0; i < count; ++i) {
      limb_[i] = (negative_ ? ~limbs[i] : limbs[i]) + carry;
      carry = carry != 0 && limb_[i] == 0;
    }
    trim();
  }
  Whole(const Whole& other) { *this = other; }
  Whole& operator=(const Whole& other) {  // what is in use
    size_ = other.size_, negative_ = other.negative_;
    for (int i = 0; i < size_; ++i) limb_[i] = other.limb_[i];
    return *this;
  }

  int sign() const { return size_ == 0 ? 0 : negative_ ? -1 : 1; }
  Whole operator-() const {
    Whole r = *this;
    r.negative_ = !negative_;
    return r;
  }
  Whole magnitude() const { return sign() < 0 ? -*this : *this; }

  friend Whole operator+(const Whole& a, const Whole& b) { return sum(a, b, b.negative_); }
  friend Whole operator-(const Whole& a, const Whole& b) { return sum(a, b, !b.negative_); }
  friend Whole operator*(const Whole& a, const Whole& b) {
    Whole r;
    if (a.size_ == 0 || b.size_ == 0) return r;
    r.resize(a.size_ + b.size_);
    for (int i = 0; i < b.size_; ++i) r.limb_[i] = 0;
    for (int i = 0; i < a.size_; ++i) {
      Double carry = 0;
      for (int j = 0; j < b.size_; ++j) {
        carry += static_cast<Double>(a.limb_[i]) * b.limb_[j] + r.limb_[i + j];
        r.limb_[i + j] = static_cast<std::uint64_t>(carry);
        carry >>= 64;
      }
      r.limb_[i + b.size_] = static_cast<std::uint64_t>(carry);
    }
    r.negative_ = a.negative_ != b.negative_;
    r.trim();
    return r;
  }
  /// times 2^n.
  Whole shifted(int n) const {
    const int whole = n / 64, part = n % 64;
    Whole r;
    if (size_ == 0) return r;
    r.resize(size_ + whole + 1);
    for (int i = 0; i < r.size_; ++i) {
      const std::uint64_t upper = limb_or_zero(i - whole), lower = limb_or_zero(i - whole - 1);
      r.limb_[i] = part == 0 ? upper : (upper << part) | (lower >> (64 - part));
    }
    r.negative_ = negative_;
    r.trim();
    return r;
  }
  friend int compare(const Whole& a, const Whole& b) {
    if (a.sign() != b.sign()) return a.sign() < b.sign() ? -1 : 1;
    return a.negative_ ? compare_sizes(b, a) : compare_sizes(a, b);
  }
  /// As if by the remainder of a division; for tests.
  std::uint64_t modulo(std::uint64_t prime) const {
    Double r = 0;
    for (int i = size_ - 1; i >= 0; --i) r = ((r << 64) | limb_[i]) % prime;
    const auto rest = static_cast<std::uint64_t>(r);
    return negative_ && rest != 0 ? prime - rest : rest;
  }
  /// Rounded somehow.
  long double approximately() const {
    long double x = 0;
    for (int i = size_ - 1; i >= 0; --i) x = x * 0x1p64L + static_cast<long double>(limb_[i]);
    return negative_ ? -x : x;
  }

 private:
  __extension__ typedef unsigned __int128 Double;
  static constexpr int capacity = 40;

  void resize(int n) {
    if (n > capacity) std::abort();
    size_ = n;
  }
  std::uint64_t limb_or_zero(int i) const { return i >= 0 && i < size_ ? limb_[i] : 0; }
  void trim() {
    while (size_ > 0 && limb_[size_ - 1] == 0) --size_;
  }
  static int compare_sizes(const Whole& a, const Whole& b) {
    if (a.size_ != b.size_) return a.size_ < b.size_ ? -1 : 1;
    for (int i = a.size_ - 1; i >= 0; --i) {
      if (a.limb_[i] != b.limb_[i]) return a.limb_[i] < b.limb_[i] ? -1 : 1;
    }
    return 0;
  }
  /// a and the size of b, with this sign.
  static Whole sum(const Whole& a, const Whole& b, bool b_is_negative) {
    Whole r;
    const bool a_is_larger = compare_sizes(a, b) >= 0;
    const Whole &more = a_is_larger ? a : b, &less = a_is_larger ? b : a;
    r.negative_ = a_is_larger ? a.negative_ : b_is_negative;
    r.resize(more.size_ + 1);
    std::uint64_t carry = 0;
    for (int i = 0; i < more.size_; ++i) {
      const Double x = more.limb_[i], y = i < less.size_ ? less.limb_[i] : 0;
      const Double z = a.negative_ == b_is_negative ? x + y + carry : x - y - carry;
      r.limb_[i] = static_cast<std::uint64_t>(z);
      carry = static_cast<std::uint64_t>(z >> 64) & 1;
    }
    r.limb_[more.size_] = a.negative_ == b_is_negative ? carry : 0;
    r.trim();
    return r;
  }

  std::uint64_t limb_[capacity];
  int size_ = 0;
  bool negative_ = false;
};

/// A double of the normal range as an odd number times a power of two; 0 as 0. Each float is one.
struct OddTimesPower {
  std::int64_t odd = 0;
  int exponent = 0;

  explicit OddTimesPower(double x) {
    std::uint64_t bits;
    static_assert(sizeof bits == sizeof x);
    __builtin_memcpy(&bits, &x, sizeof x);
    if (x == 0) return;
    const std::uint64_t digits = (bits & ((1ULL << 52) - 1)) | 1ULL << 52;
    const int zeros = __builtin_ctzll(digits);
    odd = static_cast<std::int64_t>(digits >> zeros) * (x < 0 ? -1 : 1);
    exponent = static_cast<int>((bits >> 52) & 0x7FF) - 1075 + zeros;
  }
};
/// x * 2^shift, which is whole.
inline Whole whole(float x, int shift) {
  const OddTimesPower parts(x);
  return parts.odd == 0 ? Whole() : Whole(parts.odd).shifted(parts.exponent + shift);
}

/// n / d, d > 0.
struct Ratio {
  Whole n, d = 1;
};
inline Ratio ratio(const Whole& n, const Whole& d) {
  return d.sign() < 0 ? Ratio{-n, -d} : Ratio{n, d};
}
inline int compare(const Ratio& a, const Ratio& b) { return compare(a.n * b.d, b.n * a.d); }

/// Where the ratio is, seen from x: -1 below, 0 there, 1 above.
inline int compare(const Ratio& r, double x) {
  const OddTimesPower parts(x);
  const int up = std::max(parts.exponent, 0), down = std::max(-parts.exponent, 0);
  return compare(r.n.shifted(down), (r.d * parts.odd).shifted(up));
}

/// Whether f is the ratio rounded to the nearest float, ties to even, infinity beyond the last.
inline bool is_rounded(float f, const Ratio& r) {
  const auto place = [](float x) {  // infinity being next to the largest float
    return std::isinf(x) ? std::copysign(0x1p128, x) : double{x};
  };
  const auto side = [&](float neighbour) {  // of the middle, 25 bits, between f and its neighbour
    return compare(r, (place(f) + place(neighbour)) / 2);
  };
  std::int32_t bits;
  static_assert(sizeof bits == sizeof f);
  __builtin_memcpy(&bits, &f, sizeof f);
  const bool even = bits % 2 == 0;
  const int above = f == INFINITY ? -1 : side(std::nextafter(f, INFINITY));
  const int below = f == -INFINITY ? 1 : side(std::nextafter(f, -INFINITY));
  return (above < 0 || (above == 0 && even)) && (below > 0 || (below == 0 && even));
}

}  // namespace sightline::oracle
