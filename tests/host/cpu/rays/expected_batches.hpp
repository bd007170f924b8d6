// Rays through RayBatches, each expected to come out once, and how its answer differs from brute
// force.
#pragma once

#include "host/cpu/rays/ray_batches.hpp"
#include "tests/host/cpu/rays/expected_record.hpp"
#include "tests/host/tree/built_scene.hpp"

#include <gtest/gtest.h>

namespace sightline::testing {

/// The answers of the rays that were added; fails where they do not come out in that order.
inline std::vector<detail::RayAnswer> traced(detail::RayBatches& batches) {
  const std::size_t n = batches.size();
  std::vector<detail::RayAnswer> answers;
  batches.trace([&](std::uint32_t i, const detail::RayAnswer& r) {
    EXPECT_EQ(i, answers.size());
    answers.push_back(r);
  });
  EXPECT_EQ(batches.size(), 0u);
  EXPECT_EQ(answers.size(), n);
  return answers;
}

/// Empty, or how the answer differs from brute force's.
inline std::string answer_difference(const detail::RayAnswer& r, const ShapesView& shapes,
                                     const Ray& ray, const Best& best, detail::RayQuery query) {
  const Query q = make_query(ray, Inside::solid);
  if (is_bad(r) != q.ray.bad) return "bad or not";
  if ((r.id != none) != (best.id != none)) return "hit or not";
  if (query != detail::RayQuery::closest) return "";
  const Hit hit = hit_of(q, shapes, best, ray, false);
  if (r.id != hit.id) return "id " + std::to_string(r.id);
  if (bits_of(r.t) != bits_of(hit.t)) return "t";
  if (r.flags != hit.flags) return "flags";
  return "";
}

}  // namespace sightline::testing
