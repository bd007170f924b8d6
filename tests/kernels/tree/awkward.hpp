// Shapes on which a builder without bounds makes deep trees, or goes on for ever.
#pragma once

#include <sightline/scene.hpp>

#include <functional>
#include <span>

namespace sightline::testing {

struct Awkward {
  const char* name;
  std::function<Sphere(std::uint32_t i, std::uint32_t n)> place;
};
std::span<const Awkward> every_awkward();
Scene make_scene(const Awkward& awkward, std::uint32_t shapes);

}  // namespace sightline::testing
