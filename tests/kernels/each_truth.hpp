// Rays and shapes one to one, and what the public cast() says of them.
#pragma once

#include "tests/support/random_scene.hpp"

#include <vector>

namespace sightline::testing {

/// Shapes of every kind, each with a ray meant for it, and the answers.
struct EachTruth {
  Scene scene;
  std::vector<Ray> rays;
  std::vector<std::vector<Hit>> hits;  ///< by policy, ray

  explicit EachTruth(std::uint64_t seed, int of_each) {
    Random r(seed);
    for (int i = 0; i < of_each; ++i) add(random_pair<Aabb>(r), &Scene::add_aabb);
    for (int i = 0; i < of_each; ++i) {
      const Pair<Sphere> p = random_pair<Sphere>(r);
      const float half = std::sqrt(0.5f);
      const Quat turn = r.one_in(2) ? Quat{0, half, 0, half} : Quat{0.36f, 0.48f, 0, 0.8f};
      add(Pair<Obb>{{p.shape.center, times(r.vec(0.2f, 1), p.shape.radius), turn}, p.ray},
          &Scene::add_obb);
    }
    for (int i = 0; i < of_each; ++i) add(random_pair<Sphere>(r), &Scene::add_sphere);
    for (int i = 0; i < of_each; ++i) add(random_pair<Capsule>(r), &Scene::add_capsule);
    for (int i = 0; i < of_each; ++i) add(random_pair<Plane>(r), &Scene::add_plane);
    rays[rays.size() / 2].t_min = -1;
    const ShapesView shapes = scene.view();
    for (const Inside inside : every_policy) {
      hits.emplace_back();
      for (std::uint32_t id = 0; id < shapes.size(); ++id) {
        Hit hit = shapes.visit(id, [&](const auto& s) { return cast(rays[id], s, inside); });
        if (is_hit(hit)) hit.id = id;
        hits.back().push_back(hit);
      }
    }
  }

 private:
  template <class Shape, class Add>
  void add(const Pair<Shape>& p, Add add_shape) {
    (scene.*add_shape)(p.shape, {0, 1, 0});  // masks and groups play no part
    rays.push_back(p.ray);
  }
};

}  // namespace sightline::testing
