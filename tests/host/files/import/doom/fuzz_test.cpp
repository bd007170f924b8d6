// Damaged WAD files: refused or read, never a crash, never more memory than the file accounts for.
#include "host/files/import/doom/level.hpp"
#include "host/gen/random.hpp"
#include "tests/host/files/import/doom/doom_test.hpp"
#include "tests/support/scale.hpp"

#include <gtest/gtest.h>

namespace sightline::io {
namespace {

/// Flips bytes, writes extreme numbers, cuts the end off.
void damage(Buffer& bytes, gen::Draws& draws) {
  constexpr std::uint8_t extremes[] = {0x00, 0xFF, 0x7F, 0x80, 0x01};
  for (std::uint64_t n = 1 + draws.below(6); n > 0 && !bytes.empty(); --n) {
    // Half of the time in the header or the directory, where it hurts most.
    const std::uint64_t directory = std::min<std::uint64_t>(bytes.size(), 160 + 12);
    std::uint64_t at = draws.below(bytes.size());
    if (draws.below(2) == 0) at = bytes.size() - 1 - draws.below(directory);
    if (draws.below(8) == 0) at = draws.below(std::min<std::uint64_t>(bytes.size(), 12));
    const std::uint64_t how = draws.below(16);
    if (how < 8) {
      bytes[at] = static_cast<std::uint8_t>(draws.bits());
    } else if (how < 15) {
      const std::uint8_t value = extremes[draws.below(5)];
      for (std::uint64_t k = at; k < std::min<std::uint64_t>(at + 1 + draws.below(4), bytes.size());
           ++k) {
        bytes[k] = value;
      }
    } else {
      bytes.resize(at);
    }
  }
}

TEST(DoomFuzz, DamagedFilesAreReadOrRefused) {
  const Buffer good = small_wad().bytes();
  const std::uint64_t cases = scaled(1'000'000);
  std::uint64_t read = 0, refused = 0;
  for (std::uint64_t i = 0; i < cases; ++i) {
    SCOPED_TRACE("case " + std::to_string(i));
    gen::Draws draws(1, 0xd00, i);
    Buffer bytes = good;
    damage(bytes, draws);
    try {
      const DoomMap map = read_doom_map("damaged.wad", bytes, "E1M1");
      ASSERT_LE(map.lines.size() * 14, bytes.size());
      ASSERT_LE(map.vertices.size() * 4, bytes.size());
      ASSERT_LE(map.reject.size(), bytes.size());
      ASSERT_LE(doom_walls(map, DoomReach::closed).walls.size(), 2 * map.lines.size());
      const DoomWalls walls = doom_walls(map, DoomReach::drawn);
      ASSERT_LE(walls.walls.size(), 2 * map.lines.size());
      Scene scene;
      for (const DoomWall& wall : walls.walls) add_wall(scene, map, wall);
      const DoomViewpoints points = doom_viewpoints(map, walls.walls, 2048);
      ASSERT_EQ(points.points.size(), points.sectors.size());
      if (!map.sectors.empty())
        is_rejected(map, 0, static_cast<std::uint32_t>(map.sectors.size() - 1));
      ++read;
    } catch (const Error& e) {
      ASSERT_EQ(e.kind(), ErrorKind::bad_input) << e.what();
      ASSERT_NE(std::string(e.what()).find("damaged.wad"), std::string::npos) << e.what();
      ++refused;
    }
  }
  // Both must happen, or the damage is too heavy or too light to mean anything.
  EXPECT_GT(read, cases / 10);
  EXPECT_GT(refused, cases / 10);
}

}  // namespace
}  // namespace sightline::io
