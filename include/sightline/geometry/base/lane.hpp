// The lane type: the operations that the arithmetic uses, on `float` or on a SIMD vector of floats.
//
// Every formula of this library is a template over a lane type F and uses only + - * /, the
// comparisons, and the functions below. A SIMD type joins by overloading them in its own namespace
// (found by argument-dependent look-up) and by specialising LaneTraits. Its lanes then give the
// same bits as scalar code, because each function is defined by one IEEE 754 operation or by a
// comparison in a stated operand order.
#pragma once

#include <sightline/vec.hpp>

#include <cmath>

// All of the arithmetic includes this header. The library's interface does not.
#if defined(__FAST_MATH__)
#error "sightline: the arithmetic is exact to the bit; build what includes it without -ffast-math"
#endif

namespace sightline {

/// The type of comparisons of lanes, and the type with one double a lane; the number of lanes, and
/// how they get into an array and out of it, for what is computed one lane at a time.
template <class F>
struct LaneTraits;
template <>
struct LaneTraits<float> {
  using Mask = bool;
  using Double = double;
  static constexpr int lanes = 1;
  SIGHTLINE_HD static void store(float x, float* to) { *to = x; }
  SIGHTLINE_HD static float load(const float* from) { return *from; }
};
template <class F>
using MaskOf = typename LaneTraits<F>::Mask;
template <class F>
using DoubleOf = typename LaneTraits<F>::Double;

/// Whether any lane is set; SIMD code may skip work that no lane needs.
SIGHTLINE_HD bool any(bool m) { return m; }
/// The least of all lanes, which have no NaN.
SIGHTLINE_HD float least_lane(float x) { return x; }
SIGHTLINE_HD float select(bool m, float if_true, float if_false) { return m ? if_true : if_false; }
SIGHTLINE_HD bool select(bool m, bool if_true, bool if_false) { return m ? if_true : if_false; }
/// a * b + c, rounded once. SIGHTLINE_EXPAND_FMA rounds twice, for a check only: such code answers
/// wrongly, and has no fused instruction unless the compiler introduced one.
#if defined(SIGHTLINE_EXPAND_FMA)
SIGHTLINE_HD float fma(float a, float b, float c) { return a * b + c; }
#else
SIGHTLINE_HD float fma(float a, float b, float c) { return ::fmaf(a, b, c); }
#endif
SIGHTLINE_HD float sqrt(float x) { return ::sqrtf(x); }
SIGHTLINE_HD float abs(float x) { return ::fabsf(x); }
/// The operand order is part of the contract: a NaN in `a` yields b.
SIGHTLINE_HD float min(float a, float b) { return a < b ? a : b; }
SIGHTLINE_HD float max(float a, float b) { return a > b ? a : b; }

/// Whether doubles are quicker than two-floats: on every host, and on devices that have half as
/// many units for doubles as for floats. Others have one for 32 or 64.
#if !defined(__CUDA_ARCH__)
inline constexpr bool quick_doubles = true;
#else
inline constexpr bool quick_doubles =
    __CUDA_ARCH__ == 800 || __CUDA_ARCH__ == 900 || __CUDA_ARCH__ == 1000;
#endif

/// Doubles never enter an answer: they tell where floats are certain
/// (geometry/intersect/certain_entry.hpp).
SIGHTLINE_HD double wide_sqrt(double x) { return ::sqrt(x); }
SIGHTLINE_HD double widened(float x) { return x; }
SIGHTLINE_HD float narrowed(double x) { return static_cast<float>(x); }

SIGHTLINE_HD std::uint32_t bits_of(float x) { return __builtin_bit_cast(std::uint32_t, x); }
SIGHTLINE_HD float float_of(std::uint32_t bits) { return __builtin_bit_cast(float, bits); }

/// The exact power of two p with |x| * p in [1, 2), for |x| in [2^-126, 2^127).
SIGHTLINE_HD float normalising_power(float x) {
  return float_of(0x7f000000u - (bits_of(x) & 0x7f800000u));
}

/// The floats next to x (x finite, and not the largest of its sign). Without branches, which signs
/// make unpredictable.
SIGHTLINE_HD float next_up(float x) {
  const std::uint32_t b = bits_of(x + 0.0f), sign = b >> 31;  // of -0.0f, too, those of 0.0f
  return float_of(b + 1u - 2u * sign);
}
SIGHTLINE_HD float next_down(float x) { return -next_up(-x); }

template <class F>
SIGHTLINE_HD Vec3T<F> operator-(const Vec3T<F>& v) {
  return {-v.x, -v.y, -v.z};
}

template <class F>
SIGHTLINE_HD Vec3T<F> select(const MaskOf<F>& m, const Vec3T<F>& a, const Vec3T<F>& b) {
  return {select(m, a.x, b.x), select(m, a.y, b.y), select(m, a.z, b.z)};
}

/// The largest of |x|, |y|, |z|.
template <class F>
SIGHTLINE_HD F max_abs(const Vec3T<F>& v) {
  return max(max(abs(v.x), abs(v.y)), abs(v.z));
}

}  // namespace sightline
