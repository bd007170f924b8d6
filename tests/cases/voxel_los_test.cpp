// Line of sight between voxel centres of a game map, against an exact integer traversal.
// The data is not part of this repository: set SIGHTLINE_SHARED to where it is.
#include "host/files/import/voxels/import_voxels.hpp"
#include "tests/support/places.hpp"

#include <sightline/caster.hpp>

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iostream>
#include <sstream>
#include <string>
#include <vector>

namespace sightline::testing {
namespace {

struct Pairs {
  std::vector<Vec3> from, to;
  std::vector<std::string> state;
};
/// The file: a comment, a heading, then x0,y0,z0,x1,y1,z1,state. Points are voxels' centres.
Pairs read_pairs(const std::filesystem::path& path) {
  std::ifstream file(path);
  std::string line;
  std::getline(file, line);
  std::getline(file, line);
  EXPECT_EQ(line, "x0,y0,z0,x1,y1,z1,state");
  Pairs p;
  while (std::getline(file, line)) {
    for (char& c : line) {
      if (c == ',') c = ' ';
    }
    std::istringstream fields(line);
    Vec3 a, b;
    std::string state;
    fields >> a.x >> a.y >> a.z >> b.x >> b.y >> b.z >> state;
    p.from.push_back({a.x + 0.5f, a.y + 0.5f, a.z + 0.5f});
    p.to.push_back({b.x + 0.5f, b.y + 0.5f, b.z + 0.5f});
    p.state.push_back(state);
  }
  return p;
}

TEST(VoxelLineOfSight, ClearAndBlockedAreThoseOfIntegers) {
  const auto shared = shared_folder();
  const auto map = shared / "data/voxels/A2.3dmap";
  if (!std::filesystem::exists(map)) GTEST_SKIP() << map << " is not there";
  const Scene scene = io::import_voxels(map).scene;
  ASSERT_EQ(scene.size(), 122'818u);
  const Caster caster(scene, Backend::cpu);

  std::uint64_t clear = 0, blocked = 0, grazes = 0, grazes_seen = 0;
  for (const char* name : {"voxel-los-A2.csv", "voxel-los-near-A2.csv"}) {
    const Pairs pairs = read_pairs(shared / "oracles" / name);
    ASSERT_EQ(pairs.state.size(), 10'000u) << name;
    PointsView from, to;
    from.count = to.count = pairs.state.size();
    from.position = Vec3Column::rows(pairs.from);
    to.position = Vec3Column::rows(pairs.to);
    std::vector<std::uint64_t> bits((pairs.state.size() + 63) / 64);
    caster.visibility_pairs(from, to, bits);
    for (std::size_t i = 0; i < pairs.state.size(); ++i) {
      const bool visible = ((bits[i / 64] >> (i % 64)) & 1) != 0;
      if (pairs.state[i] == "graze") {
        ++grazes;
        grazes_seen += visible;
        continue;
      }
      (pairs.state[i] == "clear" ? clear : blocked) += 1;
      ASSERT_EQ(visible, pairs.state[i] == "clear")
          << name << " pair " << i << " is " << pairs.state[i];
    }
  }
  std::cout << clear << " clear and " << blocked << " blocked pairs agree; of " << grazes
            << " that only touch an edge or a corner, " << grazes_seen << " are seen\n";
  EXPECT_EQ(clear + blocked + grazes, 20'000u);
  // Touching is a hit, and half-integers of this size are exact in binary32.
  EXPECT_EQ(grazes_seen, 0u);
}

}  // namespace
}  // namespace sightline::testing
