// One function per kind of scene, for scenes.cpp.
#pragma once

#include "host/gen/random.hpp"

#include <sightline/scene.hpp>

namespace sightline::gen {

/// Streams of random numbers: scenes and rays of the same seed share no number.
enum Stream : std::uint64_t {
  stream_shape = 1,
  stream_cluster = 2,
  stream_block = 3,
  stream_ray = 16,  ///< plus the ray's kind, plus 8 per candidate
};

void make_cloud(Scene& scene, std::uint64_t shapes, std::uint64_t seed);
void make_mixed(Scene& scene, std::uint64_t shapes, std::uint64_t seed);
void make_city(Scene& scene, std::uint64_t shapes, std::uint64_t seed);
void make_lattice(Scene& scene, std::uint64_t shapes, std::uint64_t seed);
void make_adversarial(Scene& scene, std::uint64_t shapes, std::uint64_t seed);

/// Shape `i` of a cloud: of kind i mod 4, size k around a centre.
void add_cloud_shape(Scene& scene, std::uint64_t i, const Vec3d& center, double k, Draws& draws);

}  // namespace sightline::gen
