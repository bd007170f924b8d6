// Compiled, not run: every device-safe header goes through nvcc inside a kernel.
#include <sightline/geometry/geometry.hpp>
#include <sightline/geometry/intersect/certain_triangle.hpp>
#include <sightline/geometry/intersect/half_open.hpp>
#include <sightline/geometry/intersect/triangle_weights.hpp>

namespace {

using namespace sightline;

// Apart from the kernel, because `visit` is host code too and so must be what it calls.
SIGHTLINE_HD Hit first_hit(const BvhView& bvh, const ShapesView& shapes, const Ray& ray,
                           Inside inside) {
  const Query query = make_query(ray, inside);
  const Best best = closest_hit(bvh, shapes, query);
  Hit hit = hit_of(query, best, ray.t_min, ray.t_max);
  if (best.id != none) {
    hit.normal = shapes.visit(best.id, [&](const auto& shape) {
      return normal_of_hit(query, shape, best.started_inside);
    });
  }
  return hit;
}

__global__ void cast_rays(BvhView bvh, ShapesView shapes, RaysView rays, HitsView hits,
                          Inside inside) {
  const std::uint64_t i = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i >= rays.count) return;
  hits.store(i, first_hit(bvh, shapes, rays[i], inside));
}

__global__ void see_targets(BvhView bvh, ShapesView shapes, SightPoint viewpoint,
                            const Vec3* targets, std::uint32_t* bits) {
  const std::uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
  const SightRay sight = sight_ray(viewpoint, {targets[i]}, 0.0f, infinity);
  const bool blocked = any_hit(bvh, shapes, make_query(sight.ray, Inside::solid));
  const unsigned seen = __ballot_sync(0xFFFFFFFFu, sight.in_range && !blocked);
  if (i % 32 == 0) bits[i / 32] = seen;
}

__global__ void leave_shapes(Ray ray, ShapesView shapes, float* t_out) {
  const Query query = make_query(ray, Inside::solid);
  for (std::uint32_t id = 0; id < shapes.size(); ++id) {
    use_crossing(query, shapes, id, [&](const Crossing& c) {
      t_out[id] = t_out_of(query.ray, c.t_out, t_of(query.ray, c, ray.t_min, ray.t_max), ray.t_max);
    });
  }
}

__global__ void cast_single_shapes(Ray ray, Aabb aabb, Obb obb, Sphere sphere, Capsule capsule,
                                   Cylinder cylinder, Plane plane, Hit* hits) {
  hits[0] = cast(ray, aabb);
  hits[1] = cast(ray, obb);
  hits[2] = cast(ray, sphere, Inside::surface);
  hits[3] = cast(ray, capsule, Inside::ignore);
  hits[4] = cast(ray, plane);
  hits[5] = cast(ray, cylinder);
}

__global__ void meet_triangle(Ray ray, Triangle triangle, Interval* intervals, Vec3* normal,
                              CornerWeights* weights, Certain* sure, int* sense) {
  const ScaledRay q = scale(ray);
  intervals[0] = interval(q.line, triangle);
  intervals[1] = interval_ahead(q.line, triangle, q.t_min, q.t_max, Inside::solid, true);
  *normal = surface_normal(q.line, triangle, false);
  *weights = corner_weights(q.line, triangle);
  *sure = certainly(q.line, triangle, q.t_min, q.t_max, Inside::solid, false);
  *sense = crossing_sign(q.line, triangle) + meets_side(q.line, triangle, Side::back) +
           contains(triangle, ray.origin);
}

template <class Shape>
SIGHTLINE_HD void sweep_shape(const Ray& ray, const Capsule& moving, const Shape& s, Hit* hits) {
  hits[0] = cast_sphere(ray, moving.radius, s);
  hits[1] = cast_capsule(moving, ray.direction, s);
}
__global__ void sweep_single_shapes(Ray ray, Capsule moving, Aabb aabb, Obb obb, Sphere sphere,
                                    Capsule capsule, Triangle triangle, Plane plane, Hit* hits) {
  sweep_shape(ray, moving, aabb, hits);
  sweep_shape(ray, moving, obb, hits + 2);
  sweep_shape(ray, moving, sphere, hits + 4);
  sweep_shape(ray, moving, capsule, hits + 6);
  sweep_shape(ray, moving, plane, hits + 8);
  sweep_shape(ray, moving, triangle, hits + 10);
}

__global__ void spread_out(std::uint32_t n, Vec3* directions, OctahedralPlace* places) {
  const std::uint32_t i = threadIdx.x, j = threadIdx.y;
  directions[j * n + i] = octahedral_direction(i, j, n);
  places[j * n + i] = octahedral_place(directions[j * n + i]);
}

__global__ void find_nearest(Vec3 point, Segment segment, Aabb aabb, Obb obb, Sphere sphere,
                             Capsule capsule, Triangle triangle, Plane plane,
                             Nearest* nearest_points, Clearance* clearances, Approach* approach,
                             float* bound) {
  nearest_points[0] = nearest(aabb, point);
  nearest_points[1] = nearest(frame(obb), point);
  nearest_points[2] = nearest(sphere, point);
  nearest_points[3] = nearest(capsule, point);
  nearest_points[4] = nearest(plane, point);
  nearest_points[5] = nearest(triangle, point);
  clearances[0] = clearance(segment, aabb);
  clearances[1] = clearance(segment, frame(obb));
  clearances[2] = clearance(segment, sphere);
  clearances[3] = clearance(segment, capsule);
  clearances[4] = clearance(segment, plane);
  clearances[5] = clearance(segment, triangle);
  *approach = closest_approach(segment, {capsule.a, capsule.b});
  const SegmentQuery query = segment_query({segment.a}, {segment.b});
  *bound = gated_distance(nearest_points[2].distance, bounds(sphere), point) +
           distance_to(capsule, query);
}

}  // namespace

// Keeps the kernels from being dropped unseen.
extern const void* const sightline_kernels[];
const void* const sightline_kernels[] = {reinterpret_cast<const void*>(&cast_rays),
                                         reinterpret_cast<const void*>(&see_targets),
                                         reinterpret_cast<const void*>(&leave_shapes),
                                         reinterpret_cast<const void*>(&cast_single_shapes),
                                         reinterpret_cast<const void*>(&meet_triangle),
                                         reinterpret_cast<const void*>(&sweep_single_shapes),
                                         reinterpret_cast<const void*>(&spread_out),
                                         reinterpret_cast<const void*>(&find_nearest)};
