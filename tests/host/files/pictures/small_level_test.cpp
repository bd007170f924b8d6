// Maps of a few shapes and points: all shapes, numbers, coordinates, scales and the legend's keys.
#include "host/files/pictures/legend.hpp"
#include "host/files/pictures/map_view.hpp"
#include "tests/host/files/pictures/map_test.hpp"

#include <sightline/geometry/shapes/shapes_view.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace sightline::io {
namespace {

class SmallLevelTest : public MapPicturesTest {
 protected:
  static int darkest(const Png& png, Pixel p) {
    int least = 255;
    for (int y = -2; y <= 2; ++y) {
      for (int x = -2; x <= 2; ++x) {
        least = std::min<int>(least, png.at(int(p.x) + x, int(p.y) + y).g);
      }
    }
    return least;
  }
  static int in_legend(const Png& png, Color color, int below) {
    return count(png, color, {0, double(below)}, {double(png.width), double(png.height)});
  }
  MapPicture map_of(const std::vector<Vec3>& points, std::vector<float> share) const {
    MapPicture picture;
    set(picture);
    picture.points = points;
    picture.share = std::move(share);
    return picture;
  }
  Png drawn(const MapPicture& picture) {
    hidden_ = write_map_picture(path("m.png"), picture);
    return read_png(path("m.png"));
  }
  MapView view(const MapPicture& picture) const {
    return view_of(picture, bounds_of(spots_of(picture.points, picture.up, picture.slice,
                                               [](std::uint64_t) { return ink; })));
  }
  /// Whether there is text, whose lines are thin.
  static bool is_inked(const Png& png, Pixel low, Pixel high) { return dark(png, low, high) > 3; }
  static int dark(const Png& png, Pixel low, Pixel high) {
    int n = 0;
    for (int y = int(low.y); y < int(high.y); ++y) {
      for (int x = int(low.x); x < int(high.x); ++x) n += png.at(x, y).g < 150 ? 1 : 0;
    }
    return n;
  }

