// Rays through RayBatches, each expected to come out once, and how its record differs from brute
// force.
#pragma once

#include "host/cpu/lanes/ray_batches.hpp"
#include "tests/host/cpu/lanes/expected_record.hpp"
#include "tests/host/tree/built_scene.hpp"

#include <gtest/gtest.h>

namespace sightline::testing {

/// Records as they come out, each ray's in its place; fails when one comes twice or not at all.
inline std::vector<detail::RayRecord> traced(detail::RayBatches& batches) {
  const std::size_t n = batches.size();
  std::vector<detail::RayRecord> records(n);
  std::vector<int> seen(n);
  batches.trace([&](std::uint32_t i, const detail::RayRecord& r) {
    records.at(i) = r;
    ++seen[i];
  });
  EXPECT_EQ(batches.size(), 0u);
  for (std::size_t i = 0; i < n; ++i) EXPECT_EQ(seen[i], 1) << "ray " << i << " of " << n;
  return records;
}

/// Empty, or how the record differs from the answer.
inline std::string record_difference(const detail::RayRecord& r, const Ray& ray, const Best& best,
                                     detail::RayQuery query) {
  const ScaledRay s = scale(ray);
  if (is_bad(r) != s.bad) return "bad or not";
  if ((r.best != none) != (best.id != none)) return "hit or not";
  if (query != detail::RayQuery::closest || best.id == none) return "";
  if (r.best != best.id) return "id " + std::to_string(r.best);
  if (bits_of(r.reach) != bits_of(best.t)) return "t";
  const bool inside = (r.flags & detail::record_flags::started_inside) != 0;
  if (inside != best.started_inside) return "started inside";
  if (detail::record_flags::exponent_of(r.flags) != s.exponent) return "exponent";
  return "";
}

}  // namespace sightline::testing
