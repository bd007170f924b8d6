// Places along walls are those that stay where they are judged one by one, the best first.
#include "tests/host/bakes/nav/cover_worlds.hpp"
#include "tests/support/scale.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>

namespace sightline::testing {
namespace {

/// Which walkable spans are reached from one over others nearer to it than the spacing: by looking
/// at all of them again and again.
std::vector<bool> near_on_foot(const NavMap& map, const std::vector<std::uint64_t>& column,
                               std::uint64_t from, double spacing) {
  const auto is_near = [&](std::uint64_t s) {
    const Vec3 p = map.grid.at(column[s], 0), q = map.grid.at(column[from], 0);
    return std::hypot(double{p.x} - q.x, double{p.y} - q.y) < spacing - 1e-9;
  };
  std::vector<bool> reached(map.spans(), false);
  reached[from] = true;
  for (bool grows = true; grows;) {
    grows = false;
    for (std::uint64_t s = 0; s < map.spans(); ++s) {
      if (!reached[s]) continue;
      for (int way = 0; way < 4; ++way) {
        const std::uint8_t place = map.links[s][static_cast<std::size_t>(way)];
        if (place == no_link) continue;
        const std::uint64_t next = map.offsets[*map.neighbour(column[s], way)] + place;
        if (reached[next] || (map.flags[next] & nav_flags::walkable) == 0) continue;
        if (!is_near(next)) continue;
        reached[next] = grows = true;
      }
    }
  }
  return reached;
}

std::vector<std::uint64_t> column_of_spans(const NavMap& map) {
  std::vector<std::uint64_t> column(map.spans());
  for (std::uint64_t c = 0; c < map.grid.columns(); ++c) {
    for (std::uint64_t s = map.offsets[c]; s < map.offsets[c + 1]; ++s) column[s] = c;
  }
  return column;
}

TEST(CoverPlaces, AreThoseThatOneByOneAreKept) {
  std::uint64_t kept = 0, left_out = 0;
  for (std::uint64_t seed = 1; seed <= scaled(8); ++seed) {
    SCOPED_TRACE(seed);
    NavOptions world;
    world.agent.radius = 0.3f;
    const Baked baked(round_world(seed), world);
    const NavMap& map = baked.map;
    const NavMap before = map;
    const std::vector<std::uint64_t> column = column_of_spans(map);
    CoverPlaceOptions o;
    o.cover.at = 0.5f;
    o.spacing = seed % 2 == 0 ? 1.0f : 2.2f;
    const CoverPlaces found = baked.places(o);
    EXPECT_EQ(before.flags, map.flags);
    // All of them, judged one by one.
    struct Place {
      std::uint64_t span;
      std::array<std::uint64_t, 4> masks;  // crouch, stand, left, right
      std::uint32_t facing;
      int leaning, standing, crouching;
      bool can(std::size_t mask, std::uint32_t way) const { return (masks[mask] >> way & 1) != 0; }
    };
    std::vector<Place> places;
    std::uint64_t along_walls = 0;
    for (std::uint64_t s = 0; s < map.spans(); ++s) {
      if ((map.flags[s] & nav_flags::walkable) == 0 || map.clearance[s] >= 0.3f + 0.3f) continue;
      ++along_walls;
      const Vec3 p = map.grid.at(column[s], map.top[s] + 0.5f);
      CoverRows row;
      row.resize(1);
      cover(baked.caster, {p}, row.view(), o.cover);
      const std::array<std::uint64_t, 4> masks = {row.crouch[0], row.stand[0], row.left[0],
                                                  row.right[0]};
      if (masks[0] == 0) continue;
      Place place{s, masks, row.facing[0], 0, 0, 0};
      place.leaning = place.can(2, place.facing) + place.can(3, place.facing);
      for (std::uint32_t k = 0; k < 32; ++k) {
        place.standing += place.can(1, k);
        place.crouching += place.can(0, k);
      }
      places.push_back(place);
    }
    EXPECT_EQ(found.along_walls, along_walls);
    EXPECT_EQ(found.covered, places.size());
    std::sort(places.begin(), places.end(), [](const Place& a, const Place& b) {
      if (a.leaning != b.leaning) return a.leaning > b.leaning;
      if (a.standing != b.standing) return a.standing > b.standing;
      if (a.crouching != b.crouching) return a.crouching > b.crouching;
      return a.span < b.span;
    });
    std::vector<std::uint64_t> expected;
    std::vector<Place> stay;
    std::vector<std::vector<bool>> near;  // each of them
    for (const Place& p : places) {
      bool out = false;
      for (std::size_t q = 0; q < stay.size(); ++q) {
        bool offers_all = true;
        for (std::size_t k = 0; k < 4; ++k) {
          offers_all &= !p.can(k, p.facing) || stay[q].can(k, p.facing);
        }
        out |= offers_all && near[q][p.span];
      }
      if (out) {
        ++left_out;
        continue;
      }
      stay.push_back(p);
      near.push_back(near_on_foot(map, column, p.span, o.spacing));
      expected.push_back(p.span);
    }
    std::sort(expected.begin(), expected.end());
    EXPECT_EQ(found.span, expected);
    kept += expected.size();
  }
  EXPECT_GT(kept, 5u);
  EXPECT_GT(left_out, kept);
}

}  // namespace
}  // namespace sightline::testing
