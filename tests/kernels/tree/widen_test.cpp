// Wide trees made of binary ones: every shape once, boxes that hold what lies below, the same
// bytes on every system.
#include "host/gen/scenes.hpp"
#include "tests/kernels/tree/awkward.hpp"
#include "tests/kernels/tree/check_wide.hpp"
#include "tests/support/answers.hpp"
#include "tests/support/random_scene.hpp"
#include "tests/support/scale.hpp"

#include <sightline/error.hpp>
#include <sightline/geometry/shapes/shapes_view.hpp>

#include <gtest/gtest.h>

namespace sightline::testing {
namespace {

bool same(const WideTree& a, const WideTree& b) {
  return a.node_count == b.node_count && same_bytes(a.nodes, b.nodes) &&
         same_bytes(a.records, b.records) && a.ids == b.ids;
}

/// Widens on every system of every Thrust, and checks the tree.
void check(const Scene& scene, const BvhView& bvh, const std::string& name) {
  const ShapesView shapes = scene.view();
  const WideTree tree = widen(shapes, bvh);
  const WideChecker checker(tree, shapes);
  EXPECT_EQ(checker.problem(), "") << name;
  EXPECT_LE(checker.depth(), bvh_max_depth) << name;
  EXPECT_LE(tree.node_count, kernels::most_wide_nodes(shapes.bounded())) << name;
  for (const Thrust* thrust : every_thrust()) {
    for (const System system : every_system) {
      CountedScratch scratch;
      EXPECT_TRUE(same(tree, thrust->widen(system, shapes, bvh, scratch.get())))
          << name << ", " << name_of(system) << " of Thrust " << thrust->version;
      EXPECT_EQ(scratch.bytes(), 0u) << name << ": memory is kept";
    }
  }
}

void check_both(const Scene& scene, const std::string& name) {
  const Tree fast = build_tree(scene.view());
  const detail::Bvh careful = detail::build_bvh(scene.view());
  for (const BvhView& bvh : {fast.bvh.view(), careful.view()}) {
    check(scene, bvh, name);
  }
}

TEST(Widen, FewShapes) {
  Scene scene;
  check_both(scene, "empty");
  scene.add_plane({{0, 0, 1}, 0});
  check_both(scene, "plane");
  for (int n = 1; n <= 20; ++n) {
    scene.add_sphere({{static_cast<float>(n), 0, 0}, 1});
    check_both(scene, std::to_string(n) + " spheres");
  }
}

TEST(Widen, EveryFamily) {
  for (const SceneFamily family : ray_families) {
    for (std::uint64_t seed = 1; seed <= std::max<std::uint64_t>(2, scaled(16)); ++seed) {
      check_both(make_scene(family, static_cast<int>(1 + seed * 97 % 700), seed),
                 name_of(family) + std::string(", seed ") + std::to_string(seed));
    }
  }
}

TEST(Widen, EveryKindOfScene) {
  for (const gen::SceneKind kind :
       {gen::SceneKind::city, gen::SceneKind::cloud, gen::SceneKind::mixed, gen::SceneKind::lattice,
        gen::SceneKind::adversarial}) {
    const std::uint64_t n = std::max<std::uint64_t>(3000, scaled(30000));
    check_both(gen::make_scene(kind, n, 3), std::string(gen::name_of(kind)));
  }
}

TEST(Widen, AwkwardInputs) {
  for (const Awkward& awkward : every_awkward()) {
    check_both(make_scene(awkward, 3000), awkward.name);
  }
}

// Close to as many nodes as there can be: a full root, whose children hold two leaves each.
TEST(Widen, MakesFewNodesMoreThanHalfTheShapes) {
  constexpr std::uint32_t n = 2 * QuantisedNode::width;
  Scene scene;
  for (std::uint32_t i = 0; i < n; ++i) scene.add_sphere({{static_cast<float>(i), 0, 0}, 1});
  const WideTree wide = widen(scene.view(), build_tree(scene.view()).bvh.view());
  EXPECT_EQ(wide.node_count, n / 2 + 1);
  EXPECT_EQ(kernels::most_wide_nodes(n), n / 2 + 2);
}

TEST(Widen, TakesNoMoreMemoryThanItSays) {
  const Scene scene = gen::make_scene(gen::SceneKind::cloud, 20000, 5);
  const Tree tree = build_tree(scene.view());
  CountedScratch scratch;
  packaged_thrust.widen(System::cpp, scene.view(), tree.bvh.view(), scratch.get());
  EXPECT_LE(scratch.peak_bytes(), 28 * kernels::most_wide_nodes(20000) + 4 * 20000 + 4096);
}

TEST(Widen, AFailingAllocationComesThroughAndKeepsNothing) {
  const Scene scene = gen::make_scene(gen::SceneKind::mixed, 500, 5);
  const Tree tree = build_tree(scene.view());
  const auto run = [&](CountedScratch& scratch) {
    packaged_thrust.widen(System::cpp, scene.view(), tree.bvh.view(), scratch.get());
  };
  CountedScratch all;
  run(all);
  ASSERT_GT(all.calls(), 3u);
  for (std::uint64_t n = 1; n <= all.calls(); ++n) {
    CountedScratch scratch(n);
    EXPECT_THROW(run(scratch), Error) << n;
    EXPECT_EQ(scratch.bytes(), 0u) << n;
  }
}

}  // namespace
}  // namespace sightline::testing
