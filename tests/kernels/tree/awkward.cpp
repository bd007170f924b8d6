#include "tests/kernels/tree/awkward.hpp"

#include "tests/support/adversarial_pairs.hpp"

namespace sightline::testing {
namespace {

float as_float(std::uint32_t i) { return static_cast<float>(i); }

/// Along x, y and z in turn.
Vec3 along_axis(std::uint32_t i, float v) {
  return {i % 3 == 0 ? v : 0, i % 3 == 1 ? v : 0, i % 3 == 2 ? v : 0};
}

Sphere point(float x) { return {{x, 0, 0}, 0}; }

const Awkward all_awkward[] = {
    {"identical",
     [](auto, auto) {
       return Sphere{{1, 2, 3}, 1};
     }},
    {"nested",
     [](auto i, auto) {
       return Sphere{{0, 0, 0}, 1 + as_float(i)};
     }},
    {"nested_backwards",
     [](auto i, auto n) {
       return Sphere{{0, 0, 0}, as_float(n - i)};
     }},
    {"nested_to_one_side",
     [](auto i, auto) {
       return Sphere{{as_float(i), as_float(i), as_float(i)}, as_float(i)};
     }},
    {"points_on_a_line", [](auto i, auto) { return point(as_float(i)); }},
    {"points_on_a_diagonal",
     [](auto i, auto) {
       return Sphere{{as_float(i), 2 * as_float(i), 3 * as_float(i)}, 0};
     }},
    // Each is nearest to the one before it, so that one pair a round choose each other.
    {"growing_gaps",
     [](auto i, auto) {
       return Sphere{{as_float(i) * as_float(i), 0, 0}, 1};
     }},
    {"growing_sizes",
     [](auto i, auto) {
       return Sphere{{2 * as_float(i), 0, 0}, 1 + 0.001f * as_float(i)};
     }},
    {"progression",
     [](auto i, auto) {
       const float x = std::ldexp(1.0f, static_cast<int>(i % 170) - 130);
       return Sphere{{x, i % 3 == 0 ? x : 0, 0}, 0};
     }},
    {"progression_of_sizes",
     [](auto i, auto n) {
       const float size =
           std::ldexp(1.0f, static_cast<int>(std::uint64_t{i} * 36 / n)) + as_float(i);
       return Sphere{{3 * size, 0, 0}, size};
     }},
    {"three_progressions",
     [](auto i, auto) {
       const float x = std::ldexp(1.0f, static_cast<int>(i / 3 % 189) - 149);
       return Sphere{along_axis(i, x), 0};
     }},
    {"subnormal",
     [](auto i, auto) {
       return Sphere{{float_of(i), 0, 0}, 0};
     }},
    {"two_places",
     [](auto i, auto) {
       return Sphere{{i % 2 == 0 ? 0.0f : 1e6f, 0, 0}, 1};
     }},
    {"one_far",
     [](auto i, auto) {
       return Sphere{{i == 7 ? domain_limit : as_float(i % 100), as_float(i / 100), 0}, 1};
     }},
    {"one_huge",
     [](auto i, auto) {
       return Sphere{{as_float(i % 100), as_float(i / 100), 0}, i == 7 ? domain_limit : 0.1f};
     }},
    {"as_large_as_the_domain",
     [](auto i, auto) {
       return Sphere{along_axis(i, (i % 2 == 0 ? 1.0f : -1.0f) * domain_limit), domain_limit};
     }},
    {"zeros_of_both_signs",
     [](auto i, auto) {
       return Sphere{{i % 2 == 0 ? 0.0f : -0.0f, i % 3 == 0 ? 0.0f : -0.0f, as_float(i % 5)}, 0};
     }},
};

}  // namespace

std::span<const Awkward> every_awkward() { return all_awkward; }

Scene make_scene(const Awkward& awkward, std::uint32_t shapes) {
  Scene scene;
  for (std::uint32_t i = 0; i < shapes; ++i) scene.add_sphere(awkward.place(i, shapes));
  return scene;
}

}  // namespace sightline::testing
