// One, eight or sixteen floats under the same names, so that a callback's formula is written once.
// For files that are compiled for one instruction set each: all of it has internal linkage.
#pragma once

#include <immintrin.h>

#include <cmath>
#include <cstdint>

namespace sightline::rivals {
namespace {

#define SIGHTLINE_LANES [[maybe_unused]] inline __attribute__((always_inline))

// Of one ray: the language's own.
SIGHTLINE_LANES float select(bool m, float a, float b) { return m ? a : b; }
SIGHTLINE_LANES float min(float a, float b) { return a < b ? a : b; }
SIGHTLINE_LANES float max(float a, float b) { return a > b ? a : b; }
SIGHTLINE_LANES float square_root(float a) { return std::sqrt(a); }
SIGHTLINE_LANES bool none_of(bool m) { return !m; }

/// Of eight rays, by AVX2. A lane of the mask is all ones or all zeros.
struct Float8 {
  static constexpr unsigned width = 8;
  __m256 v;
  Float8() = default;
  SIGHTLINE_LANES Float8(__m256 value) : v(value) {}
  SIGHTLINE_LANES Float8(float value) : v(_mm256_set1_ps(value)) {}
};
struct Mask8 {
  __m256 v;
};
SIGHTLINE_LANES Float8 operator+(Float8 a, Float8 b) { return _mm256_add_ps(a.v, b.v); }
SIGHTLINE_LANES Float8 operator-(Float8 a, Float8 b) { return _mm256_sub_ps(a.v, b.v); }
SIGHTLINE_LANES Float8 operator*(Float8 a, Float8 b) { return _mm256_mul_ps(a.v, b.v); }
SIGHTLINE_LANES Float8 operator/(Float8 a, Float8 b) { return _mm256_div_ps(a.v, b.v); }
SIGHTLINE_LANES Mask8 operator<=(Float8 a, Float8 b) {
  return {_mm256_cmp_ps(a.v, b.v, _CMP_LE_OQ)};
}
SIGHTLINE_LANES Mask8 operator>(Float8 a, Float8 b) {
  return {_mm256_cmp_ps(a.v, b.v, _CMP_GT_OQ)};
}
SIGHTLINE_LANES Mask8 operator>=(Float8 a, Float8 b) {
  return {_mm256_cmp_ps(a.v, b.v, _CMP_GE_OQ)};
}
SIGHTLINE_LANES Mask8 operator&(Mask8 a, Mask8 b) { return {_mm256_and_ps(a.v, b.v)}; }
SIGHTLINE_LANES Float8 select(Mask8 m, Float8 a, Float8 b) {
  return _mm256_blendv_ps(b.v, a.v, m.v);
}
SIGHTLINE_LANES Float8 min(Float8 a, Float8 b) { return _mm256_min_ps(a.v, b.v); }
SIGHTLINE_LANES Float8 max(Float8 a, Float8 b) { return _mm256_max_ps(a.v, b.v); }
SIGHTLINE_LANES Float8 square_root(Float8 a) { return _mm256_sqrt_ps(a.v); }
SIGHTLINE_LANES bool none_of(Mask8 m) { return _mm256_movemask_ps(m.v) == 0; }
SIGHTLINE_LANES Float8 load8(const float* from) { return _mm256_loadu_ps(from); }
SIGHTLINE_LANES Mask8 valid8(const int* valid) {
  return {_mm256_castsi256_ps(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(valid)))};
}
SIGHTLINE_LANES void store(float* to, Mask8 m, Float8 a) {
  _mm256_maskstore_ps(to, _mm256_castps_si256(m.v), a.v);
}
SIGHTLINE_LANES void store(unsigned* to, Mask8 m, unsigned a) {
  _mm256_maskstore_epi32(reinterpret_cast<int*>(to), _mm256_castps_si256(m.v),
                         _mm256_set1_epi32(static_cast<int>(a)));
}

#if defined(__AVX512F__)

/// Of sixteen rays, by AVX-512.
struct Float16 {
  static constexpr unsigned width = 16;
  __m512 v;
  Float16() = default;
  SIGHTLINE_LANES Float16(__m512 value) : v(value) {}
  SIGHTLINE_LANES Float16(float value) : v(_mm512_set1_ps(value)) {}
};
struct Mask16 {
  __mmask16 v;
};
SIGHTLINE_LANES Float16 operator+(Float16 a, Float16 b) { return _mm512_add_ps(a.v, b.v); }
SIGHTLINE_LANES Float16 operator-(Float16 a, Float16 b) { return _mm512_sub_ps(a.v, b.v); }
SIGHTLINE_LANES Float16 operator*(Float16 a, Float16 b) { return _mm512_mul_ps(a.v, b.v); }
SIGHTLINE_LANES Float16 operator/(Float16 a, Float16 b) { return _mm512_div_ps(a.v, b.v); }
SIGHTLINE_LANES Mask16 operator<=(Float16 a, Float16 b) {
  return {_mm512_cmp_ps_mask(a.v, b.v, _CMP_LE_OQ)};
}
SIGHTLINE_LANES Mask16 operator>(Float16 a, Float16 b) {
  return {_mm512_cmp_ps_mask(a.v, b.v, _CMP_GT_OQ)};
}
SIGHTLINE_LANES Mask16 operator>=(Float16 a, Float16 b) {
  return {_mm512_cmp_ps_mask(a.v, b.v, _CMP_GE_OQ)};
}
SIGHTLINE_LANES Mask16 operator&(Mask16 a, Mask16 b) { return {static_cast<__mmask16>(a.v & b.v)}; }
SIGHTLINE_LANES Float16 select(Mask16 m, Float16 a, Float16 b) {
  return _mm512_mask_blend_ps(m.v, b.v, a.v);
}
SIGHTLINE_LANES Float16 min(Float16 a, Float16 b) { return _mm512_min_ps(a.v, b.v); }
SIGHTLINE_LANES Float16 max(Float16 a, Float16 b) { return _mm512_max_ps(a.v, b.v); }
SIGHTLINE_LANES Float16 square_root(Float16 a) { return _mm512_sqrt_ps(a.v); }
SIGHTLINE_LANES bool none_of(Mask16 m) { return m.v == 0; }
SIGHTLINE_LANES Float16 load16(const float* from) { return _mm512_loadu_ps(from); }
SIGHTLINE_LANES Mask16 valid16(const int* valid) {
  const __m512i v = _mm512_loadu_si512(valid);
  return {_mm512_test_epi32_mask(v, v)};
}
SIGHTLINE_LANES void store(float* to, Mask16 m, Float16 a) { _mm512_mask_storeu_ps(to, m.v, a.v); }
SIGHTLINE_LANES void store(unsigned* to, Mask16 m, unsigned a) {
  _mm512_mask_storeu_epi32(to, m.v, _mm512_set1_epi32(static_cast<int>(a)));
}

#endif

}  // namespace
}  // namespace sightline::rivals
