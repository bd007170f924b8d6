/// @file
/// Options, answers and reports of the casters' calls. Answers own their arrays. Structs of spans
/// refer to the caller's arrays.
#pragma once

#include <sightline/ray.hpp>

#include <span>
#include <utility>
#include <vector>

namespace sightline::detail {

/// A size that is 0 once it has been moved from, as a vector's is.
struct OwnSize {
  std::uint64_t value = 0;

  OwnSize(std::uint64_t n) : value(n) {}
  OwnSize(const OwnSize&) = default;
  OwnSize(OwnSize&& from) noexcept : value(std::exchange(from.value, 0)) {}
  OwnSize& operator=(const OwnSize&) = default;
  OwnSize& operator=(OwnSize&& from) noexcept {
    value = std::exchange(from.value, 0);
    return *this;
  }
};

}  // namespace sightline::detail

namespace sightline {

/// Options of casts.
struct CastOptions {
  Inside inside = Inside::solid;  ///< inside policy
  bool strict = false;            ///< whether a bad ray throws Error{bad_input} naming its index
  Side side = Side::both;         ///< side filter of triangles
};

/// Options of casts that return Hits.
struct HitsOptions {
  Inside inside = Inside::solid;  ///< inside policy
  bool strict = false;            ///< whether a bad ray throws Error{bad_input} naming its index
  bool normals = false;           ///< whether to fill Hits::normal
  Side side = Side::both;         ///< side filter of triangles
};

/// Returns the number of 64-bit words that hold n bits. Bit i is bit i % 64 of word i / 64.
constexpr std::uint64_t bit_words(std::uint64_t n) { return n / 64 + (n % 64 != 0); }

/// Answers of yes or no [n], 64 in a word. Bits that were moved from have no answers.
///
/// @code{.cpp}
/// Scene scene;
/// scene.add_sphere({{4, 0, 0}, 1});
/// const Caster caster(std::move(scene));
/// const std::vector<Vec3> origins(3), directions = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
/// const Bits blocked = caster.any_hit({origins, directions});
/// if (blocked[0]) std::printf("%d of 3 rays hit\n", int(blocked.report.hits));  // 1 of 3 rays hit
/// @endcode
/// @tparam Report  type of the report
template <class Report>
class Bits {
 public:
  /// Makes answers that are all no.
  explicit Bits(std::uint64_t n = 0) : words(bit_words(n)), size_(n) {}

  /// Returns the number of answers.
  std::uint64_t size() const { return size_.value; }
  /// Returns answer i, i < size().
  bool operator[](std::uint64_t i) const { return (words[i / 64] >> i % 64 & 1) != 0; }

  std::vector<std::uint64_t> words;  ///< [bit_words(n)]; padding bits are 0
  Report report = {};                ///< what the call did

 private:
  detail::OwnSize size_;
};

/// Counts [n]: `counts[i]`.
/// @tparam Report  type of the report
template <class Report>
struct Counts {
  std::vector<std::uint32_t> counts;  ///< [n]
  Report report = {};                 ///< what the call did

  /// Returns the number of counts.
  std::uint64_t size() const { return counts.size(); }
  /// Returns count i, i < size().
  std::uint32_t operator[](std::uint64_t i) const { return counts[i]; }
};

/// Report of a cast of rays or segments.
struct CastReport {
  std::uint64_t rays = 0;           ///< number of rays
  std::uint64_t hits = 0;           ///< number of rays that hit a shape
  std::uint64_t bad_rays = 0;       ///< number of bad rays, which miss
  std::uint64_t first_bad_ray = 0;  ///< index of the first bad ray; valid if bad_rays > 0
  /// Returns whether all numbers are equal.
  bool operator==(const CastReport&) const = default;
};

/// First hits of rays [n].
///
/// @code{.cpp}
/// Scene scene;
/// scene.add_sphere({{4, 0, 0}, 1});
/// const Caster caster(std::move(scene));
/// const std::vector<Vec3> origins = {{0, 0, 0}, {0, 5, 0}}, directions(2, Vec3{1, 0, 0});
/// const Hits hits = caster.closest_hit({origins, directions}, {.normals = true});
/// // hits.t is {3, infinity}, hits.id {0, none}, hits.normal[0] (-1, 0, 0)
/// @endcode
struct Hits {
  std::vector<float> t;             ///< [n], in lengths of the direction; +inf for a miss
  std::vector<std::uint32_t> id;    ///< [n] ids of shapes; none for a miss
  std::vector<std::uint8_t> flags;  ///< [n] bits of hit_flags
  std::vector<Vec3> normal;         ///< [n] outward unit normals, 0 for a miss; or empty
  CastReport report = {};           ///< what the call did

