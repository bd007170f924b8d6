// Seeded points that see and are seen, over a whole scene.
#pragma once

#include "tests/support/random_scene.hpp"

#include <sightline/queries/points.hpp>

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

/// The points as rows; the vector must outlive the view.
inline PointsView rows_of(const std::vector<SightPoint>& points) {
  return PointsView::rows(points);
}
/// Their positions alone: nothing may be filtered.
inline PointsView positions_of(const std::vector<SightPoint>& points) {
  PointsView view;
  view.count = points.size();
  view.position = {points, &SightPoint::position};
  return view;
}

}  // namespace sightline::testing
