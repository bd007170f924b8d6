// What Embree calls for each shape that a ray comes near.
#pragma once

#include "bench/rivals/embree_api.hpp"
#include "bench/rivals/records.hpp"

namespace sightline::rivals::SIGHTLINE_EMBREE_API {

/// Of one kind of shape; the geometry's user data is its array of records.
struct Callbacks {
  RTCIntersectFunctionN intersect;
  RTCOccludedFunctionN occluded;
};

/// `any` is for geometries of every kind whose number is their kind's.
struct AllCallbacks {
  Callbacks of_kind[4], any;
};

/// For processors with AVX2, and for those with AVX-512 (F, VL, DQ and BW) as well.
AllCallbacks callbacks_for_avx2();
AllCallbacks callbacks_for_avx512();

}  // namespace sightline::rivals::SIGHTLINE_EMBREE_API
