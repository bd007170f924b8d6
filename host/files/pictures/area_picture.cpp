#include "host/files/pictures/map_view.hpp"

#include <algorithm>
#include <cmath>

namespace sightline::io {
namespace {

Color color_of_area(const AreaPicture& picture, std::uint64_t a) {
  if (picture.samples[a] == 0) return failed_blue;
  const AreaClass c = picture.classes[a];
  return c == AreaClass::fully ? good_green : c == AreaClass::partly ? middling_amber : bad_red;
}

std::vector<ColorClass> counted_classes(const AreaPicture& picture) {
  std::uint64_t by_class[3] = {}, failed = 0;
  for (std::uint64_t a = 0; a < picture.classes.size(); ++a) {
    ++(picture.samples[a] == 0 ? failed : by_class[static_cast<int>(picture.classes[a])]);
  }
  std::vector<ColorClass> classes;
  add_counted(classes, good_green, "fully", by_class[2]);
  add_counted(classes, middling_amber, "partly", by_class[1]);
  add_counted(classes, bad_red, "not", by_class[0]);
  add_counted(classes, failed_blue, "no samples", failed);
  return classes;
}

std::vector<MapPoint> outline_of(const Areas& areas, std::uint64_t a, UpAxis up) {
  std::vector<MapPoint> outline;
  for (std::uint64_t k = areas.offsets[a]; k < areas.offsets[a + 1]; ++k) {
    outline.push_back(on_map(areas.corner[k], up));
  }
  return outline;
}

/// Between which heights an area is.
Slice heights_of(const Areas& areas, std::uint64_t a, UpAxis up) {
  Slice h{INFINITY, -INFINITY};
  for (std::uint64_t k = areas.offsets[a]; k < areas.offsets[a + 1]; ++k) {
    const double height = height_of(areas.corner[k], up);
    h = {std::min(h.low, height), std::max(h.high, height + double{areas.height[a]})};
  }
  return h;
}

/// The areas of a slice, the highest last.
std::vector<std::uint64_t> shown_polygons(const AreaPicture& picture) {
  const Areas& areas = *picture.polygons;
  std::vector<std::uint64_t> shown;
  for (std::uint64_t a = 0; a < areas.size(); ++a) {
    if (picture.slice.meets(heights_of(areas, a, picture.up))) shown.push_back(a);
  }
  std::stable_sort(shown.begin(), shown.end(), [&](std::uint64_t a, std::uint64_t b) {
    return heights_of(areas, a, picture.up).low < heights_of(areas, b, picture.up).low;
  });
  return shown;
}

void draw_polygons(Canvas& canvas, const MapView& view, const AreaPicture& picture,
                   const std::vector<std::uint64_t>& shown) {
  for (const std::uint64_t a : shown) {
    const std::vector<Pixel> corners = view(outline_of(*picture.polygons, a, picture.up));
    fill_outline(canvas, corners, color_of_area(picture, a));
    draw_outline(canvas, corners, 1, paper, 0.7);
  }
}

/// The numbers of polygons, each in the middle of its corners, where they are few.
std::vector<MapNumber> numbers_of(const AreaPicture& picture, const MapView& view,
                                  const std::vector<std::uint64_t>& shown) {
  std::vector<MapNumber> numbers;
  if (!are_few(shown.size())) return numbers;
  for (const std::uint64_t a : shown) {
    Pixel middle;
    const std::vector<Pixel> corners = view(outline_of(*picture.polygons, a, picture.up));
    for (const Pixel& p : corners) middle = {middle.x + p.x, middle.y + p.y};
    const auto n = static_cast<double>(corners.size());
    numbers.push_back({{middle.x / n, middle.y / n}, a});
  }
  return numbers;
}

/// The middle of the area that looks, at one of its points; nothing where it has none.
std::optional<MapPoint> middle_of(const AreaPicture& picture) {
  std::vector<MapPoint> of_area;
  MapPoint middle;
  for (std::uint64_t i = 0; i < picture.points.size(); ++i) {
    const Vec3 p = picture.points.position[i];
    if (picture.area[i] != picture.from || !is_finite(p)) continue;
    of_area.push_back(on_map(p, picture.up));
    middle = {middle.x + of_area.back().x, middle.y + of_area.back().y};
  }
  if (of_area.empty()) return std::nullopt;
  const auto n = static_cast<double>(of_area.size());
  const auto away = [&](const MapPoint& p) {
    return std::hypot(p.x - middle.x / n, p.y - middle.y / n);
  };
  return *std::min_element(of_area.begin(), of_area.end(),
                           [&](const auto& a, const auto& b) { return away(a) < away(b); });
}

}  // namespace

std::uint64_t write_area_picture(const std::string& name, const AreaPicture& picture) {
  std::uint64_t inside = 0;
  const std::vector<MapSpot> spots =
      spots_of(picture.points, picture.up, picture.slice, [&](std::uint64_t i) {
        if (picture.is_inside(i)) return ++inside, inside_grey;
        return color_of_area(picture, picture.area[i]);
      });
  MapBounds bounds = bounds_of(spots);
  std::vector<std::uint64_t> polygons;
  const bool filled = picture.polygons != nullptr;
  if (filled) polygons = shown_polygons(picture);
  for (const std::uint64_t a : polygons) {
    for (const MapPoint& p : outline_of(*picture.polygons, a, picture.up)) bounds.add(p);
  }
  const std::optional<MapPoint> middle = middle_of(picture);
  if (middle) bounds.add(*middle);
  const MapView view = view_of(picture, bounds);
  const std::uint64_t hidden = hidden_spots(view, spots);
  Legend legend{picture.caption, counted_classes(picture)};
  if (!filled) {
    add_counted(legend.classes, inside_grey, inside_words, inside);
    add_gaps(legend.classes, view, spots);
  }
  add_sentences(legend.classes, filled ? "area" : "point", filled ? polygons.size() : spots.size(),
                0);
  add_sentences(legend.classes, "point", 0, hidden);
  write_map(name, view, picture, legend, [&](Canvas& canvas) {
    if (filled) {
      draw_polygons(canvas, view, picture, polygons);
    } else {
      draw_spots(canvas, view, spots);
    }
    draw_scene(canvas, view, picture);
    std::optional<Pixel> ring;
    if (middle) ring = view(*middle);
    if (ring) draw_ring(canvas, *ring);
    if (filled) {
      draw_numbers(canvas, numbers_of(picture, view, polygons), 0, ring);
    } else {
      draw_numbers(canvas, view, spots, ring);
    }
  });
  return hidden;
}

}  // namespace sightline::io
