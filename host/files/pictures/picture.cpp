#include "host/files/pictures/picture.hpp"

#include "host/files/pictures/map_view.hpp"

#include <algorithm>
#include <cmath>

namespace sightline::io {
std::uint64_t write_map_picture(const std::string& name, const MapPicture& picture) {
  std::vector<double> numbers;
  for (std::uint64_t i = 0; i < picture.share.size(); ++i) {
    const float value = picture.share[i];
    if (std::isfinite(value) && !picture.is_inside(i)) numbers.push_back(value);
  }
  const RampScale scale = field_scale(std::move(numbers));
  std::uint64_t inside = 0, failed = 0;
  const std::vector<MapSpot> spots =
      spots_of(picture.points, picture.up, picture.slice, [&](std::uint64_t i) {
        if (picture.is_inside(i)) return ++inside, inside_grey;
        if (std::isnan(picture.share[i])) return ++failed, failed_blue;
        return ramp_color(scale.share(picture.share[i]));
      });
  const MapView view = view_of(picture, bounds_of(spots));
  const std::uint64_t hidden = hidden_spots(view, spots);
  Legend legend{picture.caption, {}, scale, picture.quantity};
  add_counted(legend.classes, failed_blue, "no answer", failed);
  add_counted(legend.classes, inside_grey, inside_words, inside);
  add_gaps(legend.classes, view, spots);
  if (!scale.ranked.empty()) legend.classes.push_back({std::nullopt, by_rank_words});
  add_sentences(legend.classes, "point", spots.size(), hidden);
  write_map(name, view, picture, legend, [&](Canvas& canvas) {
    draw_spots(canvas, view, spots);
    draw_scene(canvas, view, picture);
    draw_numbers(canvas, view, spots);
  });
  return hidden;
}

std::uint64_t write_row_picture(const std::string& name, const RowPicture& picture) {
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
  const std::uint64_t hidden = hidden_spots(view, spots);
  Legend legend{picture.caption};
  add_counted(legend.classes, good_green, "seen", seen);
  add_counted(legend.classes, bad_red, "not seen", spots.size() - seen - inside);
  add_counted(legend.classes, inside_grey, inside_words, inside);
  add_gaps(legend.classes, view, spots);
  add_sentences(legend.classes, "point", spots.size(), hidden);
  write_map(name, view, picture, legend, [&](Canvas& canvas) {
    const Pixel eye = view(on_map(picture.viewpoint, picture.up));
    draw_spots(canvas, view, spots);
    draw_scene(canvas, view, picture, median(heights));
    draw_ring(canvas, eye);
    draw_numbers(canvas, view, spots, eye);
  });
  return hidden;
}

}  // namespace sightline::io
