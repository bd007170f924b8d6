// Whole numbers of up to 2,560 bits: with them a triangle's answer is decided without rounding.
#pragma once

#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <limits>

namespace sightline::oracle {

class Whole {
 public:
  Whole() {}                                                 // NOLINT: leaves the limbs
  Whole(std::int64_t x) : size_(x != 0), negative_(x < 0) {  // NOLINT: a number like others
    limb_[0] = negative_ ? ~static_cast<std::uint64_t>(x) + 1 : static_cast<std::uint64_t>(x);
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
    for (int i = 0; i < r.size_; ++i) r.limb_[i] = 0;
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

/// A float as an odd number times a power of two; 0 as 0.
struct OddTimesPower {
  std::int64_t odd = 0;
  int exponent = 0;

  explicit OddTimesPower(float x) {
    std::uint32_t bits;
    static_assert(sizeof bits == sizeof x);
    __builtin_memcpy(&bits, &x, sizeof x);
    const auto biased = static_cast<int>((bits >> 23) & 0xFF);
    const std::uint32_t digits = (bits & 0x7FFFFF) | (biased > 0 ? 0x800000 : 0);
    if (digits == 0) return;
    const int zeros = __builtin_ctz(digits);
    odd = static_cast<std::int64_t>(digits >> zeros) * (x < 0 ? -1 : 1);
    exponent = (biased > 0 ? biased : 1) - 150 + zeros;
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

/// Whether f is the ratio rounded to the nearest float, ties to even, infinity beyond the last.
inline bool is_rounded(float f, const Ratio& r) {
  const float largest = std::numeric_limits<float>::max(), past_all = INFINITY;
  const auto place = [&](float x) {  // times 2^149, infinity being next to the largest float
    return std::isinf(x) ? Whole(x > 0 ? 1 : -1).shifted(128 + 149) : whole(x, 149);
  };
  const auto side = [&](float neighbour) {  // of the middle between f and its neighbour
    return compare(r.n.shifted(150), (place(f) + place(neighbour)) * r.d);
  };
  std::int32_t bits;
  static_assert(sizeof bits == sizeof f);
  __builtin_memcpy(&bits, &f, sizeof f);
  const bool even = bits % 2 == 0;
  const float up = f == largest ? past_all : std::nextafter(f, past_all);
  const float down = f == -largest ? -past_all : std::nextafter(f, -past_all);
  const int above = f == past_all ? -1 : side(up), below = f == -past_all ? 1 : side(down);
  return (above < 0 || (above == 0 && even)) && (below > 0 || (below == 0 && even));
}

}  // namespace sightline::oracle
