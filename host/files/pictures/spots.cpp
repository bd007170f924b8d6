// Points on a map: as squares or dots, with their numbers where there are few.
#include "host/files/pictures/map_view.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

namespace sightline::io {
namespace {

/// The side of the squares as which spots on a grid are drawn; nothing where they are dots: small
/// squares are not seen where few of the grid's places have one, and a few points that someone
/// placed at round numbers are no grid.
std::optional<double> cell_of(const MapView& view, const std::vector<MapSpot>& spots) {
  std::vector<MapPoint> places;
  for (const MapSpot& spot : spots) places.push_back(spot.at);
  const std::optional<double> spacing = grid_spacing(places);
  if (!spacing || *spacing * view.scale < 1.5) return std::nullopt;
  const MapBounds b = bounds_of(spots);
  const double all = (1 + (b.high.x - b.low.x) / *spacing) * (1 + (b.high.y - b.low.y) / *spacing);
  const bool is_dense = 4 * static_cast<double>(spots.size()) >= all;
  const bool is_seen = !are_few(spots.size()) && *spacing * view.scale >= 6;
  return is_dense || is_seen ? spacing : std::nullopt;
}

/// Of a dot without its rim, in pixels.
double radius_of(std::size_t spots) { return are_few(spots) ? 7 : 3; }

/// A rectangle of pixels.
struct TextBox {
  Pixel low, high;

