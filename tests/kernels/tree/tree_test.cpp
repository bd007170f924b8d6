// The trees of few shapes, of shapes in another order, and by rounds; the sum of their boxes.
// hploc_test.cpp has all others.
#include "host/gen/scenes.hpp"
#include "host/tree/refit.hpp"
#include "tests/kernels/tree/awkward.hpp"
#include "tests/kernels/tree/check_tree.hpp"
#include "tests/support/random_scene.hpp"
#include "tests/support/scale.hpp"

#include <sightline/error.hpp>
#include <sightline/geometry/shapes/shapes_view.hpp>

#include <gtest/gtest.h>

#include <cstring>
#include <string>

namespace sightline::testing {
namespace {

TEST(Tree, BothThrustsAreHere) {
  if (cccl == nullptr) GTEST_SKIP() << "the CUDA toolkit's Thrust is not on this machine";
  EXPECT_NE(packaged_thrust.version, cccl->version);
}

TEST(Tree, NoneOneTwoThreeShapes) {
  Scene scene;
  check_trees(scene, "empty");
  scene.add_plane({{0, 0, 1}, 0});
  EXPECT_EQ(check_trees(scene, "plane").rounds.count, 0);
  for (const std::size_t nodes : {1u, 1u, 2u, 3u, 4u}) {
    scene.add_sphere({{static_cast<float>(scene.size()), 0, 0}, 1});
    const std::string name = std::to_string(scene.view().bounded()) + " shapes";
    EXPECT_EQ(check_trees(scene, name).bvh.nodes.size(), nodes);
  }
}

// What H-PLOC is held to.
TEST(Tree, RoundsMakeTreesOfAllShapes) {
  const auto expect_tree = [](const Scene& scene, const std::string& name) {
    EXPECT_EQ(problem_of(build_by_rounds(scene.view()), scene.view()), "") << name;
  };
  for (const SceneFamily family : ray_families) {
    expect_tree(make_scene(family, 500, 1), name_of(family));
  }
  for (const Awkward& awkward : every_awkward()) {
    expect_tree(make_scene(awkward, 20000), awkward.name);
  }
}

// The order in which shapes are added may show where codes are equal, and only there.
TEST(Tree, IsOfTheShapesAndNotOfTheirOrder) {
  const Scene scene = gen::make_scene(gen::SceneKind::cloud, 3000, 5);
  const Tree a = build_tree(scene.view()), b = build_tree(shuffled(scene, 6).view());
  EXPECT_EQ(std::memcmp(&a.rounds, &b.rounds, sizeof a.rounds), 0);
  for (std::size_t i = 0; i < a.bvh.nodes.size(); ++i) {
    ASSERT_EQ(std::memcmp(a.bvh.nodes[i].bounds, b.bvh.nodes[i].bounds, 2 * sizeof(Aabb)), 0) << i;
  }
}

TEST(TreeArea, IsTheHostsUpToTheOrderOfTheSum) {
  Scene one;  // whose only node lacks a child
  one.add_aabb({{0, 0, 0}, {1, 2, 3}});
  for (const Scene& scene : {one, gen::make_scene(gen::SceneKind::mixed, 5000, 5)}) {
    const Tree tree = build_tree(scene.view());
    for (const Thrust* thrust : every_thrust()) {
      for (const System system : every_system) {
        CountedScratch scratch;
        const double area = thrust->tree_area(system, tree.bvh, scratch.get());
        EXPECT_NEAR(area / detail::bvh_area(tree.bvh), 1, 1e-12) << name_of(system);
      }
    }
  }
}

}  // namespace
}  // namespace sightline::testing
