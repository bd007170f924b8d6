// Reports as numbers, member by member, so that a new member moves no hash.
#pragma once

#include <sightline/cover.hpp>
#include <sightline/flat.hpp>

#include <vector>

namespace sightline::testing {

using Numbers = std::vector<std::uint64_t>;

inline Numbers numbers_of(const CastReport& r) {
  return {r.rays, r.hits, r.bad_rays, r.first_bad_ray};
}
inline Numbers numbers_of(const HitRowsReport& r) {
  return {r.rays, r.hitting, r.hits, r.kept, r.overflowing, r.bad_rays, r.first_bad_ray};
}
inline Numbers numbers_of(const VisibilityReport& r) {
  return {r.pairs,          r.visible,         r.bad_targets,
          r.bad_viewpoints, r.in_field,        r.touching_viewpoints,
          r.bad_fields,     r.touching_targets};
}
inline Numbers numbers_of(const WindingReport& r) { return {r.points, r.inside, r.bad_points}; }
inline Numbers numbers_of(const OverlapReport& r) { return {r.asked, r.overlapping, r.pairs}; }
inline Numbers numbers_of(const NearestReport& r) { return {r.points, r.found, r.bad_points}; }
/// Of a 2D set.
inline Numbers flat_numbers_of(const OverlapReport& r) {
  return {r.asked, r.overlapping, r.pairs, r.bad, r.first_bad};
}
inline Numbers flat_numbers_of(const CastReport& r) {
  return {r.rays, r.hits, 0, r.bad_rays, r.first_bad_ray};
}
inline Numbers numbers_of(const CoverReport& r) {
  return {r.points, r.candidates, r.crouch, r.stand};
}

}  // namespace sightline::testing
