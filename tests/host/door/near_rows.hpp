// Points and segments that ask for the nearest shapes, and what they found; all distances, sorted.
#pragma once

#include "tests/support/answers.hpp"
#include "tests/support/random_points.hpp"

#include <sightline/geometry/queries/nearest.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

namespace sightline::testing {

/// What is found for points: t stays as it is. For segments: both points, in the same places.
struct NearFound {
  std::vector<float> distance, t;
  std::vector<std::uint32_t> id;
  std::vector<Vec3> point, direction;
  NearestReport report;

  explicit NearFound(std::uint64_t rows)
      : distance(rows, 77),
        t(rows, 77),
        id(rows, 77),
        point(rows, {7, 7, 7}),
        direction(rows, {7, 7, 7}) {}
  NearestArrays view(const PointsView&) { return {distance, id, point, direction}; }
  ClearanceArrays view(const PointPairsView&) { return {distance, id, t, point, direction}; }
  NearestView pointers(const PointsView&) {
    return {distance.data(), id.data(), point.data(), direction.data()};
  }
  ClearanceView pointers(const PointPairsView&) {
    return {distance.data(), id.data(), t.data(), point.data(), direction.data()};
  }
};

/// Points with what they carry, some of them bad.
struct QueryPoints {
  std::vector<SightPoint> points;

  QueryPoints() = default;
  explicit QueryPoints(std::vector<SightPoint> all) : points(std::move(all)) {}
  QueryPoints(const Scene& scene, std::uint64_t n, std::uint64_t seed)
      : points(random_points(scene, n, seed)) {
    Random r(seed);
    for (SightPoint& p : points) {
      if (r.one_in(40)) p.position.y = r.one_in(2) ? infinity : 0x1p41f;
      if (r.one_in(3)) p.position = times(p.position, r.power_of_two(-3, 6));
    }
  }
  PointsView view() const { return rows_of(points); }
};

/// Segments between two such: some short, some along an axis, some points.
struct QuerySegments {
  std::vector<SightPoint> from, to;

  QuerySegments() = default;
  /// From each point to the next.
  explicit QuerySegments(const std::vector<SightPoint>& all) : from(all), to(all) {
    if (!to.empty()) std::rotate(to.begin(), to.begin() + 1, to.end());
  }
  QuerySegments(const Scene& scene, std::uint64_t n, std::uint64_t seed)
      : from(QueryPoints(scene, n, seed).points), to(QueryPoints(scene, n, seed + 1).points) {
    Random r(seed);
    for (std::uint64_t i = 0; i < n; ++i) {
      const Vec3 a = from[i].position;
      Vec3& b = to[i].position;
      if (r.one_in(3)) b = plus(a, times(minus(b, a), r.power_of_two(-10, -1)));
      if (r.one_in(6)) b = {a.x, a.y, b.z};
      if (r.one_in(6)) b.y = a.y;
      if (r.one_in(20)) b = a;
    }
  }
  PointPairsView view() const { return {from.size(), rows_of(from), rows_of(to)}; }
};

inline NearestReport ask(const Caster& caster, const PointsView& points, const NearestArrays& out,
                         const NearestOptions& options) {
  return caster.nearest(points, out, options);
}
inline NearestReport ask(const Caster& caster, const PointPairsView& segments,
                         const ClearanceArrays& out, const NearestOptions& options) {
  return caster.clearance(segments.from, segments.to, out, options);
}

template <class Queries>
NearFound found_by(const Caster& caster, const Queries& queries, const NearestOptions& options) {
  const auto view = queries.view();
  NearFound found(view.count * options.k);
  found.report = ask(caster, view, found.view(view), options);
  return found;
}

inline bool lies_outside(const Vec3& p) {
  return !(abs(p.x) <= 0x1p40f && abs(p.y) <= 0x1p40f && abs(p.z) <= 0x1p40f);
}
inline bool cannot_ask(const SightPoint& p) { return lies_outside(p.position); }
inline bool cannot_ask(const SegmentQuery& q) {
  return lies_outside(q.segment.a) || lies_outside(q.segment.b);
}
inline bool leaves_out(const SightPoint& p, std::uint32_t id, std::uint32_t group) {
  return id == p.exclude || (group != none && group == p.exclude_group);
}
inline bool leaves_out(const SegmentQuery& q, std::uint32_t id, std::uint32_t group) {
  return id == q.exclude[0] || id == q.exclude[1] ||
         (group != none && (group == q.exclude_group[0] || group == q.exclude_group[1]));
}

/// All distances, sorted: no tree, no list.
template <class Queries>
NearFound plain_rows(const Scene& scene, const Queries& queries, const NearestOptions& options) {
  const ShapesView shapes = scene.view();
  const auto view = queries.view();
  NearFound found(view.count * options.k);
  found.report = {view.count, 0, 0};
  std::vector<std::pair<float, std::uint32_t>> all;
  for (std::uint64_t i = 0; i < view.count; ++i) {
    const auto q = view[i];
    all.clear();
    found.report.bad_points += cannot_ask(q);
    for (std::uint32_t id = 0; !cannot_ask(q) && id < shapes.size(); ++id) {
      if ((q.mask & shapes.mask_of(id)) == 0) continue;
      if (leaves_out(q, id, shapes.group_of(id))) continue;
      const float d = shapes.visit(id, [&](const auto& s) { return distance_to(s, q); });
      if (d <= options.range) all.emplace_back(d, id);
    }
    std::sort(all.begin(), all.end());
    for (std::uint32_t j = 0; j < options.k; ++j) {
      const std::uint64_t at = i * options.k + j;
      const bool some = j < all.size();
      found.distance[at] = some ? all[j].first : infinity;
      found.id[at] = some ? all[j].second : none;
      store_places(found.pointers(view), at, shapes, q, found.id[at]);
      found.report.found += some;
    }
  }
  return found;
}

inline void expect_same(const NearFound& a, const NearFound& truth, const std::string& what) {
  ASSERT_EQ(a.id, truth.id) << what;
  ASSERT_TRUE(same_bytes(a.distance, truth.distance)) << what;
  ASSERT_TRUE(same_bytes(a.t, truth.t)) << what;
  ASSERT_TRUE(same_bytes(a.point, truth.point)) << what;
  ASSERT_TRUE(same_bytes(a.direction, truth.direction)) << what;
  EXPECT_EQ(a.report, truth.report) << what;
}

}  // namespace sightline::testing
