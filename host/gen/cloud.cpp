#include "host/gen/random.hpp"
#include "host/gen/scenes.hpp"

namespace sightline::gen {
namespace {

constexpr double cloud_side = 100;

/// The typical size at which a line through the cube meets 2 to 3 of n shapes.
double typical_size(std::uint64_t n) { return 101.7 / std::sqrt(static_cast<double>(n)); }

Vec3d half_extents(double k, Draws& draws) { return (0.8 * k) * draws.in_cube(0.6, 1.2); }

Aabb box_around(const Vec3d& center, const Vec3d& half) {
  return {to_float(center + (-1.0) * half), to_float(center + half)};
}

Capsule capsule_around(const Vec3d& center, const Vec3d& half_axis, double radius) {
  return {to_float(center + (-1.0) * half_axis), to_float(center + half_axis),
          static_cast<float>(radius)};
}

/// A beam as long as the scene and `thick` wide, through a random point.
void add_beam(Scene& scene, std::uint64_t number, double thick, Draws& draws) {
  const Vec3d center = draws.in_cube(0, cloud_side);
  const Vec3d axis = draws.direction();
  const Quat rotation = draws.rotation();
  const Vec3d half{cloud_side / 2, thick, thick};
  switch (number % 3) {
    case 0:
      scene.add_capsule(capsule_around(center, (cloud_side / 2) * axis, thick));
      break;
    case 1:
      scene.add_obb({to_float(center), to_float(half), rotation});
      break;
    default:
      scene.add_aabb(box_around({cloud_side / 2, center.y, center.z}, half));
      break;
  }
}

/// 2^-3 to 2^4, every power of two equally likely; scaled so that the mean square is 1 and a line
/// meets as many shapes as in a cloud: mean of 4^j for j = -3..3, times the mean 7/3 of u(1,2)^2.
double mixed_scale(Draws& draws) {
  constexpr double mean_square = (5461.0 / 64 / 7) * (7.0 / 3);
  double scale = 0.125 * draws.uniform(1, 2);
  for (std::uint64_t doublings = draws.below(7); doublings > 0; --doublings) scale *= 2;
  return scale / std::sqrt(mean_square);
}

/// Shape `i` of a cloud: of kind i mod 4, size k around a centre.
void add_cloud_shape(Scene& scene, std::uint64_t i, const Vec3d& center, double k, Draws& draws) {
  switch (i % 4) {
    case 0:
      scene.add_aabb(box_around(center, half_extents(k, draws)));
      break;
    case 1: {
      const Vec3d half = half_extents(k, draws);
      scene.add_obb({to_float(center), to_float(half), draws.rotation()});
      break;
    }
    case 2:
      scene.add_sphere({to_float(center), static_cast<float>(k)});
      break;
    default: {
      const double half_length = k * draws.uniform(0.5, 1.5);
      scene.add_capsule(capsule_around(center, half_length * draws.direction(), k / 2));
      break;
    }
  }
}

}  // namespace

void make_cloud(Scene& scene, const SceneRecipe& recipe) {
  const std::uint64_t shapes = recipe.shapes, seed = recipe.seed;
  recipe.for_each(shapes, [&](std::uint64_t i) {
    Draws draws(seed, stream_shape, i);
    const Vec3d center = draws.in_cube(0, cloud_side);
    const double k = draws.uniform(0.5, 1.3) * typical_size(shapes);
    add_cloud_shape(scene, i, center, k, draws);
  });
}

void make_mixed(Scene& scene, const SceneRecipe& recipe) {
  const std::uint64_t shapes = recipe.shapes, seed = recipe.seed;
  const double size = typical_size(shapes);
  const std::uint64_t clusters = shapes / 3000 + 1;
  recipe.for_each(shapes, [&](std::uint64_t i) {
    Draws draws(seed, stream_shape, i);
    if (i % 1000 == 999) {
      add_beam(scene, i / 1000, size / 4, draws);
      return;
    }
    Vec3d center = draws.in_cube(0, cloud_side);
    const double plain = draws.uniform(0.5, 1.3) * size;
    const double k = plain * mixed_scale(draws);
    if (i % 3 == 2) {
      center = Draws(seed, stream_cluster, draws.below(clusters)).in_cube(0, cloud_side);
      const double outermost = 12 * size * draws.uniform();
      const double distance = outermost * draws.uniform();
      center = center + distance * draws.direction();
    }
    add_cloud_shape(scene, i, center, k, draws);
  });
}

}  // namespace sightline::gen
