// Options, answers and reports of the casters' calls. Answers own their arrays; the structs of
// spans are for the caller's own.
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

/// How rays are cast.
struct CastOptions {
  Inside inside = Inside::solid;  ///< the answer where a ray begins inside a shape
  bool strict = false;            ///< a bad ray throws Error{bad_input} naming the first index
};

/// The same, where the answer is Hits.
struct HitsOptions {
  Inside inside = Inside::solid;  ///< as in CastOptions
  bool strict = false;            ///< as in CastOptions
  bool normals = false;           ///< whether Hits::normal is wanted
};

/// 64-bit words of n bits: answer i is bit i % 64 of word i / 64.
constexpr std::uint64_t bit_words(std::uint64_t n) { return n / 64 + (n % 64 != 0); }

/// n answers of yes or no: `if (bits[i])`. Bits that have been moved from are 0 answers.
template <class Report>
class Bits {
 public:
  /// n times no.
  explicit Bits(std::uint64_t n = 0) : words(bit_words(n)), size_(n) {}

  /// n.
  std::uint64_t size() const { return size_.value; }
  /// Answer i.
  bool operator[](std::uint64_t i) const { return (words[i / 64] >> i % 64 & 1) != 0; }

  std::vector<std::uint64_t> words;  ///< [bit_words(n)]; padding bits are 0
  Report report = {};                ///< what the call did

 private:
  detail::OwnSize size_;
};

/// n counts: `counts[i]`.
template <class Report>
struct Counts {
  std::vector<std::uint32_t> counts;  ///< [n]
  Report report = {};                 ///< what the call did

  /// n.
  std::uint64_t size() const { return counts.size(); }
  /// Count i.
  std::uint32_t operator[](std::uint64_t i) const { return counts[i]; }
};

/// What a cast of rays or segments did.
struct CastReport {
  std::uint64_t rays = 0;           ///< that were cast
  std::uint64_t hits = 0;           ///< rays that hit anything
  std::uint64_t bad_rays = 0;       ///< which are misses
  std::uint64_t first_bad_ray = 0;  ///< an index; meaningful when bad_rays > 0
  /// Whether all numbers are equal.
  bool operator==(const CastReport&) const = default;
};

/// The first hits of n rays.
struct Hits {
  std::vector<float> t;             ///< [n], in lengths of the direction; +inf for a miss
  std::vector<std::uint32_t> id;    ///< [n]: of the shape; none for a miss
  std::vector<std::uint8_t> flags;  ///< [n]: bits of hit_flags
  std::vector<Vec3> normal;         ///< [n]: outward, of length 1; 0 for a miss. Empty unless asked
  CastReport report = {};           ///< what the call did

  /// n.
  std::uint64_t size() const { return t.size(); }
  /// Hit i; its normal is 0 unless asked for.
  Hit operator[](std::uint64_t i) const {
    return {t[i], id[i], flags[i], normal.empty() ? Vec3{0, 0, 0} : normal[i]};
  }
};

/// Where hits [n] go: the caller's arrays of n elements, all of which are written. An empty one is
/// not asked for.
struct HitArrays {
  std::span<float> t = {};             ///< as in Hits
  std::span<std::uint32_t> id = {};    ///< as in Hits
  std::span<std::uint8_t> flags = {};  ///< as in Hits
  std::span<Vec3> normal = {};         ///< as in Hits
};

/// How all hits are kept.
struct HitRowsOptions {
  Inside inside = Inside::solid;  ///< as in CastOptions
  bool strict = false;            ///< as in CastOptions
  std::uint32_t first = none;     ///< how many hits of a ray are kept, its nearest, > 0; none: all
  bool t_out = false;             ///< also where each shape is left
};

/// What a call about all hits found.
struct HitRowsReport {
  std::uint64_t rays = 0;           ///< that were cast
  std::uint64_t hitting = 0;        ///< rays that hit anything
  std::uint64_t hits = 0;           ///< of all rays together, kept or not
  std::uint64_t kept = 0;           ///< the elements of the rows
  std::uint64_t overflowing = 0;    ///< rays with more hits than are kept
  std::uint64_t bad_rays = 0;       ///< which are misses
  std::uint64_t first_bad_ray = 0;  ///< an index; meaningful when bad_rays > 0
  /// Whether all numbers are equal.
  bool operator==(const HitRowsReport&) const = default;
};

