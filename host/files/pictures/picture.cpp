#include "host/files/pictures/picture.hpp"

#include "host/files/pictures/map_view.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace sightline::io {
void write_map_picture(const std::string& name, const MapPicture& picture) {
  double least = 0, most = 0;
  for (const float value : picture.share) {
    if (std::isfinite(value))
      least = std::min<double>(least, value), most = std::max<double>(most, value);
  }
  const RampScale scale = ramp_scale(least, most);
  std::uint64_t inside = 0, failed = 0;
  const std::vector<MapSpot> spots =
      spots_of(picture.points, picture.up, picture.slice, [&](std::uint64_t i) {
        if (picture.is_inside(i)) return ++inside, inside_grey;
        if (std::isnan(picture.share[i])) return ++failed, failed_blue;
        return ramp_color(scale.share(picture.share[i]));
      });
  const MapView view = view_of(picture, bounds_of(spots));
  Legend legend{picture.caption, {}, scale, picture.quantity};
  if (failed > 0) legend.classes.push_back({failed_blue, fmt::format("no answer {}", failed)});
  add_rare_classes(legend.classes, inside, view, spots);
  write_map(name, view, picture, legend, [&](Canvas& canvas) {
    draw_spots(canvas, view, spots);
    draw_scene(canvas, view, picture);
  });
}

void write_row_picture(const std::string& name, const RowPicture& picture) {
  std::uint64_t seen = 0, inside = 0;
  std::vector<double> heights;
  const std::vector<MapSpot> spots =
      spots_of(picture.targets, picture.up, picture.slice, [&](std::uint64_t j) {
        heights.push_back(height_of(picture.targets.position[j], picture.up));
        if ((picture.bits[j / 64] >> (j % 64) & 1) != 0) return ++seen, good_green;
        if (picture.is_inside(j)) return ++inside, inside_grey;
        return bad_red;
      });
  MapBounds bounds = bounds_of(spots);
  bounds.add(on_map(picture.viewpoint, picture.up));
  const MapView view = view_of(picture, bounds);
  Legend legend{picture.caption,
                {{good_green, fmt::format("seen {}", seen)},
                 {bad_red, fmt::format("not seen {}", spots.size() - seen - inside)}}};
  add_rare_classes(legend.classes, inside, view, spots);
  write_map(name, view, picture, legend, [&](Canvas& canvas) {
    draw_spots(canvas, view, spots);
    draw_scene(canvas, view, picture, median(heights));
    draw_ring(canvas, view(on_map(picture.viewpoint, picture.up)));
  });
}

}  // namespace sightline::io
