#include "host/files/pictures/footprint.hpp"

#include <sightline/geometry/shapes/shapes_view.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <span>
#include <tuple>
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
  /// The outlines of both ends.
  std::vector<MapPoint> operator()(const Cylinder& s) const {
    const MapPoint a = on_map(s.a, up), b = on_map(s.b, up);
    const double along_x = b.x - a.x, along_y = b.y - a.y, flat = std::hypot(along_x, along_y);
    const double rise = up == UpAxis::z ? double{s.b.z} - s.a.z : double{s.b.y} - s.a.y;
    const double sine = std::abs(rise) / std::hypot(flat, rise);
    const MapPoint n = flat > 0 ? MapPoint{along_x / flat, along_y / flat} : MapPoint{1, 0};
    std::vector<MapPoint> points;
    for (const MapPoint& center : {a, b}) {
      std::vector<MapPoint> circle;
      add_circle(circle, {0, 0}, s.radius);
      for (const MapPoint& p : circle) {
        const double along = p.x * (flat > 0 ? sine : 1);
        points.push_back({center.x + along * n.x - p.y * n.y, center.y + along * n.y + p.y * n.x});
      }
    }
    return points;
  }
  std::vector<MapPoint> operator()(const Triangle& s) const {
    return {on_map(s.a, up), on_map(s.b, up), on_map(s.c, up)};
  }
  std::vector<MapPoint> operator()(const Plane&) const { return {}; }
};

/// A side of a box: along y at x = `at` where `across` is 0, or along x at y = `at`. The box is on
/// the side of larger numbers, or (`before` 1) of smaller ones.
struct BoxEdge {
  int across;
  double at, from, to;
  std::size_t before, box;

  std::tuple<int, double> line() const { return {across, at}; }
  MapPoint place(double along) const {
    return across == 0 ? MapPoint{at, along} : MapPoint{along, at};
  }
};

/// Boxes of the same heights: their edges, and which of them touch.
class BoxLevel {
 public:
  explicit BoxLevel(std::span<const FlatBox> boxes) : boxes_(boxes), parent_(boxes.size()) {
    std::iota(parent_.begin(), parent_.end(), std::size_t{0});
    std::vector<BoxEdge> edges;
    for (std::size_t i = 0; i < boxes.size(); ++i) {
      const FlatBox& b = boxes[i];
      edges.insert(edges.end(), {{0, b.low.x, b.low.y, b.high.y, 0, i},
                                 {0, b.high.x, b.low.y, b.high.y, 1, i},
                                 {1, b.low.y, b.low.x, b.high.x, 0, i},
                                 {1, b.high.y, b.low.x, b.high.x, 1, i}});
    }
    std::sort(edges.begin(), edges.end(),
              [](const BoxEdge& a, const BoxEdge& b) { return a.line() < b.line(); });
    for (std::size_t k = 0, next = 0; k < edges.size(); k = next) {
      while (next < edges.size() && edges[next].line() == edges[k].line()) ++next;
      sweep(std::span(edges).subspan(k, next - k));
    }
  }

  void add_outlines(std::vector<BoxOutline>& outlines) {
    std::vector<std::size_t> count(boxes_.size());
    std::vector<bool> floor(boxes_.size());
    for (std::size_t i = 0; i < boxes_.size(); ++i) {
      ++count[root(i)];
      if (boxes_[i].is_floor) floor[root(i)] = true;
    }
    const Slice heights = boxes_.front().heights;
    for (std::size_t i = 0; i < boxes_.size(); ++i) {
      const auto [low, high] = std::pair(boxes_[i].low, boxes_[i].high);
      if (count[root(i)] > 1) continue;
      outlines.push_back({{low, {high.x, low.y}, high, {low.x, high.y}}, heights, floor[root(i)]});
    }
    for (const Piece& p : bare_) {
      if (count[root(p.box)] > 1) outlines.push_back({{p.from, p.to}, heights, floor[root(p.box)]});
    }
  }

 private:
  struct Piece {
    MapPoint from, to;
    std::size_t box;
  };

  std::size_t root(std::size_t i) {
    while (parent_[i] != i) i = parent_[i] = parent_[parent_[i]];
    return i;
  }

  /// Of the edges on one line: where boxes are on both sides they touch, and elsewhere it is bare.
  void sweep(std::span<const BoxEdge> edges) {
    std::vector<std::tuple<double, const BoxEdge*>> ends;
    for (const BoxEdge& e : edges) ends.insert(ends.end(), {{e.from, &e}, {e.to, &e}});
    std::sort(ends.begin(), ends.end());
    std::array<std::vector<std::size_t>, 2> beside;
    double last = 0;
    bool goes_on = false;
    for (const auto& [at, edge] : ends) {
      if (at > last && !(beside[0].empty() && beside[1].empty())) {
        const std::size_t box = beside[beside[0].empty() ? 1 : 0].front();
        const bool is_bare = beside[0].empty() || beside[1].empty();
        for (const auto& side : beside) {
          for (const std::size_t other : side) parent_[root(other)] = root(box);
        }
        if (is_bare && goes_on && root(bare_.back().box) == root(box)) {
          bare_.back().to = edge->place(at);
        } else if (is_bare) {
          bare_.push_back({edge->place(last), edge->place(at), box});
        }
        goes_on = is_bare;
      } else if (at > last) {
        goes_on = false;
      }
      auto& boxes = beside[edge->before];
      const auto found = std::find(boxes.begin(), boxes.end(), edge->box);
      if (found == boxes.end()) {
        boxes.push_back(edge->box);
      } else {
        boxes.erase(found);
      }
      last = at;
    }
  }

  std::span<const FlatBox> boxes_;
  std::vector<std::size_t> parent_;
  std::vector<Piece> bare_;
};

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

std::vector<BoxOutline> merged_outlines(std::vector<FlatBox> boxes) {
  const auto heights = [](const FlatBox& b) { return std::tuple(b.heights.low, b.heights.high); };
  std::stable_sort(boxes.begin(), boxes.end(),
                   [&](const FlatBox& a, const FlatBox& b) { return heights(a) < heights(b); });
  std::vector<BoxOutline> outlines;
  for (std::size_t k = 0, next = 0; k < boxes.size(); k = next) {
    while (next < boxes.size() && heights(boxes[next]) == heights(boxes[k])) ++next;
    BoxLevel(std::span(boxes).subspan(k, next - k)).add_outlines(outlines);
  }
  return outlines;
}

std::optional<double> grid_spacing(const std::vector<MapPoint>& points) {
  if (points.size() < 4) return std::nullopt;
  std::vector<double> axes[2];
  for (const MapPoint& p : points) {
    axes[0].push_back(p.x);
    axes[1].push_back(p.y);
  }
  double spacing = 0;
  for (auto& values : axes) {
    std::ranges::sort(values);
    values.erase(std::unique(values.begin(), values.end()), values.end());
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
