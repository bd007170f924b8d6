// What the tests of the cuda backend share.
#pragma once

#include "tests/support/adversarial_rays.hpp"
#include "tests/support/random_scene.hpp"

#include <gtest/gtest.h>

#include <sightline/caster.hpp>
#include <sightline/points.hpp>

namespace sightline::testing {

/// Skips, visibly, where there is no device.
class CudaTest : public ::testing::Test {
 protected:
  void SetUp() override {
    const std::string problem = cuda_devices().problem;
    if (!problem.empty()) GTEST_SKIP() << problem;
  }
};

/// Points that look for trouble, as rows: the origins of rays, some twice, some bad.
struct TroublePoints {
  std::vector<Ray> rays;

  TroublePoints(const Scene& scene, std::uint64_t n, std::uint64_t seed)
      : rays(trouble(scene, n, seed)) {
    for (std::size_t i = 3; i < rays.size(); i += 7) rays[i].origin = rays[i / 2].origin;
    for (std::size_t i = 20; i < rays.size(); i += 41) rays[i].origin.y = infinity;
  }
  PointsView view() const {
    const RaysView r = rows_of(rays);
    PointsView v = {r.origin, r.mask, r.exclude[0], r.exclude_group[0]};
    v.count = r.count;
    return v;
  }
};

}  // namespace sightline::testing