/// Hits in rows of different length: those kept of ray i are elements offsets[i] up to
/// offsets[i + 1], by (t, id) of the scaled ray.
struct HitRows {
  std::vector<std::uint64_t> offsets;  ///< [n + 1], the first 0
  std::vector<std::uint32_t> id;       ///< [offsets[n]]
  std::vector<float> t;                ///< [offsets[n]]
  std::vector<float> t_out;          ///< the same, at least t and at most t_max; empty unless asked
  std::vector<std::uint32_t> count;  ///< [n]: all hits of the ray, kept or not
  std::vector<std::uint8_t> flags;   ///< [n]: hit_flags; `started_inside` is the first hit's
  HitRowsReport report = {};         ///< what the call did

  /// n.
  std::uint64_t size() const { return flags.size(); }
};

/// Shapes [first, first + count) of a scene by id; without a count all from the first on.
struct IdRange {
  std::uint32_t first = 0;     ///< an id
  std::uint32_t count = none;  ///< none: all from `first` on
};

/// How shapes move.
struct SweepOptions {
  Inside inside = Inside::solid;  ///< the answer where a shape begins in contact
  bool strict = false;     ///< a bad direction throws Error{bad_input} naming the first index
  float t_max = infinity;  ///< how far, in units of the direction's length; at least 0
  IdRange of = {};         ///< which shapes move
};

/// What a line of sight is.
struct VisibilityOptions {
  float range = infinity;         ///< pairs further apart are not visible; at least 0
  float margin = 0;               ///< m: the segment's part [m, 1-m] counts; 0 <= m < 0.5
  Inside inside = Inside::solid;  ///< whether a point inside of a shape sees anything
};

/// What a call about lines of sight found.
struct VisibilityReport {
  std::uint64_t pairs = 0;                ///< of viewpoint and target
  std::uint64_t visible = 0;              ///< pairs that see each other
  std::uint64_t bad_viewpoints = 0;       ///< NaN, infinite or outside the domain: see nothing
  std::uint64_t bad_targets = 0;          ///< the same: are not seen
  std::uint64_t touching_viewpoints = 0;  ///< lie in or touch a shape; see `margin`
  std::uint64_t touching_targets = 0;     ///< the same
  std::uint64_t in_field = 0;  ///< pairs that were looked at: all, but for those outside of fields
  std::uint64_t bad_fields = 0;  ///< whose viewpoints see nothing; see Field
  /// Whether all numbers are equal.
  bool operator==(const VisibilityReport&) const = default;
};

/// A matrix of yes and no, such as which viewpoint sees which target: `if (seen(i, j))`. One that
/// has been moved from is 0 x 0.
class BitMatrix {
 public:
  /// rows x columns times no.
  explicit BitMatrix(std::uint64_t rows = 0, std::uint64_t columns = 0)
      : words(rows * bit_words(columns)), rows_(rows), columns_(columns) {}

  /// How many rows it has.
  std::uint64_t rows() const { return rows_.value; }
  /// How many columns it has.
  std::uint64_t columns() const { return columns_.value; }
  /// Element (i, j).
  bool operator()(std::uint64_t i, std::uint64_t j) const {
    return (words[i * bit_words(columns()) + j / 64] >> j % 64 & 1) != 0;
  }
  /// The words of row i [bit_words(columns())]: bit j % 64 of word j / 64 is element (i, j).
  std::span<const std::uint64_t> row(std::uint64_t i) const {
    return std::span(words).subspan(i * bit_words(columns()), bit_words(columns()));
  }

  std::vector<std::uint64_t> words;  ///< [rows(), bit_words(columns())]; padding bits are 0
  VisibilityReport report = {};      ///< what the call found

 private:
  detail::OwnSize rows_, columns_;
};

/// Which shapes of a scene ask about overlaps.
struct OverlapOptions {
  IdRange of = {};  ///< in the order of their ids
};

/// The same, where whether any overlaps is asked.
struct OverlapAnyOptions {
  IdRange of = {};  ///< as in OverlapOptions
  /// A number of consecutive shapes that are a body, such as the spheres of a robot in one pose,
  /// and share a bit: whether any of them overlaps. It divides the number of shapes.
  std::uint32_t shapes_per_body = 1;
};