  /// Returns the number of rays.
  std::uint64_t size() const { return t.size(); }
  /// Returns hit i, i < size(). Its normal is 0 if `normal` is empty.
  Hit operator[](std::uint64_t i) const {
    return {t[i], id[i], flags[i], normal.empty() ? Vec3{0, 0, 0} : normal[i]};
  }
};

/// The caller's arrays for hits of n rays. All n elements are written. An empty array is left out.
struct HitArrays {
  std::span<float> t = {};             ///< see Hits::t; [n] or empty
  std::span<std::uint32_t> id = {};    ///< see Hits::id; [n] or empty
  std::span<std::uint8_t> flags = {};  ///< see Hits::flags; [n] or empty
  std::span<Vec3> normal = {};         ///< see Hits::normal; [n] or empty
};

/// Options of Caster::all_hits().
struct HitRowsOptions {
  Inside inside = Inside::solid;  ///< inside policy
  bool strict = false;            ///< whether a bad ray throws Error{bad_input} naming its index
  std::uint32_t first = none;     ///< nearest hits kept per ray, at least 1; none: all
  bool t_out = false;             ///< whether to fill HitRows::t_out
  Side side = Side::both;         ///< side filter of triangles
};

/// Report of Caster::all_hits() and Caster::count_hits().
struct HitRowsReport {
  std::uint64_t rays = 0;           ///< number of rays
  std::uint64_t hitting = 0;        ///< number of rays that hit a shape
  std::uint64_t hits = 0;           ///< number of hits of all rays, kept or not
  std::uint64_t kept = 0;           ///< number of hits in the rows
  std::uint64_t overflowing = 0;    ///< number of rays with more hits than are kept
  std::uint64_t bad_rays = 0;       ///< number of bad rays, which miss
  std::uint64_t first_bad_ray = 0;  ///< index of the first bad ray; valid if bad_rays > 0
  /// Returns whether all numbers are equal.
  bool operator==(const HitRowsReport&) const = default;
};

/// All hits of rays [n] in rows of different length. Row i is the range [offsets[i], offsets[i +
/// 1]) of `id`, `t` and `t_out`, nearest hit first.
///
/// @code{.cpp}
/// Scene scene;
/// scene.add_sphere({{4, 0, 0}, 1});
/// scene.add_sphere({{8, 0, 0}, 1});
/// const Caster caster(std::move(scene));
/// const std::vector<Vec3> origins(1), directions(1, Vec3{1, 0, 0});
/// const HitRows rows = caster.all_hits({origins, directions}, {.t_out = true});
/// for (std::uint64_t k = rows.offsets[0]; k < rows.offsets[1]; ++k) {
///   std::printf("%u: %g to %g\n", rows.id[k], rows.t[k], rows.t_out[k]);  // 0: 3 to 5, 1: 7 to 9
/// }
/// @endcode
struct HitRows {
  std::vector<std::uint64_t> offsets;  ///< [n + 1], the first 0
  std::vector<std::uint32_t> id;       ///< [offsets[n]] ids of shapes
  std::vector<float> t;                ///< [offsets[n]], in lengths of the direction
  std::vector<float> t_out;            ///< [offsets[n]] ends of shapes, t to t_max; or empty
  std::vector<std::uint32_t> count;    ///< [n] numbers of hits, kept or not
  std::vector<std::uint8_t> flags;  ///< [n] bits of hit_flags; `started_inside`: of the first hit
  HitRowsReport report = {};        ///< what the call did

