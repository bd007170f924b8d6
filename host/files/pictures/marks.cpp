#include "host/files/pictures/map_view.hpp"

#include <cmath>
#include <map>

namespace sightline::io {
namespace {

/// Nearer arcs than so many pixels run into one another.
constexpr double between_jumps = 9;

/// False also of what is not a number.
bool is_drawable(const Pixel& p) { return std::abs(p.x) < 1e9 && std::abs(p.y) < 1e9; }

void draw_bow(Canvas& canvas, Pixel a, Pixel b, Color color) {
  constexpr int pieces = 8;
  const auto at = [&](int piece) {
    const double s = double{1} * piece / pieces, bend = 0.8 * s * (1 - s);
    return Pixel{a.x + (b.x - a.x) * s - (b.y - a.y) * bend,
                 a.y + (b.y - a.y) * s + (b.x - a.x) * bend};
  };
  for (int s = 0; s < pieces; ++s) draw_line(canvas, at(s), at(s + 1), 1.5, color);
  fill_disc(canvas, b, 2.5, color);
}

}  // namespace

void draw_ring(Canvas& canvas, Pixel at) {
  fill_disc(canvas, at, 13, ink);
  fill_disc(canvas, at, 10, paper);
  fill_disc(canvas, at, 5, ink);
  for (const double side : {-1.0, 1.0}) {
    draw_line(canvas, {at.x + 12 * side, at.y}, {at.x + 22 * side, at.y}, 4, ink);
    draw_line(canvas, {at.x, at.y + 12 * side}, {at.x, at.y + 22 * side}, 4, ink);
  }
}

void draw_arrow(Canvas& canvas, Pixel from, Pixel to, Color color) {
  const double dx = to.x - from.x, dy = to.y - from.y, length = std::hypot(dx, dy);
  if (!(length > 0)) return;
  const double head = 7, x = head * dx / length, y = head * dy / length;
  const auto draw = [&](double width, Color with) {
    draw_line(canvas, from, to, width, with);
    for (const double side : {-0.6, 0.6}) {
      draw_line(canvas, to, {to.x - x - side * y, to.y - y + side * x}, width, with);
    }
  };
  draw(5, paper);
  draw(2.2, color);
}

std::vector<std::uint64_t> thinned(const std::vector<Pixel>& places, double distance) {
  std::map<std::pair<std::int64_t, std::int64_t>, std::vector<Pixel>> kept;
  std::vector<std::uint64_t> numbers;
  for (std::uint64_t i = 0; i < places.size(); ++i) {
    const Pixel& p = places[i];
    if (!is_drawable(p)) continue;
    const auto column = static_cast<std::int64_t>(std::floor(p.x / distance));
    const auto row = static_cast<std::int64_t>(std::floor(p.y / distance));
    bool free = true;
    for (std::int64_t k = 0; k < 9 && free; ++k) {
      const auto cell = kept.find({column + k % 3 - 1, row + k / 3 - 1});
      if (cell == kept.end()) continue;
      for (const Pixel& q : cell->second) {
        free = free && std::hypot(p.x - q.x, p.y - q.y) >= distance;
      }
    }
    if (!free) continue;
    kept[{column, row}].push_back(p);
    numbers.push_back(i);
  }
  return numbers;
}

void draw_jumps(Canvas& canvas, const MapView& view, const NavJumps& jumps, UpAxis up,
                const Slice& slice) {
  const auto is_shown = [&](const Vec3& p) { return slice.holds(height_of(p, up)); };
  std::vector<std::uint64_t> shown;
  std::vector<Pixel> middle;
  for (std::uint64_t k = 0; k < jumps.size(); ++k) {
    if (!is_shown(jumps.from[k]) && !is_shown(jumps.to[k])) continue;
    const Pixel a = view(on_map(jumps.from[k], up)), b = view(on_map(jumps.to[k], up));
    shown.push_back(k);
    middle.push_back({(a.x + b.x) / 2, (a.y + b.y) / 2});
  }
  for (const std::uint64_t i : thinned(middle, between_jumps)) {
    const std::uint64_t k = shown[i];
    draw_bow(canvas, view(on_map(jumps.from[k], up)), view(on_map(jumps.to[k], up)),
             jumps.both_ways[k] != 0 ? jump_blue : drop_red);
  }
}

}  // namespace sightline::io
