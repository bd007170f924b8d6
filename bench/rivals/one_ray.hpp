// One ray against one shape: boxes by vectors of x, y and z, the others as in shape_tests.hpp.
#pragma once

#include "bench/rivals/shape_tests.hpp"

#include <immintrin.h>

namespace sightline::rivals {
namespace {

/// Where a rival has a ray.
struct OneRay {
  const float* origin;      ///< x, y, z and the ray's t_min
  const float* direction;   ///< x, y, z and one more, whatever it is
  const float* reciprocal;  ///< the same of 1 / direction; null: not at hand
  float far;
};

struct OneHit {
  bool hit;
  float t;
};

/// Of the x, y and z of both ends of a box's slabs; `near` is the fourth component of `in`.
SIGHTLINE_LANES OneHit meet(__m128 in, __m128 out, float far_end) {
  out = _mm_blend_ps(out, _mm_set1_ps(far_end), 8);
  in = _mm_max_ps(in, _mm_movehl_ps(in, in));
  out = _mm_min_ps(out, _mm_movehl_ps(out, out));
  const float t = _mm_cvtss_f32(_mm_max_ss(in, _mm_movehdup_ps(in)));
  return {t <= _mm_cvtss_f32(_mm_min_ss(out, _mm_movehdup_ps(out))), t};
}

SIGHTLINE_LANES OneHit test_one(const OneRay& ray, const AabbRecord& s) {
  const __m128 o = _mm_loadu_ps(ray.origin);
  const __m128 r = ray.reciprocal != nullptr
                       ? _mm_loadu_ps(ray.reciprocal)
                       : _mm_div_ps(_mm_set1_ps(1), _mm_loadu_ps(ray.direction));
  const __m128 a = _mm_mul_ps(_mm_sub_ps(_mm_load_ps(s.low), o), r);
  const __m128 b = _mm_mul_ps(_mm_sub_ps(_mm_load_ps(s.high), o), r);
  return meet(_mm_blend_ps(_mm_min_ps(a, b), o, 8), _mm_max_ps(a, b), ray.far);
}

template <int K>
SIGHTLINE_LANES __m128 component(__m128 v) {
  return _mm_shuffle_ps(v, v, K * 0x55);
}
SIGHTLINE_LANES __m128 turned(__m128 v, __m128 x, __m128 y, __m128 z) {
  const __m128 xy = _mm_fmadd_ps(component<1>(v), y, _mm_mul_ps(component<0>(v), x));
  return _mm_fmadd_ps(component<2>(v), z, xy);
}
SIGHTLINE_LANES OneHit test_one(const OneRay& ray, const ObbRecord& s) {
  const __m128 o = _mm_loadu_ps(ray.origin), d = _mm_loadu_ps(ray.direction);
  const __m128 x = _mm_load_ps(s.column[0]), y = _mm_load_ps(s.column[1]),
               z = _mm_load_ps(s.column[2]);
  const __m128 local = turned(_mm_sub_ps(o, _mm_load_ps(s.center)), x, y, z);
  const __m128 r = _mm_div_ps(_mm_set1_ps(1), turned(d, x, y, z));
  const __m128 half = _mm_shuffle_ps(_mm_unpackhi_ps(x, y), z, _MM_SHUFFLE(3, 3, 3, 2));
  const __m128 a = _mm_mul_ps(_mm_sub_ps(_mm_sub_ps(_mm_setzero_ps(), half), local), r);
  const __m128 b = _mm_mul_ps(_mm_sub_ps(half, local), r);
  return meet(_mm_blend_ps(_mm_min_ps(a, b), o, 8), _mm_max_ps(a, b), ray.far);
}

template <class Record>
SIGHTLINE_LANES OneHit test_one(const OneRay& ray, const Record& s) {
  const float *o = ray.origin, *d = ray.direction;
  const ShapeHit<float> h =
      test(RayLanes<float>{o[0], o[1], o[2], d[0], d[1], d[2], o[3], ray.far}, s);
  return {h.hit, h.t};
}

}  // namespace
}  // namespace sightline::rivals
