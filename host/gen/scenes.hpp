// The standard scenes: docs/scenes.md says what each holds.
#pragma once

#include <sightline/scene.hpp>

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>

namespace sightline::gen {

enum class SceneKind { city, cloud, mixed, lattice, adversarial };

inline constexpr std::array<std::string_view, 5> scene_kind_names = {"city", "cloud", "mixed",
                                                                     "lattice", "adversarial"};

/// The kind of this name, if there is one; names are in the order of kinds.
template <class Kind, class Names>
std::optional<Kind> kind_in(const Names& names, std::string_view name) {
  const auto at = std::ranges::find(names, name);
  return at == names.end() ? std::nullopt : std::optional(static_cast<Kind>(at - names.begin()));
}
inline std::optional<SceneKind> scene_kind(std::string_view name) {
  return kind_in<SceneKind>(scene_kind_names, name);
}
inline std::string_view name_of(SceneKind kind) {
  return scene_kind_names[static_cast<std::size_t>(kind)];
}

// Each kind's own, by shapes and seed.
void make_city(Scene& scene, std::uint64_t shapes, std::uint64_t seed);
void make_cloud(Scene& scene, std::uint64_t shapes, std::uint64_t seed);
void make_mixed(Scene& scene, std::uint64_t shapes, std::uint64_t seed);
void make_lattice(Scene& scene, std::uint64_t shapes, std::uint64_t seed);
void make_adversarial(Scene& scene, std::uint64_t shapes, std::uint64_t seed);

/// Exactly `shapes` shapes; the same scene to the bit on every machine for the same arguments.
/// Throws Error{usage} for 0 or more than 2^32 - 2 shapes.
inline Scene make_scene(SceneKind kind, std::uint64_t shapes, std::uint64_t seed) {
  if (shapes == 0 || shapes >= none) {
    throw Error(ErrorKind::usage,
                "a generated scene holds 1 to 4294967294 shapes, not " + std::to_string(shapes));
  }
  Scene scene;
  constexpr void (*makers[])(Scene&, std::uint64_t, std::uint64_t) = {
      make_city, make_cloud, make_mixed, make_lattice, make_adversarial};
  makers[static_cast<std::size_t>(kind)](scene, shapes, seed);
  return scene;
}

/// The blocks per side of a city of so many shapes.
std::uint64_t city_side(std::uint64_t shapes);
/// The cells per side of a lattice of so many shapes; a cell is 2 wide.
std::uint64_t lattice_side(std::uint64_t shapes);
/// Half the side of the cube that contains most shapes of an adversarial scene of so many.
double adversarial_reach(std::uint64_t shapes);

}  // namespace sightline::gen
