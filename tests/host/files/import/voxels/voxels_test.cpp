// Import of voxel maps: unit boxes where the cells are, the real maps by count.
#include "host/files/import/voxels/import_voxels.hpp"
#include "tests/support/places.hpp"
#include "tests/support/refusal.hpp"

#include <gtest/gtest.h>

namespace sightline::io {
namespace {

TEST(VoxelImport, FilledCellsAreUnitBoxesInFileOrder) {
  const VoxelImport map = parse_voxels("m", "voxel 4 3 2\r\n3 2 1\n\n0 1 0\n3 2 1\n1 0 1");
  EXPECT_EQ(map.size, (std::array<std::uint64_t, 3>{4, 3, 2}));
  ASSERT_EQ(map.scene.size(), 3u);
  EXPECT_EQ(map.repeated, 1u);
  const Vec3 cells[] = {{3, 2, 1}, {0, 1, 0}, {1, 0, 1}};
  for (std::uint32_t i = 0; i < 3; ++i) {
    const Aabb box = map.scene.aabb(i);
    const Vec3 v = cells[i];
    EXPECT_TRUE(box.min.x == v.x && box.min.y == v.y && box.min.z == v.z) << i;
    EXPECT_TRUE(box.max.x == v.x + 1 && box.max.y == v.y + 1 && box.max.z == v.z + 1) << i;
    EXPECT_EQ(static_cast<float>(map.scene.attributes(i).label), (v.z * 3 + v.y) * 4 + v.x) << i;
  }
}

TEST(VoxelImport, OfRealMapsHoldsEveryCell) {
  const auto folder = testing::shared_folder() / "data/voxels";
  if (!std::filesystem::exists(folder)) GTEST_SKIP() << folder << " is not there";
  for (const auto& [name, count] : {std::pair{"A2.3dmap", 122818u}, {"Complex.3dmap", 46298u}}) {
    const VoxelImport map = import_voxels(folder / name);
    EXPECT_EQ(map.repeated, 0u) << name;
    ASSERT_EQ(map.scene.count(Kind::aabb), count) << name;
    ASSERT_EQ(map.scene.size(), count) << name;
    for (std::uint32_t i = 0; i < count; ++i) {
      const Aabb b = map.scene.aabb(i);
      ASSERT_TRUE(b.max.x - b.min.x == 1 && b.max.y - b.min.y == 1 && b.max.z - b.min.z == 1);
    }
  }
}

TEST(VoxelImport, RefusesBadLinesByNumberAndReason) {
  const std::pair<const char*, const char*> cases[] = {
      {"", "m: line 1: the first word"},
      {"voxels 1 1 1\n", "m: line 1: the first word"},
      {"voxel 1 1\n", "m: line 1: the depth is ''"},
      {"voxel 1 1 1 1\n", "m: line 1: there is something behind"},
      {"voxel 1 1 2000000\n", "m: line 1: the depth is '2000000'"},
      {"voxel 4 4 4\n1 2\n", "m: line 2: z is ''"},
      {"voxel 4 4 4\n1 2 3 4\n", "m: line 2: there is something behind"},
      {"voxel 4 4 4\n\n1 -2 3\n", "m: line 3: y is '-2'"},
      {"voxel 4 4 4\n1 2.5 3\n", "m: line 2: y is '2.5'"},
      {"voxel 4 4 4\n4 2 3\n", "m: line 2: x is 4 in a map of 4"}};
  for (const auto& [text, words] : cases) {
    const std::string what =
        testing::refusal(ErrorKind::bad_input, [&] { parse_voxels("m", text); });
    EXPECT_TRUE(what.starts_with(words)) << what << "\n" << text;
  }
}

}  // namespace
}  // namespace sightline::io
