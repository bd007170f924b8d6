#define CUBQL_GPU_BUILDER_IMPLEMENTATION 1
#include "bench/rivals/cubql.hpp"

#include "bench/rivals/shape_tests.hpp"
#include "host/cuda/device/check.hpp"

#include <sightline/geometry/shapes/shapes_view.hpp>

#include <cuBQL/bvh.h>
#include <cuBQL/traversal/rayQueries.h>

#include <vector>

namespace sightline::rivals {
namespace {

constexpr int block = 128;

/// Records kind by kind, as callbacks of the cpu's rivals have them; `first` of an id.
struct Records {
  const AabbRecord* aabbs;
  const ObbRecord* obbs;
  const SphereRecord* spheres;
  const CapsuleRecord* capsules;
  std::uint32_t first[4];
};

__device__ ShapeHit<float> test(const RayLanes<float>& ray, const Records& records,
                                std::uint32_t id) {
  if (id >= records.first[3]) return test(ray, records.capsules[id - records.first[3]]);
  if (id >= records.first[2]) return test(ray, records.spheres[id - records.first[2]]);
  if (id >= records.first[1]) return test(ray, records.obbs[id - records.first[1]]);
  return test(ray, records.aabbs[id]);
}

struct Cast {
  cuBQL::bvh3f tree;
  Records records;
  CubqlRays rays;

  __device__ std::uint64_t ray_of(std::uint64_t k) const {
    return rays.order == nullptr ? k : rays.order[k];
  }
  __device__ cuBQL::ray3f operator[](std::uint64_t i) const {
    const Vec3 o = rays.origin[i], d = rays.direction[i];
    return {{o.x, o.y, o.z}, {d.x, d.y, d.z}, rays.t_min, rays.t_max};
  }
  static __device__ RayLanes<float> lanes(const cuBQL::ray3f& r) {
    return {r.origin.x,    r.origin.y,    r.origin.z, r.direction.x,
            r.direction.y, r.direction.z, r.tMin,     r.tMax};
  }
};

__global__ void __launch_bounds__(block) closest_kernel(Cast cast, float* t, std::uint32_t* ids) {
  const std::uint64_t k = std::uint64_t{blockIdx.x} * block + threadIdx.x;
  if (k >= cast.rays.count) return;
  const std::uint64_t i = cast.ray_of(k);
  cuBQL::ray3f ray = cast[i];
  RayLanes<float> lanes = Cast::lanes(ray);
  std::uint32_t id = none;
  cuBQL::shrinkingRayQuery::forEachPrim(
      [&](std::uint32_t shape) {
        const ShapeHit<float> found = test(lanes, cast.records, shape);
        // At one distance the lower id, as sightline answers.
        if (found.hit && (found.t < lanes.far || id == none || shape < id)) {
          lanes.far = found.t;
          id = shape;
        }
        return lanes.far;
      },
      cast.tree, ray);
  t[i] = id == none ? infinity : lanes.far;
  ids[i] = id;
}

template <CubqlWalk walk>
__global__ void __launch_bounds__(block) any_kernel(Cast cast, std::uint8_t* blocked) {
  const std::uint64_t k = std::uint64_t{blockIdx.x} * block + threadIdx.x;
  if (k >= cast.rays.count) return;
  const std::uint64_t i = cast.ray_of(k);
  cuBQL::ray3f ray = cast[i];
  const RayLanes<float> lanes = Cast::lanes(ray);
  bool hit = false;
  if constexpr (walk == CubqlWalk::fixed) {
    cuBQL::fixedRayQuery::forEachPrim(
        [&](std::uint32_t shape) {
          hit = test(lanes, cast.records, shape).hit;
          return hit ? CUBQL_TERMINATE_TRAVERSAL : CUBQL_CONTINUE_TRAVERSAL;
        },
        cast.tree, ray);
  } else {
    cuBQL::shrinkingRayQuery::forEachPrim(
        [&](std::uint32_t shape) {
          hit = hit || test(lanes, cast.records, shape).hit;
          return hit ? -infinity : lanes.far;  // no box begins before that
        },
        cast.tree, ray);
  }
  blocked[i] = hit;
}

template <class T>
T* to_device(const std::vector<T>& values) {
  T* copy = nullptr;
  const std::size_t bytes = values.size() * sizeof(T);
  cuda::check(cudaMalloc(&copy, bytes + 1), "cudaMalloc");
  cuda::check(cudaMemcpy(copy, values.data(), bytes, cudaMemcpyHostToDevice), "cudaMemcpy");
  return copy;
}

template <class Shape>
auto* records_on_device(const ShapesView& shapes) {
  std::vector<decltype(record(shapes.get<Shape>(0)))> records;
  for (std::uint32_t i = 0; i < shapes.count(kind_for<Shape>); ++i) {
    records.push_back(record(shapes.get<Shape>(i)));
  }
  return to_device(records);
}

unsigned blocks_of(const CubqlRays& rays) {
  return static_cast<unsigned>((rays.count + block - 1) / block);
}

}  // namespace

struct CubqlScene::OnDevice {
  Records records{};
  cuBQL::box3f* boxes = nullptr;
  std::uint32_t count = 0;
  cuBQL::bvh3f tree{};

