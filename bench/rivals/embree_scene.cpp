#include "bench/rivals/embree_scene.hpp"

#include <sightline/error.hpp>
#include <sightline/geometry/shapes/shapes_view.hpp>

#include <tbb/global_control.h>

#include <algorithm>
#include <string>

namespace sightline::rivals::SIGHTLINE_EMBREE_API {
namespace {

bool uses_avx512() {
  return widest_instructions() != "avx2" && __builtin_cpu_supports("avx512f") &&
         __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512dq") &&
         __builtin_cpu_supports("avx512bw");
}

// What the callbacks count on.
static_assert(static_cast<int>(Kind::aabb) == 0 && static_cast<int>(Kind::obb) == 1 &&
              static_cast<int>(Kind::sphere) == 2 && static_cast<int>(Kind::capsule) == 3);

void check(RTCDevice device, const char* what) {
  const RTCError error = rtcGetDeviceError(device);
  if (error == RTC_ERROR_NONE) return;
  throw Error(error == RTC_ERROR_OUT_OF_MEMORY ? ErrorKind::out_of_memory : ErrorKind::device,
              std::string("Embree fails in ") + what + ", error " + std::to_string(error));
}

bool count_bytes(void* sum, ssize_t bytes, bool) {
  *static_cast<std::atomic<std::int64_t>*>(sum) += bytes;
  return true;
}

/// What a geometry's user data points to while its bounds are asked for.
struct BoundsOfKind {
  const Aabb* bounds;  ///< by id
  const ShapeRecords* records;
  std::uint32_t first;
};

void give_bounds(const RTCBoundsFunctionArguments* args) {
  const auto& of = *static_cast<const BoundsOfKind*>(args->geometryUserPtr);
  const Aabb& b = of.bounds[of.records->id(of.first + args->primID)];
  *args->bounds_o = {b.min.x, b.min.y, b.min.z, 0, b.max.x, b.max.y, b.max.z, 0};
}

}  // namespace

const AllCallbacks& callbacks() {
  static const AllCallbacks all = uses_avx512() ? callbacks_for_avx512() : callbacks_for_avx2();
  return all;
}

EmbreeGeometry::EmbreeGeometry(const ShapesView& shapes, const EmbreeVariant& variant, int threads)
    : device_(rtcNewDevice(device_options(threads).c_str())),
      quality_(variant.quality),
      quads_(variant.quads),
      records_(shapes, variant.ordered, !variant.quads, !variant.native) {
  refuse_planes(shapes, "Embree");
  if (device_ == nullptr) throw Error(ErrorKind::device, "Embree makes no device");
  rtcSetDeviceMemoryMonitorFunction(device_.get(), count_bytes, &bytes_);
  scene_.reset(rtcNewScene(device_.get()));
  // Its triangles are held against exact ones.
  const bool robust = shapes.count(Kind::triangle) > 0;
  rtcSetSceneFlags(scene_.get(), robust ? RTC_SCENE_FLAG_ROBUST : RTC_SCENE_FLAG_NONE);
  rtcSetSceneBuildQuality(scene_.get(), quality_);
  if (variant.native) make_native(shapes);
  if (variant.quads) make_quads(shapes);
  const std::pair<std::size_t, void*> users[] = {
      {records_.aabbs.size(), records_.aabbs.data()},
      {records_.obbs.size(), records_.obbs.data()},
      {records_.spheres.size(), records_.spheres.data()},
      {records_.capsules.size(), records_.capsules.data()}};
  BoundsOfKind bounds[4];
  for (std::size_t k = 0; k < 4; ++k) {
    bounds[k] = {shapes.bounds, &records_, records_.first[k]};
    add_user(static_cast<Kind>(k), users[k].first, &bounds[k]);
  }
  add_points();
  add_curves();
  add_triangles(shapes);
  if (quads_) {
    const std::uint64_t aabbs = shapes.count(Kind::aabb);
    add_quads(Kind::aabb, 0, aabbs);
    add_quads(Kind::obb, aabbs, shapes.count(Kind::obb));
  }
  {
    // Embree builds in an arena of its own, of all cores, whichever arena calls it.
    const tbb::global_control only(tbb::global_control::max_allowed_parallelism,
                                   static_cast<std::size_t>(threads));
    rtcCommitScene(scene_.get());
  }
  check(device_.get(), "rtcCommitScene");
  // The bounds have been asked for; from now on the records are.
  for (unsigned k = 0; k < 4; ++k) {
    const auto& [count, records] = users[k];
    if (count > 0) rtcSetGeometryUserData(rtcGetGeometry(scene_.get(), k), records);
  }
}

void EmbreeGeometry::make_native(const ShapesView& shapes) {
  const auto count = [&](Kind kind) {
    const auto k = static_cast<std::size_t>(kind);
    return records_.first[k + 1] - records_.first[k];
  };
  points_.resize(count(Kind::sphere));
  for (std::uint32_t i = 0; i < points_.size(); ++i) {
    const Sphere s = shapes.get<Sphere>(i);
    points_[i] = {s.center.x, s.center.y, s.center.z, s.radius};
  }
  curves_.resize(count(Kind::capsule));
  for (std::uint32_t i = 0; i < curves_.size(); ++i) {
    const Capsule s = shapes.get<Capsule>(i);
    curves_[i] = {Vertex{s.a.x, s.a.y, s.a.z, s.radius}, Vertex{s.b.x, s.b.y, s.b.z, s.radius}};
    curve_starts_.push_back(2 * i);
  }
}

void EmbreeGeometry::make_quads(const ShapesView& shapes) {
  const std::uint32_t aabbs = shapes.count(Kind::aabb), obbs = shapes.count(Kind::obb);
  corners_.resize(std::uint64_t{aabbs} + obbs);
  // Bit k of a corner's number: whether it is on the far side along axis k.
  const auto set = [&](std::uint64_t box, unsigned corner, const Vec3& p) {
    corners_[box][corner] = {p.x, p.y, p.z, 0};
  };
  for (std::uint32_t i = 0; i < aabbs; ++i) {
    const Aabb s = shapes.get<Aabb>(i);
    for (unsigned c = 0; c < 8; ++c) {
      set(i, c, {(c & 1 ? s.max : s.min).x, (c & 2 ? s.max : s.min).y, (c & 4 ? s.max : s.min).z});
    }
  }
  for (std::uint32_t i = 0; i < obbs; ++i) {
    const ObbFrame s = shapes.get<ObbFrame>(i);
    const Vec3 *a = s.axis, h = s.half_extents;
    for (unsigned c = 0; c < 8; ++c) {
      const float x = c & 1 ? h.x : -h.x, y = c & 2 ? h.y : -h.y, z = c & 4 ? h.z : -h.z;
      set(std::uint64_t{aabbs} + i, c,
          {s.center.x + x * a[0].x + y * a[1].x + z * a[2].x,
           s.center.y + x * a[0].y + y * a[1].y + z * a[2].y,
           s.center.z + x * a[0].z + y * a[1].z + z * a[2].z});
    }
  }
  constexpr unsigned quads[6][4] = {{0, 2, 6, 4}, {1, 5, 7, 3}, {0, 4, 5, 1},
                                    {2, 3, 7, 6}, {0, 1, 3, 2}, {4, 6, 7, 5}};
  faces_.resize(std::max(aabbs, obbs));
  for (std::uint32_t i = 0; i < faces_.size(); ++i) {
    for (unsigned face = 0; face < 6; ++face) {
      for (unsigned k = 0; k < 4; ++k) faces_[i][face][k] = 8 * i + quads[face][k];
    }
  }
}

std::uint64_t EmbreeGeometry::memory_bytes() const {
  const auto bytes = [](const auto& v) { return v.capacity() * sizeof(v[0]); };
  return static_cast<std::uint64_t>(bytes_.load()) + records_.memory_bytes() + bytes(points_) +
         bytes(curves_) + bytes(curve_starts_) + bytes(triangles_) + bytes(corners_of_triangles_) +
         bytes(corners_) + bytes(faces_);
}

void EmbreeGeometry::attach(Kind kind, RTCGeometry geometry) {
  rtcSetGeometryBuildQuality(geometry, quality_);
  rtcCommitGeometry(geometry);
  rtcAttachGeometryByID(scene_.get(), geometry, static_cast<unsigned>(kind));
  rtcReleaseGeometry(geometry);
}

void EmbreeGeometry::add_user(Kind kind, std::uint64_t count, void* bounds) {
  if (count == 0) return;
  const RTCGeometry geometry = rtcNewGeometry(device_.get(), RTC_GEOMETRY_TYPE_USER);
  rtcSetGeometryUserPrimitiveCount(geometry, static_cast<unsigned>(count));
  rtcSetGeometryUserData(geometry, bounds);
  rtcSetGeometryBoundsFunction(geometry, give_bounds, nullptr);
  const Callbacks& own = callbacks().of_kind[static_cast<std::size_t>(kind)];
  rtcSetGeometryIntersectFunction(geometry, own.intersect);
  rtcSetGeometryOccludedFunction(geometry, own.occluded);
  attach(kind, geometry);
}

void EmbreeGeometry::add_quads(Kind kind, std::uint64_t first, std::uint64_t count) {
  if (count == 0) return;
  const RTCGeometry geometry = rtcNewGeometry(device_.get(), RTC_GEOMETRY_TYPE_QUAD);
  rtcSetSharedGeometryBuffer(geometry, RTC_BUFFER_TYPE_VERTEX, 0, RTC_FORMAT_FLOAT3,
                             corners_.data(), first * sizeof(corners_[0]), sizeof(Vertex),
                             8 * count);
  rtcSetSharedGeometryBuffer(geometry, RTC_BUFFER_TYPE_INDEX, 0, RTC_FORMAT_UINT4, faces_.data(), 0,
                             sizeof(faces_[0][0]), 6 * count);
  attach(kind, geometry);
}

void EmbreeGeometry::add_points() {
  if (points_.empty()) return;
  const RTCGeometry geometry = rtcNewGeometry(device_.get(), RTC_GEOMETRY_TYPE_SPHERE_POINT);
  rtcSetSharedGeometryBuffer(geometry, RTC_BUFFER_TYPE_VERTEX, 0, RTC_FORMAT_FLOAT4, points_.data(),
                             0, sizeof(Vertex), points_.size());
  attach(Kind::sphere, geometry);
}

void EmbreeGeometry::add_curves() {
  if (curves_.empty()) return;
  const RTCGeometry geometry = rtcNewGeometry(device_.get(), RTC_GEOMETRY_TYPE_ROUND_LINEAR_CURVE);
  rtcSetSharedGeometryBuffer(geometry, RTC_BUFFER_TYPE_VERTEX, 0, RTC_FORMAT_FLOAT4, curves_.data(),
                             0, sizeof(Vertex), 2 * curves_.size());
  rtcSetSharedGeometryBuffer(geometry, RTC_BUFFER_TYPE_INDEX, 0, RTC_FORMAT_UINT,
                             curve_starts_.data(), 0, sizeof(unsigned), curve_starts_.size());
  attach(Kind::capsule, geometry);
}

void EmbreeGeometry::add_triangles(const ShapesView& shapes) {
  const std::uint32_t n = shapes.count(Kind::triangle);
  if (n == 0) return;
  triangles_.resize(n), corners_of_triangles_.resize(n);
  for (std::uint32_t i = 0; i < n; ++i) {
    const Triangle s = shapes.get<Triangle>(i);
    const auto vertex = [](const Vec3& p) { return Vertex{p.x, p.y, p.z, 0}; };
    triangles_[i] = {vertex(s.a), vertex(s.b), vertex(s.c)};
    corners_of_triangles_[i] = {3 * i, 3 * i + 1, 3 * i + 2};
  }
  const RTCGeometry geometry = rtcNewGeometry(device_.get(), RTC_GEOMETRY_TYPE_TRIANGLE);
  rtcSetSharedGeometryBuffer(geometry, RTC_BUFFER_TYPE_VERTEX, 0, RTC_FORMAT_FLOAT3,
                             triangles_.data(), 0, sizeof(Vertex), std::size_t{3} * n);
  rtcSetSharedGeometryBuffer(geometry, RTC_BUFFER_TYPE_INDEX, 0, RTC_FORMAT_UINT3,
                             corners_of_triangles_.data(), 0, sizeof(corners_of_triangles_[0]), n);
  attach(Kind::triangle, geometry);
}

}  // namespace sightline::rivals::SIGHTLINE_EMBREE_API
