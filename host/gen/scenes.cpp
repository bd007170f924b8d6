#include "host/gen/scenes.hpp"

#include "host/gen/makers.hpp"

#include <string>

namespace sightline::gen {

std::optional<SceneKind> scene_kind(std::string_view name) {
  for (std::size_t k = 0; k < scene_kind_names.size(); ++k) {
    if (scene_kind_names[k] == name) return static_cast<SceneKind>(k);
  }
  return std::nullopt;
}

std::string_view name_of(SceneKind kind) {
  return scene_kind_names[static_cast<std::size_t>(kind)];
}

Scene make_scene(SceneKind kind, std::uint64_t shapes, std::uint64_t seed) {
  if (shapes == 0 || shapes >= none) {
    throw Error(ErrorKind::usage,
                "a generated scene holds 1 to 4294967294 shapes, not " + std::to_string(shapes));
  }
  Scene scene;
  switch (kind) {
    case SceneKind::city:
      make_city(scene, shapes, seed);
      break;
    case SceneKind::cloud:
      make_cloud(scene, shapes, seed);
      break;
    case SceneKind::mixed:
      make_mixed(scene, shapes, seed);
      break;
    case SceneKind::lattice:
      make_lattice(scene, shapes, seed);
      break;
    case SceneKind::adversarial:
      make_adversarial(scene, shapes, seed);
      break;
  }
  return scene;
}

}  // namespace sightline::gen
