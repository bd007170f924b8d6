// Pictures of what a camera saw, and histograms, pixel by pixel.
#include "host/files/pictures/camera.hpp"
#include "host/files/pictures/legend.hpp"
#include "host/files/pictures/picture.hpp"
#include "tests/host/files/io_test.hpp"
#include "tests/host/files/pictures/png.hpp"

#include <cmath>

namespace sightline::io {
namespace {

class CameraPictureTest : public IoTest {
 protected:
  /// Of 20 x 10 pixels that all see the same wall.
  CameraPictureTest() {
    image_.camera.width = 20;
    image_.camera.height = 10;
    image_.depth.assign(200, 7);
    image_.id.assign(200, 1);
    image_.normal.assign(200, {-1, 0, 0});
    image_.unit = "metres above all";
  }
  Png drawn(CameraShow show) {
    write_camera_picture(path("c.png"), image_, show);
    return read_png(path("c.png"));
  }
  CameraImage image_;
};

TEST_F(CameraPictureTest, WideShapesHaveOutlinesAndNarrowOnesNone) {
  const Color wall = drawn(CameraShow::normal).at(2, 2);
  for (std::size_t y = 0; y < 10; ++y) {
    image_.id[20 * y + 4] = 2;  // a column of pixels
    for (std::size_t x = 12; x < 20; ++x) image_.id[20 * y + x] = 3;
  }
  const Png png = drawn(CameraShow::normal);
  for (const int x : {3, 4, 5}) EXPECT_TRUE(same(png.at(x, 5), wall)) << x;
  EXPECT_FALSE(same(png.at(11, 5), wall));
  EXPECT_TRUE(same(png.at(10, 5), wall));
  EXPECT_TRUE(same(png.at(12, 5), wall));
}

// From afar outlines would be all that is seen of a molecule.
TEST_F(CameraPictureTest, ShapesOfFewPixelsAreShadedAlone) {
  const Color wall = drawn(CameraShow::normal).at(2, 2);
  for (std::uint32_t i = 0; i < 200; ++i) image_.id[i] = i % 20 / 4 + 5 * (i / 20 / 4);
  const Png png = drawn(CameraShow::normal);
  for (int i = 0; i < 200; ++i) ASSERT_TRUE(same(png.at(i % 20, i / 20), wall)) << i;
  for (std::uint32_t i = 0; i < 200; ++i) image_.id[i] = i % 20 < 10 ? 1 : none;
  EXPECT_FALSE(same(drawn(CameraShow::normal).at(9, 5), wall));  // before the sky
}

TEST_F(CameraPictureTest, LabelsOfARampStandApart) {
  const std::tuple<double, double, std::vector<int>> scales[] = {
      {0, 1000, {155, 265, 375, 485}}, {1.234567e15, 1.234569e15, {210, 430}}};
  for (const auto& [low, high, between] : scales) {
    Canvas canvas(700, 150, paper);
    const RampScale scale = ramp_scale(low, high);
    Legend{"depth", {}, scale, {"doom map unit", 1}}.draw(canvas, {100, 10}, 600);
    write_png(path("l.png"), canvas);
    const Png png = read_png(path("l.png"));
    int inked = 0;
    for (int y = 68; y < 90; ++y) {
      for (int x = 0; x < 700; ++x) inked += png.at(x, y).g < 128 ? 1 : 0;
      for (const int x : between) {  // two labels
        for (int k = -2; k <= 2; ++k) EXPECT_TRUE(same(png.at(x + k, y), paper)) << low << ' ' << x;
      }
    }
    EXPECT_GT(inked, 50);
  }
}

TEST_F(CameraPictureTest, FacesOfOneShapeHaveEdges) {
  const Color wall = drawn(CameraShow::normal).at(2, 2);
  for (std::size_t i = 100; i < 200; ++i) image_.normal[i] = {0, 0, 1};
  const Png png = drawn(CameraShow::normal);
  EXPECT_TRUE(same(png.at(7, 8 - 1), drawn(CameraShow::normal).at(9, 9)));
  EXPECT_FALSE(same(png.at(7, 4), wall));
  EXPECT_TRUE(same(png.at(7, 3), wall));
}

TEST_F(CameraPictureTest, DepthsAreColoredFromTheNearestOn) {
  for (std::size_t i = 0; i < 100; ++i) image_.depth[i] = 5;
  image_.depth[199] = 9;
  image_.depth[0] = infinity;
  image_.id[0] = none;
  const Png png = drawn(CameraShow::depth);
  EXPECT_TRUE(same(png.at(9, 2), ramp_color(0)));
  EXPECT_TRUE(same(png.at(9, 8), ramp_color(0.5)));
  EXPECT_TRUE(same(png.at(19, 9), ramp_color(1)));
}

TEST_F(CameraPictureTest, NothingSeenIsStillAPicture) {
  image_.depth.assign(200, infinity);
  image_.id.assign(200, none);
  for (const CameraShow show : {CameraShow::shaded, CameraShow::depth, CameraShow::normal}) {
    EXPECT_GE(drawn(show).width, 20);
  }
}

TEST_F(CameraPictureTest, HistogramsOfNothingAreStillPictures) {
  write_histogram_picture(path("none.png"), {{}, "share", "points", {}});
  write_histogram_picture(path("odd.png"), {{NAN, INFINITY, 0, 1}, "share", "points", {"m", 1}});
  EXPECT_EQ(entries(), 2);
}

// Depths inside shapes are negative, and no less there than others.
TEST_F(CameraPictureTest, HistogramsHaveBarsBelowZero) {
  write_histogram_picture(path("h.png"), {{-2, 2, 2, 2, 2}, "distance", "points", {"m", 1}});
  const Png png = read_png(path("h.png"));
  const auto bar = [&](int k) { return png.at(140 + 24 * k + 12, 90 + 480 - 30); };
  EXPECT_TRUE(same(bar(0), ramp_color(0.5 / 40)));
  EXPECT_TRUE(same(bar(39), ramp_color(39.5 / 40)));
  EXPECT_TRUE(same(bar(20), paper));
}

}  // namespace
}  // namespace sightline::io
