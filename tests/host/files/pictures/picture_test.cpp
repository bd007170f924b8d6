#include "host/files/pictures/picture.hpp"
#include "host/files/pictures/footprint.hpp"
#include "host/files/pictures/legend.hpp"

#include "tests/host/files/io_test.hpp"
#include "tests/host/files/pictures/png.hpp"
#include "tests/oracle/dice.hpp"

#include <sightline/geometry/shapes/shapes_view.hpp>

#include <algorithm>
#include <cmath>

namespace sightline::io {
namespace {

class PictureTest : public IoTest {};

TEST_F(PictureTest, CellsAreColouredAndWallsAreDrawn) {
  Scene scene;
  scene.add_aabb({{0, 0, 0}, {40, 40, 0}});
  scene.add_aabb({{20, 0, 0}, {20, 40, 3}});  // a flat wall across the middle
  std::vector<Vec3> points;
  MapPicture picture;
  for (int y = 0; y < 4; ++y) {
    for (int x = 0; x < 4; ++x) {
      points.push_back(
          {5.0f + 10.0f * static_cast<float>(x), 5.0f + 10.0f * static_cast<float>(y), 1});
      picture.share.push_back(x < 2 ? 0.0f : 1.0f);
    }
  }
  picture.scene = &scene;
  picture.points = points;
  picture.unit = "m";
  picture.caption = "share";
  picture.longest_side = 800;
  write_map_picture(path("p.png"), picture);
  EXPECT_EQ(entries(), 1);
  const Png png = read_png(path("p.png"));
  EXPECT_GE(png.width, 800);
  EXPECT_GE(png.height, 800);
  // The view is the points' bounds, 5..35, grown by 3 each way: 36 units in 800 pixels.
  const auto pixel = [&](double x, double y) {
    const double scale = 800.0 / 36;
    return png.at(static_cast<int>(40 + (x - 2) * scale), static_cast<int>(40 + (38 - y) * scale));
  };
  EXPECT_TRUE(same(pixel(8, 8), ramp_color(0)));
  EXPECT_TRUE(same(pixel(8, 31), ramp_color(0)));
  EXPECT_TRUE(same(pixel(33, 8), ramp_color(1)));
  const Color wall = pixel(20, 12);
  EXPECT_LT(wall.r + wall.g + wall.b, 180);
}

// Outlines of floors are faint, so that walls show.
TEST_F(PictureTest, FloorsAreFainterThanWalls) {
  Scene scene;
  scene.add_aabb({{10, 10, 0}, {20, 20, 3}});
  scene.add_aabb({{30, 10, 0}, {40, 20, 3}});
  for (int k = 0; k < 64; ++k) scene.add_aabb({{49, 0, 0}, {50, 1, 3}});  // a small level: less so
  const Vec3 points[] = {{0, 0, 1}, {50, 30, 1}};
  MapPicture picture;
  picture.scene = &scene;
  picture.points = points;
  picture.share = {0, 1};
  picture.floors = {true, false};
  picture.longest_side = 500;
  write_map_picture(path("p.png"), picture);
  const Png png = read_png(path("p.png"));
  const auto darkest = [&](int from, int to) {  // along a row of pixels through both boxes
    int least = 3 * 255;
    for (int x = from; x < to; ++x) {
      const Color c = png.at(x, 40 + 150);
      least = std::min(least, c.r + c.g + c.b);
    }
    return least;
  };
  const int middle = 40 + 250;
  EXPECT_GT(darkest(45, middle), 600);
  EXPECT_LT(darkest(middle, middle + 245), 180);
  EXPECT_LT(darkest(45, middle), 740);
}

TEST_F(PictureTest, RowsAreGreenAndRedAndSlicesLeaveOut) {
  Scene scene;
  scene.add_aabb({{0, 0, 0}, {40, 40, 0}});
  std::vector<Vec3> points;
  RowPicture picture;
  for (int i = 0; i < 100; ++i) {
    points.push_back({2.0f + 4.0f * static_cast<float>(i % 10),
                      2.0f + 4.0f * static_cast<float>(i / 10), i % 10 < 8 ? 1.0f : 5.0f});
  }
  picture.bits.resize(2);
  picture.bits[0] = 1;  // the lower left one
  picture.scene = &scene;
  picture.targets = points;
  picture.viewpoint = {20, 20, 1};
  picture.longest_side = 800;
  picture.slice = {0, 2};
  write_row_picture(path("r.png"), picture);
  const Png png = read_png(path("r.png"));
  // 2..30 and 2..38 grown by 3.6: 43.2 high, cut to the shapes' and points' 40.
  const auto pixel = [&](double x, double y) {
    const double scale = 800.0 / 40;
    return png.at(static_cast<int>(40 + x * scale), static_cast<int>(40 + (40 - y) * scale));
  };
  EXPECT_TRUE(same(pixel(2, 2), good_green));
  EXPECT_TRUE(same(pixel(6, 2), bad_red));
  EXPECT_TRUE(same(pixel(2, 6), bad_red));
  EXPECT_FALSE(same(pixel(33, 2), bad_red));  // above the slice
  const Color mark = pixel(20, 20);
  EXPECT_LT(mark.r + mark.g + mark.b, 180);
}

TEST_F(PictureTest, NothingToDrawIsStillAPicture) {
  const Scene scene;
  MapPicture picture;
  picture.scene = &scene;
  write_map_picture(path("p.png"), picture);
  EXPECT_GT(read_png(path("p.png")).width, 0);
}

TEST_F(PictureTest, ExtremePlacesStayInThePicture) {
  Scene scene;
  scene.add_aabb({{-1e12f, -1e12f, 0}, {1e12f, 1e12f, 1}});
  scene.add_sphere({{1e12f, 0, 0}, 1});
  const std::vector<Vec3> points = {{0, 0, 0}, {1e-30f, 0, 0}, {std::nanf(""), 0, 0}};
  MapPicture picture;
  picture.scene = &scene;
  picture.points = points;
  picture.share = {0, 1, 0};
  picture.longest_side = 200;
  write_map_picture(path("p.png"), picture);
  EXPECT_GT(read_png(path("p.png")).width, 0);
}

// Bad points may be anywhere; there no double is a unit from the next.
TEST_F(PictureTest, OnePlaceFarAwayIsStillAPicture) {
  Scene scene;
  scene.add_aabb({{0, 0, 0}, {1, 1, 1}});
  for (const float far : {1e17f, -3e38f, 0x1p40f}) {
    const std::vector<Vec3> points(5, {far, far, far});
    MapPicture picture;
    picture.scene = &scene;
    picture.points = points;
    picture.share.assign(points.size(), 1);
    picture.longest_side = 200;
    write_map_picture(path("p.png"), picture);
    const Png png = read_png(path("p.png"));
    EXPECT_GE(png.height, 200 + 2 * 40);
    EXPECT_TRUE(same(png.at(40 + 100, 40 + 100), ramp_color(1)));  // a dot in the middle
  }
}

// A building under targets shows through them; ground and ceilings darken nothing.
TEST_F(PictureTest, RowsShowWhatStandsAmongTheTargets) {
  Scene scene;
  scene.add_aabb({{0, 0, -1}, {40, 40, 0}});
  scene.add_aabb({{10, 10, 0}, {18, 18, 3}});
  scene.add_aabb({{0, 0, 8}, {40, 40, 9}});
  std::vector<Vec3> points;
  RowPicture picture;
  for (int i = 0; i < 400; ++i) {
    points.push_back(
        {1.0f + 2.0f * static_cast<float>(i % 20), 1.0f + 2.0f * static_cast<float>(i / 20), 1});
  }
  picture.bits.resize(7);
  picture.scene = &scene;
  picture.targets = points;
  picture.viewpoint = {30, 30, 1};
  picture.longest_side = 800;
  write_row_picture(path("r.png"), picture);
  const auto pixel = [&](const Png& png, double x, double y) {
    return png.at(static_cast<int>(40 + x * 20), static_cast<int>(40 + (40 - y) * 20));
  };
  const Png open = read_png(path("r.png"));
  EXPECT_TRUE(same(pixel(open, 5, 5), bad_red));
  EXPECT_TRUE(nearly(pixel(open, 14, 14), mixed(bad_red, ink, 0.35)));
  // A target in it is not merely unseen.
  picture.inside.assign(points.size(), false);
  picture.inside[6 * 20 + 6] = true;  // (13, 13)
  write_row_picture(path("r.png"), picture);
  const Png inside = read_png(path("r.png"));
  EXPECT_TRUE(nearly(pixel(inside, 13, 13), mixed(inside_grey, ink, 0.35)));
  EXPECT_TRUE(nearly(pixel(inside, 15, 15), mixed(bad_red, ink, 0.35)));
}

TEST_F(PictureTest, MapsTellFailedInsideAndNegativePointsApart) {
  const Scene scene;
  std::vector<Vec3> points;
  for (int i = 0; i < 16; ++i) {
    points.push_back({static_cast<float>(i % 4), static_cast<float>(i / 4), 0});
  }
  MapPicture picture;
  picture.scene = &scene;
  picture.points = points;
  picture.share = {NAN, -1, 0, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3};
  picture.inside.assign(16, false);
  picture.inside[4] = true;
  picture.longest_side = 400;
  write_map_picture(path("p.png"), picture);
  const Png png = read_png(path("p.png"));
  const auto pixel = [&](int x, int y) {  // the map shows 0 to 3; numbers are in the middle
    return png.at(40 + 25 + x * 125, 40 + 375 - y * 125);
  };
  EXPECT_TRUE(same(pixel(0, 0), failed_blue));
  EXPECT_TRUE(same(pixel(1, 0), ramp_color(0)));  // the scale goes from -1 to 3
  EXPECT_TRUE(same(pixel(2, 0), ramp_color(0.25)));
  EXPECT_TRUE(same(pixel(3, 0), ramp_color(1)));
  EXPECT_TRUE(same(pixel(0, 1), inside_grey));
}

TEST(RampScale, HoldsAllAndHasShortNumbersAtItsTicks) {
  oracle::Dice dice(3);
  for (int round = 0; round < 2000; ++round) {
    const double size = std::pow(10, dice.uniform(-20, 20));
    double least = size * dice.uniform(-1, 1), most = size * dice.uniform(-1, 1);
    if (least > most) std::swap(least, most);
    const RampScale scale = ramp_scale(least, most);
    const double step = scale.tick(1) - scale.low, span = most - least;
    EXPECT_LE(scale.low, least + 1e-5 * step) << round;
    EXPECT_GE(scale.high, most - 1e-5 * step) << round;
    EXPECT_LE(scale.high - scale.low, 2.5 * std::max(span, 1e-6 * size)) << round;
    for (int k = 0; k <= RampScale::ticks; ++k) {
      EXPECT_LE(tick_label(scale, k).size(), 12u) << tick_label(scale, k);
    }
  }
}

TEST(RampScale, LabelsAreNumbersAsPeopleWriteThem) {
  const auto labels = [](double least, double most) {
    std::string all;
    for (int k = 0; k <= RampScale::ticks; ++k) {
      all += tick_label(ramp_scale(least, most), k) + ' ';
    }
    return all;
  };
  EXPECT_EQ(labels(0, 1000), "0 250 500 750 1000 ");
  EXPECT_EQ(labels(0, 1), "0 0.25 0.5 0.75 1 ");
  EXPECT_EQ(labels(5.2, 8.9), "5 6 7 8 9 ");  // of depths: not from 0
  EXPECT_EQ(labels(-0.3, 2), "-0.8 0 0.8 1.6 2.4 ");
  EXPECT_EQ(labels(0, 0), "0 0.25 0.5 0.75 1 ");
  EXPECT_EQ(labels(7, 7), "6 8 10 12 14 ");
}

TEST_F(PictureTest, TextOfAnyBytesIsDrawn) {
  const auto dark = [&](std::string_view text) {
    Canvas canvas(300, 30, paper);
    draw_text(canvas, {5, 5}, text, ink);
    draw_text(canvas, {295, 5}, "end", ink, 1);
    write_png(path("t.png"), canvas);
    const Png png = read_png(path("t.png"));
    const auto count = [&](int from, int to) {
      int n = 0;
      for (int y = 0; y < 30; ++y) {
        for (int x = from; x < to; ++x) n += png.at(x, y).g < 128 ? 1 : 0;
      }
      return n;
    };
    EXPECT_GT(count(250, 300), 10) << text;  // what is drawn later is not lost
    return count(0, 250);
  };
  EXPECT_EQ(dark(""), 0);
  for (const char* text : {"metres", "\xff\xfe broken", "\xc3\x85ngstr\xc3\xb6m", "\x01\x02 m"}) {
    EXPECT_GT(dark(text), 10) << text;
  }
  EXPECT_GT(text_width("wide words"), text_width("wide"));
}

TEST_F(PictureTest, LinesFarOutsideAreCutAndNotBent) {
  for (const double far : {1e3, 1e7, 1e12}) {
    Canvas canvas(100, 100, paper);
    draw_line(canvas, {-far, -far}, {far, far}, 3, ink);
    draw_line(canvas, {NAN, 0}, {50, 90}, 30, ink);
    fill_rectangle(canvas, {60, -far}, {far, 20}, bad_red);
    write_png(path("l.png"), canvas);
    const Png png = read_png(path("l.png"));
    for (const int k : {5, 30, 70, 95}) EXPECT_TRUE(same(png.at(k, k), ink)) << far;
    EXPECT_TRUE(same(png.at(50, 80), paper)) << far;
    EXPECT_TRUE(same(png.at(90, 5), bad_red)) << far;
    EXPECT_TRUE(same(png.at(90, 25), paper)) << far;
  }
  Canvas canvas(100, 100, paper);  // a box around all that there is
  draw_outline(canvas, {{-1e80, -1e80}, {1e80, -1e80}, {1e80, 1e80}, {-1e80, 1e80}}, 3, ink);
  write_png(path("l.png"), canvas);
  for (const Color& c : read_png(path("l.png")).colors) ASSERT_TRUE(same(c, paper));
}

TEST_F(PictureTest, CanvasesEndWhereCairosDo) {
  expect_error(ErrorKind::usage, {"40000 x 3"}, [] { Canvas(40000, 3, paper); });
}

TEST_F(PictureTest, RampRisesInLightness) {
  double last = -1;
  for (int i = 0; i <= 20; ++i) {
    const Color c = ramp_color(i / 20.0);
    const double luma = 0.2126 * c.r + 0.7152 * c.g + 0.0722 * c.b;
    EXPECT_GT(luma, last) << i;
    last = luma;
  }
  EXPECT_TRUE(same(ramp_color(-3), ramp_color(0)));
  EXPECT_TRUE(same(ramp_color(7), ramp_color(1)));
}

TEST_F(PictureTest, Footprints) {
  Scene scene;
  scene.add_aabb({{0, 0, 0}, {2, 1, 5}});
  scene.add_aabb({{0, 3, 0}, {4, 3, 5}});
  // Turned by 45 degrees about z: a square standing on its corner.
  const float h = std::sqrt(0.5f);
  scene.add_obb(
      {{0, 0, 0}, {h, h, 1}, {0, 0, std::sin(3.14159265f / 8), std::cos(3.14159265f / 8)}});
  scene.add_sphere({{9, 9, 9}, 2});
  scene.add_plane({{0, 0, 1}, 0});
  const ShapesView view = scene.view();
  EXPECT_EQ(footprint(view, 0, UpAxis::z).size(), 4u);
  EXPECT_EQ(footprint(view, 1, UpAxis::z).size(), 2u);
  double reach = 0;
  for (const MapPoint& p : footprint(view, 2, UpAxis::z)) reach = std::max(reach, p.x);
  EXPECT_NEAR(reach, 1, 1e-5);
  for (const MapPoint& p : footprint(view, 3, UpAxis::z)) {
    EXPECT_NEAR(std::hypot(p.x - 9, p.y - 9), 2, 1e-5);
  }
  EXPECT_TRUE(footprint(view, 4, UpAxis::z).empty());
  EXPECT_EQ(on_map({1, 2, 3}, UpAxis::y).y, -3);
}

TEST_F(PictureTest, GridSpacing) {
  std::vector<MapPoint> grid;
  for (int y = 0; y < 3; ++y) {
    for (int x = 0; x < 5; ++x) grid.push_back({64.0 * x - 7, 64.0 * y + 3});
  }
  EXPECT_EQ(grid_spacing(grid), 64.0);
  grid.push_back({10.5, 20.25});
  EXPECT_EQ(grid_spacing(grid), std::nullopt);
}

}  // namespace
}  // namespace sightline::io
