// Seeded points that see and are seen, over a whole scene.
#pragma once

#include "tests/support/random_scene.hpp"

#include <sightline/points.hpp>

#include <cmath>

namespace sightline::testing {

/// Some in shapes, some on their boxes, some bad, some equal; with masks, ids and groups.
inline std::vector<SightPoint> random_points(const Scene& scene, std::uint64_t n,
                                             std::uint64_t seed) {
  const std::vector<Ray> rays = random_rays(scene, n, seed);
  std::vector<SightPoint> points(n);
  for (std::uint64_t i = 0; i < n; ++i) {
    const Ray& r = rays[i];
    points[i] = {r.origin, r.mask, r.exclude[0], r.exclude_group[0]};
    if (i % 7 == 3) points[i].position = points[i / 2].position;
  }
  return points;
}

/// The same without masks and exclusions, under which the cpu traces no matrix as fans.
inline std::vector<SightPoint> plain_points(const Scene& scene, std::uint64_t n,
                                            std::uint64_t seed) {
  std::vector<SightPoint> points = random_points(scene, n, seed);
  for (SightPoint& p : points) p = {p.position};
  return points;
}

/// Rows of points between two random ones, as a bake has them: neighbours see nearly the same. Some
/// are bad; none is filtered.
inline std::vector<SightPoint> points_on_grid(const Scene& scene, std::uint64_t n,
                                              std::uint64_t seed) {
  const std::vector<SightPoint> ends = plain_points(scene, 2, seed);
  const Vec3 from = ends[0].position, to = ends[1].position;
  const auto side = static_cast<std::uint64_t>(std::cbrt(static_cast<double>(n))) + 1;
  const auto between = [side](float a, float b, std::uint64_t i) {
    const float part = static_cast<float>(i % side) / static_cast<float>(side);
    return a + part * (b - a);
  };
  std::vector<SightPoint> points(n);
  for (std::uint64_t i = 0; i < n; ++i) {
    points[i].position = {between(from.x, to.x, i), between(from.y, to.y, i / side),
                          between(from.z, to.z, i / (side * side))};
  }
  return points;
}

/// The points as rows; the vector must outlive the view.
inline PointsView rows_of(const std::vector<SightPoint>& points) {
  PointsView view = PointsView::rows(points);
  view.count = points.size();  // as backends need
  return view;
}
/// Their positions alone: nothing may be filtered.
inline PointsView positions_of(const std::vector<SightPoint>& points) {
  PointsView view = Vec3Column(points, &SightPoint::position);
  view.count = points.size();
  return view;
}

}  // namespace sightline::testing
