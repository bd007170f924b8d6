/// @file
/// Bakes of visibility: exposure, distances by direction, and which areas see each other.
#pragma once

#include <sightline/caster.hpp>

#include <optional>
#include <span>
#include <vector>

namespace sightline {

/// Returns the number of viewpoints that see each target. The matrix is not kept: the call takes
/// about 4 MB. A point in both sets counts itself if it sees itself.
///
/// @code{.cpp}
/// Scene scene;
/// scene.add_aabb({{-1, -1, 0}, {1, 1, 3}});
/// const Caster caster(std::move(scene));
/// const std::vector<Vec3> guards = {{-5, 0, 1}, {-5, 4, 1}}, spots = {{5, 0, 1}, {5, 4, 1}};
/// const Counts seen_by = exposure(caster, guards, {}, spots);  // seen_by[1] is 2
/// @endcode
/// @param caster      the scene
/// @param viewpoints  points [V], V < 2^32
/// @param fields      fields of view: [V], one for all viewpoints, or nothing for all around
/// @param targets     points [n]
/// @param options     range, margin and inside policy
/// @throws Error{usage} for more viewpoints
Counts<VisibilityReport> exposure(const Caster& caster, const PointsView& viewpoints,
                                  const std::optional<FieldsView>& fields,
                                  const PointsView& targets, const VisibilityOptions& options = {});
/// Writes the numbers into `counts` [n]. Throws as the other form, and for another size.
VisibilityReport exposure(const Caster& caster, const PointsView& viewpoints,
                          const std::optional<FieldsView>& fields, const PointsView& targets,
                          std::span<std::uint32_t> counts, const VisibilityOptions& options = {});

/// Options of probe_distances().
struct ProbeOptions {
  float range = infinity;         ///< greatest distance, at least 0
  Inside inside = Inside::solid;  ///< inside policy
};

/// Distances from points by direction.
///
/// @code{.cpp}
/// const Caster caster(Scene{});
/// const std::vector<Vec3> points = {{0, 0, 1}, {5, 0, 1}};
/// const ProbeDistances probes = probe_distances(caster, points, 8, {.range = 30});
/// const float d = probes.distance[(1 * 8 + 3) * 8 + 2];  // point 1, cell (2, 3)
/// const Vec3 direction = octahedral_directions(8)[3 * 8 + 2];
/// @endcode
struct ProbeDistances {
  std::uint32_t n = 0;          ///< cells along a side of a point's map
  std::vector<float> distance;  ///< [points, n, n] distances; +inf without a hit
  CastReport report = {};       ///< what the rays did
};

/// Returns the directions of an octahedral map of n x n cells. Element j * n + i belongs to cell
/// (i, j). Lengths are 1 except for rounding.
/// @param n  cells along a side, 1 to 4096
/// @throws Error{usage} if n is out of its range
std::vector<Vec3> octahedral_directions(std::uint32_t n);

/// Returns the distance of the first hit from each point in each direction. Element [p, j, i] is
/// `t` of the ray from point p in the direction of cell (i, j). It is +inf if nothing is within the
/// range or if the point is bad. Masks and exclusions of points count. The call takes about 10 MB
/// and 12 bytes per direction.
/// @param caster   the scene
/// @param points   points [P]
/// @param n        cells along a side of a map, 1 to 4096
/// @param options  range and inside policy
/// @throws Error{usage} if n or the range is out of its range
ProbeDistances probe_distances(const Caster& caster, const PointsView& points, std::uint32_t n,
                               const ProbeOptions& options = {});
/// Writes the distances into `distance` [P, n, n]. Throws as the other form, and for another size.
CastReport probe_distances(const Caster& caster, const PointsView& points, std::uint32_t n,
                           std::span<float> distance, const ProbeOptions& options = {});

/// Areas [n], such as cells, sectors, boxes or polygons of a navigation mesh. An area is a convex
/// polygon with a height; samples represent it. Area i is the space between its polygon and the
/// same polygon height[i] further up. Its corners are the range [offsets[i], offsets[i + 1]) of
/// `corner`.
///
/// @code{.cpp}
/// const Caster caster(Scene{});
/// const Vec3 floor[] = {{0, 0, 0}, {4, 0, 0}, {4, 4, 0}, {0, 4, 0}};
/// Areas areas;
/// areas.add(floor, 2);
/// const AreaSamples samples = free_samples(caster, sample_areas(areas, 64), Inside::solid);
/// const AreaClasses classes = area_classes(caster, samples);  // classes(0, 0) is AreaClass::fully
/// @endcode
struct Areas {
  std::vector<std::uint64_t> offsets{0};  ///< [n + 1], the first 0
  std::vector<Vec3> corner;               ///< [offsets[n]] corners, at least three per area
  std::vector<float> height;              ///< [n] heights, at least 0
  std::vector<std::uint32_t> samples;     ///< [n] numbers of samples; 0: that of sample_areas()
  std::vector<std::uint64_t> label;       ///< [n] numbers of the caller's; or empty

  /// Returns the number of areas.
  std::uint64_t size() const { return height.size(); }
  /// Appends an area, without a label. sample_areas() checks its numbers.
  /// @param corners           at least three corners, in order in either direction, nearly in a
  ///                          plane
  /// @param how_high          height, at least 0
  /// @param how_many_samples  number of samples, at most most_area_samples; 0: that of
  ///                          sample_areas()
  /// @throws Error{out_of_memory} and no other kind
  void add(std::span<const Vec3> corners, float how_high, std::uint32_t how_many_samples = 0);
};

/// Samples of areas [n]. The samples of area i are the range [offsets[i], offsets[i + 1]) of
/// `point`.
struct AreaSamples {
  std::vector<std::uint64_t> offsets{0};  ///< [n + 1], the first 0
  std::vector<Vec3> point;                ///< [offsets[n]] samples

