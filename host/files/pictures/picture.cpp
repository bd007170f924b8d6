#include "host/files/pictures/picture.hpp"

#include "host/files/pictures/color_ramp.hpp"
#include "host/files/pictures/legend.hpp"
#include "host/files/pictures/map_view.hpp"
#include "host/files/pictures/marks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace sightline::io {

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
  const bool jumps = picture.jumps != nullptr;
  Canvas canvas = view.canvas(legend_height + (jumps ? class_line : 0));
  draw_spots(canvas, view, spots);
  draw_scene(canvas, view, picture);
  canvas.clip.bottom = canvas.height;
  const Pixel legend = {picture_margin, view.legend_top()};
  draw_scale(canvas, canvas.width - picture_margin, legend.y, view, picture.unit);
  draw_ramp_legend(canvas, legend, full, picture.caption, picture.quantity);
  if (jumps) {
    draw_classes(canvas, {legend.x, legend.y + legend_height - 30}, canvas.width, jump_classes());
  }
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
  const ClassMap map(view, picture,
                     {{good_green, fmt::format("seen {}", seen)},
                      {bad_red, fmt::format("not seen {}", spots.size() - seen)}});
  Canvas canvas = map.canvas();
  draw_spots(canvas, view, spots);
  draw_scene(canvas, view, picture);
  draw_ring(canvas, view(on_map(picture.viewpoint, picture.up)));
  map.draw_legend(canvas);
  write_png(name, canvas);
}

}  // namespace sightline::io
