// Places along the walls of real levels: most have cover, and they are where walls are.
#include "host/files/import/doom/import_doom.hpp"
#include "host/files/import/godot/import_godot.hpp"
#include "tests/host/files/import/doom/doom_test.hpp"

#include <sightline/cover.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <iostream>

namespace sightline::testing {
namespace {

/// How many of the walkable columns, every `step`-th along both axes, have cover.
double share_of_a_grid(const Caster& caster, const NavMap& map, CoverOptions o,
                       std::uint64_t step) {
  std::vector<Vec3> feet;
  for (std::uint64_t c = 0; c < map.grid.columns(); ++c) {
    if (c % map.grid.width % step != 0 || c / map.grid.width % step != 0) continue;
    for (std::uint64_t s = map.offsets[c]; s < map.offsets[c + 1]; ++s) {
      if ((map.flags[s] & nav_flags::walkable) != 0) feet.push_back(map.grid.at(c, map.top[s]));
    }
  }
  o.up = upright(Vec3{0, 0, 1}, map.grid.up);
  CoverRows rows;
  rows.resize(feet.size());
  const CoverReport r = cover(caster, {Vec3Column::rows(feet)}, rows.view(), o);
  return static_cast<double>(r.crouch + r.stand) / static_cast<double>(feet.size());
}

/// Says what was found, and expects that it is of use.
void expect_useful(const CoverPlaces& found, double share_of_grid) {
  const double share = static_cast<double>(found.covered) / static_cast<double>(found.along_walls);
  std::uint64_t leaning = 0;
  for (std::size_t i = 0; i < found.span.size(); ++i) {
    leaning += (found.cover.left[i] | found.cover.right[i]) != 0;
  }
  std::cout << found.along_walls << " places along walls, " << found.covered << " with cover ("
            << 100 * share << " %, of a plain grid " << 100 * share_of_grid << " %), "
            << found.span.size() << " kept, " << leaning << " of them lean\n";
  EXPECT_GT(share, 0.98);
  EXPECT_LT(share_of_grid, 0.6);
  EXPECT_GT(found.span.size(), 1000u);
  EXPECT_LT(found.span.size(), 4000u);
  EXPECT_GT(leaning, 200u);
}

double distance_to_line(const Vec3& p, const io::DoomVertex& a, const io::DoomVertex& b) {
  const double ex = b.x - a.x, ey = b.y - a.y;
  const double px = double{p.x} - a.x, py = double{p.y} - a.y;
  const double ee = ex * ex + ey * ey;
  const double t = ee > 0 ? std::clamp((px * ex + py * ey) / ee, 0.0, 1.0) : 0;
  return std::hypot(px - t * ex, py - t * ey);
}

TEST(CoverPlacesOfLevels, OfDoomAreAlongItsLines) {
  const std::filesystem::path path = io::freedoom_path();
  if (!std::filesystem::exists(path)) GTEST_SKIP() << path << " is not there";
  const io::DoomImport level = io::import_doom(path, "E1M5", 64, 8);
  const Caster caster(level.scene, CpuOptions{});
  NavOptions world;
  world.agent = {16, 56, 24, 45};
  world.cell = world.cell_height = 8;
  world.from = level.viewpoints;
  const NavMap map = bake_nav(caster, world);
  CoverPlaceOptions o;
  o.spacing = 64;
  o.cover.crouch = 24, o.cover.stand = 41, o.cover.radius = 12, o.cover.reach = 48;
  o.cover.lean = 32, o.cover.view = 512;
  const CoverPlaces found = find_cover_places(caster, map, o);
  expect_useful(found, share_of_a_grid(caster, map, o.cover, 8));
  // Steps of floors are as coarse as their cells of 8.
  const double most = 16 + 8 + 8 * std::sqrt(2.0);
  const io::DoomMap lines = io::read_doom_map(path, io::read_bytes(path), "E1M5");
  for (const Vec3& p : found.position) {
    double least = 1e9, least_of_walls = 1e9;
    for (const io::DoomLine& line : lines.lines) {
      const double d = distance_to_line(p, lines.vertices[line.start], lines.vertices[line.end]);
      least = std::min(least, d);
      if (line.back_sector == io::doom_none) least_of_walls = std::min(least_of_walls, d);
    }
    EXPECT_LT(least, most) << p.x << " " << p.y;
    EXPECT_GE(least_of_walls, 16 - 1e-3) << p.x << " " << p.y;
  }
}

TEST(CoverPlacesOfLevels, OfAGodotLevelHaveCover) {
  const auto path = shared_folder() / "data/godot/tps-demo/level/level.tscn";
  if (!std::filesystem::exists(path)) GTEST_SKIP() << path << " is not there";
  const Caster caster(io::import_godot(path).scene, CpuOptions{});
  NavOptions world;
  world.up = UpAxis::y;
  world.bounds = {{-102, -41, -131}, {133, 15, 131}};
  const NavMap map = bake_nav(caster, world);
  CoverPlaceOptions o;
  o.spacing = 2;
  o.cover.reach = 1.5f, o.cover.lean = 0.8f, o.cover.view = 30;
  expect_useful(find_cover_places(caster, map, o), share_of_a_grid(caster, map, o.cover, 7));
}

}  // namespace
}  // namespace sightline::testing
