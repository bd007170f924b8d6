// Sight over closed walls, against the map itself: floors, ceilings and lines, without any shapes.
#include "host/files/import/doom/import_doom.hpp"
#include "host/gen/random.hpp"
#include "tests/host/files/import/doom/doom_test.hpp"
#include "tests/support/scale.hpp"

#include <sightline/caster.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <iostream>

namespace sightline::io {
namespace {

enum class MapSight { seen, blocked, too_near_to_call };

/// The segment crosses lines one by one, and must pass between the floors and ceilings of both
/// sides of each.
MapSight sight_in_map(const DoomMap& map, const Vec3& p, const Vec3& q) {
  using Real = long double;
  constexpr Real near = 1.0L / 64;  // map units; walls' ends are rounded by less
  MapSight sight = MapSight::seen;
  for (const DoomLine& line : map.lines) {
    if (line.front_sector == line.back_sector) continue;
    const DoomVertex a = map.vertices[line.start], b = map.vertices[line.end];
    const Real ex = b.x - a.x, ey = b.y - a.y, dx = Real{q.x} - p.x, dy = Real{q.y} - p.y;
    const Real length = std::sqrt(ex * ex + ey * ey), across = dx * ey - dy * ex;
    if (across == 0) continue;  // along the line: its neighbours tell
    const Real t = ((a.x - Real{p.x}) * ey - (a.y - Real{p.y}) * ex) / across;
    const Real along = ((a.x - Real{p.x}) * dy - (a.y - Real{p.y}) * dx) / across * length;
    if (t < 0 || t > 1 || along < -near || along > length + near) continue;
    const Real z = p.z + t * (Real{q.z} - p.z);
    Real floor = 1e9, ceiling = -1e9;
    if (line.front_sector != doom_none && line.back_sector != doom_none) {
      const DoomSector& front = map.sectors[line.front_sector];
      const DoomSector& back = map.sectors[line.back_sector];
      floor = std::max(front.floor, back.floor);
      ceiling = std::min(front.ceiling, back.ceiling);
    }
    if (z > floor + near && z < ceiling - near) continue;
    const bool at_an_end = along < near || along > length - near;
    const bool at_an_edge = z > floor - near && z < ceiling + near;
    if (!at_an_end && !at_an_edge) return MapSight::blocked;
    sight = MapSight::too_near_to_call;
  }
  return sight;
}

struct SightTally {
  std::uint64_t seen = 0, blocked = 0, near = 0, wrong = 0;
};

SightTally tally_sight(const std::filesystem::path& path, const DoomMap& map, DoomReach reach,
                       std::uint64_t pairs) {
  const DoomImport import = import_doom(path, map.name, 64, std::nullopt, reach);
  const Caster caster(import.scene, CpuOptions{});
  SightTally tally;
  // Near to each other in the list is near in the map, so that many are seen.
  const std::uint64_t n = import.viewpoints.size();
  for (std::uint64_t k = 0; k < pairs; ++k) {
    const std::uint64_t i = gen::Draws(3, 0xc105, k).bits() % n;
    const std::uint64_t step = gen::Draws(4, 0xc105, k).bits() % (k % 2 == 0 ? 300 : n);
    const Vec3 &p = import.viewpoints[i], &q = import.viewpoints[(i + step) % n];
    std::uint64_t bit = 0;
    caster.visibility_pairs({p}, {q}, {&bit, 1});
    const MapSight expected = sight_in_map(map, p, q);
    if (expected == MapSight::too_near_to_call) {
      ++tally.near;
      continue;
    }
    ++(expected == MapSight::seen ? tally.seen : tally.blocked);
    tally.wrong += (bit != 0) != (expected == MapSight::seen);
  }
  return tally;
}

TEST(ClosedWalls, SightIsThatOfTheMap) {
  const std::filesystem::path path = freedoom_path();
  if (!std::filesystem::exists(path)) GTEST_SKIP() << path << " is not there";
  const Buffer bytes = read_bytes(path);
  std::uint64_t sunk = 0;
  for (const std::string name : {"E1M1", "E1M5", "E2M5"}) {
    const DoomMap map = read_doom_map(path, bytes, name);
    const std::uint64_t pairs = scaled(20000);
    const SightTally closed = tally_sight(path, map, DoomReach::closed, pairs);
    std::cout << name << ": " << closed.seen << " seen and " << closed.blocked << " blocked, "
              << closed.near << " too near to call\n";
    EXPECT_EQ(closed.wrong, 0u) << name;
    EXPECT_GT(closed.seen, 0u);
    EXPECT_LT(closed.near, pairs / 4 + 20);
    sunk += tally_sight(path, map, DoomReach::drawn, pairs).wrong;
  }
  if (test_scale() >= 1) {
    EXPECT_GT(sunk, 0u);  // why walls are closed
  }
}

}  // namespace
}  // namespace sightline::io
