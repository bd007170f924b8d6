// Sectors as areas: what we see of a map's sectors, its REJECT table must not deny.
#include "host/files/import/doom/import_doom.hpp"
#include "tests/host/files/import/doom/doom_test.hpp"

#include <sightline/visibility.hpp>

#include <gtest/gtest.h>

#include <iostream>

namespace sightline::io {
namespace {

struct SectorTally {
  std::uint64_t pairs = 0;     ///< of sectors with viewpoints
  std::uint64_t seen = 0;      ///< partly or fully
  std::uint64_t rejected = 0;  ///< by the table
  std::uint64_t denied = 0;    ///< two sectors, seen and rejected: must be 0
  std::uint64_t itself = 0;    ///< seen from itself and rejected
  std::string first;           ///< the first such pair, in words
  std::uint64_t both = 0;      ///< neither seen nor let through
};

SectorTally tally_sectors(const std::filesystem::path& path, const DoomMap& table,
                          std::uint32_t grid) {
  const DoomImport map = import_doom(path, table.name, grid);
  const Caster caster(map.scene, CpuOptions{});
  const AreaSamples all = group_points(map.viewpoints, map.viewpoint_sector, table.sectors.size());
  const AreaSamples samples = free_samples(caster, all, Inside::solid);
  EXPECT_EQ(samples.point.size(), map.viewpoints.size());  // no viewpoint touches a wall
  const std::uint64_t n = samples.size();
  std::vector<AreaClass> classes(n * n);
  area_classes(caster, samples, {}, {}, classes);
  SectorTally tally;
  for (std::uint32_t a = 0; a < n; ++a) {
    for (std::uint32_t b = 0; b < n; ++b) {
      if (samples.count(a) == 0 || samples.count(b) == 0) continue;
      const bool seen = classes[a * n + b] != AreaClass::hidden;
      const bool rejected = is_rejected(table, a, b);
      EXPECT_EQ(classes[a * n + b], classes[b * n + a]);
      ++tally.pairs;
      tally.seen += seen;
      tally.rejected += rejected;
      // The tables say of some sectors that they do not see themselves, which no game asks.
      tally.itself += a == b && seen && rejected;
      tally.denied += a != b && seen && rejected;
      tally.both += !seen && rejected;
      if (a != b && seen && rejected && tally.first.empty()) {
        tally.first = ": sectors " + std::to_string(a) + " and " + std::to_string(b);
      }
    }
  }
  return tally;
}

TEST(Sectors, WhatIsSeenIsNotRejected) {
  const std::filesystem::path path = freedoom_path();
  if (!std::filesystem::exists(path)) GTEST_SKIP() << path << " is not there";
  const Buffer bytes = read_bytes(path);
  SectorTally all;
  int maps = 0;
  for (const std::string& name : maps_of_episodes("12", doom_map_names(path, bytes))) {
    const SectorTally t = tally_sectors(path, read_doom_map(path, bytes, name), 128);
    EXPECT_EQ(t.denied, 0u) << name << t.first;
    EXPECT_GT(t.seen, 0u) << name;
    all.pairs += t.pairs, all.seen += t.seen, all.rejected += t.rejected, all.both += t.both;
    all.itself += t.itself;
    ++maps;
  }
  std::cout << maps << " maps: " << all.pairs << " pairs of sectors, " << all.seen << " seen, "
            << all.rejected << " rejected, of which " << all.both << " are not seen and "
            << all.itself << " are a sector and itself\n";
  EXPECT_EQ(maps, 18);
  EXPECT_GT(all.rejected, 0u);
}

}  // namespace
}  // namespace sightline::io
