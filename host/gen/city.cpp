#include "host/gen/random.hpp"
#include "host/gen/scenes.hpp"

namespace sightline::gen {
namespace {

constexpr double block = 100, street = 10;  // half a street on each side of a block
constexpr double interior = block - 2 * street;
constexpr std::uint64_t buildings = 10, posts = 14, crowns = 15, shapes_per_block = 40;
constexpr std::uint64_t lots_x = 4, lots_y = 3;

/// The lot of building b: twelve lots in order, except two empty ones drawn per block.
std::uint64_t lot_of(std::uint64_t seed, std::uint64_t block_index, std::uint64_t b) {
  Draws draws(seed, stream_block, block_index);
  const std::uint64_t first = draws.below(lots_x * lots_y - 1);
  const std::uint64_t second = first + 1 + draws.below(lots_x * lots_y - 1 - first);
  std::uint64_t lot = b;
  if (lot >= first) ++lot;
  if (lot >= second) ++lot;
  return lot;
}

void add_building(Scene& scene, const Vec3d& corner, std::uint64_t lot, std::uint64_t b,
                  Draws& draws) {
  constexpr double width = interior / lots_x, depth = interior / lots_y;
  const double half_x = width * draws.uniform(0.3, 0.45);
  const double half_y = depth * draws.uniform(0.3, 0.45);
  const bool tower = draws.below(10) == 0;
  const double height = tower ? draws.uniform(40, 120) : draws.uniform(6, 30);
  const double turn = draws.uniform(-0.25, 0.25);
  const double x = corner.x + street + width * (static_cast<double>(lot % lots_x) + 0.5);
  const double y = corner.y + street + depth * (static_cast<double>(lot / lots_x) + 0.5);
  if (b % 2 == 0) {
    scene.add_aabb(
        {to_float({x - half_x, y - half_y, 0}), to_float({x + half_x, y + half_y, height})});
  } else {
    scene.add_obb({to_float({x, y, height / 2}),
                   to_float({0.85 * half_x, 0.85 * half_y, height / 2}), small_turn_about_z(turn)});
  }
}

/// A point `outside` metres outside the interior's edge (number mod 4), at a uniform position along
/// it.
Vec3d beside_interior(const Vec3d& corner, double outside, std::uint64_t number, Draws& draws) {
  const double along = draws.uniform(street, block - street);
  const double low = street - outside, high = block - low;
  const Vec3d beside[] = {{along, low, 0}, {high, along, 0}, {along, high, 0}, {low, along, 0}};
  return corner + beside[number % 4];
}

void add_post(Scene& scene, const Vec3d& corner, std::uint64_t number, Draws& draws) {
  const Vec3d foot = beside_interior(corner, 2, number, draws);
  const double lean_x = draws.uniform(-0.1, 0.1);
  const double lean_y = draws.uniform(-0.1, 0.1);
  const double height = draws.uniform(5, 9);
  scene.add_capsule({to_float(foot), to_float(foot + Vec3d{lean_x, lean_y, height}), 0.12f});
}

void add_crown(Scene& scene, const Vec3d& corner, std::uint64_t number, Draws& draws) {
  const Vec3d foot = beside_interior(corner, 5, number, draws);
  const double radius = draws.uniform(1, 2.6);
  const double height = radius + draws.uniform(1.6, 3.5);
  scene.add_sphere({to_float(foot + Vec3d{0, 0, height}), static_cast<float>(radius)});
}

/// Within the first 3 metres of the block's western or southern half street: clear of the trees.
void add_car(Scene& scene, const Vec3d& corner, Draws& draws) {
  const double along = draws.uniform(0, block);
  const double across = draws.uniform(0, 3);
  const bool along_x = draws.below(2) == 0;
  const Vec3d half_turn = draws.on_circle();
  const Vec3d place = corner + (along_x ? Vec3d{along, across, 0.75} : Vec3d{across, along, 0.75});
  scene.add_obb({to_float(place),
                 {2.2f, 0.9f, 0.75f},
                 {0, 0, static_cast<float>(half_turn.y), static_cast<float>(half_turn.x)}});
}

}  // namespace

std::uint64_t city_side(std::uint64_t shapes) {
  const std::uint64_t blocks = shapes <= 1 ? 1 : (shapes - 2) / shapes_per_block + 1;
  std::uint64_t side = 1;
  while (side * side < blocks) ++side;
  return side;
}

void make_city(Scene& scene, const SceneRecipe& recipe) {
  const std::uint64_t shapes = recipe.shapes, seed = recipe.seed;
  const std::uint64_t side = city_side(shapes);
  const auto width = static_cast<float>(block * static_cast<double>(side));
  scene.add_aabb({{0, 0, -1}, {width, width, 0}});
  recipe.for_each(shapes - 1, [&](std::uint64_t i) {
    Draws draws(seed, stream_shape, i);
    const std::uint64_t block_index = i / shapes_per_block;
    const std::uint64_t number = i % shapes_per_block;
    const Vec3d corner{block * static_cast<double>(block_index % side),
                       block * static_cast<double>(block_index / side), 0};
    if (number < buildings) {
      add_building(scene, corner, lot_of(seed, block_index, number), number, draws);
    } else if (number < buildings + posts) {
      add_post(scene, corner, number, draws);
    } else if (number < buildings + posts + crowns) {
      add_crown(scene, corner, number, draws);
    } else {
      add_car(scene, corner, draws);
    }
  });
}

}  // namespace sightline::gen
