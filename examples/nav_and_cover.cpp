// Where an agent can walk, and where it can take cover: a yard with a wall, a crate and a ramp.
#include <sightline/sightline.hpp>

#include <cstdio>

int main() {
  using namespace sightline;
  Scene yard;
  yard.add_aabb({{0, 0, -1}, {20, 20, 0}});     // the ground
  yard.add_aabb({{9, 4, 0}, {9.5f, 16, 3}});    // a wall
  yard.add_aabb({{14, 9, 0}, {16, 11, 1.1f}});  // a crate, to crouch behind
  yard.add_obb({{4, 10, 0.5f},
                {3, 1.5f, 0.1f},  // a ramp, 15 degrees
                {0, -0.1305262f, 0, 0.9914449f}});
  const Caster caster(std::move(yard));

  NavOptions options;
  options.agent = {.radius = 0.4f, .height = 1.8f, .climb = 0.4f, .slope = 45};
  options.cell = 0.25f, options.cell_height = 0.1f;
  const NavMap map = bake_nav(caster, options);
  std::printf("%u x %u columns, %llu spans, %zu regions\n", map.grid.width, map.grid.depth,
              static_cast<unsigned long long>(map.spans()), map.regions.size());
  for (const NavRegion& region : map.regions) {
    std::printf("  a region of %.1f square units\n", region.area);
  }

  CoverPlaceOptions places;
  places.cover.directions = 16;
  const CoverPlaces found = find_cover_places(caster, map, places);
  std::printf("%llu places along walls, %llu with cover, %zu kept\n",
              static_cast<unsigned long long>(found.along_walls),
              static_cast<unsigned long long>(found.covered), found.position.size());
  std::size_t standing = 0;
  for (const CoverHeight height : found.cover.height) standing += height == CoverHeight::stand;
  std::printf("%zu of them stand, the others crouch\n", standing);
  return found.position.empty() || map.regions.empty() ? 1 : 0;
}
