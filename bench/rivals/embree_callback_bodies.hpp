// The callbacks' bodies, for the files that compile them for one instruction set each.
#pragma once

#include "bench/rivals/embree_callbacks.hpp"
#include "bench/rivals/shape_tests.hpp"

namespace sightline::rivals {
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

/// Lane i of n.
SIGHTLINE_LANES RayLanes<float> lane(const float* ray, unsigned n, unsigned i) {
  const float* at = ray + i;
  return {at[0],         at[origin_y * n], at[origin_z * n], at[dir_x * n],
          at[dir_y * n], at[dir_z * n],    at[near * n],     at[far * n]};
}
template <class Record>
SIGHTLINE_LANES Horizontal test_one(const float* ray, const Record& s) {
  const ShapeHit<float> h = test(lane(ray, 1, 0), s);
  return {h.hit, h.t};
}

template <class F>
SIGHTLINE_LANES RayLanes<F> load_rays(const float* ray, unsigned n, unsigned i,
                                      F (*load)(const float*)) {
  const float* at = ray + i;
  return {load(at),
          load(at + origin_y * n),
          load(at + origin_z * n),
          load(at + dir_x * n),
          load(at + dir_y * n),
          load(at + dir_z * n),
          load(at + near * n),
          load(at + far * n)};
}
SIGHTLINE_LANES void load(const float* ray, unsigned n, unsigned i, RayLanes<Float8>& to) {
  to = load_rays<Float8>(ray, n, i, load8);
}
SIGHTLINE_LANES Mask8 valid_of(const int* valid, const RayLanes<Float8>&) { return valid8(valid); }
#if defined(__AVX512F__)
SIGHTLINE_LANES void load(const float* ray, unsigned n, unsigned i, RayLanes<Float16>& to) {
  to = load_rays<Float16>(ray, n, i, load16);
}
SIGHTLINE_LANES Mask16 valid_of(const int* valid, const RayLanes<Float16>&) {
  return valid16(valid);
}
#endif

/// Calls store(i, hits, t) for every group of lanes from i on in which a ray hits the shape.
template <class F, class Record, class Store>
SIGHTLINE_LANES void test_lanes(const float* ray, unsigned n, const int* valid, const Record& s,
                                Store&& store_hits) {
  for (unsigned i = 0; i < n; i += F::width) {
    RayLanes<F> lanes;
    load(ray, n, i, lanes);
    const ShapeHit<F> h = test(lanes, s);
    const auto hits = h.hit & valid_of(valid + i, lanes);
    if (!none_of(hits)) store_hits(i, hits, h.t);
  }
}
template <class Record, class Store>
SIGHTLINE_LANES void test_all(const float* ray, unsigned n, const int* valid, const Record& s,
                              Store&& store_hits) {
#if defined(__AVX512F__)
  if (n % 16 == 0) return test_lanes<Float16>(ray, n, valid, s, store_hits);
#endif
  if (n % 8 == 0) return test_lanes<Float8>(ray, n, valid, s, store_hits);
  for (unsigned i = 0; i < n; ++i) {
    const ShapeHit<float> h = test(lane(ray, n, i), s);
    if (valid[i] != 0 && h.hit) store_hits(i, h.hit, h.t);
  }
}

[[maybe_unused]] void store(float* to, bool, float value) { *to = value; }
[[maybe_unused]] void store(unsigned* to, bool, unsigned value) { *to = value; }

template <class Record>
void intersect(const RTCIntersectFunctionNArguments* args) {
  const Record& s = static_cast<const Record*>(args->geometryUserPtr)[args->primID];
  const unsigned n = args->N;
  auto* ray = reinterpret_cast<float*>(args->rayhit);
  auto* ids = reinterpret_cast<unsigned*>(args->rayhit);
  if (n == 1) {
    if (args->valid[0] == 0) return;
    const Horizontal h = test_one(ray, s);
    if (!h.hit) return;
    ray[far] = h.t;
    ids[prim_id] = args->primID;
    ids[geom_id] = args->geomID;
    return;
  }
  test_all(ray, n, args->valid, s, [&](unsigned i, auto hits, auto t) {
    store(ray + far * n + i, hits, t);
    store(ids + prim_id * n + i, hits, args->primID);
    store(ids + geom_id * n + i, hits, args->geomID);
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

template <class Record>
constexpr Callbacks callbacks_of = {intersect<Record>, occluded<Record>};

constexpr AllCallbacks all_callbacks = {callbacks_of<AabbRecord>, callbacks_of<ObbRecord>,
                                        callbacks_of<SphereRecord>, callbacks_of<CapsuleRecord>};

}  // namespace
}  // namespace sightline::rivals
