// FlatCaster: circles and segments at a set of 2D shapes, on every backend.
#pragma once

#include <sightline/caster.hpp>
#include <sightline/flat_scene.hpp>
#include <sightline/geometry/flat/flat_columns.hpp>

#include <memory>
#include <span>
#include <string>

namespace sightline {

/// What a call did.
struct FlatReport {
  std::uint64_t asked = 0;  ///< circles or segments
  std::uint64_t found = 0;  ///< of those, how many overlap or hit something
  std::uint64_t pairs = 0;  ///< overlaps; 0 where only whether there are any was asked
  std::uint64_t bad = 0;    ///< NaN, infinite, outside the domain, a negative radius: find nothing
  std::uint64_t first_bad = 0;  ///< an index; meaningful when bad > 0
  bool operator==(const FlatReport&) const = default;
};

/// A set of 2D shapes that answers for batches of circles and segments. Answers are a pure function
/// of the set and the question: the same bytes from every backend, tree, thread count and chunking.
///
/// Of CasterOptions `threads`, `device`, `search`, `tree` and `chunk` count, `search` on the cpu
/// too; `automatic` takes a tree where one pays, which on the cpu is always. A built caster may be
/// queried from many threads at once. Throws as Caster does.
class FlatCaster {
 public:
  explicit FlatCaster(FlatScene scene, Backend backend = Backend::automatic,
                      const CasterOptions& options = {});
  FlatCaster(FlatCaster&&) noexcept;
  FlatCaster& operator=(FlatCaster&&) noexcept;
  ~FlatCaster();

  const FlatScene& scene() const;
  /// The backend in use, never `automatic`.
  Backend backend() const;
  /// One line for people: backend, device, threads.
  std::string description() const;
  /// Memory held by the set and its tree, in bytes.
  std::uint64_t memory_bytes() const;

  // Which shapes each circle overlaps: see geometry/flat/flat_overlaps.hpp. Touching overlaps.

  /// Whether any: bit i % 64 of bits[i / 64]; bits [ceil(n/64)], padding bits are 0.
  FlatReport overlap_any(const CirclesView& circles, std::span<std::uint64_t> bits) const;
  /// How many: counts [n].
  FlatReport overlap_count(const CirclesView& circles, std::span<std::uint32_t> counts) const;
  /// All, into `rows`. Takes up to three times the memory of the rows while it runs.
  FlatReport overlap_all(const CirclesView& circles, OverlapRows& rows) const;

  /// The first hit of each segment, the one with the least (t, id): see
  /// geometry/flat/flat_segment.hpp. t counts in lengths of the segment, from 0 to 1, and is
  /// compared before it is rounded to a float. A bad segment is flagged as a bad ray. Throws
  /// Error{usage} where `hits` asks for normals.
  FlatReport cast(const SegmentsView& segments, const HitArrays& hits,
                  Inside inside = Inside::solid) const;

 private:
  struct Impl;
  Impl& impl() const;

  std::unique_ptr<Impl> impl_;
};

}  // namespace sightline
