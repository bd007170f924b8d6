// What we use of Embree 4's interface, declared after its manual: its library is opened at run
// time, since it has the names of Embree 3's functions, and nobody has to have its headers.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <string>

namespace sightline::rivals::embree4 {

struct RTCDeviceTy;
struct RTCSceneTy;
struct RTCGeometryTy;
using RTCDevice = RTCDeviceTy*;
using RTCScene = RTCSceneTy*;
using RTCGeometry = RTCGeometryTy*;

inline constexpr unsigned RTC_INVALID_GEOMETRY_ID = ~0u;

enum RTCBuildQuality { RTC_BUILD_QUALITY_MEDIUM = 1, RTC_BUILD_QUALITY_HIGH = 2 };
enum RTCSceneFlags { RTC_SCENE_FLAG_NONE = 0, RTC_SCENE_FLAG_ROBUST = 1 << 2 };
enum RTCGeometryType {
  RTC_GEOMETRY_TYPE_TRIANGLE = 0,
  RTC_GEOMETRY_TYPE_QUAD = 1,
  RTC_GEOMETRY_TYPE_ROUND_LINEAR_CURVE = 16,
  RTC_GEOMETRY_TYPE_SPHERE_POINT = 50,
  RTC_GEOMETRY_TYPE_USER = 120,
};
enum RTCBufferType { RTC_BUFFER_TYPE_INDEX = 0, RTC_BUFFER_TYPE_VERTEX = 1 };
enum RTCFormat {
  RTC_FORMAT_UINT = 0x5001,
  RTC_FORMAT_UINT3 = 0x5003,
  RTC_FORMAT_UINT4 = 0x5004,
  RTC_FORMAT_FLOAT3 = 0x9003,
  RTC_FORMAT_FLOAT4 = 0x9004,
};
enum RTCError { RTC_ERROR_NONE = 0, RTC_ERROR_OUT_OF_MEMORY = 4 };
enum RTCDeviceProperty {
  RTC_DEVICE_PROPERTY_VERSION = 0,
  RTC_DEVICE_PROPERTY_NATIVE_RAY8_SUPPORTED = 33,
  RTC_DEVICE_PROPERTY_NATIVE_RAY16_SUPPORTED = 34,
};
enum RTCRayQueryFlags {
  RTC_RAY_QUERY_FLAG_INCOHERENT = 0,
  RTC_RAY_QUERY_FLAG_COHERENT = 1 << 16,
};
enum RTCFeatureFlags : unsigned { RTC_FEATURE_FLAG_ALL = ~0u };

struct alignas(16) RTCRay {
  float org_x, org_y, org_z, tnear;
  float dir_x, dir_y, dir_z, time;
  float tfar;
  unsigned mask, id, flags;
};
struct alignas(16) RTCHit {
  float Ng_x, Ng_y, Ng_z, u, v;
  unsigned primID, geomID, instID, instPrimID;
};
struct RTCRayHit {
  RTCRay ray;
  RTCHit hit;
};
template <int n>
struct alignas(4 * n) RayPacket {
  float org_x[n], org_y[n], org_z[n], tnear[n];
  float dir_x[n], dir_y[n], dir_z[n], time[n];
  float tfar[n];
  unsigned mask[n], id[n], flags[n];
};
template <int n>
struct alignas(4 * n) HitPacket {
  float Ng_x[n], Ng_y[n], Ng_z[n], u[n], v[n];
  unsigned primID[n], geomID[n], instID[n], instPrimID[n];
};
template <int n>
struct RayHitPacket {
  RayPacket<n> ray;
  HitPacket<n> hit;
};
using RTCRay8 = RayPacket<8>;
using RTCRay16 = RayPacket<16>;
using RTCRayHit8 = RayHitPacket<8>;
using RTCRayHit16 = RayHitPacket<16>;

struct RTCRayHitN;
struct RTCRayN;

struct alignas(16) RTCBounds {
  float lower_x, lower_y, lower_z, align0;
  float upper_x, upper_y, upper_z, align1;
};
struct RTCBoundsFunctionArguments {
  void* geometryUserPtr;
  unsigned primID, timeStep;
  RTCBounds* bounds_o;
};
struct RTCIntersectFunctionNArguments {
  int* valid;
  void* geometryUserPtr;
  unsigned primID;
  void* context;
  RTCRayHitN* rayhit;
  unsigned N, geomID;
};
struct RTCOccludedFunctionNArguments {
  int* valid;
  void* geometryUserPtr;
  unsigned primID;
  void* context;
  RTCRayN* ray;
  unsigned N, geomID;
};
using RTCBoundsFunction = void (*)(const RTCBoundsFunctionArguments*);
using RTCIntersectFunctionN = void (*)(const RTCIntersectFunctionNArguments*);
using RTCOccludedFunctionN = void (*)(const RTCOccludedFunctionNArguments*);
using RTCMemoryMonitorFunction = bool (*)(void*, ssize_t, bool);

/// Of one call; as rtcInitIntersectArguments() makes them.
struct RTCIntersectArguments {
  RTCRayQueryFlags flags = RTC_RAY_QUERY_FLAG_INCOHERENT;
  RTCFeatureFlags feature_mask = RTC_FEATURE_FLAG_ALL;
  void* context = nullptr;
  void* filter = nullptr;
  RTCIntersectFunctionN intersect = nullptr;  ///< in place of the geometries' own
  float minWidthDistanceFactor = 0;           ///< read by some builds of the library alone
};
struct RTCOccludedArguments {
  RTCRayQueryFlags flags = RTC_RAY_QUERY_FLAG_INCOHERENT;
  RTCFeatureFlags feature_mask = RTC_FEATURE_FLAG_ALL;
  void* context = nullptr;
  void* filter = nullptr;
  RTCOccludedFunctionN occluded = nullptr;
  float minWidthDistanceFactor = 0;
};

// clang-format off
#define SIGHTLINE_EMBREE4_FUNCTIONS(X)                                                            \
  X(rtcNewDevice, RTCDevice, (const char*))                                                       \
  X(rtcReleaseDevice, void, (RTCDevice))                                                          \
  X(rtcGetDeviceProperty, ssize_t, (RTCDevice, RTCDeviceProperty))                                \
  X(rtcGetDeviceError, RTCError, (RTCDevice))                                                     \
  X(rtcSetDeviceMemoryMonitorFunction, void, (RTCDevice, RTCMemoryMonitorFunction, void*))        \
  X(rtcNewScene, RTCScene, (RTCDevice))                                                           \
  X(rtcReleaseScene, void, (RTCScene))                                                            \
  X(rtcSetSceneFlags, void, (RTCScene, RTCSceneFlags))                                            \
  X(rtcSetSceneBuildQuality, void, (RTCScene, RTCBuildQuality))                                   \
  X(rtcCommitScene, void, (RTCScene))                                                             \
  X(rtcAttachGeometryByID, void, (RTCScene, RTCGeometry, unsigned))                               \
  X(rtcGetGeometry, RTCGeometry, (RTCScene, unsigned))                                            \
  X(rtcNewGeometry, RTCGeometry, (RTCDevice, RTCGeometryType))                                    \
  X(rtcReleaseGeometry, void, (RTCGeometry))                                                      \
  X(rtcCommitGeometry, void, (RTCGeometry))                                                       \
  X(rtcSetGeometryBuildQuality, void, (RTCGeometry, RTCBuildQuality))                             \
  X(rtcSetGeometryUserPrimitiveCount, void, (RTCGeometry, unsigned))                              \
  X(rtcSetGeometryUserData, void, (RTCGeometry, void*))                                           \
  X(rtcSetGeometryBoundsFunction, void, (RTCGeometry, RTCBoundsFunction, void*))                  \
  X(rtcSetGeometryIntersectFunction, void, (RTCGeometry, RTCIntersectFunctionN))                  \
  X(rtcSetGeometryOccludedFunction, void, (RTCGeometry, RTCOccludedFunctionN))                    \
  X(rtcSetSharedGeometryBuffer, void, (RTCGeometry, RTCBufferType, unsigned, RTCFormat,           \
                                       const void*, size_t, size_t, size_t))                      \
  X(rtcIntersect1, void, (RTCScene, RTCRayHit*, RTCIntersectArguments*))                          \
  X(rtcIntersect8, void, (const int*, RTCScene, RTCRayHit8*, RTCIntersectArguments*))             \
  X(rtcIntersect16, void, (const int*, RTCScene, RTCRayHit16*, RTCIntersectArguments*))           \
  X(rtcOccluded1, void, (RTCScene, RTCRay*, RTCOccludedArguments*))                               \
  X(rtcOccluded8, void, (const int*, RTCScene, RTCRay8*, RTCOccludedArguments*))                  \
  X(rtcOccluded16, void, (const int*, RTCScene, RTCRay16*, RTCOccludedArguments*))
// clang-format on

#define SIGHTLINE_DECLARE(name, result, parameters) extern result(*name) parameters;
SIGHTLINE_EMBREE4_FUNCTIONS(SIGHTLINE_DECLARE)
#undef SIGHTLINE_DECLARE

/// Opens the library, once. Nothing above may be called before it has returned "": else it returns
/// why it cannot be used and how to get it.
const std::string& open_library();

}  // namespace sightline::rivals::embree4
