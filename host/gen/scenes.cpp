#include "host/gen/scenes.hpp"

#include <string>

namespace sightline::gen {

Scene make_scene(SceneKind kind, std::uint64_t shapes, std::uint64_t seed) {
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

}  // namespace sightline::gen
