// Options, reports and rows of the caster's calls.
#pragma once

#include <sightline/ray.hpp>

#include <span>
#include <vector>

namespace sightline {

struct CastOptions {
  Inside inside = Inside::solid;
  bool strict = false;  ///< a bad ray throws Error{bad_input} naming the first index
};

/// 64-bit words of n bits: answer i is bit i % 64 of word i / 64.
constexpr std::uint64_t bit_words(std::uint64_t n) { return n / 64 + (n % 64 != 0); }

/// Where hits [n] go: the caller's arrays of n elements, all of which are written. An empty one is
/// not asked for.
struct HitArrays {
  std::span<float> t = {};
  std::span<std::uint32_t> id = {};
  std::span<std::uint8_t> flags = {};
  std::span<Vec3> normal = {};
};

/// What a call did.
struct CastReport {
  std::uint64_t rays = 0;
  std::uint64_t hits = 0;
  std::uint64_t bad_rays = 0;
  std::uint64_t first_bad_ray = 0;  ///< an index; meaningful when bad_rays > 0
  bool operator==(const CastReport&) const = default;
};

struct HitRowsOptions {
  Inside inside = Inside::solid;
  bool strict = false;         ///< as in CastOptions
  std::uint32_t first = none;  ///< how many hits of a ray are kept, its nearest, > 0; none: all
  bool t_out = false;          ///< also where each shape is left
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
};

/// What a call about all hits found.
struct HitRowsReport {
  std::uint64_t rays = 0;
  std::uint64_t hitting = 0;  ///< rays that hit anything
  std::uint64_t hits = 0;     ///< of all rays together, kept or not
  std::uint64_t kept = 0;
  std::uint64_t overflowing = 0;  ///< rays with more hits than are kept
  std::uint64_t bad_rays = 0;
  std::uint64_t first_bad_ray = 0;  ///< an index; meaningful when bad_rays > 0
  bool operator==(const HitRowsReport&) const = default;
};

struct SweepOptions {
  Inside inside = Inside::solid;
  bool strict = false;     ///< a bad direction throws Error{bad_input} naming the first index
  float t_max = infinity;  ///< how far, in units of the direction's length; at least 0
};

struct VisibilityOptions {
  float range = infinity;  ///< pairs further apart are not visible
  float margin = 0;        ///< m: the segment's part [m, 1-m] counts; 0 <= m < 0.5
  Inside inside = Inside::solid;
};

struct VisibilityReport {
  std::uint64_t pairs = 0;
  std::uint64_t visible = 0;
  std::uint64_t bad_viewpoints = 0;  ///< NaN, infinite or outside the domain: see nothing
  std::uint64_t bad_targets = 0;
  std::uint64_t touching_viewpoints = 0;  ///< lie in or touch a shape; see `margin`
  std::uint64_t touching_targets = 0;
  std::uint64_t in_field = 0;  ///< pairs that were looked at: all, but for those outside of fields
  std::uint64_t bad_fields = 0;  ///< whose viewpoints see nothing; see fields.hpp
  bool operator==(const VisibilityReport&) const = default;
};

/// Shapes [first, first + count) of a scene by id; without a count all from the first on.
struct IdRange {
  std::uint32_t first = 0;
  std::uint32_t count = none;
};

/// What a call about overlaps found.
struct OverlapReport {
  std::uint64_t asked = 0;        ///< shapes, or bodies of these, that asked
  std::uint64_t overlapping = 0;  ///< those that overlap any shape of the scene
  std::uint64_t pairs = 0;        ///< overlaps; 0 where only whether there are any was asked
  bool operator==(const OverlapReport&) const = default;
};

/// Ids in rows of different length: row i is ids[offsets[i]] .. ids[offsets[i + 1] - 1].
struct OverlapRows {
  std::vector<std::uint64_t> offsets;  ///< [n + 1], the first 0
  std::vector<std::uint32_t> ids;      ///< ascending within a row
};

struct NearestOptions {
  std::uint32_t k = 1;     ///< shapes a point or segment, at least 1
  float range = infinity;  ///< shapes further than this are not found; at least 0
};

/// Where the answers to points [n] go, rows of k. An empty array is not asked for.
struct NearestArrays {
  std::span<float> distance = {};    ///< [n,k], signed; +inf where there is none
  std::span<std::uint32_t> id = {};  ///< [n,k]; none where there is none
  std::span<Vec3> point = {};        ///< [n,k]: of the shape's surface, the nearest; 0
  std::span<Vec3> direction = {};    ///< [n,k]: unit, out of the shape; 0
};

/// Where the answers to segments [n] go, rows of k. An empty array is not asked for.
struct ClearanceArrays {
  std::span<float> distance = {};    ///< [n,k], 0 where they meet; +inf where there is none
  std::span<std::uint32_t> id = {};  ///< [n,k]; none where there is none
  std::span<float> t = {};  ///< [n,k]: of the segment's nearest point from + t (to - from); 0
  std::span<Vec3> on_segment = {};  ///< [n,k]: that point; 0
  std::span<Vec3> on_shape = {};    ///< [n,k]: the shape's nearest point; 0
};

/// What a call about the nearest shapes found.
struct NearestReport {
  std::uint64_t points = 0;      ///< or segments
  std::uint64_t found = 0;       ///< elements that are not none
  std::uint64_t bad_points = 0;  ///< NaN, infinite or outside the domain: find nothing; or segments
                                 ///< of which an end is
  bool operator==(const NearestReport&) const = default;
};

}  // namespace sightline
