#include "host/files/pictures/footprint.hpp"

#include <algorithm>
#include <cmath>
#include <type_traits>

namespace sightline::io {
namespace {

double cross(const MapPoint& o, const MapPoint& a, const MapPoint& b) {
  return (a.x - o.x) * (b.y - o.y) - (a.y - o.y) * (b.x - o.x);
}

/// Andrew's monotone chain; points on an edge are left out.
std::vector<MapPoint> convex_hull(std::vector<MapPoint> points) {
  std::sort(points.begin(), points.end(),
            [](const auto& a, const auto& b) { return a.x != b.x ? a.x < b.x : a.y < b.y; });
  std::vector<MapPoint> hull;
  const auto add = [&](const MapPoint& p, std::size_t fixed) {
    while (hull.size() >= fixed + 2 && !(cross(hull[hull.size() - 2], hull.back(), p) > 0)) {
      hull.pop_back();
    }
    hull.push_back(p);
  };
  for (const MapPoint& p : points) add(p, 0);
  const std::size_t lower = hull.size() - 1;
  for (auto p = points.rbegin() + 1; p != points.rend(); ++p) add(*p, lower);
  if (hull.size() > 1) hull.pop_back();
  return hull;
}

void add_circle(std::vector<MapPoint>& points, const MapPoint& center, double radius) {
  constexpr int corners = 32;
  for (int i = 0; i < corners; ++i) {
    const double angle = 2 * 3.14159265358979 * i / corners;
    points.push_back({center.x + radius * std::cos(angle), center.y + radius * std::sin(angle)});
  }
}

std::vector<Vec3> corners(const ObbFrame& box) {
  std::vector<Vec3> all;
  for (int i = 0; i < 8; ++i) {
    const float e[3] = {(i & 1) != 0 ? box.half_extents.x : -box.half_extents.x,
                        (i & 2) != 0 ? box.half_extents.y : -box.half_extents.y,
                        (i & 4) != 0 ? box.half_extents.z : -box.half_extents.z};
    Vec3 p = box.center;
    for (int k = 0; k < 3; ++k) {
      p.x += e[k] * box.axis[k].x;
      p.y += e[k] * box.axis[k].y;
      p.z += e[k] * box.axis[k].z;
    }
    all.push_back(p);
  }
  return all;
}

struct Sampler {
  UpAxis up;
  std::vector<MapPoint> operator()(const Aabb& s) const {
    const MapPoint a = on_map(s.min, up), b = on_map(s.max, up);
    return {a, {b.x, a.y}, b, {a.x, b.y}};
  }
  std::vector<MapPoint> operator()(const ObbFrame& s) const {
    std::vector<MapPoint> points;
    for (const Vec3& p : corners(s)) points.push_back(on_map(p, up));
    return points;
  }
  std::vector<MapPoint> operator()(const Sphere& s) const {
    std::vector<MapPoint> points;
    add_circle(points, on_map(s.center, up), s.radius);
    return points;
  }
  std::vector<MapPoint> operator()(const Capsule& s) const {
    std::vector<MapPoint> points;
    add_circle(points, on_map(s.a, up), s.radius);
    add_circle(points, on_map(s.b, up), s.radius);
    return points;
  }
  std::vector<MapPoint> operator()(const Plane&) const { return {}; }
};

/// The distinct values, in order.
std::vector<double> distinct(const std::vector<MapPoint>& points, double MapPoint::*axis) {
  std::vector<double> values;
  for (const MapPoint& p : points) values.push_back(p.*axis);
  std::sort(values.begin(), values.end());
  values.erase(std::unique(values.begin(), values.end()), values.end());
  return values;
}

}  // namespace

MapPoint on_map(const Vec3& p, UpAxis up) {
  return up == UpAxis::z ? MapPoint{p.x, p.y} : MapPoint{p.x, -double{p.z}};
}

std::vector<MapPoint> footprint(const ShapesView& shapes, std::uint32_t id, UpAxis up) {
  std::vector<MapPoint> points = shapes.visit(id, Sampler{up});
  return points.empty() ? points : convex_hull(std::move(points));
}

bool is_aligned_box(const ShapesView& shapes, std::uint32_t id) {
  return shapes.visit(id, []<class Shape>(const Shape&) { return std::is_same_v<Shape, Aabb>; });
}

std::optional<double> grid_spacing(const std::vector<MapPoint>& points) {
  if (points.size() < 4) return std::nullopt;
  std::vector<double> axes[2] = {distinct(points, &MapPoint::x), distinct(points, &MapPoint::y)};
  double spacing = 0;
  for (const auto& values : axes) {
    for (std::size_t i = 1; i < values.size(); ++i) {
      const double gap = values[i] - values[i - 1];
      if (spacing == 0 || gap < spacing) spacing = gap;
    }
  }
  if (!(spacing > 0)) return std::nullopt;
  for (const auto& values : axes) {
    for (const double value : values) {
      const double cells = (value - values.front()) / spacing;
      if (!(std::abs(cells - std::round(cells)) < 0.01)) return std::nullopt;
    }
  }
  return spacing;
}

}  // namespace sightline::io
