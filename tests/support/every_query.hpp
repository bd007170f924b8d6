// Every query of a scene with seeded input, and all that it answers as bytes: for tests that ask
// the same of every way to answer.
#pragma once

#include "tests/support/bytes.hpp"

#include <sightline/caster.hpp>

#include <span>

namespace sightline::testing {

struct EveryQuery {
  const char* name;
  bool by_points;  ///< n points are asked about n points, n * n answers
  /// Of about n rays, points or shapes. The options are the caster's: 2D sets have one of their
  /// own. Its scene is not empty.
  Bytes (*ask)(const Caster& caster, const CasterOptions& options, std::uint64_t n,
               std::uint64_t seed);
  bool takes_triangles = true;  ///< in the caster's scene
  bool takes_cylinders = true;  ///< the same
};
std::span<const EveryQuery> every_query();

}  // namespace sightline::testing
