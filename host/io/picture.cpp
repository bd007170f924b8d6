#include "host/io/picture.hpp"

#include "host/io/color_ramp.hpp"
#include "host/io/legend.hpp"
#include "host/io/map_view.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace sightline::io {
namespace {

void finish_map(Canvas& canvas, const MapView& view, const Scene& scene, UpAxis up,
                const Slice& slice, const std::string& unit) {
  draw_shapes(canvas, view, scene, up, slice);
  canvas.clip.bottom = canvas.height;
  draw_scale(canvas, canvas.width - picture_margin, view.legend_top(), view, unit);
}

/// A ring with a cross, to be found among many spots.
void draw_mark(Canvas& canvas, Pixel at) {
  fill_disc(canvas, at, 13, ink);
  fill_disc(canvas, at, 10, paper);
  fill_disc(canvas, at, 5, ink);
  for (const double side : {-1.0, 1.0}) {
    draw_line(canvas, {at.x + 12 * side, at.y}, {at.x + 22 * side, at.y}, 4, ink);
    draw_line(canvas, {at.x, at.y + 12 * side}, {at.x, at.y + 22 * side}, 4, ink);
  }
}

}  // namespace

void write_map_picture(const std::string& name, const MapPicture& picture) {
  float largest = 0;
  for (const float value : picture.share) {
    if (std::isfinite(value)) largest = std::max(largest, value);
  }
  const bool percent = picture.quantity.unit == "%";
  const double full = percent ? std::min(ramp_end(largest), 1.0) : ramp_end(largest);
  const std::vector<MapSpot> spots =
      spots_of(picture.points, picture.up, picture.slice, [&](std::uint64_t i) {
        const float value = picture.share[i];
        return std::isnan(value) ? failed_blue : ramp_color(value / full);
      });
  const MapView view(shown_of(*picture.scene, bounds_of(spots), picture.up), picture.longest_side);
  Canvas canvas = view.canvas(legend_height);
  draw_spots(canvas, view, spots);
  finish_map(canvas, view, *picture.scene, picture.up, picture.slice, picture.unit);
  draw_ramp_legend(canvas, {picture_margin, view.legend_top()}, full, picture.caption,
                   picture.quantity);
  write_png(name, canvas);
}

void write_row_picture(const std::string& name, const RowPicture& picture) {
  std::uint64_t seen = 0;
  const std::vector<MapSpot> spots =
      spots_of(picture.targets, picture.up, picture.slice, [&](std::uint64_t j) {
        const bool is_seen = (picture.bits[j / 64] >> (j % 64) & 1) != 0;
        seen += is_seen ? 1u : 0u;
        return is_seen ? good_green : bad_red;
      });
  MapBounds bounds = bounds_of(spots);
  bounds.add(on_map(picture.viewpoint, picture.up));
  const MapView view(shown_of(*picture.scene, bounds, picture.up), picture.longest_side);
  Canvas canvas = view.canvas(legend_height);
  draw_spots(canvas, view, spots);
  finish_map(canvas, view, *picture.scene, picture.up, picture.slice, picture.unit);
  canvas.clip.bottom = view.height + 2 * picture_margin;
  draw_mark(canvas, view(on_map(picture.viewpoint, picture.up)));
  canvas.clip.bottom = canvas.height;
  draw_class_legend(canvas, {picture_margin, view.legend_top()}, picture.caption,
                    {{good_green, fmt::format("seen {}", seen)},
                     {bad_red, fmt::format("not seen {}", spots.size() - seen)}});
  write_png(name, canvas);
}

}  // namespace sightline::io
