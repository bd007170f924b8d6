// The queries that every backend answers: what is asked, and where the answer goes. The door has
// checked sizes and options. A `Report` counts everything; the door handles `strict`.
#pragma once

#include <sightline/caster.hpp>
#include <sightline/flat.hpp>
#include <sightline/geometry/queries/line_of_sight.hpp>
#include <sightline/geometry/queries/nearest.hpp>
#include <sightline/geometry/sweep/sweeps_view.hpp>

namespace sightline::detail {

/// Of CastOptions or HitRowsOptions.
template <class Options>
RayPolicy policy_of(const Options& options) {
  return {options.inside, options.side};
}

/// `Rays` are RaysView, or SweepsView for thick rays and sweeps.
template <class Rays>
struct ClosestHitsOf {
  using Report = CastReport;
  Rays rays;
  HitsView hits;
  RayPolicy policy;
};
template <class Rays>
struct AnyHitsOf {
  using Report = CastReport;
  Rays rays;
  std::uint64_t* blocked;  ///< [bit_words(n)]
  RayPolicy policy;
};
using ClosestHits = ClosestHitsOf<RaysView>;
using AnyHits = AnyHitsOf<RaysView>;
using ClosestSweeps = ClosestHitsOf<SweepsView>;
using AnySweeps = AnyHitsOf<SweepsView>;

struct CountHits {
  using Report = HitRowsReport;
  RaysView rays;
  std::uint32_t* counts;  ///< [rays.count]
  RayPolicy policy;
};
struct AllHits {
  using Report = HitRowsReport;
  RaysView rays;
  HitRows& rows;
  HitRowsOptions options;
};

/// Reports in_field only with fields; the door counts bad ones.
struct VisibilityMatrix {
  using Report = VisibilityReport;
  PointsView viewpoints;
  const FieldsView* fields;  ///< of the viewpoints; null: all around
  PointsView targets;
  std::uint64_t* bits;  ///< [viewpoints.count, bit_words(targets.count)]
  SightOptions options;
};
/// A set against itself.
struct SelfVisibility {
  using Report = VisibilityReport;
  PointsView points;
  std::uint64_t* bits;  ///< [points.count, bit_words(points.count)]
  SightOptions options;
};
struct VisibilityPairs {
  using Report = VisibilityReport;
  PointsView from, to;
  std::uint64_t* bits;  ///< [bit_words(from.count)]
  SightOptions options;
};

/// `Queries` are ShapesView without planes, or CirclesView.
template <class Queries>
struct OverlapAnyOf {
  using Report = OverlapReport;
  Queries queries;
  std::uint64_t* bits;     ///< [bit_words(n / body)]
  std::uint32_t body = 1;  ///< queries, one after the other, that share a bit; divides n
};
template <class Queries>
struct OverlapCountOf {
  using Report = OverlapReport;
  Queries queries;
  std::uint32_t* counts;  ///< [n]
};
template <class Queries>
struct OverlapAllOf {
  using Report = OverlapRows;
  Queries queries;
};
using OverlapAny = OverlapAnyOf<ShapesView>;
using OverlapCount = OverlapCountOf<ShapesView>;
using OverlapAll = OverlapAllOf<ShapesView>;

struct Winding {
  using Report = WindingReport;
  PointsView points;
  std::int32_t* numbers;  ///< [points.count]
};

/// Rows of k > 0 in out.
template <class Queries, class Out>
struct NearestOf {
  using Report = NearestReport;
  Queries queries;
  std::uint32_t k;
  float range;
  Out out;
};
using Nearest = NearestOf<PointsView, NearestView>;
using Clearance = NearestOf<PointPairsView, ClearanceView>;

// Of 2D sets; bad queries find nothing, and the door counts them.
using CirclesAny = OverlapAnyOf<CirclesView>;
using CirclesCount = OverlapCountOf<CirclesView>;
using CirclesAll = OverlapAllOf<CirclesView>;
struct SegmentHits {
  using Report = std::uint64_t;  ///< how many segments hit something
  SegmentsView segments;
  HitsView hits;
  Inside inside;
};

}  // namespace sightline::detail

/// Expands X(Query) for every query of a scene. A query is added here; then the compiler asks each
/// backend for its `Report answer_query(const SceneOfTheBackend&, const Query&)`.
// clang-format off
#define SIGHTLINE_FOR_EACH_QUERY(X) \
  X(ClosestHits) \
  X(AnyHits) \
  X(ClosestSweeps) \
  X(AnySweeps) \
  X(CountHits) \
  X(AllHits) \
  X(VisibilityMatrix) \
  X(SelfVisibility) \
  X(VisibilityPairs) \
  X(OverlapAny) \
  X(OverlapCount) \
  X(OverlapAll) \
  X(Nearest) \
  X(Clearance) \
  X(Winding)
// clang-format on
/// The same for 2D sets.
#define SIGHTLINE_FOR_EACH_FLAT_QUERY(X) X(CirclesAny) X(CirclesCount) X(CirclesAll) X(SegmentHits)
