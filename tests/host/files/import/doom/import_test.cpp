// Import of Doom maps: a small one whose walls and viewpoints are known, the real ones by count.
#include "host/files/import/doom/import_doom.hpp"

#include "host/files/import/doom/geometry.hpp"
#include "host/files/import/doom/level.hpp"
#include "tests/host/files/import/doom/doom_test.hpp"
#include "tests/support/refusal.hpp"

#include <sightline/caster.hpp>

#include <gtest/gtest.h>

#include <algorithm>

namespace sightline::io {
namespace {

DoomMap small_map(int floor1 = 16) {
  return read_doom_map("small.wad", small_wad(floor1).bytes(), "e1m1");
}

TEST(DoomWalls, OfTheSmallMapAreThoseDrawn) {
  const DoomWalls found = doom_walls(small_map(), DoomReach::drawn);
  struct Expected {
    std::uint32_t line;
    int low, high;
    DoomWallKind kind;
  };
  using enum DoomWallKind;
  const std::vector<Expected> expected = {
      {0, 0, 128, upper_step},  // the closed closet
      {1, 0, 128, one_sided},  {2, 0, 16, lower_step},  {2, 112, 128, upper_step},
      {3, 0, 128, one_sided},  {4, 16, 112, one_sided}, {5, 16, 112, one_sided},
      {6, 16, 112, one_sided}, {7, 16, 112, one_sided}};  // line 12 has one sector on both sides
  ASSERT_EQ(found.walls.size(), expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) {
    EXPECT_EQ(found.walls[i].line, expected[i].line) << i;
    EXPECT_EQ(found.walls[i].z_low, expected[i].low) << i;
    EXPECT_EQ(found.walls[i].z_high, expected[i].high) << i;
    EXPECT_EQ(found.walls[i].kind, expected[i].kind) << i;
  }
  EXPECT_EQ(found.zero_length_lines, 1u);
  EXPECT_EQ(found.zero_height_walls, 3u);
}

TEST(DoomWalls, ClosedReachFromTheLowestFloorToTheHighestCeiling) {
  const DoomMap map = small_map(-32);  // room 1: -32 to 112
  int one_sided = 0, steps = 0;
  for (const DoomWall& wall : doom_walls(map, DoomReach::closed).walls) {
    if (wall.kind == DoomWallKind::one_sided) {
      EXPECT_EQ(wall.z_low, -32) << wall.line;
      EXPECT_EQ(wall.z_high, 128) << wall.line;
      ++one_sided;
    } else {
      const bool lower = wall.kind == DoomWallKind::lower_step;
      EXPECT_EQ(wall.z_low, lower ? -32 : wall.line == 0 ? 0 : 112) << wall.line;
      EXPECT_EQ(wall.z_high, lower ? 0 : 128) << wall.line;
      ++steps;
    }
  }
  EXPECT_EQ(one_sided, 9);  // those of the closed closet too
  EXPECT_EQ(steps, 4);      // the closet's floor is room 0's
}

TEST(DoomWalls, BecomeFlatBoxesWithLabelsAndGroups) {
  const DoomMap map = small_map();
  Scene scene;
  for (const DoomWall& wall : doom_walls(map, DoomReach::drawn).walls) add_wall(scene, map, wall);
  ASSERT_EQ(scene.count(Kind::aabb), 8u);
  ASSERT_EQ(scene.count(Kind::obb), 1u);
  const Aabb step = scene.aabb(2);
  EXPECT_EQ(step.min.x, 256);
  EXPECT_EQ(step.max.x, 256);
  EXPECT_EQ(step.min.y, 0);
  EXPECT_EQ(step.max.y, 256);
  EXPECT_EQ(step.min.z, 0);
  EXPECT_EQ(step.max.z, 16);
  EXPECT_EQ(scene.attributes(2).label, 2u);
  EXPECT_EQ(scene.attributes(2).group, 0u);

  const Obb cut = scene.obb(0);  // from (448, 0) to (512, 64): an eighth of a turn
  EXPECT_EQ(cut.center.x, 480);
  EXPECT_EQ(cut.center.y, 32);
  EXPECT_EQ(cut.center.z, 64);
  EXPECT_EQ(cut.half_extents.x, static_cast<float>(std::sqrt(2.0) * 32 + 1.0 / 256));
  EXPECT_EQ(cut.half_extents.y, 0);
  EXPECT_EQ(cut.half_extents.z, 48);
  EXPECT_NEAR(cut.rotation.z, 0.38268343, 1e-7);  // sin, cos of 22.5 degrees
  EXPECT_NEAR(cut.rotation.w, 0.92387953, 1e-7);
  EXPECT_EQ(scene.attributes(scene.id(Kind::obb, 0)).label, 6u);
  EXPECT_EQ(scene.attributes(scene.id(Kind::obb, 0)).group, 1u);
}

/// Above every middle of a cell the boxes leave free what is between floor and ceiling.
TEST(DoomFloors, LeaveTheRoomsOfTheSmallMap) {
  const DoomMap map = small_map();
  for (const std::uint32_t cell : {64u, 24u, 7u}) {
    Scene scene;
    const std::uint64_t boxes = add_floors(scene, map, cell);
    ASSERT_EQ(scene.count(Kind::aabb), boxes);
    std::uint64_t several = 0, rooms = 0;
    for (const DoubledRow& row : rows_of_cells(map, cell)) {
      const std::vector<std::uint32_t> sectors = sectors_along(map, row, several);
      for (std::uint64_t k = 0; k < row.count; ++k) {
        const float x = static_cast<float>(row.first + row.step * static_cast<std::int64_t>(k)) / 2;
        const float y = static_cast<float>(row.y) / 2;
        int around = 0;
        for (std::uint32_t b = 0; b < boxes; ++b) {
          const Aabb box = scene.aabb(b);
          if (x < box.min.x || x > box.max.x || y < box.min.y || y > box.max.y) continue;
          ++around;
          ASSERT_NE(sectors[k], doom_none);
          EXPECT_EQ(scene.attributes(b).label, (std::uint64_t{1} << 32) + sectors[k]);
          const DoomSector& s = map.sectors[sectors[k]];
          EXPECT_TRUE(box.max.z == static_cast<float>(s.floor) ||
                      box.min.z == static_cast<float>(s.ceiling));
        }
        EXPECT_EQ(around, sectors[k] == doom_none ? 0 : 2);
        rooms += sectors[k] != doom_none;
      }
    }
    EXPECT_GT(rooms, 0u);
    EXPECT_LT(boxes, 2 * rooms);
  }
}

TEST(DoomViewpoints, StandOnTheSmallMapsFloorsRowByRow) {
  const DoomMap map = small_map();
  const DoomViewpoints found = doom_viewpoints(map, doom_walls(map, DoomReach::drawn).walls, 64);
  std::size_t k = 0;
  for (int y = 32; y < 256; y += 64) {
    for (int x = 32; x < 512; x += 64) {
      if (x == 480 && y == 32) continue;  // on the wall that cuts the corner
      ASSERT_LT(k, found.points.size());
      EXPECT_EQ(found.points[k].x, static_cast<float>(x)) << k;
      EXPECT_EQ(found.points[k].y, static_cast<float>(y)) << k;
      EXPECT_EQ(found.points[k].z, x < 256 ? 41 : 57) << k;
      EXPECT_EQ(found.sectors[k], x < 256 ? 0u : 1u) << k;
      ++k;
    }
  }
  EXPECT_EQ(k, found.points.size());
  EXPECT_EQ(found.in_several_sectors, 0u);
  EXPECT_EQ(found.nodes_disagree, 0u);
}

TEST(DoomViewpoints, KeepAPlayersRadiusFromWallsButNotFromStepsHeCanClimb) {
  const auto count_at = [](int floor1, float x, std::uint32_t grid) {
    const DoomMap map = small_map(floor1);
    const DoomViewpoints found =
        doom_viewpoints(map, doom_walls(map, DoomReach::drawn).walls, grid);
    return std::count_if(found.points.begin(), found.points.end(),
                         [x](const Vec3& p) { return p.x == x; });
  };
  EXPECT_EQ(count_at(16, 16, 32), 8);    // exactly 16 from the wall: room enough
  EXPECT_EQ(count_at(16, 8, 16), 0);     // 8 from it
  EXPECT_EQ(count_at(16, 15.5f, 1), 0);  // a half less than enough
  EXPECT_EQ(count_at(16, 16.5f, 1), 224);
  EXPECT_EQ(count_at(24, 248, 16), 14);     // 8 from a step of 24
  EXPECT_EQ(count_at(25, 248, 16), 0);      // which at 25 is a wall, from below
  EXPECT_EQ(count_at(25, 264, 16), 14);     // but not from above
  EXPECT_EQ(count_at(56, 300.5f, 1), 224);  // 56 high: enough to stand
  EXPECT_EQ(count_at(57, 300.5f, 1), 0);
}

TEST(DoomViewpoints, SeeEachOtherJustThroughTheOpening) {
  const DoomMap map = small_map();
  for (const DoomReach reach : {DoomReach::closed, DoomReach::drawn}) {
    Scene scene;
    for (const DoomWall& wall : doom_walls(map, reach).walls) add_wall(scene, map, wall);
    const Caster caster(scene, ReferenceOptions{});
    // From room 0 to room 1, crossing x = 256 half-way: at heights 15, 16, 17, 111, 112, 113.
    const std::vector<Vec3> from(6, Vec3{200, 128, 8});
    const std::vector<Vec3> to = {{312, 128, 22},  {312, 128, 24},  {312, 128, 26},
                                  {312, 128, 214}, {312, 128, 216}, {312, 128, 218}};
    std::vector<std::uint64_t> bits(1);
    caster.visibility_pairs({Vec3Column::rows(from)}, {Vec3Column::rows(to)}, bits);
    EXPECT_EQ(bits[0], 0b001100u);
  }
}

TEST(DoomGeometry, PointsOnALineBelongToItsRight) {
  const DoomMap map = small_map();
  std::uint64_t several = 0;
  const auto sectors = sectors_along(map, {256, -2 * 64, 2, 577}, several);
  EXPECT_EQ(several, 0u);
  EXPECT_EQ(sectors[0], 2u);   // x = -64
  EXPECT_EQ(sectors[64], 0u);  // x = 0, between the closet and room 0
  EXPECT_EQ(sectors[64 + 255], 0u);
  EXPECT_EQ(sectors[64 + 256], 1u);
  EXPECT_EQ(sectors[64 + 511], 1u);
  EXPECT_EQ(sectors[64 + 512], doom_none);  // beyond the wall
}

TEST(DoomWad, NamesFileLumpIndexAndReason) {
  const auto message = [](SmallWad wad, const std::string& map = "E1M1") {
    return testing::refusal(ErrorKind::bad_input, [&] {
      const DoomMap read = read_doom_map("small.wad", wad.bytes(), map);
      sector_by_nodes(read, {100, 100});
    });
  };
  const auto with = [](const std::string& lump, std::size_t at, std::uint8_t low,
                       std::uint8_t high) {
    SmallWad wad = small_wad();
    wad.lump(lump).at(at) = low;
    wad.lump(lump).at(at + 1) = high;
    return wad;
  };
  EXPECT_EQ(message(small_wad(), "E9M9"), "small.wad: no map 'E9M9'; it holds E1M1");
  EXPECT_EQ(message(with("LINEDEFS", 14 * 3, 11, 0)),
            "small.wad: map E1M1, lump LINEDEFS, record 3: vertex 11 of 11 does not exist");
  EXPECT_EQ(message(with("LINEDEFS", 14 * 4 + 10, 26, 0)),
            "small.wad: map E1M1, lump LINEDEFS, record 4: sidedef 26 of 26 does not exist");
  EXPECT_EQ(message(with("LINEDEFS", 14 * 1 + 10, 255, 255)),
            "small.wad: map E1M1, lump LINEDEFS, record 1: it has no sidedef on either side");
  EXPECT_EQ(message(with("SIDEDEFS", 30 * 5 + 28, 3, 0)),
            "small.wad: map E1M1, lump SIDEDEFS, record 5: sector 3 of 3 does not exist");
  EXPECT_EQ(message(with("SEGS", 12 + 8, 1, 0)),
            "small.wad: map E1M1, lump SEGS, record 1: linedef 4 has no sidedef on side 1");
  EXPECT_EQ(message(with("SSECTORS", 4, 3, 0)),
            "small.wad: map E1M1, lump SSECTORS, record 1: 3 segs from 1 do not exist among 3");
  EXPECT_EQ(message(with("NODES", 24, 3, 0x80)),
            "small.wad: map E1M1, lump NODES, record 0: subsector 3 of 3 does not exist");
  EXPECT_EQ(message(with("NODES", 26, 0, 0)),
            "small.wad: map E1M1, lump NODES, record 0: the nodes loop");
  SmallWad wad = small_wad();
  wad.lump("VERTEXES").pop_back();
  EXPECT_EQ(message(wad),
            "small.wad: map E1M1, lump VERTEXES: 43 bytes are no whole number of records of 4");
  wad = small_wad();
  wad.lump("BEHAVIOR");
  EXPECT_EQ(message(wad), "small.wad: map E1M1 is in Hexen's format; only Doom's own is read");
  wad = small_wad();
  wad.lumps.erase(wad.lumps.begin() + 3);
  EXPECT_EQ(message(wad), "small.wad: map E1M1, lump SIDEDEFS: missing");
}

TEST(DoomWad, RefusesADirectoryThatLies) {
  const Buffer good = small_wad().bytes();
  const auto message = [&good](std::size_t at, std::uint8_t value, std::size_t size) {
    Buffer bytes = good;
    bytes.at(at) = value;
    bytes.resize(size);
    try {
      doom_map_names("small.wad", bytes);
    } catch (const Error& e) {
      return std::string(e.what());
    }
    return std::string("no error");
  };
  EXPECT_EQ(message(0, 'P', good.size()), "no error");
  EXPECT_NE(message(0, 'X', good.size()).find("not a WAD file"), std::string::npos);
  EXPECT_NE(message(0, 'P', 11).find("12 bytes or more"), std::string::npos);
  EXPECT_NE(message(7, 0x7F, good.size()).find("the directory of"), std::string::npos);
  EXPECT_NE(message(11, 0x7F, good.size()).find("the directory of"), std::string::npos);
  EXPECT_NE(message(0, 'P', good.size() - 1).find("the directory of"), std::string::npos);
  EXPECT_NE(message(good.size() - 16 + 7, 1, good.size()).find("lump 9 (REJECT)"),
            std::string::npos);
}

TEST(DoomImport, MeetsTheKnownCountsOfTheRealMaps) {
  const std::filesystem::path path = freedoom_path();
  if (!std::filesystem::exists(path)) GTEST_SKIP() << path << " is not there";
  const std::vector<std::string> maps = maps_of_episodes("12", doom_maps(path));
  ASSERT_EQ(maps.size(), 18u);
  std::uint64_t lines = 0, walls = 0, closed = 0, sectors = 0, things = 0;
  for (const std::string& map : maps) {
    const DoomImport got = import_doom(path, map, 64, std::nullopt, DoomReach::drawn);
    const DoomImport by_default = import_doom(path, map, 64);
    EXPECT_EQ(by_default.scene.size(), by_default.counts.walls) << map;
    EXPECT_EQ(by_default.counts.viewpoints, got.counts.viewpoints) << map;
    closed += by_default.counts.walls;
    lines += got.counts.linedefs;
    walls += got.counts.walls;
    sectors += got.counts.sectors;
    things += got.counts.things;
    EXPECT_EQ(got.scene.size(), got.counts.walls) << map;
    EXPECT_EQ(got.counts.axis_parallel + got.counts.oblique, got.counts.walls) << map;
    EXPECT_EQ(got.counts.points_in_several_sectors, 0u) << map;
    // Sector 390 of E1M6 has no boundary of its own: only the BSP knows where it is.
    EXPECT_EQ(got.counts.nodes_disagree, map == "E1M6" ? 13u : 0u) << map;
    if (map == "E1M5") {
      EXPECT_EQ(got.counts.linedefs, 6951u);
      EXPECT_EQ(got.counts.walls, 6982u);
      EXPECT_EQ(by_default.counts.walls, 9794u);
      EXPECT_EQ(got.counts.viewpoints, 4040u);
    }
  }
  EXPECT_EQ(lines, 42043u);
  EXPECT_EQ(walls, 40967u);
  EXPECT_EQ(closed, 59940u);
  EXPECT_EQ(sectors, 6723u);
  EXPECT_EQ(things, 6310u);
}

TEST(DoomImport, RefusesABadGridAndAMissingFile) {
  EXPECT_THROW(import_doom("nowhere.wad", "E1M1", 0), Error);
  EXPECT_THROW(import_doom("nowhere.wad", "E1M1", 4097), Error);
  try {
    import_doom("nowhere.wad", "E1M1", 64);
    FAIL();
  } catch (const Error& e) {
    EXPECT_EQ(e.kind(), ErrorKind::io);
    EXPECT_NE(std::string(e.what()).find("nowhere.wad"), std::string::npos);
  }
}

}  // namespace
}  // namespace sightline::io
