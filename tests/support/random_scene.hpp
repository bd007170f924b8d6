// Seeded scenes of all kinds, and rays that look for trouble in a whole scene.
#pragma once

#include "tests/support/adversarial_pairs.hpp"

#include <sightline/scene.hpp>

#include <vector>

namespace sightline::testing {

enum class SceneFamily { random, lattice, city, adversarial, triangles, cylinders };
/// Of shapes that every query knows.
inline constexpr SceneFamily every_family[] = {SceneFamily::random, SceneFamily::lattice,
                                               SceneFamily::city, SceneFamily::adversarial};
/// The same and triangles.
inline constexpr SceneFamily families_but_cylinders[] = {
    SceneFamily::random, SceneFamily::lattice, SceneFamily::city, SceneFamily::adversarial,
    SceneFamily::triangles};
/// The same, triangles and cylinders, which not every query takes.
inline constexpr SceneFamily ray_families[] = {SceneFamily::random,    SceneFamily::lattice,
                                               SceneFamily::city,      SceneFamily::adversarial,
                                               SceneFamily::triangles, SceneFamily::cylinders};
inline SceneFamily ray_family(std::uint64_t seed) {
  return ray_families[seed % std::size(ray_families)];
}
const char* name_of(SceneFamily family);

/// `shapes` shapes, labelled 1, 2, 3 ...; half of the scenes have masks, half have groups, a third
/// have planes (random, lattice, triangles and cylinders).
Scene make_scene(SceneFamily family, int shapes, std::uint64_t seed);

/// Rays at the boxes, corners, faces and silhouettes of random shapes, from inside, near and far;
/// axis-parallel in face planes; directions of length 0 and 2^-140 to 2^120; intervals that end
/// on shapes; masks, excluded ids and groups; one in 256 is bad.
std::vector<Ray> random_rays(const Scene& scene, std::uint64_t count, std::uint64_t seed);

/// The rays as rows; the vector must outlive the view.
RaysView rows_of(const std::vector<Ray>& rays);  // counted, as backends need
/// The same as spheres that move along them.
RaysView thick_rows_of(const std::vector<Ray>& rays, const Column<float>& radii);

/// The same shapes with their attributes, added in another order.
Scene shuffled(const Scene& scene, std::uint64_t seed);

}  // namespace sightline::testing
