#include "host/files/pictures/map_view.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <tuple>

namespace sightline::io {
namespace {

constexpr double between_arrows = 24, arrow_length = 17, tick_length = 8;
/// Of all three where points are few, whose dots are larger too.
constexpr double larger = 1.6;
constexpr Color stand_color{26, 110, 56}, crouch_color{176, 92, 12};
constexpr Color stand_ground{190, 222, 192}, crouch_ground{248, 222, 176}, no_ground{228, 228, 230};

Color ground_of(CoverHeight height) {
  return height == CoverHeight::stand    ? stand_ground
         : height == CoverHeight::crouch ? crouch_ground
                                         : no_ground;
}

bool has_bit(std::uint64_t bits, std::uint32_t k) { return (bits >> k & 1) != 0; }

/// Whether the nearest cover is safe standing, and not only crouching.
bool is_standing(const CoverPicture& picture, std::uint64_t i) {
  return has_bit(picture.cover.stand[i], picture.cover.facing[i]);
}

/// The points with cover, those first whose arrows are to be drawn where there is room for one.
std::vector<std::uint64_t> by_importance(const CoverPicture& picture,
                                         std::vector<std::uint64_t> shown) {
  const CoverView& c = picture.cover;
  std::erase_if(shown, [&](std::uint64_t i) { return c.height[i] == CoverHeight::no_cover; });
  std::sort(shown.begin(), shown.end(), [&](std::uint64_t a, std::uint64_t b) {
    return std::tuple(!is_standing(picture, a), c.distance[a], a) <
           std::tuple(!is_standing(picture, b), c.distance[b], b);
  });
  return shown;
}

void draw_cover(Canvas& canvas, const CoverPicture& picture, std::uint64_t i, Pixel at,
                double size) {
  const std::uint32_t facing = picture.cover.facing[i];
  const double angle = 2 * 3.14159265358979 * facing / picture.directions;
  const double x = std::cos(angle), y = -std::sin(angle);  // pixels go down
  const Color color = is_standing(picture, i) ? stand_color : crouch_color;
  const double half = size * arrow_length / 2, lean = size * tick_length;
  const Pixel tail = {at.x - half * x, at.y - half * y};
  draw_arrow(canvas, tail, {at.x + half * x, at.y + half * y}, color);
  const auto tick = [&](std::uint64_t bits, double side) {
    if (!has_bit(bits, facing)) return;
    draw_line(canvas, tail, {tail.x + side * lean * y, tail.y - side * lean * x}, 2.2, color);
  };
  tick(picture.cover.left[i], 1);
  tick(picture.cover.right[i], -1);
}

std::vector<ColorClass> cover_classes(const CoverPicture& picture,
                                      const std::vector<std::uint64_t>& shown, std::uint64_t arrows,
                                      const std::vector<std::uint64_t>& drawn) {
  std::uint64_t by_height[3] = {}, standing = 0;
  for (const std::uint64_t i : shown) ++by_height[static_cast<int>(picture.cover.height[i])];
  for (const std::uint64_t i : drawn) standing += is_standing(picture, i) ? 1 : 0;
  std::vector<ColorClass> classes;
  add_counted(classes, stand_ground, "to stand behind", by_height[2]);
  add_counted(classes, crouch_ground, "to crouch behind", by_height[1]);
  add_counted(classes, no_ground, "no cover", by_height[0]);
  if (standing > 0) classes.push_back({stand_color, "nearest, standing"});
  if (standing < drawn.size()) classes.push_back({crouch_color, "nearest, crouching"});
  if (arrows == 0) return classes;
  classes.push_back({std::nullopt, fmt::format("{} of {} arrows drawn", drawn.size(), arrows)});
  return classes;
}

}  // namespace

std::uint64_t write_cover_picture(const std::string& name, const CoverPicture& picture) {
  std::vector<std::uint64_t> shown;
  std::uint64_t inside = 0;
  const std::vector<MapSpot> spots =
      spots_of(picture.points, picture.up, picture.slice, [&](std::uint64_t i) {
        if (picture.is_inside(i)) return ++inside, inside_grey;
        shown.push_back(i);
        return ground_of(picture.cover.height[i]);
      });
  const MapView view = view_of(picture, bounds_of(spots));
  const std::uint64_t hidden = hidden_spots(view, spots);
  const std::vector<std::uint64_t> arrows = by_importance(picture, shown);
  const auto place = [&](std::uint64_t i) {
    return view(on_map(picture.points.position[i], picture.up));
  };
  const double size = are_few(spots.size()) ? larger : 1;
  std::vector<Pixel> places;
  for (const std::uint64_t i : arrows) places.push_back(place(i));
  std::vector<std::uint64_t> drawn;
  for (const std::uint64_t k : thinned(places, size * between_arrows)) drawn.push_back(arrows[k]);
  Legend legend{picture.caption, cover_classes(picture, shown, arrows.size(), drawn)};
  add_counted(legend.classes, inside_grey, inside_words, inside);
  add_sentences(legend.classes, "point", spots.size(), hidden);
  write_map(name, view, picture, legend, [&](Canvas& canvas) {
    draw_spots(canvas, view, spots);
    draw_scene(canvas, view, picture);
    for (const std::uint64_t i : drawn) draw_cover(canvas, picture, i, place(i), size);
    draw_numbers(canvas, view, spots, {}, size * arrow_length / 2 + 2);
  });
  return hidden;
}

}  // namespace sightline::io
