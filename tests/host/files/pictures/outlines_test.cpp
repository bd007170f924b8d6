// Which outlines of shapes a map shows.
#include "host/files/pictures/footprint.hpp"
#include "host/files/pictures/legend.hpp"
#include "tests/host/files/pictures/map_test.hpp"
#include "tests/oracle/dice.hpp"

#include <fmt/format.h>

#include <cmath>

namespace sightline::io {
namespace {

// Of a floor that is cut into strips only some have points above them.
TEST_F(MapPicturesTest, BoxesOfOneFloorAreNotOutlinedOneByOne) {
  Scene strips;
  std::vector<Vec3> points;
  MapPicture picture;
  for (int k = 0; k < 40; ++k) {
    const float y = static_cast<float>(k);
    strips.add_aabb({{0, y, -5}, {20, y + 1, 0}});
    strips.add_aabb({{20, y, -5}, {40, y + 1, 3}});
    picture.floors.insert(picture.floors.end(), {k < 3, false});
  }
  points = {{0, 0, 4}, {40, 0.5f, 4}, {0.3f, 40, 4}, {39, 39.5f, 4}};
  set(picture);
  picture.scene = &strips;
  picture.points = points;
  picture.share = {0, 0, 1, 1};
  write_map_picture(path("m.png"), picture);
  const Png png = read_png(path("m.png"));
  for (const double x : {3.0, 37.0}) {
    for (double y = 2; y < 38; y += 0.05) ASSERT_TRUE(same(at(png, x, y), paper)) << x << ' ' << y;
  }
  EXPECT_LT(at(png, 20, 20.5).g, 80);  // the step between the two
}

TEST_F(MapPicturesTest, OutlinesOfBoxesThatTouchAreThoseOfTheirUnion) {
  oracle::Dice dice(4);
  for (int round = 0; round < 200; ++round) {
    bool filled[10][10] = {};
    std::vector<FlatBox> boxes;
    for (int y = 1; y < 9; ++y) {  // runs of cells
      for (int x = 1; x < 9; ++x) {
        filled[y][x] = dice.uniform(0, 1) < 0.6;
        const auto left = static_cast<double>(x), low = static_cast<double>(y);
        if (filled[y][x] && filled[y][x - 1] && dice.uniform(0, 1) < 0.5) {
          boxes.back().high.x = left + 1;
        } else if (filled[y][x]) {
          boxes.push_back({{left, low}, {left + 1, low + 1}, {0, 1}, false});
        }
      }
    }
    double expected = 0, found = 0;
    for (int y = 0; y < 9; ++y) {
      for (int x = 0; x < 9; ++x) {
        expected += (filled[y][x] != filled[y][x + 1]) + (filled[y][x] != filled[y + 1][x]);
      }
    }
    for (const BoxOutline& one : merged_outlines(boxes)) {
      const std::size_t sides = one.corners.size() == 2 ? 1 : 4;
      for (std::size_t k = 0; k < sides; ++k) {
        const MapPoint &p = one.corners[k], &q = one.corners[(k + 1) % one.corners.size()];
        const MapPoint a = {std::min(p.x, q.x), std::min(p.y, q.y)};
        found += std::abs(q.x - p.x) + std::abs(q.y - p.y);
        const auto cell = [&](double dx, double dy) {
          return filled[static_cast<int>(a.y + dy)][static_cast<int>(a.x + dx)];
        };
        EXPECT_NE(p.x == q.x ? cell(-0.5, 0.5) : cell(0.5, -0.5), cell(0.5, 0.5)) << round;
      }
    }
    EXPECT_EQ(found, expected) << round;
  }
}

TEST_F(MapPicturesTest, BoxesThatTouchAFloorAreFloorsIfTheyAreAsHigh) {
  const auto floors = [](double high) {
    std::string all;
    for (const BoxOutline& one : merged_outlines({{{0, 0}, {1, 1}, {0, 1}, true},
                                                  {{1, 0}, {2, 3}, {0, high}, false},
                                                  {{5, 0}, {6, 1}, {0, 1}, false}})) {
      all += fmt::format("{}{} ", one.corners.size(), one.is_floor ? " floor" : "");
    }
    return all;
  };
  EXPECT_EQ(floors(2), "4 floor 4 4 ");
  EXPECT_EQ(floors(1), "4 2 floor 2 floor 2 floor 2 floor 2 floor 2 floor ");
}

TEST_F(MapPicturesTest, ShapesAreShownWholeOrNotAtAllUnlessTheyAreLong) {
  scene_.add_aabb({{28, 18, 0}, {34, 22, 3}});                             // among the points
  scene_.add_aabb({{5, 18, 0}, {9, 22, 3}});                               // beside them
  scene_.add_aabb({{0, 12, 0}, {40, 12, 3}});                              // long
  for (int k = 0; k < 64; ++k) scene_.add_aabb({{0, 39, 0}, {1, 40, 3}});  // no small level
  const std::vector<Vec3> points = {{10, 10, 1}, {30, 30, 1}};
  MapPicture picture;
  set(picture);
  picture.points = points;
  picture.share = {0, 1};
  write_map_picture(path("m.png"), picture);
  const Png png = read_png(path("m.png"));
  const auto is_dark = [&](double x, double y) {  // 8 to 34 by 8 to 32
    const double scale = 800.0 / 26;
    return png.at(static_cast<int>(40 + (x - 8) * scale), static_cast<int>(40 + (32 - y) * scale))
               .g < 100;
  };
  EXPECT_TRUE(is_dark(34, 20));
  EXPECT_TRUE(is_dark(28, 20));
  EXPECT_TRUE(is_dark(20, 12));
  EXPECT_FALSE(is_dark(9, 20));
  EXPECT_FALSE(is_dark(8.5, 22));
}

}  // namespace
}  // namespace sightline::io
