#include "host/gen/scenes.hpp"
#include "tests/host/tree/careless_tree.hpp"
#include "tests/host/tree/validate_wide.hpp"
#include "tests/support/random_scene.hpp"
#include "tests/support/scale.hpp"
#include "tests/support/validate_bvh.hpp"

#include <sightline/geometry/shapes/shapes_view.hpp>

#include <gtest/gtest.h>

#include <tbb/global_control.h>
#include <tbb/task_arena.h>

#include <cstring>

namespace sightline::testing {
namespace {

using detail::build_bvh;
using detail::Bvh;
using detail::problem_of;
using detail::WideBvh;
using detail::widen;

bool same_nodes(const WideBvh& a, const WideBvh& b) {
  return a.depth == b.depth && a.nodes.size() == b.nodes.size() &&
         std::memcmp(a.nodes.data(), b.nodes.data(), a.nodes.size() * sizeof(detail::WideNode)) ==
             0;
}

TEST(Widen, GivesAGoodTreeOverFewShapes) {
  for (const SceneFamily family : ray_families) {
    for (int n = 1; n <= 80; ++n) {
      const Scene scene = make_scene(family, n, static_cast<std::uint64_t>(n));
      const WideBvh wide = widen(build_bvh(scene.view()).view());
      ASSERT_EQ(problem_of(wide, scene.view()), "") << name_of(family) << ", " << n << " shapes";
      // Up to eight fit one node, and every node but the root takes one place and gives two.
      const std::uint32_t bounded = scene.view().bounded();
      if (bounded == 0) {
        ASSERT_EQ(wide.nodes.size(), 0u);
        ASSERT_EQ(wide.depth, 0);
      } else if (bounded <= 8) {
        ASSERT_EQ(wide.nodes.size(), 1u);
        ASSERT_EQ(wide.depth, 1);
      } else {
        ASSERT_LT(wide.nodes.size(), bounded / 2 + 1);
      }
    }
  }
}

TEST(Widen, OverNoShapesThereAreNoNodes) {
  Scene scene;
  EXPECT_TRUE(widen(build_bvh(scene.view()).view()).nodes.empty());
  EXPECT_EQ(problem_of(WideBvh{}, scene.view()), "");
  scene.add_plane({{0, 0, 1}, 0});
  EXPECT_TRUE(widen(build_bvh(scene.view()).view()).nodes.empty());
  scene.add_sphere({{0, 0, 0}, 1});
  EXPECT_EQ(problem_of(WideBvh{}, scene.view()), "shape 0 is in no leaf");
}

TEST(Widen, GivesAGoodTreeOverManyAndTheSameWithAnyThreads) {
  const tbb::global_control allow(tbb::global_control::max_allowed_parallelism, 8);
  for (const std::string_view kind : gen::scene_kind_names) {
    const Scene scene =
        gen::make_scene(*gen::scene_kind(kind), std::max<std::uint64_t>(9000, scaled(60000)), 3);
    const Bvh bvh = build_bvh(scene.view());
    WideBvh one, many;
    tbb::task_arena(1).execute([&] { one = widen(bvh.view()); });
    EXPECT_EQ(problem_of(one, scene.view()), "") << kind;
    EXPECT_LT(one.nodes.size(), scene.size() / 2) << kind;
    for (const int threads : {2, 7}) {
      tbb::task_arena(threads).execute([&] { many = widen(bvh.view()); });
      EXPECT_TRUE(same_nodes(one, many)) << kind << ", " << threads << " threads";
    }
  }
}

TEST(Widen, PutsShapesBeforeNodesAndLargeBoxesFirst) {
  const Scene scene = make_scene(SceneFamily::random, 500, 1);
  const WideBvh wide = widen(build_bvh(scene.view()).view());
  for (const detail::WideNode& node : wide.nodes) {
    for (int slot = 1; slot < detail::wide_width && node.low[0][slot] < infinity; ++slot) {
      const auto area = [&](int k) {
        return half_area({{node.low[0][k], node.low[1][k], node.low[2][k]},
                          {node.high[0][k], node.high[1][k], node.high[2][k]}});
      };
      const bool leaf = (node.child[slot] & bvh_leaf_bit) != 0;
      const bool leaf_before = (node.child[slot - 1] & bvh_leaf_bit) != 0;
      ASSERT_TRUE(leaf_before || !leaf);
      if (leaf == leaf_before) {
        ASSERT_GE(area(slot - 1), area(slot));
      }
    }
  }
}

TEST(Widen, TakesTheTreeOfAnyBuilder) {
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    const Scene scene = make_scene(ray_family(seed), static_cast<int>(seed * 2), seed);
    const ShapesView shapes = scene.view();
    if (shapes.bounded() < 2) continue;
    const Bvh careless = careless_tree(shapes, seed);
    if (problem_of(careless.view(), shapes).find("too deep") != std::string::npos) continue;
    ASSERT_EQ(problem_of(careless.view(), shapes), "") << "seed " << seed;
    ASSERT_EQ(problem_of(widen(careless.view()), shapes), "") << "seed " << seed;
  }
}

TEST(Widen, LeavesOutMissingChildren) {
  Scene scene;
  for (int i = 0; i < 3; ++i) scene.add_sphere({{static_cast<float>(3 * i), 0, 0}, 1});
  const ShapesView shapes = scene.view();
  const Aabb* box = shapes.bounds;
  // The first children of both nodes are missing, and the root's is named like an inner node.
  const BvhNode nodes[] = {
      {{empty_aabb(), unite(unite(box[0], box[1]), box[2])}, {0, 1}},
      {{unite(box[0], box[1]), box[2]}, {2, 2 | bvh_leaf_bit}},
      {{box[0], box[1]}, {0 | bvh_leaf_bit, 1 | bvh_leaf_bit}},
  };
  const WideBvh wide = widen({nodes, 3});
  EXPECT_EQ(problem_of(wide, shapes), "");
  EXPECT_EQ(wide.nodes.size(), 1u);
}

// A chain of 64 nodes, the longest that a tree may hold, and each has a leaf beside the next one.
TEST(Widen, OfAChain) {
  Scene scene;
  for (int i = 0; i < 65; ++i) scene.add_aabb({{0, 0, 0}, {1, 1, 1}});
  const ShapesView shapes = scene.view();
  std::vector<BvhNode> nodes(64);
  for (std::uint32_t i = 0; i < 64; ++i) {
    nodes[i] = {{shapes.bounds[i], shapes.bounds[i]}, {i | bvh_leaf_bit, i + 1}};
  }
  nodes[63].child[1] = 64 | bvh_leaf_bit;
  ASSERT_EQ(problem_of({nodes.data(), 64}, shapes), "");
  const WideBvh wide = widen({nodes.data(), 64});
  EXPECT_EQ(problem_of(wide, shapes), "");
  // Seven leaves and the rest of the chain a node, and eight leaves in the last.
  EXPECT_EQ(wide.nodes.size(), 10u);
  EXPECT_EQ(wide.depth, 10);
}

}  // namespace
}  // namespace sightline::testing
