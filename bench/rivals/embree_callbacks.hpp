// What Embree calls for each shape that a ray comes near.
#pragma once

#include "bench/rivals/records.hpp"

#include <embree3/rtcore.h>

namespace sightline::rivals {

/// Of one kind of shape; the geometry's user data is its array of records.
struct Callbacks {
  RTCIntersectFunctionN intersect;
  RTCOccludedFunctionN occluded;
};

struct AllCallbacks {
  Callbacks aabb, obb, sphere, capsule;
};

/// For processors with AVX2, and for those with AVX-512 (F, VL, DQ and BW) as well.
AllCallbacks callbacks_for_avx2();
AllCallbacks callbacks_for_avx512();

}  // namespace sightline::rivals
