// Maps of where an agent can walk: which floor of a column they show, and which outlines.
#include "host/files/pictures/picture.hpp"
#include "tests/host/files/io_test.hpp"
#include "tests/host/files/pictures/png.hpp"

namespace sightline::io {
namespace {

/// 20 x 20 m under a roof, in strips as an importer cuts floors: a room, and behind a thin wall at
/// x = 12 a closet. At the room's end, above y = 18, floor and roof meet, as at a closed door.
class NavPictureTest : public IoTest {
 protected:
  static constexpr Color region{86, 166, 98}, near{236, 178, 152}, not_reached{206, 206, 214};

  NavPictureTest() {
    for (int k = 0; k < 40; ++k) {
      const float y = 0.5f * static_cast<float>(k);
      scene_.add_aabb({{0, y, -1}, {20, y + 0.5f, k < 36 ? 0.0f : 3.0f}});
      scene_.add_aabb({{0, y, 3}, {20, y + 0.5f, 4}});
    }
    scene_.add_aabb({{12, 0, -1}, {12, 20, 4}});
    options_.cell = 0.5f;
  }
  Png drawn(const Slice& slice = {}) {
    const Caster caster(scene_, ReferenceOptions{});
    write_nav_picture(path("n.png"), bake_nav(caster, options_), scene_, "m", slice);
    return read_png(path("n.png"));
  }
  void start_in_room() { options_.from = std::span<const Vec3>(&start_, 1); }
  static Color at(const Png& png, double x, double y) {
    return png.at(static_cast<int>(40 + 80 * x), static_cast<int>(40 + 80 * (20 - y)));
  }
  static int dark(const Png& png, double x, double y, double wide, double high) {
    int n = 0;
    for (double i = 0; i < 80 * wide; ++i) {
      for (double j = 0; j < 80 * high; ++j) n += at(png, x + i / 80, y + j / 80).g < 80 ? 1 : 0;
    }
    return n;
  }
  static int in_legend(const Png& png, Color color) {
    int n = 0;
    for (int y = 1640; y < png.height; ++y) {
      for (int x = 0; x < png.width; ++x) n += same(png.at(x, y), color) ? 1 : 0;
    }
    return n;
  }

  Scene scene_;
  NavOptions options_;
  Vec3 start_{5, 5, 1};
};

TEST_F(NavPictureTest, WallsAreObstaclesOfTheFloorAndNoLedgesOfTheRoof) {
  start_in_room();
  const Png png = drawn();
  EXPECT_TRUE(same(at(png, 6.1, 10.1), region));
  EXPECT_TRUE(same(at(png, 11.8, 10.1), near));
  EXPECT_TRUE(same(at(png, 6.1, 17.8), near));
  EXPECT_TRUE(same(at(png, 16.1, 10.1), not_reached));
  EXPECT_TRUE(same(at(png, 6.1, 19.1), not_reached));  // the roof alone
  EXPECT_GT(in_legend(png, not_reached), 100);
}

TEST_F(NavPictureTest, WhereAllIsReachedTheLegendSaysNothingOfIt) {
  EXPECT_EQ(in_legend(drawn(), not_reached), 0);
}

TEST_F(NavPictureTest, ThinWallsHaveOutlinesAndBoxesOfFloorsNone) {
  start_in_room();
  const Png png = drawn();
  EXPECT_GT(dark(png, 11.9, 2, 0.2, 15), 1000);
  EXPECT_EQ(dark(png, 0.2, 0.2, 11.5, 19.5), 0);
  EXPECT_EQ(dark(png, 12.2, 0.2, 7.5, 19.5), 0);
}

// Nobody is kept out by what is overhead, or by what can be stepped over.
TEST_F(NavPictureTest, OutlinesAreOfWhatStopsAnAgent) {
  scene_.add_aabb({{4, 2, 2.5f}, {4, 6, 4}});
  scene_.add_aabb({{6, 2, -1}, {6, 6, 0.5f}});
  scene_.add_aabb({{8, 2, -1}, {8, 6, 1.5f}});
  start_in_room();
  const Png png = drawn();
  EXPECT_EQ(dark(png, 3.8, 3, 0.4, 2), 0);
  EXPECT_EQ(dark(png, 5.8, 3, 0.4, 2), 0);
  EXPECT_GT(dark(png, 7.8, 3, 0.4, 2), 100);
}

TEST_F(NavPictureTest, SlicesShowTheFloorsBelowARoof) {
  EXPECT_TRUE(same(at(drawn(), 11.8, 10.1), region));  // one can walk on the roof
  const Png floor = drawn({-2, 2});
  EXPECT_TRUE(same(at(floor, 11.8, 10.1), near));
  EXPECT_TRUE(same(at(floor, 6.1, 19.1), Color{250, 250, 248}));  // no floor of the slice
}

}  // namespace
}  // namespace sightline::io
