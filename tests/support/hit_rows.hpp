// Rows of hits in tests: asked of a caster, made shape by shape, and compared byte by byte.
#pragma once

#include "tests/support/answers.hpp"

#include <sightline/geometry/queries/all_hits.hpp>
#include <sightline/geometry/queries/line_of_sight.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

namespace sightline::testing {

/// Rows with their report, and counts alone with theirs.
struct AllHits {
  HitRows rows;
  HitRowsReport report;
  std::vector<std::uint32_t> counts;
  HitRowsReport count_report;
};

inline AllHits all_hits_of(const Caster& caster, const RaysView& rays,
                           const HitRowsOptions& options) {
  AllHits all;
  all.counts.assign(rays.size(), 12345);
  all.rows = caster.all_hits(rays, options);
  all.report = all.rows.report;
  all.count_report = caster.count_hits(rays, all.counts, {options.inside, options.strict});
  return all;
}

/// One hit of the truth: the scaled ray's t decides the order.
struct TrueHit {
  float scaled_t;
  std::uint32_t id;
  float t, t_out;
  bool started_inside, back;
};

/// Every shape alone, by cast(): no tree, no list. In order.
inline std::vector<TrueHit> true_hits(const ShapesView& shapes, const Ray& ray, RayPolicy policy) {
  std::vector<TrueHit> hits;
  const Query q = make_query(ray, policy);
  for (std::uint32_t id = 0; !q.ray.bad && id < shapes.size(); ++id) {
    if (!passes_filter(q, shapes, id)) continue;
    const Hit hit = shapes.visit(id, [&](const auto& s) { return cast(ray, s, policy); });
    if ((hit.flags & hit_flags::hit) == 0) continue;
    const float out =
        shapes.visit(id, [&](const auto& s) { return interval(q.ray.line, s).t_out; });
    // Doubles hold 2^-exponent of any float.
    const double unscaled = std::ldexp(static_cast<double>(out), -q.ray.exponent);
    float t_out = out == infinity                                 ? infinity
                  : unscaled > static_cast<double>(largest_float) ? largest_float
                                                                  : static_cast<float>(unscaled);
    t_out = std::min(std::max(t_out, hit.t), ray.t_max);
    hits.push_back({cast_shape(q, shapes, id).t, id, hit.t, t_out,
                    (hit.flags & hit_flags::started_inside) != 0,
                    (hit.flags & hit_flags::back) != 0});
  }
  std::sort(hits.begin(), hits.end(), [](const TrueHit& a, const TrueHit& b) {
    return a.scaled_t < b.scaled_t || (a.scaled_t == b.scaled_t && a.id < b.id);
  });
  return hits;
}

/// What all_hits and count_hits must answer.
inline AllHits true_rows(const ShapesView& shapes, const RaysView& rays,
                         const HitRowsOptions& options) {
  AllHits all;
  all.rows.offsets = {0};
  for (std::uint64_t i = 0; i < rays.size(); ++i) {
    const std::vector<TrueHit> hits = true_hits(shapes, rays[i], options.inside);
    const std::size_t kept = std::min<std::size_t>(hits.size(), options.first);
    for (std::size_t k = 0; k < kept; ++k) {
      all.rows.t.push_back(hits[k].t + 0.0f);
      all.rows.id.push_back(hits[k].id);
      if (options.t_out) all.rows.t_out.push_back(hits[k].t_out + 0.0f);
    }
    all.rows.offsets.push_back(all.rows.t.size());
    all.rows.count.push_back(static_cast<std::uint32_t>(hits.size()));
    const bool bad = is_bad(rays[i]);
    int flags = hits.empty() ? 0 : hits[0].started_inside ? 3 : 1;
    flags |= bad ? 4 : 0;
    flags |= !hits.empty() && hits[0].back ? 16 : 0;
    flags |= kept < hits.size() ? 8 : 0;
    all.rows.flags.push_back(static_cast<std::uint8_t>(flags));
    all.report.hitting += !hits.empty();
    all.report.hits += hits.size();
    all.report.overflowing += kept < hits.size();
    if (bad && all.report.bad_rays++ == 0) all.report.first_bad_ray = i;
  }
  all.report.rays = rays.size();
  all.report.kept = all.rows.t.size();
  all.counts = all.rows.count;
  all.count_report = all.report;
  all.count_report.kept = all.count_report.overflowing = 0;
  return all;
}

inline void expect_same(const AllHits& a, const AllHits& truth, const std::string& what) {
  ASSERT_EQ(a.rows.offsets, truth.rows.offsets) << what;
  ASSERT_EQ(a.rows.count, truth.rows.count) << what;
  ASSERT_EQ(a.rows.id, truth.rows.id) << what;
  ASSERT_TRUE(same_bytes(a.rows.t, truth.rows.t)) << what;
  ASSERT_TRUE(same_bytes(a.rows.t_out, truth.rows.t_out)) << what;
  ASSERT_EQ(a.rows.flags, truth.rows.flags) << what;
  ASSERT_EQ(a.counts, truth.counts) << what;
  EXPECT_EQ(a.report, truth.report) << what;
  EXPECT_EQ(a.count_report, truth.count_report) << what << ", counts alone";
}

}  // namespace sightline::testing
