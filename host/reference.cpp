#include "host/reference.hpp"

#include "host/near_rows.hpp"
#include "host/visibility/visibility.hpp"

#include <sightline/overlap_query.hpp>

#include <algorithm>

namespace sightline::detail {
namespace {

class ReferenceBackend final : public PairwiseBackend {
 public:
  explicit ReferenceBackend(const ShapesView& shapes) : shapes_(shapes) {}

  CastReport closest_hit(const RaysView& rays, const HitsView& hits, Inside inside) const override {
    CastReport report;
    for (std::uint64_t i = 0; i < rays.count; ++i) {
      const Ray ray = rays[i];
      const Query query = make_query(ray, inside);
      const Best best = closest(query);
      hits.store(i, hit_of(query, shapes_, best, ray, hits.normal != nullptr));
      add(report, i, query, best.id != none);
    }
    return report;
  }

  CastReport any_hit(const RaysView& rays, std::uint64_t* blocked, Inside inside) const override {
    CastReport report;
    std::fill_n(blocked, words_for(rays.count), 0);
    for (std::uint64_t i = 0; i < rays.count; ++i) {
      const Query query = make_query(rays[i], inside);
      const bool hit = any(query);
      if (hit) blocked[i / 64] |= std::uint64_t{1} << (i % 64);
      add(report, i, query, hit);
    }
    return report;
  }

  OverlapReport overlap_any(const ShapesView& asking, std::uint64_t* bits) const override {
    OverlapReport report{asking.size(), 0, 0};
    std::fill_n(bits, words_for(asking.size()), 0);
    for (std::uint32_t i = 0; i < asking.size(); ++i) {
      bool any = false;
      for_each_overlap(asking, i, [&](std::uint32_t) { any = true; });
      if (any) bits[i / 64] |= std::uint64_t{1} << (i % 64);
      if (any) ++report.overlapping;
    }
    return report;
  }

  OverlapReport overlap_count(const ShapesView& asking, std::uint32_t* counts) const override {
    OverlapReport report{asking.size(), 0, 0};
    for (std::uint32_t i = 0; i < asking.size(); ++i) {
      counts[i] = 0;
      for_each_overlap(asking, i, [&](std::uint32_t) { ++counts[i]; });
      if (counts[i] > 0) ++report.overlapping;
      report.pairs += counts[i];
    }
    return report;
  }

  OverlapRows overlap_all(const ShapesView& asking) const override {
    OverlapRows rows;
    rows.offsets.push_back(0);
    for (std::uint32_t i = 0; i < asking.size(); ++i) {
      for_each_overlap(asking, i, [&](std::uint32_t id) { rows.ids.push_back(id); });
      rows.offsets.push_back(rows.ids.size());
    }
    return rows;
  }

  NearestReport nearest(const PointsView& points, std::uint32_t k, float range,
                        const NearestView& out) const override {
    return near_rows(points, k, range, out);
  }
  NearestReport clearance(const SegmentsView& segments, std::uint32_t k, float range,
                          const ClearanceView& out) const override {
    return near_rows(segments, k, range, out);
  }

  void update(const ShapesView& shapes, Update) override { shapes_ = shapes; }

  std::string description() const override { return "reference: brute force, 1 thread"; }
  std::uint64_t memory_bytes() const override { return 0; }

 private:
  template <class Use>
  void for_each_overlap(const ShapesView& asking, std::uint32_t i, const Use& use) const {
    visit_query(asking, i, [&](const auto& q) {
      for (std::uint32_t id = 0; id < shapes_.size(); ++id) {
        if (overlaps_shape(q, shapes_, id)) use(id);
      }
    });
  }

  template <class Asked, class Out>
  NearestReport near_rows(const Asked& asked, std::uint32_t k, float range, const Out& out) const {
    NearestReport report{asked.count, 0, 0};
    NearRow row(k, range);
    for (std::uint64_t i = 0; i < asked.count; ++i) {
      const auto q = asked[i];
      row.list().clear();
      for (std::uint32_t id = 0; !is_bad(q) && id < shapes_.size(); ++id) {
        offer_shape(row.list(), shapes_, q, id);
      }
      if (is_bad(q)) ++report.bad_points;
      report.found += row.store(shapes_, q, i, out);
    }
    return report;
  }

  Best closest(const Query& query) const {
    Best best;
    if (query.ray.bad) return best;
    for (std::uint32_t id = 0; id < shapes_.size(); ++id) {
      if (counts(query, shapes_, id)) best.offer(cast_shape(query, shapes_, id), id);
    }
    return best;
  }

  bool any(const Query& query) const {
    if (query.ray.bad) return false;
    for (std::uint32_t id = 0; id < shapes_.size(); ++id) {
      if (counts(query, shapes_, id) && cast_shape(query, shapes_, id).hit) return true;
    }
    return false;
  }

  bool sees(const SightPoint& p, const SightPoint& q, const SightOptions& options) const override {
    const SightQuery sight = sight_query(p, q, options);
    if (!sight.possible) return false;
    for (std::uint32_t id = 0; id < shapes_.size(); ++id) {
      if (counts(sight.query, shapes_, id) && blocks(sight.query, shapes_, id)) return false;
    }
    return true;
  }

  bool touches(const SightPoint& p) const override { return any(touch_query(p)); }

  void for_each_range(std::uint64_t n, const RangeTask& task) const override { task(0, n); }

  static void add(CastReport& report, std::uint64_t i, const Query& query, bool hit) {
    ++report.rays;
    if (hit) ++report.hits;
    if (query.ray.bad && report.bad_rays++ == 0) report.first_bad_ray = i;
  }

  ShapesView shapes_;
};

}  // namespace

std::unique_ptr<CastBackend> make_reference_backend(const ShapesView& shapes) {
  return std::make_unique<ReferenceBackend>(shapes);
}

}  // namespace sightline::detail
