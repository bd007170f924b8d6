// Rays that look for trouble in a given scene: silhouettes, edges, face planes, extreme numbers.
#pragma once

#include <sightline/scene.hpp>

#include <vector>

namespace sightline::testing {

/// `count` rays aimed at random shapes of the scene (which must not be empty): through corners,
/// edges, faces and silhouettes within an ulp, axis-parallel in face planes, with zero and denormal
/// directions, lengths from 1e-38 to 1e38, origins far away, intervals that end on faces, masks
/// and excludes, and one in 256 a bad ray (NaN, infinity, out of the domain, t_min > t_max).
std::vector<Ray> adversarial_rays(const Scene& scene, std::uint64_t count, std::uint64_t seed);

/// `count` rays, half of them random_rays() of random_scene.hpp, half adversarial.
std::vector<Ray> trouble(const Scene& scene, std::uint64_t count, std::uint64_t seed);

}  // namespace sightline::testing
