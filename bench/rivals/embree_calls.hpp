// The calls that cast rays, under the same names for Embree 3 and Embree 4, whose parameters
// differ.
#pragma once

#include "bench/rivals/embree_scene.hpp"

namespace sightline::rivals::SIGHTLINE_EMBREE_API {

enum class Calls {
  single,    ///< rtcIntersect1, rtcOccluded1
  packet8,   ///< rtcIntersect8 ...
  packet16,  ///< rtcIntersect16 ...
  stream,    ///< rtcIntersect1M ..., of Embree 3
};

struct EmbreeCalls {
  Calls calls;
  bool coherent;             ///< the flag of the call
  unsigned stream_rays = 0;  ///< of one call of a stream, at most most_stream_rays
  bool own_callback =
      false;  ///< one callback that the call names, of Embree 4: not the geometries'
};
inline constexpr unsigned most_stream_rays = 1024;

#if SIGHTLINE_EMBREE_VERSION == 3

inline constexpr bool has_streams = true;

struct CallOptions {
  explicit CallOptions(const EmbreeCalls& calls) {
    rtcInitIntersectContext(&context);
    context.flags = calls.coherent ? RTC_INTERSECT_CONTEXT_FLAG_COHERENT
                                   : RTC_INTERSECT_CONTEXT_FLAG_INCOHERENT;
  }
  RTCIntersectContext context;
};

inline void cast_stream(RTCScene s, CallOptions& o, RTCRayHit* rays, unsigned n) {
  rtcIntersect1M(s, &o.context, rays, n, sizeof rays[0]);
}
inline void cast_stream(RTCScene s, CallOptions& o, RTCRay* rays, unsigned n) {
  rtcOccluded1M(s, &o.context, rays, n, sizeof rays[0]);
}

#define SIGHTLINE_RAYS_AND_OPTIONS(query) &o.context, &r

#else

inline constexpr bool has_streams = false;

struct CallOptions {
  explicit CallOptions(const EmbreeCalls& calls) {
    closest.flags = any.flags =
        calls.coherent ? RTC_RAY_QUERY_FLAG_COHERENT : RTC_RAY_QUERY_FLAG_INCOHERENT;
    if (!calls.own_callback) return;
    closest.intersect = callbacks().any.intersect;
    any.occluded = callbacks().any.occluded;
  }
  RTCIntersectArguments closest;
  RTCOccludedArguments any;
};

#define SIGHTLINE_RAYS_AND_OPTIONS(query) &r, &o.query

#endif

inline void cast(RTCScene s, CallOptions& o, const int*, RTCRayHit& r) {
  rtcIntersect1(s, SIGHTLINE_RAYS_AND_OPTIONS(closest));
}
inline void cast(RTCScene s, CallOptions& o, const int* valid, RTCRayHit8& r) {
  rtcIntersect8(valid, s, SIGHTLINE_RAYS_AND_OPTIONS(closest));
}
inline void cast(RTCScene s, CallOptions& o, const int* valid, RTCRayHit16& r) {
  rtcIntersect16(valid, s, SIGHTLINE_RAYS_AND_OPTIONS(closest));
}
inline void cast(RTCScene s, CallOptions& o, const int*, RTCRay& r) {
  rtcOccluded1(s, SIGHTLINE_RAYS_AND_OPTIONS(any));
}
inline void cast(RTCScene s, CallOptions& o, const int* valid, RTCRay8& r) {
  rtcOccluded8(valid, s, SIGHTLINE_RAYS_AND_OPTIONS(any));
}
inline void cast(RTCScene s, CallOptions& o, const int* valid, RTCRay16& r) {
  rtcOccluded16(valid, s, SIGHTLINE_RAYS_AND_OPTIONS(any));
}
#undef SIGHTLINE_RAYS_AND_OPTIONS

}  // namespace sightline::rivals::SIGHTLINE_EMBREE_API
