// The standard scenes: docs/reference/scenes.md says what each holds.
#pragma once

#include <sightline/scene.hpp>

#include <algorithm>
#include <functional>
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

/// How many shapes, of which seed, and what is called now and then while they are made: it may
/// throw to end the work.
struct SceneRecipe {
  std::uint64_t shapes = 0, seed = 1;
  std::function<void()> poll = {};

  /// Calls make(i) for each shape.
  template <class Make>
  void for_each(std::uint64_t count, const Make& make) const {
    constexpr std::uint64_t between_polls = 1 << 16;
    for (std::uint64_t i = 0; i < count; ++i) {
      if (poll && i % between_polls == 0) poll();
      make(i);
    }
  }
};

// Each kind's own.
void make_city(Scene& scene, const SceneRecipe& recipe);
void make_cloud(Scene& scene, const SceneRecipe& recipe);
void make_mixed(Scene& scene, const SceneRecipe& recipe);
void make_lattice(Scene& scene, const SceneRecipe& recipe);
void make_adversarial(Scene& scene, const SceneRecipe& recipe);

/// All of them may have bounds, and a tree holds no more.
inline constexpr std::uint64_t most_generated = std::uint64_t{1} << 31;
/// What the scene takes in memory at most while it is made: its columns, of 40 bytes for an
/// oriented box, and a copy of them as they grow.
inline std::uint64_t scene_bytes(std::uint64_t shapes) { return 2 * 40 * shapes; }

/// Exactly so many shapes; the same scene to the bit on every machine for the same recipe. Throws
/// Error{usage} for 0 or more than 2^31 shapes.
inline Scene make_scene(SceneKind kind, const SceneRecipe& recipe) {
  if (recipe.shapes == 0 || recipe.shapes > most_generated) {
    throw Error(ErrorKind::usage, "a generated scene holds 1 to 2147483648 shapes, not " +
                                      std::to_string(recipe.shapes));
  }
  Scene scene;
  constexpr void (*makers[])(Scene&, const SceneRecipe&) = {make_city, make_cloud, make_mixed,
                                                            make_lattice, make_adversarial};
  makers[static_cast<std::size_t>(kind)](scene, recipe);
  return scene;
}
inline Scene make_scene(SceneKind kind, std::uint64_t shapes, std::uint64_t seed) {
  return make_scene(kind, {shapes, seed});
}

/// The blocks per side of a city of so many shapes.
std::uint64_t city_side(std::uint64_t shapes);
/// The cells per side of a lattice of so many shapes; a cell is 2 wide.
std::uint64_t lattice_side(std::uint64_t shapes);
/// Half the side of the cube that contains most shapes of an adversarial scene of so many.
double adversarial_reach(std::uint64_t shapes);

}  // namespace sightline::gen
