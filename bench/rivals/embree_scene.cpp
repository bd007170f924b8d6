#include "bench/rivals/embree_scene.hpp"

#include "bench/rivals/morton.hpp"

#include <sightline/error.hpp>

#include <tbb/global_control.h>

#include <algorithm>
#include <string>

namespace sightline::rivals::SIGHTLINE_EMBREE_API {
namespace {

bool has_avx512() {
  return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") &&
         __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512bw");
}

// What `any` of the callbacks counts on.
static_assert(static_cast<int>(Kind::aabb) == 0 && static_cast<int>(Kind::obb) == 1 &&
              static_cast<int>(Kind::sphere) == 2 && static_cast<int>(Kind::capsule) == 3);

const Callbacks& callbacks_of(Kind kind) {
  const AllCallbacks& all = callbacks();
  switch (kind) {
    case Kind::aabb:
      return all.aabb;
    case Kind::obb:
      return all.obb;
    case Kind::sphere:
      return all.sphere;
    default:
      return all.capsule;
  }
}

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
  const std::uint32_t* order;
  std::uint32_t first;
};

void give_bounds(const RTCBoundsFunctionArguments* args) {
  const auto& of = *static_cast<const BoundsOfKind*>(args->geometryUserPtr);
  const std::uint32_t position = of.first + args->primID;
  const Aabb& b = of.bounds[of.order == nullptr ? position : of.order[position]];
  *args->bounds_o = {b.min.x, b.min.y, b.min.z, 0, b.max.x, b.max.y, b.max.z, 0};
}

/// Ids kind by kind, each kind's in Morton order.
std::vector<std::uint32_t> morton_order(const ShapesView& shapes) {
  Aabb all = empty_aabb();
  for (std::uint32_t id = 0; id < shapes.bounded(); ++id) all = unite(all, shapes.bounds[id]);
  const MortonGrid grid(all);
  std::vector<std::uint64_t> keys(shapes.bounded());
  for (std::uint32_t id = 0; id < shapes.bounded(); ++id) {
    const Aabb& b = shapes.bounds[id];
    const Vec3 center = {0.5f * (b.min.x + b.max.x), 0.5f * (b.min.y + b.max.y),
                         0.5f * (b.min.z + b.max.z)};
    const auto kind = static_cast<std::uint64_t>(shapes.kind_of(id));
    keys[id] = kind << 60 | std::uint64_t{grid.code(center)} << 32 | id;
  }
  std::sort(keys.begin(), keys.end());
  std::vector<std::uint32_t> order(keys.size());
  std::transform(keys.begin(), keys.end(), order.begin(),
                 [](std::uint64_t key) { return static_cast<std::uint32_t>(key); });
  return order;
}

}  // namespace

const AllCallbacks& callbacks() {
  static const AllCallbacks all = has_avx512() ? callbacks_for_avx512() : callbacks_for_avx2();
  return all;
}

EmbreeGeometry::EmbreeGeometry(const ShapesView& shapes, const EmbreeVariant& variant, int threads)
    : device_(rtcNewDevice(device_options(threads).c_str())), quality_(variant.quality) {
  if (shapes.size() > shapes.bounded()) {
    throw Error(ErrorKind::usage, "the scene holds planes, which Embree has not");
  }
  if (device_ == nullptr) throw Error(ErrorKind::device, "Embree makes no device");
  std::copy_n(shapes.begin, first_.size(), first_.begin());
  rtcSetDeviceMemoryMonitorFunction(device_.get(), count_bytes, &bytes_);
  scene_.reset(rtcNewScene(device_.get()));
  rtcSetSceneFlags(scene_.get(), RTC_SCENE_FLAG_NONE);
  rtcSetSceneBuildQuality(scene_.get(), quality_);
  if (variant.ordered) order_ = morton_order(shapes);
  make_records(shapes, variant.native);
  BoundsOfKind bounds[4];
  for (std::size_t k = 0; k < 4; ++k)
    bounds[k] = {shapes.bounds, order_.empty() ? nullptr : order_.data(), first_[k]};
  add_user(Kind::aabb, aabbs_.size(), &bounds[0]);
  add_user(Kind::obb, obbs_.size(), &bounds[1]);
  add_user(Kind::sphere, spheres_.size(), &bounds[2]);
  add_user(Kind::capsule, capsules_.size(), &bounds[3]);
  add_points();
  add_curves();
  {
    // Embree builds in an arena of its own, of all cores, whichever arena calls it.
    const tbb::global_control only(tbb::global_control::max_allowed_parallelism,
                                   static_cast<std::size_t>(threads));
    rtcCommitScene(scene_.get());
  }
  check(device_.get(), "rtcCommitScene");
  // The bounds have been asked for; from now on the records are.
  set_user_data(Kind::aabb, aabbs_);
  set_user_data(Kind::obb, obbs_);
  set_user_data(Kind::sphere, spheres_);
  set_user_data(Kind::capsule, capsules_);
}

void EmbreeGeometry::make_records(const ShapesView& shapes, bool native) {
  const auto fill = [&](auto& records, Kind kind, auto&& record_of) {
    const std::uint32_t begin = first_[static_cast<std::size_t>(kind)];
    const std::uint32_t end = first_[static_cast<std::size_t>(kind) + 1];
    records.resize(end - begin);
    for (std::uint32_t k = begin; k < end; ++k) {
      records[k - begin] = record_of((order_.empty() ? k : order_[k]) - begin);
    }
  };
  fill(aabbs_, Kind::aabb, [&](std::uint32_t i) { return record(shapes.get<Aabb>(i)); });
  fill(obbs_, Kind::obb, [&](std::uint32_t i) { return record(shapes.get<ObbFrame>(i)); });
  if (!native) {
    fill(spheres_, Kind::sphere, [&](std::uint32_t i) { return record(shapes.get<Sphere>(i)); });
    fill(capsules_, Kind::capsule, [&](std::uint32_t i) { return record(shapes.get<Capsule>(i)); });
    return;
  }
  fill(points_, Kind::sphere, [&](std::uint32_t i) {
    const Sphere s = shapes.get<Sphere>(i);
    return Vertex{s.center.x, s.center.y, s.center.z, s.radius};
  });
  fill(curves_, Kind::capsule, [&](std::uint32_t i) {
    const Capsule s = shapes.get<Capsule>(i);
    return std::array<Vertex, 2>{Vertex{s.a.x, s.a.y, s.a.z, s.radius},
                                 Vertex{s.b.x, s.b.y, s.b.z, s.radius}};
  });
  for (std::uint32_t i = 0; i < curves_.size(); ++i) curve_starts_.push_back(2 * i);
}

std::uint64_t EmbreeGeometry::memory_bytes() const {
  const auto bytes = [](const auto& v) { return v.capacity() * sizeof(v[0]); };
  return static_cast<std::uint64_t>(bytes_.load()) + bytes(order_) + bytes(aabbs_) + bytes(obbs_) +
         bytes(spheres_) + bytes(capsules_) + bytes(points_) + bytes(curves_) +
         bytes(curve_starts_);
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
  rtcSetGeometryIntersectFunction(geometry, callbacks_of(kind).intersect);
  rtcSetGeometryOccludedFunction(geometry, callbacks_of(kind).occluded);
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

}  // namespace sightline::rivals::SIGHTLINE_EMBREE_API
