// The callbacks' bodies, for the files that compile them for one instruction set each.
#pragma once

#include "bench/rivals/embree_callbacks.hpp"
#include "bench/rivals/shape_tests.hpp"

#include <immintrin.h>

#include <bit>

namespace sightline::rivals::SIGHTLINE_EMBREE_API {
namespace {

/// Embree gives N rays as rows of N floats, and so one ray as the fields of its struct.
enum RayRow { origin_x, origin_y, origin_z, near, dir_x, dir_y, dir_z, time, far };
enum HitRow { prim_id = 12 + 5, geom_id = 12 + 6 };

struct Horizontal {
  bool hit;
  float t;
};
/// Of the x, y and z of both ends of a box's slabs; `near` is the fourth component of `in`.
SIGHTLINE_LANES Horizontal meet(__m128 in, __m128 out, float far_end) {
  out = _mm_blend_ps(out, _mm_set1_ps(far_end), 8);
  in = _mm_max_ps(in, _mm_movehl_ps(in, in));
  out = _mm_min_ps(out, _mm_movehl_ps(out, out));
  const float t = _mm_cvtss_f32(_mm_max_ss(in, _mm_movehdup_ps(in)));
  return {t <= _mm_cvtss_f32(_mm_min_ss(out, _mm_movehdup_ps(out))), t};
}

// One ray: boxes by vectors of x, y and z.
SIGHTLINE_LANES Horizontal test_one(const float* ray, const AabbRecord& s) {
  const __m128 o = _mm_loadu_ps(ray), d = _mm_loadu_ps(ray + dir_x);
  const __m128 r = _mm_div_ps(_mm_set1_ps(1), d);
  const __m128 a = _mm_mul_ps(_mm_sub_ps(_mm_load_ps(s.low), o), r);
  const __m128 b = _mm_mul_ps(_mm_sub_ps(_mm_load_ps(s.high), o), r);
  return meet(_mm_blend_ps(_mm_min_ps(a, b), o, 8), _mm_max_ps(a, b), ray[far]);
}

template <int K>
SIGHTLINE_LANES __m128 component(__m128 v) {
  return _mm_shuffle_ps(v, v, K * 0x55);
}
SIGHTLINE_LANES __m128 turned(__m128 v, __m128 x, __m128 y, __m128 z) {
  const __m128 xy = _mm_fmadd_ps(component<1>(v), y, _mm_mul_ps(component<0>(v), x));
  return _mm_fmadd_ps(component<2>(v), z, xy);
}
SIGHTLINE_LANES Horizontal test_one(const float* ray, const ObbRecord& s) {
  const __m128 o = _mm_loadu_ps(ray), d = _mm_loadu_ps(ray + dir_x);
  const __m128 x = _mm_load_ps(s.column[0]), y = _mm_load_ps(s.column[1]),
               z = _mm_load_ps(s.column[2]);
  const __m128 local = turned(_mm_sub_ps(o, _mm_load_ps(s.center)), x, y, z);
  const __m128 r = _mm_div_ps(_mm_set1_ps(1), turned(d, x, y, z));
  const __m128 half = _mm_shuffle_ps(_mm_unpackhi_ps(x, y), z, _MM_SHUFFLE(3, 3, 3, 2));
  const __m128 a = _mm_mul_ps(_mm_sub_ps(_mm_sub_ps(_mm_setzero_ps(), half), local), r);
  const __m128 b = _mm_mul_ps(_mm_sub_ps(half, local), r);
  return meet(_mm_blend_ps(_mm_min_ps(a, b), o, 8), _mm_max_ps(a, b), ray[far]);
}

/// The lanes from i on, of n.
template <class F>
SIGHTLINE_LANES RayLanes<F> lanes_at(const float* ray, unsigned n, unsigned i) {
  const auto row = [&](unsigned k) { return load<F>(ray + k * n + i); };
  return {row(origin_x), row(origin_y), row(origin_z), row(dir_x),
          row(dir_y),    row(dir_z),    row(near),     row(far)};
}
template <class Record>
SIGHTLINE_LANES Horizontal test_one(const float* ray, const Record& s) {
  const ShapeHit<float> h = test(lanes_at<float>(ray, 1, 0), s);
  return {h.hit, h.t};
}

/// Calls store(i, hits, t) for every group of lanes from i on in which a ray hits the shape.
template <class F, class Record, class Store>
SIGHTLINE_LANES void test_lanes(const float* ray, unsigned n, const int* valid, const Record& s,
                                Store&& store_hits) {
  for (unsigned i = 0; i < n; i += static_cast<unsigned>(F::size())) {
    const ShapeHit<F> h = test(lanes_at<F>(ray, n, i), s);
    // The bits of -1, a NaN, or of 0.
    const auto hits = h.hit & !(load<F>(reinterpret_cast<const float*>(valid + i)) == F(0));
    if (!none_of(hits)) store_hits(i, hits, h.t);
  }
}
template <class Record, class Store>
SIGHTLINE_LANES void test_all(const float* ray, unsigned n, const int* valid, const Record& s,
                              Store&& store_hits) {
#if defined(__AVX512F__)
  if (n % 16 == 0) return test_lanes<FloatLanes<16>>(ray, n, valid, s, store_hits);
#endif
  if (n % 8 == 0) return test_lanes<FloatLanes<8>>(ray, n, valid, s, store_hits);
  for (unsigned i = 0; i < n; ++i) {
    const ShapeHit<float> h = test(lanes_at<float>(ray, n, i), s);
    if (valid[i] != 0 && h.hit) store_hits(i, h.hit, h.t);
  }
}

template <class Record>
void intersect(const RTCIntersectFunctionNArguments* args) {
  const Record& s = static_cast<const Record*>(args->geometryUserPtr)[args->primID];
  const unsigned n = args->N;
  auto* ray = reinterpret_cast<float*>(args->rayhit);
  // Moved, not computed with, so that any bits stay what they are.
  const auto prim = std::bit_cast<float>(args->primID), geom = std::bit_cast<float>(args->geomID);
  if (n == 1) {
    if (args->valid[0] == 0) return;
    const Horizontal h = test_one(ray, s);
    if (!h.hit) return;
    ray[far] = h.t;
    ray[prim_id] = prim;
    ray[geom_id] = geom;
    return;
  }
  test_all(ray, n, args->valid, s, [&]<class F>(unsigned i, auto hits, const F& t) {
    store(ray + far * n + i, hits, t);
    store(ray + prim_id * n + i, hits, F(prim));
    store(ray + geom_id * n + i, hits, F(geom));
  });
}

template <class Record>
void occluded(const RTCOccludedFunctionNArguments* args) {
  constexpr float is_occluded = -__builtin_inff();
  const Record& s = static_cast<const Record*>(args->geometryUserPtr)[args->primID];
  const unsigned n = args->N;
  auto* ray = reinterpret_cast<float*>(args->ray);
  if (n == 1) {
    if (args->valid[0] != 0 && test_one(ray, s).hit) ray[far] = is_occluded;
    return;
  }
  test_all(ray, n, args->valid, s, [&](unsigned i, auto hits, auto t) {
    store(ray + far * n + i, hits, decltype(t)(is_occluded));
  });
}

// The geometries' numbers are Kind's, whose header is not for files of one instruction set.
void intersect_any(const RTCIntersectFunctionNArguments* args) {
  switch (args->geomID) {
    case 0:
      return intersect<AabbRecord>(args);
    case 1:
      return intersect<ObbRecord>(args);
    case 2:
      return intersect<SphereRecord>(args);
    default:
      return intersect<CapsuleRecord>(args);
  }
}
void occluded_any(const RTCOccludedFunctionNArguments* args) {
  switch (args->geomID) {
    case 0:
      return occluded<AabbRecord>(args);
    case 1:
      return occluded<ObbRecord>(args);
    case 2:
      return occluded<SphereRecord>(args);
    default:
      return occluded<CapsuleRecord>(args);
  }
}

template <class Record>
constexpr Callbacks callbacks_of = {intersect<Record>, occluded<Record>};

constexpr AllCallbacks all_callbacks = {callbacks_of<AabbRecord>,
                                        callbacks_of<ObbRecord>,
                                        callbacks_of<SphereRecord>,
                                        callbacks_of<CapsuleRecord>,
                                        {intersect_any, occluded_any}};

}  // namespace
}  // namespace sightline::rivals::SIGHTLINE_EMBREE_API