  static TextBox around(Pixel p, double by) { return {{p.x - by, p.y - by}, {p.x + by, p.y + by}}; }
  bool meets(const TextBox& b) const {
    return low.x < b.high.x && b.low.x < high.x && low.y < b.high.y && b.low.y < high.y;
  }
};

/// Where a text of this width may stand: over its place, or around a dot on it.
std::vector<TextBox> boxes_beside(Pixel p, double away, double width) {
  const double half = width / 2, middle = text_height / 2.0, gap = away + 3;
  const auto box = [&](double x, double y) {
    return TextBox{{p.x + x, p.y + y}, {p.x + x + width, p.y + y + text_height}};
  };
  if (away == 0) return {box(-half, -middle)};
  return {box(gap, -middle), box(-gap - width, -middle), box(-half, -gap - text_height),
          box(-half, gap)};
}

/// Whether a place of the spots' grid, within their bounds, has no spot.
bool has_gaps(const MapView& view, const std::vector<MapSpot>& spots) {
  const std::optional<double> cell = cell_of(view, spots);
  if (!cell) return false;
  const MapBounds bounds = bounds_of(spots);
  std::set<std::pair<std::int64_t, std::int64_t>> places;
  const auto number = [&](double from, double to) { return std::llround((to - from) / *cell); };
  for (const MapSpot& spot : spots) {
    places.emplace(number(bounds.low.x, spot.at.x), number(bounds.low.y, spot.at.y));
  }
  const double all = double(number(bounds.low.x, bounds.high.x) + 1) *
                     double(number(bounds.low.y, bounds.high.y) + 1);
  return static_cast<double>(places.size()) < all;
}

}  // namespace

MapBounds bounds_of(const std::vector<MapSpot>& spots) {
  MapBounds bounds;
  for (const MapSpot& spot : spots) bounds.add(spot.at);
  return bounds;
}

void fill_cell(Canvas& canvas, const MapView& view, const MapPoint& middle, double side,
               Color color) {
  const double half = side / 2;
  fill_rectangle(canvas, view({middle.x - half, middle.y + half}),
                 view({middle.x + half, middle.y - half}), color);
}

void draw_spots(Canvas& canvas, const MapView& view, std::vector<MapSpot> spots) {
  std::stable_sort(spots.begin(), spots.end(),
                   [](const MapSpot& a, const MapSpot& b) { return a.height < b.height; });
  const std::optional<double> cell = cell_of(view, spots);
  const bool few = are_few(spots.size());
  const double radius = radius_of(spots.size());
  for (const MapSpot& spot : spots) {
    if (cell) {
      fill_cell(canvas, view, spot.at, *cell, spot.color);
      continue;
    }
    const Pixel at = view(spot.at);
    fill_disc(canvas, at, radius + (few ? 1.5 : 1), few ? ink : mixed(spot.color, ink, 0.5));
    fill_disc(canvas, at, radius, spot.color);
  }
}

void draw_numbers(Canvas& canvas, const std::vector<MapNumber>& numbers, double away,
                  std::optional<Pixel> ring) {
  std::vector<TextBox> taken;
  if (ring) taken.push_back(TextBox::around(*ring, 22));
  if (away > 0) {
    for (const MapNumber& n : numbers) taken.push_back(TextBox::around(n.at, away));
  }
  const TextBox all = {{0, 0}, {double(canvas.width), double(canvas.height)}};
  for (const MapNumber& n : numbers) {
    const std::string text = fmt::format("{}", n.number);
    for (const TextBox& box : boxes_beside(n.at, away, text_width(text))) {
      const bool is_whole = all.low.x <= box.low.x && all.low.y <= box.low.y &&
                            box.high.x <= all.high.x && box.high.y <= all.high.y;
      const auto meets = [&](const TextBox& other) { return box.meets(other); };
      if (!is_whole || std::ranges::any_of(taken, meets)) continue;
      fill_outline(canvas, {box.low, {box.high.x, box.low.y}, box.high, {box.low.x, box.high.y}},
                   paper, 0.8);
      draw_text(canvas, box.low, text, ink);
      taken.push_back(box);
      break;
    }
  }
}

void draw_numbers(Canvas& canvas, const MapView& view, const std::vector<MapSpot>& spots,
                  std::optional<Pixel> ring, double away) {
  if (!are_few(spots.size())) return;
  std::vector<MapNumber> numbers;
  for (const MapSpot& spot : spots) numbers.push_back({view(spot.at), spot.point});
  if (!cell_of(view, spots)) away = std::max(away, radius_of(spots.size()) + 1.5);
  draw_numbers(canvas, numbers, away, ring);
}

std::uint64_t hidden_spots(const MapView& view, const std::vector<MapSpot>& spots) {
  const double side = cell_of(view, spots).value_or(radius_of(spots.size()) / view.scale);
  const double storey = 1e-3 * view.shown.longest();
  const auto place = [&](const MapSpot& spot) {
    return std::pair(std::llround((spot.at.x - view.shown.low.x) / side),
                     std::llround((spot.at.y - view.shown.low.y) / side));
  };
  std::map<std::pair<long long, long long>, double> highest;
  for (const MapSpot& spot : spots) {
    const auto [at, is_new] = highest.try_emplace(place(spot), spot.height);
    at->second = std::max(at->second, spot.height);
  }
  return static_cast<std::uint64_t>(std::ranges::count_if(
      spots, [&](const MapSpot& spot) { return highest[place(spot)] - spot.height > storey; }));
}

void add_counted(std::vector<ColorClass>& classes, Color color, std::string_view words,
                 std::uint64_t count) {
  if (count > 0) classes.push_back({color, fmt::format("{} {}", words, count)});
}

void add_gaps(std::vector<ColorClass>& classes, const MapView& view,
              const std::vector<MapSpot>& spots) {
  if (has_gaps(view, spots)) classes.push_back({paper, "no point"});
}

void add_sentences(std::vector<ColorClass>& classes, std::string_view one, std::uint64_t numbered,
                   std::uint64_t hidden) {
  if (are_few(numbered)) {
    classes.push_back({std::nullopt, fmt::format("numbers are those of the {}s, from 0", one)});
  }
  if (hidden == 0) return;
  classes.push_back({std::nullopt, fmt::format("higher floors hide {}: --slice shows one floor",
                                               counted(hidden, one))});
}

}  // namespace sightline::io