  /// Returns the number of rays.
  std::uint64_t size() const { return flags.size(); }
};

/// The range [first, first + count) of ids of a scene's shapes, or of areas.
struct IdRange {
  std::uint32_t first = 0;     ///< first id
  std::uint32_t count = none;  ///< number of ids; none: all from `first` on
};

/// Options of Caster::sweep().
struct SweepOptions {
  Inside inside = Inside::solid;  ///< inside policy, for shapes that start in contact
  bool strict = false;     ///< whether a bad direction throws Error{bad_input} naming its index
  float t_max = infinity;  ///< end of the motion in lengths of the direction, at least 0
  IdRange of = {};         ///< shapes that move
};

/// Options of lines of sight.
struct VisibilityOptions {
  float range = infinity;         ///< greatest distance of a visible pair, at least 0
  float margin = 0;               ///< fraction ignored at each end of a segment, 0 <= margin < 0.5
  Inside inside = Inside::solid;  ///< inside policy, for points in shapes
};

/// Report of a call about lines of sight.
struct VisibilityReport {
  std::uint64_t pairs = 0;           ///< number of pairs of viewpoint and target
  std::uint64_t visible = 0;         ///< number of pairs that see each other
  std::uint64_t bad_viewpoints = 0;  ///< NaN, infinite or outside the domain; they see nothing
  std::uint64_t bad_targets = 0;     ///< NaN, infinite or outside the domain; they are not seen
  std::uint64_t touching_viewpoints = 0;  ///< in or on a shape; see VisibilityOptions::margin
  std::uint64_t touching_targets = 0;     ///< in or on a shape
  std::uint64_t in_field = 0;    ///< number of pairs within fields of view; without fields all
  std::uint64_t bad_fields = 0;  ///< number of bad fields, whose viewpoints see nothing
  /// Returns whether all numbers are equal.
  bool operator==(const VisibilityReport&) const = default;
};

/// Matrix of yes and no, such as which viewpoint sees which target. A matrix that was moved from is
/// 0 x 0.
///
/// @code{.cpp}
/// Scene scene;
/// scene.add_aabb({{-1, -1, 0}, {1, 1, 3}});
/// const Caster caster(std::move(scene));
/// const std::vector<Vec3> eyes = {{-5, 0, 1.7f}, {5, 0, 1.7f}, {0, 5, 1.7f}};
/// const BitMatrix seen = caster.visibility(eyes);
/// // !seen(0, 1): the box is between the first and the second; seen(0, 2) and seen(1, 2)
/// @endcode
class BitMatrix {
 public:
  /// Makes a matrix that is no everywhere.
  explicit BitMatrix(std::uint64_t rows = 0, std::uint64_t columns = 0)
      : words(rows * bit_words(columns)), rows_(rows), columns_(columns) {}

  /// Returns the number of rows.
  std::uint64_t rows() const { return rows_.value; }
  /// Returns the number of columns.
  std::uint64_t columns() const { return columns_.value; }
  /// Returns element (i, j), i < rows() and j < columns().
  bool operator()(std::uint64_t i, std::uint64_t j) const {
    return (words[i * bit_words(columns()) + j / 64] >> j % 64 & 1) != 0;
  }
  /// Returns row i, i < rows(), as words [bit_words(columns())]. Bit j % 64 of word j / 64 is
  /// element (i, j).
  std::span<const std::uint64_t> row(std::uint64_t i) const {
    return std::span(words).subspan(i * bit_words(columns()), bit_words(columns()));
  }

  std::vector<std::uint64_t> words;  ///< [rows(), bit_words(columns())]; padding bits are 0
  VisibilityReport report = {};      ///< what the call found

