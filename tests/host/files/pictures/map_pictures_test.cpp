// Maps of areas, of cover and of jumps, and the marks on them.
#include "host/files/pictures/legend.hpp"
#include "host/files/pictures/map_view.hpp"
#include "tests/host/files/pictures/map_test.hpp"
#include "tests/oracle/dice.hpp"

#include <cmath>

namespace sightline::io {
namespace {

/// Four squares of 20 units with a class each.
class AreaPictureTest : public MapPicturesTest {
 protected:
  AreaPictureTest() {
    set(picture_);
    picture_.classes = {AreaClass::fully, AreaClass::partly, AreaClass::hidden, AreaClass::hidden};
    picture_.samples = {4, 4, 4, 0};
    for (std::uint32_t a = 0; a < 4; ++a) {
      const float x = 20.0f * static_cast<float>(a % 2), y = 20.0f * static_cast<float>(a / 2);
      const Vec3 corners[] = {{x, y, 1}, {x + 20, y, 1}, {x + 20, y + 20, 1}, {x, y + 20, 1}};
      polygons_.add(corners, 2);
      for (const float dx : {5.0f, 15.0f}) {
        for (const float dy : {5.0f, 15.0f}) {
          points_.push_back({x + dx, y + dy, 2});
          picture_.area.push_back(a);
        }
      }
    }
    picture_.points = points_;
  }
  Png drawn() {
    write_area_picture(path("a.png"), picture_);
    return read_png(path("a.png"));
  }
  static void expect_classes(const Png& png) {
    EXPECT_TRUE(same(at(png, 18, 2), good_green));
    EXPECT_TRUE(same(at(png, 38, 2), middling_amber));
    EXPECT_TRUE(same(at(png, 2, 38), bad_red));
    EXPECT_TRUE(same(at(png, 38, 38), failed_blue));  // nothing is known of it
  }

  std::vector<Vec3> points_;
  Areas polygons_;
  AreaPicture picture_;
};

TEST_F(AreaPictureTest, PointsHaveTheColorOfTheirArea) {
  const Png png = drawn();
  expect_classes(png);
  // The ring lies on a point of the area that looks, here its first.
  EXPECT_TRUE(same(at(png, 5, 5), ink));
}

TEST_F(AreaPictureTest, PointsInShapesAreMarked) {
  picture_.inside.assign(points_.size(), false);
  picture_.inside[2] = true;  // (15, 5)
  const Png png = drawn();
  EXPECT_TRUE(same(at(png, 14, 4), inside_grey));
  EXPECT_TRUE(same(at(png, 4, 14), good_green));
}

TEST_F(AreaPictureTest, PolygonsAreFilled) {
  picture_.polygons = &polygons_;
  const Png png = drawn();
  expect_classes(png);
  EXPECT_TRUE(same(at(png, 38, 18), middling_amber));
}

TEST_F(AreaPictureTest, OfSeveralFloorsTheHighestIsSeenAndSlicesLeaveOut) {
  const Vec3 corners[] = {{0, 0, 9}, {40, 0, 9}, {40, 40, 9}, {0, 40, 9}};
  polygons_.add(corners, 1);
  picture_.classes.push_back(AreaClass::fully);
  picture_.samples.push_back(1);
  picture_.polygons = &polygons_;
  EXPECT_TRUE(same(at(drawn(), 2, 38), good_green));
  picture_.slice = {0, 5};
  EXPECT_TRUE(same(at(drawn(), 2, 38), bad_red));
}

TEST_F(AreaPictureTest, AnAreaWithoutPointsIsStillAPicture) {
  picture_.points = {};
  picture_.area.clear();
  EXPECT_GT(drawn().width, 0);
}

class CoverPictureTest : public MapPicturesTest {
 protected:
  static constexpr Color stand{26, 110, 56}, crouch{176, 92, 12};

  /// A point with cover towards direction `facing` of 4.
  void add(Vec3 p, CoverHeight height, std::uint8_t facing, bool left = false, bool right = false) {
    const std::uint64_t bit = std::uint64_t{1} << facing;
    points_.push_back(p);
    height_.push_back(height);
    facing_.push_back(facing);
    distance_.push_back(1);
    crouch_.push_back(bit);
    stand_.push_back(height == CoverHeight::stand ? bit : 0);
    left_.push_back(left ? bit : 0);
    right_.push_back(right ? bit : 0);
  }
  Png drawn() {
    // Spots far away, so that the map shows the whole square.
    for (const auto& [x, y] : {std::pair{0, 0}, {40, 0}, {0, 40}, {40, 40}}) {
      add({static_cast<float>(x), static_cast<float>(y), 0}, CoverHeight::no_cover, 0);
    }
    CoverPicture picture;
    set(picture);
    picture.points = points_;
    picture.cover = {height_, facing_, distance_, crouch_, stand_, left_, right_};
    picture.directions = 4;
    picture.inside = inside_;
    write_cover_picture(path("c.png"), picture);
    return read_png(path("c.png"));
  }
  /// Pixels of a color around a place: to its right, its left, above and below.
  static std::array<int, 4> around(const Png& png, double x, double y, Color color) {
    const Pixel p = place(x, y);
    return {count(png, color, {p.x + 4, p.y - 12}, {p.x + 14, p.y + 12}),
            count(png, color, {p.x - 14, p.y - 12}, {p.x - 4, p.y + 12}),
            count(png, color, {p.x - 12, p.y - 14}, {p.x + 12, p.y - 4}),
            count(png, color, {p.x - 12, p.y + 4}, {p.x + 12, p.y + 14})};
  }

