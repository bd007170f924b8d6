#include "tests/support/adversarial_rays.hpp"

#include "host/gen/random.hpp"
#include "tests/support/random_scene.hpp"

#include <sightline/geometry/shapes/shapes_view.hpp>

#include <limits>

namespace sightline::testing {
namespace {

using gen::Draws;
using gen::Vec3d;
using gen::operator*;

double length_of(const Vec3d& v) { return std::sqrt(v.x * v.x + v.y * v.y + v.z * v.z); }

/// 2^e with e uniform in [low, high].
double power(int low, int high, Draws& draws) {
  const auto e = low + static_cast<int>(draws.below(static_cast<std::uint64_t>(high - low + 1)));
  return std::ldexp(1.0, e);
}

/// The float itself mostly, else one of its neighbours up to two away.
float nudged(float x, Draws& draws) {
  const std::uint64_t choice = draws.below(8);
  if (choice == 0) return next_up(x);
  if (choice == 1) return next_down(x);
  if (choice == 2) return next_up(next_up(x));
  return x;
}

/// -1, 0 or 1, or any place in between.
double place(Draws& draws) {
  const std::uint64_t choice = draws.below(6);
  return choice < 5 ? static_cast<double>(choice % 3) - 1 : draws.uniform(-1, 1);
}

/// A spot of a shape, and about how large the shape is.
struct Spot {
  Vec3d point;
  double size;
};

/// At distance `radius` from the centre, at right angles to a random direction (grazing for rays
/// along it) or to the axis that is given.
Spot on_round(const Vec3d& center, double radius, const Vec3d& axis, Draws& draws) {
  Vec3d out = cross(axis, draws.direction());
  const double length = length_of(out);
  out = length > 0 ? (1 / length) * out : Vec3d{1, 0, 0};
  return {center + radius * out, radius};
}

Spot on_shape(const Aabb& s, Draws& draws) {
  const auto along = [&draws](float low, float high) {
    const std::uint64_t choice = draws.below(5);
    if (choice < 2) return static_cast<double>(low);
    if (choice < 4) return static_cast<double>(high);
    return low + (static_cast<double>(high) - low) * draws.uniform();
  };
  const double x = along(s.min.x, s.max.x);
  const double y = along(s.min.y, s.max.y);
  const double z = along(s.min.z, s.max.z);
  return {{x, y, z}, length_of(widened(s.max) + (-1.0) * widened(s.min))};
}

Spot on_shape(const ObbFrame& s, Draws& draws) {
  const double h[3] = {s.half_extents.x, s.half_extents.y, s.half_extents.z};
  Vec3d p = widened(s.center);
  for (int j = 0; j < 3; ++j) p = p + (h[j] * place(draws)) * widened(s.axis[j]);
  return {p, h[0] + h[1] + h[2]};
}

Spot on_shape(const Sphere& s, Draws& draws) {
  return on_round(widened(s.center), s.radius, draws.direction(), draws);
}

Spot on_shape(const Capsule& s, Draws& draws) {
  const Vec3d axis = widened(s.b) + (-1.0) * widened(s.a);
  const Vec3d center = widened(s.a) + (0.5 + 0.5 * place(draws)) * axis;
  Spot spot = on_round(center, s.radius, draws.below(2) == 0 ? axis : draws.direction(), draws);
  spot.size += length_of(axis);
  return spot;
}

/// The rims, the ends, and the side, whose normals are across the axis.
Spot on_shape(const Cylinder& s, Draws& draws) {
  const Vec3d axis = widened(s.b) + (-1.0) * widened(s.a);
  const Vec3d center = widened(s.a) + (0.5 + 0.5 * place(draws)) * axis;
  const double radius = draws.below(4) == 0 ? s.radius * draws.uniform() : double{s.radius};
  Spot spot = on_round(center, radius, axis, draws);
  spot.size += s.radius + length_of(axis);
  return spot;
}

/// Corners, edges and their lines, and the face.
Spot on_shape(const Triangle& s, Draws& draws) {
  const Vec3d a = widened(s.a);
  const Vec3d u = widened(s.b) + (-1.0) * a, v = widened(s.c) + (-1.0) * a;
  const double along = 0.5 + 0.5 * place(draws);
  const std::uint64_t choice = draws.below(4);
  const double across = choice == 0 ? 0 : choice == 1 ? 1 - along : draws.uniform() * (1 - along);
  return {a + along * u + across * v, length_of(u) + length_of(v)};
}

Spot on_shape(const Plane& s, Draws& draws) {
  const Vec3d n = widened(s.normal);
  const Vec3d beside = cross(n, draws.direction());
  return {static_cast<double>(s.offset) * n + power(-2, 8, draws) * beside, 1};
}

float in_domain(float x) {
  return x > domain_limit ? domain_limit : x < -domain_limit ? -domain_limit : x;
}

Vec3 floats(const Vec3d& v) {
  const Vec3 f = gen::to_float(v);
  return {in_domain(f.x), in_domain(f.y), in_domain(f.z)};
}

float& component(Vec3& v, std::uint64_t axis) { return axis == 0 ? v.x : axis == 1 ? v.y : v.z; }

/// Where the ray begins: near, far, at the edge of the domain, on the spot, or in the planes
/// through the spot.
Vec3 origin_for(const Spot& spot, const Vec3& target, Draws& draws) {
  const double size = spot.size > 0 ? spot.size : 1e-3;
  const std::uint64_t choice = draws.below(16);
  if (choice == 0) return target;
  const Vec3d away = draws.direction();
  if (choice == 1) return floats(power(20, 40, draws) * away);
  const double distance = choice < 8 ? size * draws.uniform(0, 8) : size * power(3, 20, draws);
  Vec3 origin = floats(spot.point + distance * away);
  Vec3 aim = target;
  const std::uint64_t flat = draws.below(14);  // 7 and more: none
  for (std::uint64_t axis = 0; axis < 3; ++axis) {
    if (flat < 7 && (flat >> axis & 1) != 0) component(origin, axis) = component(aim, axis);
  }
  return origin;
}

/// Lengths from 1e-38 to 1e38, components that vanish, denormals and -0.
void vary_direction(Ray& ray, float& t_of_target, Draws& draws) {
  const std::uint64_t choice = draws.below(16);
  Vec3& d = ray.direction;
  if (choice < 3) {
    const double size = length_of(widened(d));
    const double factor = size > 0 ? power(-126, 126, draws) / size : 1;
    d = gen::to_float(factor * widened(d));
    t_of_target = static_cast<float>(1 / factor);
  } else if (choice == 3) {
    component(d, draws.below(3)) =
        draws.below(2) == 0 ? -0.0f : float_of(draws.below(2) == 0 ? 1 : 0x80000003u);
  } else if (choice == 4) {
    const std::uint64_t kept = draws.below(3);
    for (std::uint64_t axis = 0; axis < 3; ++axis) {
      if (axis != kept) component(d, axis) = 0;
    }
  } else if (choice == 5) {
    d = {0, 0, 0};
  } else if (choice == 6) {
    component(d, draws.below(3)) *= 1e-7f;
  } else if (choice == 7) {
    d = {nudged(d.x, draws), nudged(d.y, draws), nudged(d.z, draws)};
  }
}

void vary_interval(Ray& ray, float t_of_target, Draws& draws) {
  if (!(t_of_target >= 0) || !(t_of_target < infinity)) return;
  const std::uint64_t choice = draws.below(12);
  if (choice == 0) ray.t_max = nudged(t_of_target, draws);
  if (choice == 1) ray.t_min = nudged(t_of_target, draws);
  if (choice == 2) ray.t_min = ray.t_max = t_of_target;
  if (choice == 3) ray.t_max = static_cast<float>(t_of_target * draws.uniform(0, 3));
  if (choice == 4) ray.t_min = static_cast<float>(t_of_target * draws.uniform(0, 3));
  if (choice == 5) ray.t_max = 0;
  ray.t_min = max(ray.t_min, 0.0f);
  ray.t_max = max(ray.t_max, ray.t_min);
}

void vary_filters(Ray& ray, std::uint32_t target, std::uint32_t shapes, Draws& draws) {
  const std::uint64_t choice = draws.below(16);
  if (choice == 0) ray.mask = static_cast<std::uint32_t>(draws.below(16));
  if (choice == 1) ray.exclude[draws.below(2) == 0 ? 0 : 1] = target;
  if (choice == 2) ray.exclude[0] = static_cast<std::uint32_t>(draws.below(shapes));
  if (choice == 2) ray.exclude[1] = target;
  if (choice == 3)
    ray.exclude_group[draws.below(2) == 0 ? 0 : 1] = static_cast<std::uint32_t>(draws.below(8));
}

void spoil(Ray& ray, Draws& draws) {
  constexpr float nan = std::numeric_limits<float>::quiet_NaN();
  const std::uint64_t axis = draws.below(3);
  const std::uint64_t choice = draws.below(8);
  if (choice == 0) component(ray.origin, axis) = nan;
  if (choice == 1) component(ray.origin, axis) = infinity;
  if (choice == 2) component(ray.origin, axis) = -next_up(domain_limit);
  if (choice == 3) component(ray.direction, axis) = nan;
  if (choice == 4) component(ray.direction, axis) = -infinity;
  if (choice == 5) ray.t_min = nan;
  if (choice == 6) ray.t_min = -1;
  if (choice == 7) ray.t_min = 2, ray.t_max = 1;
}

Ray make_ray(const ShapesView& shapes, std::uint64_t seed, std::uint64_t i) {
  Draws draws(seed, 0xad5e, i);
  const auto id = static_cast<std::uint32_t>(draws.below(shapes.size()));
  const Spot spot = shapes.visit(id, [&draws](const auto& s) { return on_shape(s, draws); });
  Vec3 target = floats(spot.point);
  target = {nudged(target.x, draws), nudged(target.y, draws), nudged(target.z, draws)};
  Ray ray;
  ray.origin = origin_for(spot, target, draws);
  ray.direction = {target.x - ray.origin.x, target.y - ray.origin.y, target.z - ray.origin.z};
  float t_of_target = 1;
  vary_direction(ray, t_of_target, draws);
  vary_interval(ray, t_of_target, draws);
  vary_filters(ray, id, shapes.size(), draws);
  if (i % 256 == 255) spoil(ray, draws);
  return ray;
}

}  // namespace

std::vector<Ray> adversarial_rays(const Scene& scene, std::uint64_t count, std::uint64_t seed) {
  const ShapesView shapes = scene.view();
  std::vector<Ray> rays(count);
  for (std::uint64_t i = 0; i < count; ++i) rays[i] = make_ray(shapes, seed, i);
  return rays;
}

std::vector<Ray> trouble(const Scene& scene, std::uint64_t count, std::uint64_t seed) {
  std::vector<Ray> rays = random_rays(scene, count / 2, seed);
  const std::vector<Ray> others = adversarial_rays(scene, count - count / 2, seed + 1);
  rays.insert(rays.end(), others.begin(), others.end());
  return rays;
}

}  // namespace sightline::testing