/// What a call about overlaps found.
struct OverlapReport {
  std::uint64_t asked = 0;        ///< shapes or circles, or bodies of these, that asked
  std::uint64_t overlapping = 0;  ///< those that overlap any shape of the scene
  std::uint64_t pairs = 0;        ///< overlaps; 0 where only whether there are any was asked
  std::uint64_t bad = 0;          ///< NaN, infinite, outside the domain, a negative radius: circles
                                  ///< that overlap nothing
  std::uint64_t first_bad = 0;    ///< an index; meaningful when bad > 0
  /// Whether all numbers are equal.
  bool operator==(const OverlapReport&) const = default;
};

/// Ids in rows of different length: row i is ids[offsets[i]] .. ids[offsets[i + 1] - 1].
struct OverlapRows {
  std::vector<std::uint64_t> offsets;  ///< [n + 1], the first 0
  std::vector<std::uint32_t> ids;      ///< ascending within a row
  OverlapReport report = {};           ///< what the call found

  /// n.
  std::uint64_t size() const { return offsets.empty() ? 0 : offsets.size() - 1; }
  /// The ids of row i.
  std::span<const std::uint32_t> row(std::uint64_t i) const {
    return std::span(ids).subspan(offsets[i], offsets[i + 1] - offsets[i]);
  }
};

/// Which shapes are near.
struct NearestOptions {
  std::uint32_t k = 1;     ///< shapes a point or segment, at least 1
  float range = infinity;  ///< shapes further than this are not found; at least 0
};

/// What a call about the nearest shapes found.
struct NearestReport {
  std::uint64_t points = 0;      ///< or segments
  std::uint64_t found = 0;       ///< elements that are not none
  std::uint64_t bad_points = 0;  ///< NaN, infinite or outside the domain: find nothing; or segments
                                 ///< of which an end is
  /// Whether all numbers are equal.
  bool operator==(const NearestReport&) const = default;
};

/// The nearest shapes of n points, rows of k: those of point i are elements i * k up to (i + 1) *
/// k.
struct NearestRows {
  std::uint32_t k = 1;            ///< elements of a row
  std::vector<float> distance;    ///< [n,k], signed; +inf where there is none
  std::vector<std::uint32_t> id;  ///< [n,k]; none where there is none
  std::vector<Vec3> point;        ///< [n,k]: of the shape's surface, the nearest; 0
  std::vector<Vec3> direction;    ///< [n,k]: unit, out of the shape; 0
  NearestReport report = {};      ///< what the call found

  /// n.
  std::uint64_t size() const { return id.size() / k; }
};

/// The shapes nearest to n segments, rows of k: those of segment i are elements i * k up to
/// (i + 1) * k.
struct ClearanceRows {
  std::uint32_t k = 1;            ///< elements of a row
  std::vector<float> distance;    ///< [n,k], 0 where they meet; +inf where there is none
  std::vector<std::uint32_t> id;  ///< [n,k]; none where there is none
  std::vector<float> t;           ///< [n,k]: of the segment's nearest point from + t (to - from); 0
  std::vector<Vec3> on_segment;   ///< [n,k]: that point; 0
  std::vector<Vec3> on_shape;     ///< [n,k]: the shape's nearest point; 0
  NearestReport report = {};      ///< what the call found

  /// n.
  std::uint64_t size() const { return id.size() / k; }
};

/// Where the answers to points [n] go, rows of k. An empty array is not asked for.
struct NearestArrays {
  std::span<float> distance = {};    ///< as in NearestRows
  std::span<std::uint32_t> id = {};  ///< as in NearestRows
  std::span<Vec3> point = {};        ///< as in NearestRows
  std::span<Vec3> direction = {};    ///< as in NearestRows
};

/// Where the answers to segments [n] go, rows of k. An empty array is not asked for.
struct ClearanceArrays {
  std::span<float> distance = {};    ///< as in ClearanceRows
  std::span<std::uint32_t> id = {};  ///< as in ClearanceRows
  std::span<float> t = {};           ///< as in ClearanceRows
  std::span<Vec3> on_segment = {};   ///< as in ClearanceRows
  std::span<Vec3> on_shape = {};     ///< as in ClearanceRows
};

}  // namespace sightline