  std::vector<Vec3> points_;
  std::vector<CoverHeight> height_;
  std::vector<std::uint8_t> facing_;
  std::vector<float> distance_;
  std::vector<std::uint64_t> crouch_, stand_, left_, right_;
  std::vector<bool> inside_;
};

TEST_F(CoverPictureTest, PointsInShapesAreMarkedAndHaveNoArrow) {
  add({10, 10, 0}, CoverHeight::stand, 1);
  add({30, 10, 0}, CoverHeight::stand, 1);
  inside_ = {true};
  const Png png = drawn();
  const auto pixels = [&](double x, double y, Color color) {
    const Pixel p = place(x, y);
    return count(png, color, {p.x - 14, p.y - 14}, {p.x + 14, p.y + 14});
  };
  EXPECT_GT(pixels(10, 10, inside_grey), 10);
  EXPECT_EQ(pixels(10, 10, stand), 0);
  EXPECT_GT(pixels(30, 10, stand), 10);
}

TEST_F(CoverPictureTest, ArrowsPointToCover) {
  const std::pair<double, double> places[] = {
      {10.3, 10.3}, {30.1, 10.3}, {10.3, 30.1}, {30.1, 30.1}};
  for (std::uint8_t k = 0; k < 4; ++k) {
    add({static_cast<float>(places[k].first), static_cast<float>(places[k].second), 0},
        CoverHeight::stand, k);
  }
  const Png png = drawn();
  // The head has more pixels than the tail; direction 1 is up on the map.
  const int ahead[] = {0, 2, 1, 3}, behind[] = {1, 3, 0, 2};
  for (std::size_t k = 0; k < 4; ++k) {
    const auto n = around(png, places[k].first, places[k].second, stand);
    EXPECT_GT(n[static_cast<std::size_t>(ahead[k])], n[static_cast<std::size_t>(behind[k])]) << k;
    EXPECT_GT(n[static_cast<std::size_t>(behind[k])], 0) << k;
  }
}

TEST_F(CoverPictureTest, TicksAreOnTheSideToLeanTo) {
  // Facing up: the left is to the left, at the arrow's lower end.
  add({10, 10, 0}, CoverHeight::crouch, 1, true, false);
  add({30, 10, 0}, CoverHeight::crouch, 1, false, true);
  add({10, 30, 0}, CoverHeight::crouch, 1);
  const Png png = drawn();
  const auto below = [&](double x, double y, double side) {
    const Pixel p = place(x, y);
    return count(png, crouch, {p.x + (side < 0 ? -13 : 3), p.y + 8},
                 {p.x + (side < 0 ? -3 : 13), p.y + 18});
  };
  EXPECT_GT(below(10, 10, -1), 4);
  EXPECT_EQ(below(10, 10, 1), 0);
  EXPECT_GT(below(30, 10, 1), 4);
  EXPECT_EQ(below(30, 10, -1), 0);
  EXPECT_EQ(below(10, 30, 1) + below(10, 30, -1), 0);
}

TEST_F(CoverPictureTest, WhereThereIsNoRoomStandingComesFirst) {
  add({20, 20, 0}, CoverHeight::crouch, 0);
  add({20.2f, 20.1f, 0}, CoverHeight::stand, 0);
  const Png png = drawn();
  const Pixel p = place(20, 20);
  EXPECT_GT(count(png, stand, {p.x - 20, p.y - 20}, {p.x + 20, p.y + 20}), 10);
  EXPECT_EQ(count(png, crouch, {p.x - 20, p.y - 20}, {p.x + 20, p.y + 20}), 0);
}

TEST(Thinned, KeepsItsDistanceAndLeavesOutNoMoreThanItMust) {
  oracle::Dice dice(1);
  for (int round = 0; round < 20; ++round) {
    std::vector<Pixel> places;
    for (int i = 0; i < 300; ++i) {
      places.push_back({dice.uniform(-200, 200), dice.uniform(-200, 200)});
    }
    const double distance = dice.uniform(5, 45);
    const std::vector<std::uint64_t> kept = thinned(places, distance);
    const auto apart = [&](std::uint64_t a, std::uint64_t b) {
      return std::hypot(places[a].x - places[b].x, places[a].y - places[b].y);
    };
    std::size_t next = 0;
    for (std::uint64_t i = 0; i < places.size(); ++i) {
      bool near = false;
      for (std::size_t k = 0; k < next; ++k) near = near || apart(i, kept[k]) < distance;
      const bool is_kept = next < kept.size() && kept[next] == i;
      EXPECT_EQ(is_kept, !near) << i;
      next += is_kept ? 1 : 0;
    }
  }
}

TEST(Thinned, LeavesOutWhatNoPictureHolds) {
  const std::vector<Pixel> places = {{NAN, 0}, {0, INFINITY}, {1e300, 0}, {3, 4}};
  EXPECT_EQ(thinned(places, 9), std::vector<std::uint64_t>{3});
}

TEST_F(MapPicturesTest, OutlinesHaveThePixelsWhoseMiddlesAreIn) {
  oracle::Dice dice(2);
  for (int round = 0; round < 200; ++round) {
    Pixel corner[3];
    for (Pixel& p : corner) p = {dice.uniform(-5, 35), dice.uniform(-5, 35)};
    Canvas canvas(30, 30, {0, 0, 0});
    fill_outline(canvas, {corner, corner + 3}, {255, 255, 255});
    write_png(path("f.png"), canvas);
    const Png png = read_png(path("f.png"));
    for (int y = 0; y < 30; ++y) {
      for (int x = 0; x < 30; ++x) {
        double least = INFINITY, most = -INFINITY;
        for (int k = 0; k < 3; ++k) {
          const Pixel &a = corner[k], &b = corner[(k + 1) % 3];
          const double side = (b.x - a.x) * (y + 0.5 - a.y) - (b.y - a.y) * (x + 0.5 - a.x);
          const double away = side / std::hypot(b.x - a.x, b.y - a.y);
          least = std::min(least, away), most = std::max(most, away);
        }
        if (std::abs(least) < 0.02 || std::abs(most) < 0.02) continue;  // Cairo counts in 1/256
        const bool inside = least > 0 || most < 0;
        ASSERT_EQ(png.at(x, y).r == 255, inside) << round << ": " << x << ' ' << y;
      }
    }
  }
}

// Squares of two pixels would not be seen.
TEST_F(MapPicturesTest, FewPointsOnAFineGridAreDots) {
  std::vector<Vec3> points;
  for (int k = 0; k <= 400; ++k) {
    points.push_back({0.1f * static_cast<float>(k), 0.1f * static_cast<float>(k), 1});
  }
  points.push_back({10, 30, 1});
  MapPicture picture;
  set(picture);
  picture.points = points;
  picture.share.assign(points.size(), 1);
  write_map_picture(path("m.png"), picture);
  const Png png = read_png(path("m.png"));
  const Pixel p = place(10, 30);
  EXPECT_GT(count(png, ramp_color(1), {p.x - 5, p.y - 5}, {p.x + 5, p.y + 5}), 15);
}

class JumpPictureTest : public MapPicturesTest {
 protected:
  JumpPictureTest() {
    jumps_.from = {{4, 10, 3}, {4, 30, 8}};
    jumps_.to = {{34, 10, 1}, {34, 30, 6}};
    jumps_.spans.resize(2);
    jumps_.both_ways = {0, 1};
  }
  NavJumps jumps_;
};

TEST_F(JumpPictureTest, ArcsEndInADotWhereOneLands) {
  std::vector<Vec3> points = {{0, 0, 2}, {40, 40, 2}};
  MapPicture picture;
  set(picture);
  picture.points = points;
  picture.share = {0, 1};
  picture.jumps = &jumps_;
  write_map_picture(path("m.png"), picture);
  const Png png = read_png(path("m.png"));
  EXPECT_TRUE(same(at(png, 34, 10), drop_red));
  EXPECT_TRUE(same(at(png, 34, 30), jump_blue));
  // Arcs: not on the straight line, and above or below it in the middle.
  EXPECT_FALSE(same(at(png, 19, 10), drop_red));
  const Pixel middle = place(19, 10);
  int reddish = 0;
  for (int y = -150; y < 150; ++y) {
    const Color c = png.at(static_cast<int>(middle.x), static_cast<int>(middle.y) + y);
    reddish += c.r > c.g + 60 ? 1 : 0;
  }
  EXPECT_GT(reddish, 0);
  picture.slice = {0, 4};
  write_map_picture(path("m.png"), picture);
  const Png low = read_png(path("m.png"));
  EXPECT_TRUE(same(at(low, 34, 10), drop_red));
  EXPECT_FALSE(same(at(low, 34, 30), jump_blue));
}

TEST_F(JumpPictureTest, NavMapsOfOddFilesAreStillPictures) {
  NavMap map;
  map.offsets = {0};
  write_nav_picture(path("none.png"), map, scene_, "m");
  map.grid = {UpAxis::z, 1, 1, {{0, 0, 0}, {1, 1, 1}}, 1, 1};
  map.offsets = {0, 1};
  map.top = map.bottom = map.headroom = {1};
  map.shape = {77};
  map.region = {none};
  map.border = {1};
  map.links = {{no_link, no_link, no_link, no_link}};
  map.flags = {nav_flags::floor | nav_flags::surface | nav_flags::clear | nav_flags::walkable};
  write_nav_picture(path("odd.png"), map, scene_, "m");
  map.grid.cell = -1;
  write_nav_picture(path("less.png"), map, scene_, "m");
  EXPECT_EQ(entries(), 3);
}

}  // namespace
}  // namespace sightline::io
