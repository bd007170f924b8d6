#include "host/gen/random.hpp"
#include "host/gen/scenes.hpp"

namespace sightline::gen {
namespace {

constexpr std::uint64_t recipes = 16;  // shapes 16g ... 16g+15 form group g
/// Half-spaces are in no tree, so their number must not grow with the scene's.
constexpr std::uint64_t groups_with_half_spaces = 64;

/// A number in [2^low, 2^(high+1)), every binade equally likely.
double binade(int low, int high, Draws& draws) {
  const auto e = low + static_cast<int>(draws.below(static_cast<std::uint64_t>(high - low + 1)));
  return std::ldexp(draws.uniform(1, 2), e);
}

Vec3d binades(int low, int high, Draws& draws) {
  const double x = binade(low, high, draws);
  const double y = binade(low, high, draws);
  const double z = binade(low, high, draws);
  return {x, y, z};
}

/// The plain box and ball from which the other shapes of a group are derived. Every third group is
/// on multiples of 1/4, so that its corners and centres have few bits.
struct Group {
  Aabb box;
  Sphere ball;
};

Group group_of(std::uint64_t seed, std::uint64_t g, double reach) {
  Draws draws(seed, stream_cluster, g);
  const auto place = [&draws, g, reach] {
    Vec3 p = to_float(draws.in_cube(-reach, reach));
    if (g % 3 == 0) {
      p = {static_cast<float>(static_cast<int>(p.x * 4)) / 4,
           static_cast<float>(static_cast<int>(p.y * 4)) / 4,
           static_cast<float>(static_cast<int>(p.z * 4)) / 4};
    }
    return p;
  };
  const Vec3 corner = place();
  const Vec3 center = place();
  Vec3 size = to_float(binades(-4, 3, draws));
  if (g % 3 == 0) size = {1, 2, 0.5f};
  const float radius = g % 3 == 0 ? 1.25f : static_cast<float>(binade(-4, 2, draws));
  return {{corner, {corner.x + size.x, corner.y + size.y, corner.z + size.z}}, {center, radius}};
}

/// Boxes that share a face with the group's, miss it by one ulp, repeat it or are flat.
void add_box(Scene& scene, std::uint64_t recipe, const Aabb& box, const Attributes& attributes,
             Draws& draws) {
  Aabb s = box;
  if (recipe == 1 || recipe == 2) {
    const float width = box.max.x - box.min.x;
    s.min.x = recipe == 1 ? box.max.x : next_up(box.max.x);
    s.max.x = s.min.x + width;
  } else if (recipe == 4) {
    const std::uint64_t flat = 1 + draws.below(7);  // any of the axes, up to a point
    if ((flat & 1) != 0) s.max.x = s.min.x;
    if ((flat & 2) != 0) s.max.y = s.min.y;
    if ((flat & 4) != 0) s.max.z = s.min.z;
  }
  scene.add_aabb(s, attributes);
}

/// Oriented boxes: nearly axis-parallel, flat or needle-shaped, and the group's box once more.
void add_oriented(Scene& scene, std::uint64_t recipe, const Aabb& box, const Attributes& attributes,
                  Draws& draws) {
  const Vec3 half{(box.max.x - box.min.x) / 2, (box.max.y - box.min.y) / 2,
                  (box.max.z - box.min.z) / 2};
  const Vec3 center{box.min.x + half.x, box.min.y + half.y, box.min.z + half.z};
  if (recipe == 5) {
    scene.add_obb({center, half, small_turn_about_z(binade(-22, -8, draws))}, attributes);
  } else if (recipe == 6) {
    Vec3 extents = to_float(binades(-10, 2, draws));
    if (draws.below(2) == 0) extents.z = 0;
    scene.add_obb({center, extents, draws.rotation()}, attributes);
  } else if (draws.below(2) == 0) {
    scene.add_obb({center, half, {0, 0, 0, 1}}, attributes);
  } else {
    constexpr float root_half = 0.70710678f;
    scene.add_obb({center, {half.y, half.x, half.z}, {0, 0, root_half, root_half}}, attributes);
  }
}

/// Balls: the group's, one ulp larger, and of zero or tiny size.
void add_ball(Scene& scene, std::uint64_t recipe, const Sphere& ball, const Attributes& attributes,
              Draws& draws) {
  Sphere s = ball;
  if (recipe == 9) s.radius = next_up(ball.radius);
  if (recipe == 10) {
    const Vec3d offset = draws.in_cube(-64, 64);
    s.center = to_float(Vec3d{s.center.x, s.center.y, s.center.z} + offset);
    s.radius = draws.below(2) == 0 ? 0 : static_cast<float>(binade(-60, -20, draws));
  }
  scene.add_sphere(s, attributes);
}

/// Capsules: the group's ball with zero length, one of an ulp's length or without radius, and
/// needles.
void add_capsule(Scene& scene, std::uint64_t recipe, const Sphere& ball,
                 const Attributes& attributes, Draws& draws) {
  Capsule s{ball.center, ball.center, ball.radius};
  if (recipe == 12) {
    if (draws.below(2) == 0) {
      s.b.z = next_up(s.b.z);
    } else {
      s.b = to_float(Vec3d{s.a.x, s.a.y, s.a.z} + draws.in_cube(-64, 64));
      s.radius = 0;
    }
  } else if (recipe == 13) {
    const double length = binade(0, 7, draws);
    const Vec3d axis = draws.direction();
    s.b = {s.a.x + static_cast<float>(length * axis.x), s.a.y + static_cast<float>(length * axis.y),
           s.a.z + static_cast<float>(length * axis.z)};
    s.radius = static_cast<float>(length * 1e-4 * draws.uniform(0.5, 2));
  }
  scene.add_capsule(s, attributes);
}

/// A shape of any bounded kind, of a given size at a given position.
void add_any(Scene& scene, const Vec3d& center, double size, const Attributes& attributes,
             Draws& draws) {
  const std::uint64_t kind = draws.below(4);
  const Vec3d extents = size * draws.in_cube(0, 1);
  if (kind == 0) {
    scene.add_aabb({to_float(center + (-1.0) * extents), to_float(center + extents)}, attributes);
  } else if (kind == 1) {
    scene.add_obb({to_float(center), to_float(extents), draws.rotation()}, attributes);
  } else if (kind == 2) {
    scene.add_sphere({to_float(center), static_cast<float>(size)}, attributes);
  } else {
    scene.add_capsule({to_float(center), to_float(center + extents), static_cast<float>(size / 4)},
                      attributes);
  }
}

/// Far away: coordinates up to 2^38, sizes from far below their last bit up to an eighth of them,
/// so that none covers the middle of the scene.
void add_far(Scene& scene, const Attributes& attributes, Draws& draws) {
  const int e = 8 + static_cast<int>(draws.below(31));
  const Vec3d center = std::ldexp(1.0, e) * draws.direction();
  const int of_size = e - 3 - static_cast<int>(draws.below(28));
  const double size = std::ldexp(draws.uniform(0.5, 1), of_size);
  add_any(scene, center, size, attributes, draws);
}

/// A half-space outside the middle of the scene; half of them are axis-parallel.
void add_half_space(Scene& scene, double reach, const Attributes& attributes, Draws& draws) {
  const Vec3d n = draws.direction();
  const auto offset = static_cast<float>(-reach * binade(2, 14, draws));
  const float sign = draws.below(2) == 0 ? 1.0f : -1.0f;
  const std::uint64_t axis = draws.below(6);
  Vec3 normal = to_float(n);
  if (axis < 3) normal = {axis == 0 ? sign : 0, axis == 1 ? sign : 0, axis == 2 ? sign : 0};
  scene.add_plane({normal, offset}, attributes);
}

/// Half of the shapes are seen by every ray; a quarter belong to one of eight groups.
Attributes attributes_of(std::uint64_t i, Draws& draws) {
  Attributes attributes;
  attributes.label = i;
  const std::uint64_t choice = draws.below(8);
  if (choice < 2) attributes.group = static_cast<std::uint32_t>(draws.below(8));
  if (choice >= 4) attributes.mask = static_cast<std::uint32_t>(1 + draws.below(15));
  return attributes;
}

}  // namespace

double adversarial_reach(std::uint64_t shapes) {
  std::uint64_t side = 1;
  while (1600 * side * side * side < shapes) ++side;
  return 64 * static_cast<double>(side);
}

void make_adversarial(Scene& scene, const SceneRecipe& of) {
  const std::uint64_t shapes = of.shapes, seed = of.seed;
  const double reach = adversarial_reach(shapes);
  of.for_each(shapes, [&](std::uint64_t i) {
    Draws draws(seed, stream_shape, i);
    const Attributes attributes = attributes_of(i, draws);
    const std::uint64_t recipe = i % recipes;
    const Group group = group_of(seed, i / recipes, reach);
    if (recipe <= 4) {
      add_box(scene, recipe, group.box, attributes, draws);
    } else if (recipe <= 7) {
      add_oriented(scene, recipe, group.box, attributes, draws);
    } else if (recipe <= 10) {
      add_ball(scene, recipe, group.ball, attributes, draws);
    } else if (recipe <= 13) {
      add_capsule(scene, recipe, group.ball, attributes, draws);
    } else if (recipe == 14) {
      add_far(scene, attributes, draws);
    } else if (i / recipes < groups_with_half_spaces && i / recipes % 4 == 0) {
      add_half_space(scene, reach, attributes, draws);
    } else {
      const Vec3d center = draws.in_cube(-1, 1);
      add_any(scene, center, binade(-60, -24, draws), attributes, draws);
    }
  });
}

}  // namespace sightline::gen
