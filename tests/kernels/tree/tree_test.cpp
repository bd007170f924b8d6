// Every tree that the device's source builds: good, shallow, the same bytes on every system.
#include "host/gen/scenes.hpp"
#include "host/tree/refit.hpp"
#include "tests/kernels/tree/awkward.hpp"
#include "tests/kernels/tree/check_tree.hpp"
#include "tests/support/random_scene.hpp"
#include "tests/support/scale.hpp"

#include <sightline/error.hpp>

#include <gtest/gtest.h>

#include <cstring>
#include <string>

namespace sightline::testing {
namespace {

/// Clusters looked at, round by round, for each shape.
double looks_per_shape(const Tree& tree, std::uint32_t shapes) {
  double looks = 0;
  for (int r = 0; r < tree.rounds.count; ++r) looks += tree.rounds.begin[r] + 1;
  return looks / shapes;
}

/// Of the builder by rounds; hploc_test.cpp has the other.
Tree by_rounds(const Scene& scene, const std::string& name) {
  return check_trees(scene, name, kernels::Builder::ploc);
}

TEST(Tree, BothThrustsAreHere) {
  if (cccl == nullptr) GTEST_SKIP() << "the CUDA toolkit's Thrust is not on this machine";
  EXPECT_NE(packaged_thrust.version, cccl->version);
}

TEST(Tree, NoneOneTwoThreeShapes) {
  Scene scene;
  by_rounds(scene, "empty");
  scene.add_plane({{0, 0, 1}, 0});
  EXPECT_EQ(by_rounds(scene, "plane").rounds.count, 0);
  for (const std::size_t nodes : {1u, 1u, 2u, 3u, 4u}) {
    scene.add_sphere({{static_cast<float>(scene.size()), 0, 0}, 1});
    const std::string name = std::to_string(scene.view().bounded()) + " shapes";
    EXPECT_EQ(by_rounds(scene, name).bvh.nodes.size(), nodes);
  }
}

TEST(Tree, EveryFamily) {
  for (const SceneFamily family : every_family) {
    for (std::uint64_t seed = 1; seed <= std::max<std::uint64_t>(2, scaled(16)); ++seed) {
      const int shapes = static_cast<int>(1 + seed * 97 % 700);
      by_rounds(make_scene(family, shapes, seed),
                name_of(family) + std::string(", seed ") + std::to_string(seed));
    }
  }
}

TEST(Tree, EveryKindOfScene) {
  for (const gen::SceneKind kind :
       {gen::SceneKind::city, gen::SceneKind::cloud, gen::SceneKind::mixed, gen::SceneKind::lattice,
        gen::SceneKind::adversarial}) {
    const Scene scene = gen::make_scene(kind, some(50000, 5000), 3);
    const Tree tree = by_rounds(scene, std::string(gen::name_of(kind)));
    EXPECT_LT(looks_per_shape(tree, scene.view().bounded()), 7) << gen::name_of(kind);
  }
}

TEST(Tree, AwkwardInputsTakeFewRounds) {
  for (const Awkward& awkward : every_awkward()) {
    const std::uint32_t n = 20000;
    const Tree tree = by_rounds(make_scene(awkward, n), awkward.name);
    EXPECT_LE(looks_per_shape(tree, n), 16) << awkward.name;
  }
}

TEST(Tree, EqualBoxesHalveEveryRound) {
  for (const std::uint32_t n : {2u, 3u, 4u, 5u, 100u, 1023u, 1024u, 1025u}) {
    const Tree tree =
        build_tree(make_scene(every_awkward()[0], n).view(), {kernels::Builder::ploc});
    int rounds = 0;
    while ((1u << rounds) < n) ++rounds;
    EXPECT_EQ(tree.rounds.count, rounds) << n;
  }
}

// The order in which shapes are added may show where codes are equal, and only there.
TEST(Tree, IsOfTheShapesAndNotOfTheirOrder) {
  const Scene scene = gen::make_scene(gen::SceneKind::cloud, 3000, 5);
  const Tree a = build_tree(scene.view(), {kernels::Builder::ploc}),
             b = build_tree(shuffled(scene, 6).view(), {kernels::Builder::ploc});
  EXPECT_EQ(std::memcmp(&a.rounds, &b.rounds, sizeof a.rounds), 0);
  for (std::size_t i = 0; i < a.bvh.nodes.size(); ++i) {
    ASSERT_EQ(std::memcmp(a.bvh.nodes[i].bounds, b.bvh.nodes[i].bounds, 2 * sizeof(Aabb)), 0) << i;
  }
}

TEST(Tree, TakesNoMoreMemoryThanItSays) {
  const Scene scene = gen::make_scene(gen::SceneKind::cloud, 20000, 5);
  for (const auto& [builder, bytes] :
       {std::pair{kernels::Builder::ploc, 64u}, {kernels::Builder::hploc, 124u}}) {
    CountedScratch scratch;
    packaged_thrust.build_tree(System::cpp, scene.view(), scratch.get(), {builder});
    EXPECT_LE(scratch.peak_bytes(), bytes * 20000u + 4096) << bytes;
  }
}

TEST(Tree, AFailingAllocationComesThroughAndKeepsNothing) {
  const Scene scene = gen::make_scene(gen::SceneKind::mixed, 500, 5);
  CountedScratch all;
  packaged_thrust.build_tree(System::cpp, scene.view(), all.get(), {});
  ASSERT_GT(all.calls(), 5u);
  for (std::uint64_t n = 1; n <= all.calls(); ++n) {
    CountedScratch scratch(n);
    EXPECT_THROW(packaged_thrust.build_tree(System::cpp, scene.view(), scratch.get(), {}), Error)
        << n;
    EXPECT_EQ(scratch.bytes(), 0u) << n;
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