 private:
  detail::OwnSize rows_, columns_;
};

/// Options of Caster::overlap_count() and Caster::overlap_all().
struct OverlapOptions {
  IdRange of = {};  ///< query shapes
};

/// Options of Caster::overlap_any().
struct OverlapAnyOptions {
  IdRange of = {};  ///< query shapes
  /// Number of consecutive query shapes per body, such as the spheres of a robot in one pose. A
  /// body overlaps if one of its shapes does. The number is at least 1 and divides that of query
  /// shapes.
  std::uint32_t shapes_per_body = 1;
};

/// Report of a call about overlaps.
struct OverlapReport {
  std::uint64_t asked = 0;        ///< number of query shapes, bodies or circles
  std::uint64_t overlapping = 0;  ///< number of queries that overlap a shape of the scene
  std::uint64_t pairs = 0;        ///< number of overlaps; 0 after overlap_any()
  std::uint64_t bad = 0;          ///< number of bad circles, which overlap nothing: NaN, infinite,
                                  ///< outside the domain, or of negative radius
  std::uint64_t first_bad = 0;    ///< index of the first bad circle; valid if bad > 0
  /// Returns whether all numbers are equal.
  bool operator==(const OverlapReport&) const = default;
};

/// Ids of overlapping shapes for queries [n], in rows of different length. Row i is the range
/// [offsets[i], offsets[i + 1]) of `ids`.
///
/// @code{.cpp}
/// Scene scene, agents;
/// scene.add_sphere({{0, 0, 0}, 1});
/// agents.add_capsule({{1, 0, -1}, {1, 0, 1}, 0.5f});
/// const Caster caster(std::move(scene));
/// const OverlapRows rows = caster.overlap_all(agents);
/// for (const std::uint32_t id : rows.row(0)) std::printf("%u\n", id);  // 0
/// @endcode
struct OverlapRows {
  std::vector<std::uint64_t> offsets;  ///< [n + 1], the first 0
  std::vector<std::uint32_t> ids;      ///< [offsets[n]], ascending within a row
  OverlapReport report = {};           ///< what the call found

  /// Returns the number of queries.
  std::uint64_t size() const { return offsets.empty() ? 0 : offsets.size() - 1; }
  /// Returns the ids of row i, i < size().
  std::span<const std::uint32_t> row(std::uint64_t i) const {
    return std::span(ids).subspan(offsets[i], offsets[i + 1] - offsets[i]);
  }
};

/// Options of Caster::nearest() and Caster::clearance().
struct NearestOptions {
  std::uint32_t k = 1;     ///< number of shapes per point or segment, at least 1
  float range = infinity;  ///< greatest distance of a shape, at least 0
};

/// Report of a call about the nearest shapes.
struct NearestReport {
  std::uint64_t points = 0;      ///< number of points or segments
  std::uint64_t found = 0;       ///< number of elements whose id is not none
  std::uint64_t bad_points = 0;  ///< number of points that are NaN, infinite or outside the domain,
                                 ///< or of segments with such an end; they find nothing
  /// Returns whether all numbers are equal.
  bool operator==(const NearestReport&) const = default;
};

/// Report of a call about winding numbers.
struct WindingReport {
  std::uint64_t points = 0;      ///< number of points
  std::uint64_t inside = 0;      ///< number of points whose winding number is not 0
  std::uint64_t bad_points = 0;  ///< number of points that are NaN, infinite or outside the domain;
                                 ///< their number is 0
  /// Returns whether all numbers are equal.
  bool operator==(const WindingReport&) const = default;
};

/// Winding numbers of points [n]: `numbers[i]`.
///
/// @code{.cpp}
/// Scene scene;
/// scene.add_hull(std::vector<Vec3>{{0, 0, 0}, {4, 0, 0}, {0, 4, 0}, {0, 0, 4}});
/// const Caster caster(std::move(scene));
/// const std::vector<Vec3> points = {{1, 1, 1}, {3, 3, 3}};
/// const WindingNumbers winding = caster.winding(points);
/// std::printf("%d %d\n", winding[0], winding[1]);  // 1 0
/// @endcode
struct WindingNumbers {
  std::vector<std::int32_t> numbers;  ///< [n]: 0 outside of every closed mesh
  WindingReport report = {};          ///< what the call did