  Cast cast(const CubqlRays& rays) const { return {tree, records, rays}; }
  void clear() {
    if (tree.nodes != nullptr) cuBQL::cuda::free(tree);
    tree = {};
  }
  ~OnDevice() {
    clear();
    for (const void* array :
         {static_cast<const void*>(records.aabbs), static_cast<const void*>(records.obbs),
          static_cast<const void*>(records.spheres), static_cast<const void*>(records.capsules),
          static_cast<const void*>(boxes)}) {
      cudaFree(const_cast<void*>(array));
    }
  }
};

CubqlScene::CubqlScene(const ShapesView& shapes) : on_device_(std::make_unique<OnDevice>()) {
  if (shapes.size() > shapes.bounded()) {
    throw Error(ErrorKind::usage, "the scene holds planes, which cuBQL has not");
  }
  OnDevice& d = *on_device_;
  d.records.aabbs = records_on_device<Aabb>(shapes);
  d.records.obbs = records_on_device<ObbFrame>(shapes);
  d.records.spheres = records_on_device<Sphere>(shapes);
  d.records.capsules = records_on_device<Capsule>(shapes);
  std::copy_n(shapes.begin, 4, d.records.first);
  std::vector<cuBQL::box3f> boxes;
  for (std::uint32_t id = 0; id < shapes.size(); ++id) {
    const Aabb& b = shapes.bounds[id];
    boxes.emplace_back(cuBQL::vec3f(b.min.x, b.min.y, b.min.z),
                       cuBQL::vec3f(b.max.x, b.max.y, b.max.z));
  }
  d.boxes = to_device(boxes);
  d.count = shapes.size();
}

CubqlScene::~CubqlScene() = default;

void CubqlScene::clear() { on_device_->clear(); }

void CubqlScene::build(CUstream_st* stream, CubqlTree tree) {
  OnDevice& d = *on_device_;
  cuBQL::BuildConfig config;
  if (tree == CubqlTree::sah) config.enableSAH();
  cuBQL::gpuBuilder(d.tree, d.boxes, d.count, config, stream);
  cuda::check(cudaStreamSynchronize(stream), "cuBQL::gpuBuilder");
}

void CubqlScene::closest_hit(CUstream_st* stream, const CubqlRays& rays, float* t,
                             std::uint32_t* id) const {
  closest_kernel<<<blocks_of(rays), block, 0, stream>>>(on_device_->cast(rays), t, id);
  cuda::check_launch("cuBQL, closest hit");
}

void CubqlScene::any_hit(CUstream_st* stream, const CubqlRays& rays, CubqlWalk walk,
                         std::uint8_t* blocked) const {
  const Cast cast = on_device_->cast(rays);
  if (walk == CubqlWalk::fixed) {
    any_kernel<CubqlWalk::fixed><<<blocks_of(rays), block, 0, stream>>>(cast, blocked);
  } else {
    any_kernel<CubqlWalk::shrinking><<<blocks_of(rays), block, 0, stream>>>(cast, blocked);
  }
  cuda::check_launch("cuBQL, any hit");
}

}  // namespace sightline::rivals
