// What Recast and Detour make of our spans; and what Recast makes of the same boxes as triangles.
#include "host/files/formats/recast_file.hpp"
#include "tests/host/bakes/nav/recast_world.hpp"

#include <gtest/gtest.h>

#include <unistd.h>

#include <cmath>
#include <cstring>
#include <filesystem>

namespace sightline::testing {
namespace {

/// Rooms, a staircase up to a gallery, and a bridge that one walks under.
Scene two_storeys() {
  Scene scene;
  scene.add_aabb({{0, 0, -1}, {24, 16, 0}});
  scene.add_aabb({{8, 0, 0}, {8.5f, 12, 3}});  // a wall with a way around it
  for (int k = 1; k <= 6; ++k) {
    const auto f = static_cast<float>(k);
    scene.add_aabb({{12 + f, 0, 0}, {13 + f, 4, 0.5f * f}});
  }
  scene.add_aabb({{19, 0, 2.5f}, {24, 16, 3}});     // the gallery
  scene.add_aabb({{9, 13, 2.5f}, {19.5f, 16, 3}});  // a bridge from it
  return scene;
}

/// A ramp and round things.
Scene ramp_and_pillars() {
  Scene scene;
  scene.add_aabb({{0, 0, -1}, {20, 20, 0}});
  const float half = 0.5f * 25 * 3.14159265f / 180;
  scene.add_obb({{10, 10, 0.5f}, {6, 3, 0.25f}, {0, -std::sin(half), 0, std::cos(half)}});
  for (int k = 0; k < 6; ++k) {
    const auto f = static_cast<float>(k);
    scene.add_capsule({{3 * f + 2, 4 + f / 2, 0}, {3 * f + 2, 4 + f / 2, 3}, 0.4f});
    scene.add_sphere({{3 * f + 2, 16, 0.2f}, 0.7f});
  }
  return scene;
}

TEST(Recast, FindsAPathUpTheStairsAndOverTheBridge) {
  const NavMap map = bake_nav(Caster(two_storeys(), CpuOptions{}));
  const RecastWorld world(map);
  const std::vector<Vec3> path = world.path({2, 2, 0}, {11, 14.5f, 3});
  ASSERT_FALSE(path.empty());
  EXPECT_NEAR(path.back().x, 11, 0.5);
  EXPECT_NEAR(path.back().y, 14.5, 0.5);
  EXPECT_NEAR(path.back().z, 3, 0.5);
  // It cannot but come by the stairs, and around the wall.
  float most_x = 0, most_y_before_wall = 0;
  for (const Vec3& p : path) {
    most_x = std::max(most_x, p.x);
    if (p.x < 8.5f && p.z < 1) most_y_before_wall = std::max(most_y_before_wall, p.y);
  }
  EXPECT_GT(most_x, 18);
  EXPECT_GT(most_y_before_wall, 12);
}

TEST(Recast, FindsAPathOverARamp) {
  const NavMap map = bake_nav(Caster(ramp_and_pillars(), CpuOptions{}));
  const RecastWorld world(map);
  const std::vector<Vec3> up = world.path({1, 10, 0}, {13.5f, 10, 2});
  ASSERT_FALSE(up.empty());
  EXPECT_NEAR(up.back().z, 2.3, 0.7);
  EXPECT_FALSE(world.path({1, 1, 0}, {19, 19, 0}).empty());
}

TEST(Recast, JumpsWhereOurLinksSay) {
  Scene scene;
  scene.add_aabb({{0, 0, 0}, {6, 6, 5}});
  scene.add_aabb({{8, 0, 0}, {14, 6, 5}});      // over a chasm
  scene.add_aabb({{16, 0, 0}, {22, 6, 2.5f}});  // and down from there
  const Caster caster(std::move(scene), CpuOptions{});
  const Vec3 left = {2, 3, 5}, middle = {11, 3, 5}, right = {20, 3, 2.5f};
  const RecastWorld without(bake_nav(caster));
  EXPECT_TRUE(without.path(left, middle).empty());
  NavOptions options;
  options.jumps = {5, 1, 3};
  const RecastWorld with(bake_nav(caster, options));
  EXPECT_FALSE(with.path(left, middle).empty());
  EXPECT_FALSE(with.path(middle, left).empty());
  EXPECT_FALSE(with.path(left, right).empty());
  EXPECT_TRUE(with.path(right, left).empty()) << "up again";
}

/// What is found over the file, loaded by examples/load_recast.hpp, is what is found without one.
TEST(Recast, LoadsTheFileAsTheExampleDoes) {
  for (const bool y_up : {false, true}) {
    Scene scene;
    for (const float x : {0.0f, 8.0f, 16.0f}) {
      const float top = x < 16 ? 5 : 2.5f;
      scene.add_aabb({{x, 0, 0}, y_up ? Vec3{x + 6, top, 6} : Vec3{x + 6, 6, top}});
    }
    NavOptions options;
    options.up = y_up ? UpAxis::y : UpAxis::z;
    options.jumps = {5, 1, 3};
    const NavMap map = bake_nav(Caster(std::move(scene), CpuOptions{}), options);
    ASSERT_GT(map.jumps.size(), 0u);
    const auto folder = std::filesystem::temp_directory_path();
    const std::string file = folder / ("sightline-" + std::to_string(::getpid()) + ".recast");
    io::write_recast(file, map, {});
    const RecastWorld loaded(map, file), direct(map);
    std::filesystem::remove(file);
    const auto place = [y_up](float x, float top) {
      return y_up ? Vec3{x, top, 3} : Vec3{x, 3, top};
    };
    const Vec3 left = place(2, 5), right = place(20, 2.5f);
    const std::vector<Vec3> path = loaded.path(left, right), expected = direct.path(left, right);
    ASSERT_FALSE(path.empty());
    ASSERT_EQ(path.size(), expected.size());
    EXPECT_EQ(std::memcmp(path.data(), expected.data(), path.size() * sizeof(Vec3)), 0);
    EXPECT_TRUE(loaded.path(right, left).empty());
  }
}

TEST(Recast, FindsNoPathWhereThereIsNone) {
  Scene scene;
  scene.add_aabb({{0, 0, -1}, {12, 6, 0}});
  scene.add_aabb({{6, 0, 0}, {6.1f, 6, 3}});
  const NavMap map = bake_nav(Caster(std::move(scene), CpuOptions{}));
  const RecastWorld world(map);
  EXPECT_FALSE(world.path({1, 3, 0}, {4, 3, 0}).empty());
  EXPECT_TRUE(world.path({1, 3, 0}, {11, 3, 0}).empty());
}

/// Walks on the floor at the top of a column.
struct Shares {
  int both = 0, ours = 0, theirs = 0, far = 0;
};

Shares compare(const NavMap& map, const Scene& scene) {
  const RecastSpans spans = io::recast_spans(map);
  const std::vector<std::uint8_t> theirs = walkable_by_recast(map, scene, spans);
  std::vector<std::uint8_t> ours(theirs.size());
  for (std::size_t c = 0; c < ours.size(); ++c) {
    for (std::uint64_t i = spans.offsets[c]; i < spans.offsets[c + 1]; ++i) {
      if (spans.area[i] != 0) ours[c] = 1;
    }
  }
  const auto w = static_cast<int>(spans.width), h = static_cast<int>(spans.height);
  Shares shares;
  for (int z = 0; z < h; ++z) {
    for (int x = 0; x < w; ++x) {
      const bool a = ours[z * w + x] != 0, b = theirs[z * w + x] != 0;
      shares.both += a && b;
      shares.ours += a && !b;
      shares.theirs += b && !a;
      // Both change within this many cells of where they differ.
      constexpr int near = 2;
      bool a_changes = false, b_changes = false;
      for (int dz = -near; dz <= near; ++dz) {
        for (int dx = -near; dx <= near; ++dx) {
          if (x + dx < 0 || x + dx >= w || z + dz < 0 || z + dz >= h) continue;
          a_changes = a_changes || (ours[(z + dz) * w + x + dx] != 0) != a;
          b_changes = b_changes || (theirs[(z + dz) * w + x + dx] != 0) != b;
        }
      }
      shares.far += a != b && !(a_changes || b_changes);
    }
  }
  return shares;
}

TEST(Recast, AgreesOnBoxesUpToTwoCellsAtBorders) {
  Scene scene;
  scene.add_aabb({{0, 0, -1}, {30, 30, 0}});
  for (int k = 0; k < 40; ++k) {
    const auto x = static_cast<float>(k * 37 % 29), y = static_cast<float>(k * 53 % 28);
    const auto size = 0.35f * static_cast<float>(1 + k % 7);
    scene.add_aabb({{x, y, 0}, {x + size, y + size * 1.3f, 0.4f * static_cast<float>(1 + k % 9)}});
  }
  const NavMap map = bake_nav(Caster(scene, CpuOptions{}));
  const Shares s = compare(map, scene);
  RecordProperty("both", s.both);
  RecordProperty("only_ours", s.ours);
  RecordProperty("only_recast", s.theirs);
  EXPECT_GT(s.both, 1000);
  EXPECT_EQ(s.far, 0);
  // Recast widens triangles to whole cells, so that it leaves less.
  EXPECT_LT(s.theirs, s.both / 20) << s.both << " " << s.ours << " " << s.theirs;
  EXPECT_LT(s.ours, s.both / 2) << s.both << " " << s.ours << " " << s.theirs;
  std::printf("columns walkable: both %d, ours alone %d, Recast alone %d\n", s.both, s.ours,
              s.theirs);
}

}  // namespace
}  // namespace sightline::testing