  /// Returns the number of points.
  std::uint64_t size() const { return numbers.size(); }
  /// Returns the winding number of point i, i < size().
  std::int32_t operator[](std::uint64_t i) const { return numbers[i]; }
};

/// Shapes nearest to points [n], in rows of k, nearest first. If a point finds fewer than k shapes,
/// the row ends with elements of distance +inf, id none, and 0 for the rest.
///
/// @code{.cpp}
/// Scene scene;
/// scene.add_sphere({{4, 0, 0}, 1});
/// scene.add_sphere({{9, 0, 0}, 1});
/// const Caster caster(std::move(scene));
/// const std::vector<Vec3> points = {{0, 0, 0}, {4, 0, 0}};
/// const NearestRows rows = caster.nearest(points, {.k = 2});
/// // rows.distance is {3, 8, -1, 4}, rows.id {0, 1, 0, 1}
/// @endcode
struct NearestRows {
  std::uint32_t k = 1;            ///< elements per row
  std::vector<float> distance;    ///< [n, k] signed distances, negative inside
  std::vector<std::uint32_t> id;  ///< [n, k] ids of shapes
  std::vector<Vec3> point;        ///< [n, k] nearest points of the shapes' surfaces
  std::vector<Vec3> direction;    ///< [n, k] unit vectors out of the shapes
  NearestReport report = {};      ///< what the call found

  /// Returns the number of points.
  std::uint64_t size() const { return id.size() / k; }
};

/// Shapes nearest to segments [n], in rows of k, nearest first. If a segment finds fewer than k
/// shapes, the row ends with elements of distance +inf, id none, and 0 for the rest.
///
/// @code{.cpp}
/// Scene scene;
/// scene.add_sphere({{4, 3, 0}, 1});
/// const Caster caster(std::move(scene));
/// const std::vector<Vec3> from = {{0, 0, 0}}, to = {{8, 0, 0}};
/// const ClearanceRows rows = caster.clearance(from, to);
/// // rows.distance[0] is 2, rows.t[0] 0.5
/// @endcode
struct ClearanceRows {
  std::uint32_t k = 1;            ///< elements per row
  std::vector<float> distance;    ///< [n, k] distances; 0 if segment and shape meet
  std::vector<std::uint32_t> id;  ///< [n, k] ids of shapes
  std::vector<float> t;           ///< [n, k]: the nearest point is from + t * (to - from)
  std::vector<Vec3> on_segment;   ///< [n, k] nearest points of the segments
  std::vector<Vec3> on_shape;     ///< [n, k] nearest points of the shapes
  NearestReport report = {};      ///< what the call found

  /// Returns the number of segments.
  std::uint64_t size() const { return id.size() / k; }
};

/// The caller's arrays for the shapes nearest to n points. An empty array is left out.
struct NearestArrays {
  std::span<float> distance = {};    ///< see NearestRows::distance; [n, k] or empty
  std::span<std::uint32_t> id = {};  ///< see NearestRows::id; [n, k] or empty
  std::span<Vec3> point = {};        ///< see NearestRows::point; [n, k] or empty
  std::span<Vec3> direction = {};    ///< see NearestRows::direction; [n, k] or empty
};

/// The caller's arrays for the shapes nearest to n segments. An empty array is left out.
struct ClearanceArrays {
  std::span<float> distance = {};    ///< see ClearanceRows::distance; [n, k] or empty
  std::span<std::uint32_t> id = {};  ///< see ClearanceRows::id; [n, k] or empty
  std::span<float> t = {};           ///< see ClearanceRows::t; [n, k] or empty
  std::span<Vec3> on_segment = {};   ///< see ClearanceRows::on_segment; [n, k] or empty
  std::span<Vec3> on_shape = {};     ///< see ClearanceRows::on_shape; [n, k] or empty
};

}  // namespace sightline
