#include "host/gen/random.hpp"
#include "host/gen/scenes.hpp"

namespace sightline::gen {
namespace {

/// sqrt(1/2) as a float: four of these make quaternions whose axes come out as exact 0 and +-1.
constexpr float root_half = 0.70710678f;
/// Some quarter turns about the axes, half turns, and none.
constexpr Quat turns[8] = {{0, 0, 0, 1},
                           {root_half, 0, 0, root_half},
                           {0, root_half, 0, root_half},
                           {0, 0, root_half, root_half},
                           {0, 0, -root_half, root_half},
                           {1, 0, 0, 0},
                           {0.5f, 0.5f, 0.5f, 0.5f},
                           {root_half, root_half, 0, 0}};

/// 1 half of the time, else 0, 1 or 2.
float small_integer(Draws& draws) {
  return draws.below(2) == 0 ? 1.0f : static_cast<float>(draws.below(3));
}

Vec3 small_integers(Draws& draws) {
  const float x = small_integer(draws);
  const float y = small_integer(draws);
  const float z = small_integer(draws);
  return {x, y, z};
}

Vec3 added(const Vec3& a, const Vec3& b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }

void add_cell(Scene& scene, const Vec3& corner, Draws& draws) {
  const Vec3 center = added(corner, {1, 1, 1});
  switch (draws.below(4)) {
    case 0: {
      const Vec3 half = small_integers(draws);
      scene.add_aabb({added(center, -half), added(center, half)});
      break;
    }
    case 1: {
      const Vec3 half = small_integers(draws);
      scene.add_obb({center, half, turns[draws.below(8)]});
      break;
    }
    case 2:
      scene.add_sphere({center, small_integer(draws)});
      break;
    default: {
      const std::uint64_t axis = draws.below(3);
      const float length = 2 * small_integer(draws);
      const Vec3 step{axis == 0 ? length : 0, axis == 1 ? length : 0, axis == 2 ? length : 0};
      scene.add_capsule({center, added(center, step), 1});
      break;
    }
  }
}

}  // namespace

std::uint64_t lattice_side(std::uint64_t shapes) {
  std::uint64_t side = 2;
  while (side * side * side < 2 * shapes) ++side;
  return side;
}

void make_lattice(Scene& scene, const SceneRecipe& recipe) {
  const std::uint64_t shapes = recipe.shapes, seed = recipe.seed;
  const std::uint64_t side = lattice_side(shapes);
  recipe.for_each(shapes, [&](std::uint64_t i) {
    Draws draws(seed, stream_shape, i);
    const std::uint64_t cell = 2 * i + draws.below(2);  // one of every two cells in a row is filled
    const auto coordinate = [](std::uint64_t c) { return static_cast<float>(2 * c); };
    const Vec3 corner{coordinate(cell % side), coordinate(cell / side % side),
                      coordinate(cell / side / side)};
    add_cell(scene, corner, draws);
  });
}

}  // namespace sightline::gen
