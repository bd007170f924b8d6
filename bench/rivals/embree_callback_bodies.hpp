// The callbacks' bodies, for the files that compile them for one instruction set each.
#pragma once

#include "bench/rivals/embree_callbacks.hpp"
#include "bench/rivals/one_ray.hpp"

#include <bit>

namespace sightline::rivals::SIGHTLINE_EMBREE_API {
namespace {

/// Embree gives N rays as rows of N floats, and so one ray as the fields of its struct.
enum RayRow { origin_x, origin_y, origin_z, near, dir_x, dir_y, dir_z, time, far };
enum HitRow { prim_id = 12 + 5, geom_id = 12 + 6 };

/// Of a packet of one.
SIGHTLINE_LANES OneRay one_ray(const float* ray) {
  return {ray + origin_x, ray + dir_x, nullptr, ray[far]};
}

/// The lanes from i on, of n.
template <class F>
SIGHTLINE_LANES RayLanes<F> lanes_at(const float* ray, unsigned n, unsigned i) {
  const auto row = [&](unsigned k) { return load<F>(ray + k * n + i); };
  return {row(origin_x), row(origin_y), row(origin_z), row(dir_x),
          row(dir_y),    row(dir_z),    row(near),     row(far)};
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
    const OneHit h = test_one(one_ray(ray), s);
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
    if (args->valid[0] != 0 && test_one(one_ray(ray), s).hit) ray[far] = is_occluded;
    return;
  }
  test_all(ray, n, args->valid, s, [&](unsigned i, auto hits, auto t) {
    store(ray + far * n + i, hits, decltype(t)(is_occluded));
  });
}

template <class Record>
constexpr Callbacks callbacks_of = {intersect<Record>, occluded<Record>};

// In the order of Kind, whose header is not for files of one instruction set.
constexpr Callbacks of_kind[] = {callbacks_of<AabbRecord>, callbacks_of<ObbRecord>,
                                 callbacks_of<SphereRecord>, callbacks_of<CapsuleRecord>};

void intersect_any(const RTCIntersectFunctionNArguments* args) {
  of_kind[args->geomID].intersect(args);
}
void occluded_any(const RTCOccludedFunctionNArguments* args) {
  of_kind[args->geomID].occluded(args);
}

constexpr AllCallbacks all_callbacks = {{of_kind[0], of_kind[1], of_kind[2], of_kind[3]},
                                        {intersect_any, occluded_any}};

}  // namespace
}  // namespace sightline::rivals::SIGHTLINE_EMBREE_API
