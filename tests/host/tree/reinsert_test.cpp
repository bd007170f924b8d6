#include "host/tree/reinsert.hpp"

#include "host/gen/scenes.hpp"
#include "host/tree/refit.hpp"
#include "tests/host/tree/careless_tree.hpp"
#include "tests/support/random_scene.hpp"
#include "tests/support/validate_bvh.hpp"

#include <sightline/geometry/shapes/shapes_view.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>

namespace sightline::testing {
namespace {

using detail::build_bvh;
using detail::Bvh;
using detail::bvh_area;
using detail::problem_of;
using detail::reinsert;

/// Nodes on the longest path; numbers every node by the way, the left subtree before the right one.
int depth_of(const Bvh& bvh, std::uint32_t node, std::uint32_t& next, bool& in_order) {
  in_order = in_order && node == next;
  ++next;
  int below = 0;
  for (const BvhChild child : bvh.nodes[node].child) {
    if (child & bvh_leaf_bit) continue;
    below = std::max(below, depth_of(bvh, child, next, in_order));
  }
  return below + 1;
}

TEST(Reinsert, MakesCarelessTreesMuchBetter) {
  double before = 0, after = 0;
  for (std::uint64_t seed = 1; seed <= 120; ++seed) {
    const Scene scene = make_scene(ray_family(seed), 3 + static_cast<int>(seed), seed);
    const ShapesView shapes = scene.view();
    if (shapes.bounded() < 3) continue;
    Bvh bvh = careless_tree(shapes, seed);
    const double area = bvh_area(bvh);
    const int depth = reinsert(bvh.nodes);
    EXPECT_LE(bvh_area(bvh), area * 1.00001) << "seed " << seed;
    if (ray_family(seed) != SceneFamily::adversarial) {
      before += 1;
      after += bvh_area(bvh) / area;
    }
    bool in_order = true;
    std::uint32_t next = 0;
    const int deepest = depth_of(bvh, 0, next, in_order);
    if (depth == 0) continue;  // nothing was moved
    EXPECT_EQ(depth, deepest) << "seed " << seed;
    EXPECT_TRUE(in_order) << "seed " << seed;
    if (depth <= bvh_max_depth) {
      EXPECT_EQ(problem_of(bvh.view(), shapes), "") << "seed " << seed;
    }
  }
  EXPECT_LT(after, 0.7 * before);
}

TEST(Reinsert, KeepsTheBoxesExact) {
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    const Scene scene = make_scene(ray_family(seed), 200, seed);
    Bvh bvh = careless_tree(scene.view(), seed);
    reinsert(bvh.nodes);
    const Bvh before = bvh;
    refit_bvh(bvh, scene.view());
    for (std::size_t i = 0; i < bvh.nodes.size(); ++i) {
      for (int k = 0; k < 2; ++k) {
        const Aabb &a = bvh.nodes[i].bounds[k], &b = before.nodes[i].bounds[k];
        ASSERT_TRUE(a.min.x == b.min.x && a.min.y == b.min.y && a.min.z == b.min.z &&
                    a.max.x == b.max.x && a.max.y == b.max.y && a.max.z == b.max.z)
            << "seed " << seed << ", node " << i;
      }
    }
  }
}

// Two rows of small boxes far apart, each with one box that the tree has put in the other row.
TEST(Reinsert, BringsHomeWhatIsAstray) {
  Scene scene;
  for (int i = 0; i < 8; ++i) {
    const float x = static_cast<float>(i), y = i == 3 || (i >= 4 && i != 7) ? 1000.0f : 0.0f;
    scene.add_aabb({{x, y, 0}, {x + 1, y + 1, 1}});
  }
  const ShapesView shapes = scene.view();
  Bvh bvh;
  bvh.nodes.resize(7);
  // Nodes 3 to 6 over two shapes each, 1 and 2 over two of those.
  const std::uint32_t children[7][2] = {{1, 2}, {3, 4}, {5, 6}, {}, {}, {}, {}};
  for (std::uint32_t i = 7; i-- > 0;) {
    BvhNode& node = bvh.nodes[i];
    std::memset(static_cast<void*>(&node), 0, sizeof(node));
    for (std::uint32_t k = 0; k < 2; ++k) {
      const std::uint32_t id = 2 * (i - 3) + k, child = children[i][k];
      node.child[k] = i >= 3 ? id | bvh_leaf_bit : child;
      node.bounds[k] = i >= 3 ? shapes.bounds[id]
                              : unite(bvh.nodes[child].bounds[0], bvh.nodes[child].bounds[1]);
    }
  }
  ASSERT_EQ(problem_of(bvh.view(), shapes), "");
  EXPECT_GT(bvh_area(bvh), 10000);
  EXPECT_GT(reinsert(bvh.nodes), 0);
  EXPECT_EQ(problem_of(bvh.view(), shapes), "");
  EXPECT_LT(bvh_area(bvh), 200);
}

TEST(Reinsert, LeavesAGoodTreeAlone) {
  Scene row;
  for (int i = 0; i < 64; ++i) {
    const float x = static_cast<float>(2 * i);
    row.add_aabb({{x, 0, 0}, {x + 1, 1, 1}});
  }
  Bvh bvh = build_bvh(row.view());
  const Bvh before = bvh;
  EXPECT_EQ(reinsert(bvh.nodes), 0);
  EXPECT_EQ(std::memcmp(bvh.nodes.data(), before.nodes.data(), 63 * sizeof(BvhNode)), 0);
}

// What the surface area heuristic cannot do by itself: beams as long as the scene among grains.
// The builder has reinserted, so that another time gains little.
TEST(Reinsert, IsPartOfTheBuilder) {
  const Scene scene = gen::make_scene(gen::SceneKind::mixed, 20000, 1);
  Bvh bvh = build_bvh(scene.view());
  const double area = bvh_area(bvh);
  reinsert(bvh.nodes);
  EXPECT_GT(bvh_area(bvh), 0.9 * area);
}

// Chains of powers of two along the axes, of which the builder makes trees as deep as may be:
// moving a node might make them deeper.
TEST(Reinsert, TheBuilderStillGoesNotTooDeep) {
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    Random r(seed);
    Scene scene;
    const int n = 60 + r.below(1000);
    for (int i = 0; i < n; ++i) {
      const float x = r.power_of_two(-149, 39);
      const Vec3 at = {i % 3 == 0 ? x : 0, i % 3 == 1 ? x : 0, i % 3 == 2 ? x : 0};
      if (r.one_in(3)) {
        scene.add_aabb({{0, 0, 0}, at});
      } else {
        scene.add_sphere({at, r.one_in(2) ? 0 : x / 4});
      }
    }
    ASSERT_EQ(problem_of(build_bvh(scene.view()).view(), scene.view()), "") << "seed " << seed;
  }
}

}  // namespace
}  // namespace sightline::testing