  std::uint64_t hidden_ = 0;
};

Quat turned(double degrees, int axis) {
  const double half = degrees * 3.14159265358979 / 360;
  float q[3] = {};
  q[axis] = static_cast<float>(std::sin(half));
  return {q[0], q[1], q[2], static_cast<float>(std::cos(half))};
}

// Below the eyes, above them, tilted, under a point, and beside all points: each was missing or too
// faint to be seen.
TEST_F(SmallLevelTest, EveryShapeIsOutlined) {
  scene_.add_obb({{10, 10, 0.5f}, {2, 1, 0.5f}, turned(30, 2)});
  scene_.add_obb({{20, 12, 5}, {2, 1, 0.5f}, turned(45, 2)});
  scene_.add_obb({{27, 20, 1}, {2, 1, 2}, turned(40, 0)});
  scene_.add_obb({{15, 25, 0.3f}, {1.5f, 1.5f, 0.3f}, turned(45, 2)});  // a point is over it
  scene_.add_obb({{37, 37, 1}, {1.5f, 1, 1}, turned(20, 2)});
  scene_.add_aabb({{0, 0, 0}, {0.4f, 40, 3}});
  scene_.add_sphere({{33, 8, 1}, 1.5f});
  const std::vector<Vec3> points = {{5, 5, 1.6f},  {15, 25, 1.6f}, {25, 9, 1.6f},  {30, 30, 1.6f},
                                    {8, 20, 1.6f}, {22, 28, 1.6f}, {12, 16, 1.6f}, {20, 5, 1.6f}};
  MapPicture picture = map_of(points, {0, 1, 0, 1, 0, 1, 0, 1});
  const ShapesView shapes = scene_.view();
  picture.floors.assign(shapes.bounded(), false);
  for (std::uint32_t id = 0; id < shapes.bounded(); ++id) {  // the ground, and what a point is over
    const Aabb& b = shapes.bounds[id];
    picture.floors[id] = b.min.x <= 15 && b.max.x >= 15 && b.min.y <= 25 && b.max.y >= 25;
  }
  EXPECT_EQ(std::ranges::count(picture.floors, true), 2);
  const Png png = drawn(picture);
  const MapView v = view(picture);
  for (std::uint32_t id = 0; id < shapes.bounded(); ++id) {
    const std::vector<MapPoint> outline = footprint(shapes, id, UpAxis::z);
    ASSERT_GE(outline.size(), 4u) << id;
    for (std::size_t k = 0; k < outline.size(); ++k) {
      const MapPoint &a = outline[k], &b = outline[(k + 1) % outline.size()];
      const Pixel p = v({0.45 * a.x + 0.55 * b.x, 0.45 * a.y + 0.55 * b.y});
      EXPECT_GE(p.x, picture_margin - 1) << id;
      EXPECT_LE(p.x, picture_margin + v.width + 1) << id;
      EXPECT_LT(darkest(png, p), 200) << id << ": " << k;
    }
  }
}

TEST_F(SmallLevelTest, TheGroundIsCutAndWhatIsFarAwayIsLeftOut) {
  Scene scene;
  scene.add_aabb({{-1000, -1000, -1}, {1000, 1000, 0}});
  scene.add_aabb({{10, 4, 0}, {12, 6, 3}});
  scene.add_aabb({{900, 4, 0}, {902, 6, 3}});
  MapPicture picture = map_of({}, {0, 1});
  const std::vector<Vec3> points = {{0, 0, 1}, {9, 9, 1}};
  picture.points = points;
  picture.scene = &scene;
  const MapView v = view(picture);
  EXPECT_EQ(v.shown.high.x, 12);
  EXPECT_NEAR(v.shown.low.x, -0.9, 1e-5);
  // One point alone says nothing of how far to look: the shapes do.
  picture.points = std::span(points).subspan(1);
  EXPECT_GE(view(picture).shown.high.x, 12);
  EXPECT_LT(view(picture).shown.high.x, 900);
}

TEST_F(SmallLevelTest, FewPointsAreDotsWithARimAndANumber) {
  std::vector<Vec3> points = {{5, 5, 1},   {35, 5, 1},  {5, 35, 1},  {35, 35, 1},
                              {20, 20, 1}, {10, 25, 1}, {25, 10, 1}, {30, 22, 1}};
  MapPicture picture = map_of(points, {1, 1, 1, 1, 1, 1, 1, 1});
  const auto beside = [&](const Png& png, const Vec3& p) {
    const Pixel at = view(picture)({p.x, p.y});
    return is_inked(png, {at.x + 11, at.y - 9}, {at.x + 30, at.y + 9});
  };
  const Png png = drawn(picture);
  for (const Vec3& p : points) {
    const Pixel at = view(picture)({p.x, p.y});
    const auto pixel = [&](double x) { return png.at(int(at.x + x), int(at.y)); };
    EXPECT_TRUE(same(pixel(-5), ramp_color(1)));  // at least 5 pixels wide
    EXPECT_TRUE(same(pixel(5), ramp_color(1)));
    EXPECT_LT(darkest(png, {at.x - 8, at.y}), 80);
    EXPECT_TRUE(beside(png, p));
  }
  for (int k = 0; k < 33; ++k) {  // 41
    points.push_back(
        {4.0f + static_cast<float>(k), 2.0f + 0.1f * static_cast<float>(k * k % 7), 1});
  }
  picture = map_of(points, std::vector<float>(41, 1));
  EXPECT_FALSE(beside(drawn(picture), points[4]));
}

TEST_F(SmallLevelTest, NumbersKeepClearOfDotsOfRingsAndOfEachOther) {
  const auto inked = [&](const std::vector<MapNumber>& numbers, std::optional<Pixel> ring) {
    Canvas canvas(200, 200, paper);
    draw_numbers(canvas, numbers, 8, ring);
    write_png(path("n.png"), canvas);
    const Png png = read_png(path("n.png"));
    return std::array<bool, 4>{
        is_inked(png, {112, 90}, {160, 110}), is_inked(png, {40, 90}, {88, 110}),
        is_inked(png, {85, 60}, {115, 90}), is_inked(png, {85, 110}, {115, 140})};
  };
  using Sides = std::array<bool, 4>;  // right, left, above, below
  const MapNumber one{{100, 100}, 7};
  EXPECT_EQ(inked({one}, {}), (Sides{true, false, false, false}));
  EXPECT_EQ(inked({one}, Pixel{130, 100}), (Sides{false, true, false, false}));
  EXPECT_EQ(inked({one, one}, {}), (Sides{true, true, false, false}));
  EXPECT_EQ(inked({one, one, one, one, one}, {}), (Sides{true, true, true, true}));
  EXPECT_EQ(inked({one}, Pixel{100, 100}), (Sides{false, false, false, false}));
}

TEST_F(SmallLevelTest, CoordinatesAreAtRoundNumbers) {
  const MapTicks ticks = map_ticks(-3, 41, 20, 1);
  EXPECT_EQ(ticks.numbers, (std::vector<double>{0, 10, 20, 30, 40}));
  EXPECT_EQ(ticks.labels, (std::vector<std::string>{"0", "10", "20", "30", "40"}));
  EXPECT_EQ(map_ticks(-3, 41, 20, -1).labels,
            (std::vector<std::string>{"0", "-10", "-20", "-30", "-40"}));
  EXPECT_EQ(map_ticks(0.1, 0.32, 2000, 1).labels, (std::vector<std::string>{"0.1", "0.2", "0.3"}));
  const MapTicks far = map_ticks(1e12, 1e12 + 4, 300, 1);
  ASSERT_GE(far.labels.size(), 2u);
  EXPECT_NE(far.labels[0], far.labels[1]);
  EXPECT_EQ(far.labels[0], "1000000000000");
  const std::vector<Vec3> points = {{0, 0, 1}, {40, 40, 1}, {11, 13, 1}};
  const Png png = drawn(map_of(points, {0, 0, 1}));
  const auto is_mark = [&](double x, double y) {
    return !same(png.at(int(40 + 20 * x), int(40 + 20 * (40 - y))), paper);
  };
  for (const double at : {10.0, 20.0, 30.0}) {
    EXPECT_TRUE(is_mark(at, -0.25)) << at;
    EXPECT_TRUE(is_mark(-0.25, at)) << at;
    EXPECT_FALSE(is_mark(at + 3, -0.25)) << at;
    EXPECT_FALSE(is_mark(-0.25, at + 3)) << at;
  }
  EXPECT_TRUE(is_mark(15, 0));  // the edge itself
}

TEST(FieldScale, GoesByRankWhereTheLargestWouldDrownTheOthers) {
  const auto ranks = [](const std::vector<double>& values) {
    const RampScale scale = field_scale(values);
    std::string all = scale.ranked.empty() ? "linear" : "";
    for (const double v : values) {
      if (!scale.ranked.empty()) all += fmt::format("{:.2g} ", scale.share(v));
    }
    return all;
  };
  EXPECT_EQ(ranks({}), "linear");
  EXPECT_EQ(ranks({1, 2, 3, 4, 30}), "linear");  // 10 times 3, the median above the least
  EXPECT_EQ(ranks({1, 2, 3, 4, 30.1}), "0 0.25 0.5 0.75 1 ");
  EXPECT_EQ(ranks({4, 2, 99, 3, 5, 1}), "0.6 0.2 1 0.4 0.8 0 ");
  // Of what is least there may be many: it takes one step.
  EXPECT_EQ(ranks({0, 0, 0, 0, 0, 0, 1, 2, 50}), "0 0 0 0 0 0 0.33 0.67 1 ");
  EXPECT_EQ(ranks({0, 0, 0, 0, 0, 0, 20, 50}), "linear");
  EXPECT_EQ(ranks({7, 7, 7}), "linear");
  EXPECT_EQ(ranks({-9, -8, -7, 50}), "linear");  // no median of which it is a multiple
  const RampScale scale = field_scale({0.01, 0.02, 0.03, 0.04, 0.9});
  std::string labels;
  for (int k = 0; k <= RampScale::ticks; ++k) labels += tick_label(scale, k, {"%", 100}) + ' ';
  EXPECT_EQ(labels, "1 2 3 4 90 ");
}

TEST_F(SmallLevelTest, MapsGoByRankAndLeaveOutWhatIsInShapes) {
  const std::vector<Vec3> points = {{2, 3, 1}, {35, 38, 1}, {5, 33, 1}, {36, 4, 1}, {21, 23, 1}};
  MapPicture picture = map_of(points, {0.01f, 0.02f, 0.03f, 0.04f, 0.9f});
  const auto color = [&](const Png& png, std::size_t i) {
    const Pixel p = view(picture)({points[i].x, points[i].y});
    return png.at(int(p.x), int(p.y));
  };
  EXPECT_TRUE(same(color(drawn(picture), 2), ramp_color(0.5)));
  picture.inside = {false, false, false, false, true};  // the largest: then nothing is drowned
  EXPECT_TRUE(same(color(drawn(picture), 2), ramp_color(0.75)));
}

TEST_F(SmallLevelTest, FloorsThatHidePointsAreCounted) {
  const std::vector<Vec3> points = {{0, 0, 1},   {40, 40, 1}, {10, 10, 1},    {10, 10, 4},
                                    {10, 10, 7}, {20, 20, 1}, {20, 20, 1.01f}};
  MapPicture picture = map_of(points, std::vector<float>(7, 1));
  drawn(picture);
  EXPECT_EQ(hidden_, 2u);  // and not where two are as high but for a hundredth
  picture.slice = {0, 5};
  drawn(picture);
  EXPECT_EQ(hidden_, 1u);
  picture.slice = {0, 2};
  const Png one = drawn(picture);
  EXPECT_EQ(hidden_, 0u);
  picture.slice = {};
  EXPECT_GT(drawn(picture).height, one.height - 1);
}

TEST_F(SmallLevelTest, KeysOfWhatIsNotThereAreLeftOut) {
  const std::vector<Vec3> points = {{0, 0, 1}, {40, 40, 1}, {10, 13, 1}};
  RowPicture row;
  set(row);
  row.targets = points;
  row.viewpoint = {5, 20, 1};
  const auto in_row = [&](std::uint64_t bits, Color color) {
    row.bits = {bits};
    write_row_picture(path("r.png"), row);
    return in_legend(read_png(path("r.png")), color, 880) > 100;
  };
  EXPECT_TRUE(in_row(7, good_green));
  EXPECT_FALSE(in_row(7, bad_red));
  EXPECT_FALSE(in_row(0, good_green));
  EXPECT_TRUE(in_row(0, bad_red));
  NavJumps jumps;
  jumps.from = {{4, 10, 1}};
  jumps.to = {{34, 10, 1}};
  jumps.spans.resize(1);
  row.jumps = &jumps;
  jumps.both_ways = {0};
  EXPECT_TRUE(in_row(7, drop_red));
  EXPECT_FALSE(in_row(7, jump_blue));
  jumps.both_ways = {1};
  EXPECT_FALSE(in_row(7, drop_red));
  EXPECT_TRUE(in_row(7, jump_blue));
}

TEST_F(SmallLevelTest, TheLegendSaysWhichShapesHaveNoOutline) {
  const std::vector<Vec3> points = {{0, 0, 1}, {40, 40, 1}, {10, 13, 1}};
  const MapPicture picture = map_of(points, {0, 1, 1});
  const auto words = [&] { return not_drawn(view(picture), picture); };
  EXPECT_EQ(words(), "");
  const auto last_line = [&] {
    const Png png = drawn(picture);
    return dark(png, {0, png.height - 50.0}, {double(png.width), double(png.height)});
  };
  const int without = last_line();
  scene_.add_plane({{0, 0, 1}, 0});
  EXPECT_EQ(words(), "1 plane without an outline");
  EXPECT_GT(last_line(), without + 100);
  scene_.add_sphere({{1e6f, 0, 0}, 1});
  scene_.add_sphere({{-1e6f, 0, 0}, 1});
  EXPECT_EQ(words(), "1 plane without an outline, 2 shapes outside of the map");
  for (int k = 0; k < 64; ++k) scene_.add_sphere({{-1e6f, 0, 0}, 1});
  EXPECT_EQ(words(), "1 plane without an outline");
}

}  // namespace
}  // namespace sightline::io
