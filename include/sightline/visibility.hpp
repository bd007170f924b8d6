// Bakes of visibility: exposure, distances by direction, and which areas see which.
#pragma once

#include <sightline/caster.hpp>

#include <optional>
#include <span>
#include <vector>

namespace sightline {

/// How many of the viewpoints, which are below 2^32, see each target [n]; within their fields of
/// view where there are any. Bits are not kept: takes some 4 MB whatever the numbers. A point that
/// is both counts itself where it sees itself.
Counts<VisibilityReport> exposure(const Caster& caster, const PointsView& viewpoints,
                                  const std::optional<FieldsView>& fields,
                                  const PointsView& targets, const VisibilityOptions& options = {});
/// The same into counts [n]. Throws Error{usage} for another size.
VisibilityReport exposure(const Caster& caster, const PointsView& viewpoints,
                          const std::optional<FieldsView>& fields, const PointsView& targets,
                          std::span<std::uint32_t> counts, const VisibilityOptions& options = {});

/// How far probes look, and from inside what.
struct ProbeOptions {
  float range = infinity;         ///< further is +inf, as nothing is
  Inside inside = Inside::solid;  ///< as of any ray
};

/// Distances from points by direction.
struct ProbeDistances {
  std::uint32_t n = 0;          ///< the side of a point's map
  std::vector<float> distance;  ///< [points, n, n]: of probe_distances()
  CastReport report = {};       ///< what the rays did
};

/// The directions of a map of n x n cells: element j * n + i is cell (i, j).
std::vector<Vec3> octahedral_directions(std::uint32_t n);

/// How far the first hit is from each point in each direction: element [p, j, i] is `t` of the ray
/// from point p in the direction of cell (i, j), whose direction is of length 1 but for rounding;
/// +inf where there is none within range, and for bad points. Masks and exclusions of points count.
/// Takes some 10 MB, and 12 bytes for each direction. Throws Error{usage} for n = 0 or above 4096
/// and a range below 0.
ProbeDistances probe_distances(const Caster& caster, const PointsView& points, std::uint32_t n,
                               const ProbeOptions& options = {});
/// The same into distance [points, n, n]. Throws Error{usage} for another size.
CastReport probe_distances(const Caster& caster, const PointsView& points, std::uint32_t n,
                           std::span<float> distance, const ProbeOptions& options = {});

// Areas that see each other: cells, sectors, polygons of a navigation mesh, boxes, by samples of
// each.

/// Convex polygons [n] with a height: area i is what lies between its polygon and the same polygon
/// `height[i]` further up. Its corners are corner[offsets[i]] .. corner[offsets[i + 1] - 1], at
/// least three, in order, either way round, in a plane or nearly. A box is its lowest face and its
/// height.
struct Areas {
  std::vector<std::uint64_t> offsets{0};  ///< [n+1], the first 0
  std::vector<Vec3> corner;               ///< [offsets[n]]
  std::vector<float> height;              ///< [n], at least 0
  std::vector<std::uint32_t> samples;     ///< [n]: 0: as many as the caller says
  std::vector<std::uint64_t> label;       ///< [n] or empty: what the caller calls them

  /// How many areas there are.
  std::uint64_t size() const { return height.size(); }
  /// Appends an area.
  void add(std::span<const Vec3> corners, float how_high, std::uint32_t how_many_samples = 0);
};

/// Areas as the points in them: those of area i are point[offsets[i]] .. point[offsets[i + 1] - 1].
struct AreaSamples {
  std::vector<std::uint64_t> offsets{0};  ///< [n+1], the first 0
  std::vector<Vec3> point;                ///< [offsets[n]]

  /// How many areas there are.
  std::uint64_t size() const { return offsets.empty() ? 0 : offsets.size() - 1; }
  /// How many samples an area has.
  std::uint64_t count(std::uint64_t area) const { return offsets[area + 1] - offsets[area]; }
  /// All samples, for queries.
  PointsView view() const { return point; }
};

/// Samples of an area are at most so many, so that 32 bits count the pairs of two areas'.
inline constexpr std::uint32_t most_area_samples = 65535;

/// Spreads points over each area: point k is a function of the area and of k alone, so that more
/// samples are those of fewer and others between them. `samples` is for areas that do not say
/// theirs; `up` is where heights go, of length 1. Throws Error{bad_input} naming the first area
/// with too few corners, without extent, not convex, or with a number that is not finite or beyond
/// the domain; Error{usage} for 0 samples or more than most_area_samples.
AreaSamples sample_areas(const Areas& areas, std::uint32_t samples, const Vec3& up = {0, 0, 1});

/// Points that are samples already: point i is of area area[i] < areas; the order of an area's
/// points stays. Throws Error{bad_input} for an area out of range or with too many points.
AreaSamples group_points(std::span<const Vec3> points, std::span<const std::uint32_t> area,
                         std::uint64_t areas);

/// The samples that see themselves: not bad, and under `solid` not in a shape nor touching one.
/// Others are of no use as eyes, and would make no area fully visible.
AreaSamples free_samples(const Caster& caster, const AreaSamples& samples, Inside inside);

/// How much of one area is seen from another: nothing, some pairs of samples, all of them. Without
/// samples: nothing.
enum class AreaClass : std::uint8_t { hidden, partly, fully };

/// What `visible` of `pairs` pairs of samples make.
AreaClass area_class(std::uint64_t visible, std::uint64_t pairs);

/// Of each pair of areas how many pairs of samples see each other: `counts(i, j)`.
struct AreaCounts {
  std::uint64_t columns = 0;           ///< areas of a row
  std::vector<std::uint32_t> visible;  ///< [rows, columns]: of area_counts()

  /// Of row i and column j.
  std::uint32_t operator()(std::uint64_t i, std::uint64_t j) const {
    return visible[i * columns + j];
  }
};

/// The class of each pair of areas: `classes(i, j)`.
struct AreaClasses {
  std::uint64_t columns = 0;       ///< areas of a row
  std::vector<AreaClass> classes;  ///< [rows, columns]: of area_classes()
  std::uint64_t segments = 0;      ///< that were looked at

  /// Of row i and column j.
  AreaClass operator()(std::uint64_t i, std::uint64_t j) const { return classes[i * columns + j]; }
};

/// How many pairs of samples of the areas `rows` and `columns` see each other, of count(a) *
/// count(b) each. Symmetric. Takes some 8 MB. Throws Error{usage} for a range that goes past the
/// last area.
AreaCounts area_counts(const Caster& caster, const AreaSamples& samples, const IdRange& rows = {},
                       const IdRange& columns = {}, const VisibilityOptions& options = {});
/// The same into visible [rows, columns]. Throws Error{usage} for another size.
void area_counts(const Caster& caster, const AreaSamples& samples, const IdRange& rows,
                 const IdRange& columns, std::span<std::uint32_t> visible,
                 const VisibilityOptions& options = {});

/// Their classes alone: the same as those of area_counts, with fewer segments, because a pair of
/// areas is done as soon as one seen and one unseen pair of samples is known.
AreaClasses area_classes(const Caster& caster, const AreaSamples& samples, const IdRange& rows = {},
                         const IdRange& columns = {}, const VisibilityOptions& options = {});
/// The same into classes [rows, columns]. Returns the number of segments that were looked at.
/// Throws Error{usage} for another size.
std::uint64_t area_classes(const Caster& caster, const AreaSamples& samples, const IdRange& rows,
                           const IdRange& columns, std::span<AreaClass> classes,
                           const VisibilityOptions& options = {});

}  // namespace sightline