  /// Returns the number of areas.
  std::uint64_t size() const { return offsets.empty() ? 0 : offsets.size() - 1; }
  /// Returns the number of samples of an area, area < size().
  std::uint64_t count(std::uint64_t area) const { return offsets[area + 1] - offsets[area]; }
  /// Returns all samples as points for queries.
  PointsView view() const { return point; }
};

/// Greatest number of samples of an area, so that 32 bits count the pairs of two areas.
inline constexpr std::uint32_t most_area_samples = 65535;

/// Returns samples that are spread over each area. Sample k depends on the area and on k alone, so
/// a larger number of samples adds to the same samples.
/// @param areas    the areas
/// @param samples  number of samples of areas without a number of their own, 1 to most_area_samples
/// @param up       unit vector in which heights are measured
/// @throws Error{bad_input} naming the first area that has fewer than three corners, has no extent,
///         or is not convex
/// @throws Error{bad_input} naming the first area that asks for too many samples, or has a number
///         that is not finite or beyond the domain
/// @throws Error{usage} if `samples` is out of its range
AreaSamples sample_areas(const Areas& areas, std::uint32_t samples, const Vec3& up = {0, 0, 1});

/// Returns points of the caller's as samples. The points of an area keep their order.
/// @param points  points [n]
/// @param area    index [n] of the area of each point, below `areas`
/// @param areas   number of areas, below 2^32
/// @throws Error{bad_input} if an index is not below `areas`, or an area has more than
///         most_area_samples points
/// @throws Error{usage} if `points` and `area` differ in length, or for more areas
AreaSamples group_points(std::span<const Vec3> points, std::span<const std::uint32_t> area,
                         std::uint64_t areas);

/// Returns the samples that see themselves: good samples that, under Inside::solid, are neither in
/// nor on a shape. With other samples no area would be fully visible.
/// @param caster   the scene
/// @param samples  samples of areas
/// @param inside   inside policy
AreaSamples free_samples(const Caster& caster, const AreaSamples& samples, Inside inside);

/// How much two areas see of each other.
enum class AreaClass : std::uint8_t {
  hidden,  ///< no pair of samples sees each other, or an area has no samples
  partly,  ///< some pairs of samples see each other
  fully,   ///< all pairs of samples see each other
};

/// Returns the class of two areas.
/// @param visible  number of pairs of samples that see each other
/// @param pairs    number of pairs of samples
AreaClass area_class(std::uint64_t visible, std::uint64_t pairs);

/// For each pair of areas the number of pairs of samples that see each other: `counts(i, j)`.
struct AreaCounts {
  std::uint64_t columns = 0;           ///< number of areas per row
  std::vector<std::uint32_t> visible;  ///< [rows, columns] numbers of pairs of samples

  /// Returns the count of row i and column j.
  std::uint32_t operator()(std::uint64_t i, std::uint64_t j) const {
    return visible[i * columns + j];
  }
};

/// The class of each pair of areas: `classes(i, j)`. See Areas for an example.
struct AreaClasses {
  std::uint64_t columns = 0;       ///< number of areas per row
  std::vector<AreaClass> classes;  ///< [rows, columns] classes
  std::uint64_t segments = 0;      ///< number of segments that were cast

  /// Returns the class of row i and column j.
  AreaClass operator()(std::uint64_t i, std::uint64_t j) const { return classes[i * columns + j]; }
};

/// Returns for each pair of areas the number of pairs of samples that see each other, out of
/// count(a) * count(b). Counts are symmetric. The call takes about 8 MB.
/// @param caster   the scene
/// @param samples  samples of areas, at most most_area_samples per area
/// @param rows     range of areas [R]
/// @param columns  range of areas [C]
/// @param options  range, margin and inside policy
/// @throws Error{usage} if a range goes past the last area, or if an area has too many samples
AreaCounts area_counts(const Caster& caster, const AreaSamples& samples, const IdRange& rows = {},
                       const IdRange& columns = {}, const VisibilityOptions& options = {});
/// Writes the numbers into `visible` [R, C]. Throws as the other form, and for another size.
void area_counts(const Caster& caster, const AreaSamples& samples, const IdRange& rows,
                 const IdRange& columns, std::span<std::uint32_t> visible,
                 const VisibilityOptions& options = {});

/// Returns the class of each pair of areas. The call casts fewer segments than area_counts(): a
/// pair of areas is done once one visible and one hidden pair of samples is known.
/// @param caster   the scene
/// @param samples  samples of areas, at most most_area_samples per area
/// @param rows     range of areas [R]
/// @param columns  range of areas [C]
/// @param options  range, margin and inside policy
/// @throws Error{usage} if a range goes past the last area, or if an area has too many samples
AreaClasses area_classes(const Caster& caster, const AreaSamples& samples, const IdRange& rows = {},
                         const IdRange& columns = {}, const VisibilityOptions& options = {});
/// Writes the classes into `classes` [R, C], and returns the number of segments that were cast.
/// Throws as the other form, and for another size.
std::uint64_t area_classes(const Caster& caster, const AreaSamples& samples, const IdRange& rows,
                           const IdRange& columns, std::span<AreaClass> classes,
                           const VisibilityOptions& options = {});

}  // namespace sightline
