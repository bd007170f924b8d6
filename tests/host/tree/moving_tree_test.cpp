#include "host/tree/moving_tree.hpp"

#include "host/tree/refit.hpp"
#include "tests/host/tree/validate_wide.hpp"
#include "tests/support/answers.hpp"
#include "tests/support/random_scene.hpp"
#include "tests/support/rigid_motion.hpp"

#include <sightline/geometry/shapes/shapes_view.hpp>

#include <gtest/gtest.h>

#include <utility>

namespace sightline::testing {
namespace {

using detail::build_tree;
using detail::bvh_area;
using detail::MovingTree;
using detail::updated;

bool same_nodes(const MovingTree& a, const MovingTree& b) {
  return same_bytes(a.bvh.nodes, b.bvh.nodes);
}

/// Spheres in a row, a unit apart, that change places one for another at random.
Scene row_of_spheres(std::uint64_t seed) {
  std::vector<float> x(500);
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<float>(i);
  Random r(seed);
  for (std::size_t i = x.size(); seed != 0 && i > 1; --i) {
    std::swap(x[i - 1], x[static_cast<std::size_t>(r.below(static_cast<int>(i)))]);
  }
  Scene scene;
  for (const float v : x) scene.add_sphere({{v, 0, 0}, 0.5f});
  return scene;
}

TEST(MovingTree, AutomaticBuildsAnewWhereBoxesHaveGrownTwofold) {
  const Scene built_over = row_of_spheres(0), moved = row_of_spheres(1);
  const MovingTree fresh = build_tree(moved.view()), built = build_tree(built_over.view());
  const double area = bvh_area(built.bvh);

  const MovingTree refitted = updated(built, moved.view(), Update::refit);
  EXPECT_GT(bvh_area(refitted.bvh), 4 * area);
  EXPECT_FALSE(same_nodes(refitted, fresh));
  EXPECT_EQ(refitted.area_when_built, area);
  for (const Update how : {Update::automatic, Update::rebuild}) {
    const MovingTree anew = updated(built, moved.view(), how);
    EXPECT_TRUE(same_nodes(anew, fresh));
    EXPECT_FALSE(anew.area_when_built.has_value());
    // Judged by the tree as built, not by the one before.
    EXPECT_TRUE(same_nodes(updated(refitted, moved.view(), how), fresh));
  }
  // A little movement keeps the tree.
  Scene near = built_over;
  move_shapes(near, 1, 0.1f);
  EXPECT_TRUE(same_nodes(updated(built, near.view(), Update::automatic),
                         updated(built, near.view(), Update::refit)));
  EXPECT_FALSE(same_nodes(updated(built, near.view(), Update::automatic), build_tree(near.view())));
}

TEST(MovingTree, IsGoodWhateverHappens) {
  for (std::uint64_t seed = 1; seed <= 30; ++seed) {
    Scene scene = make_scene(ray_family(seed), static_cast<int>(1 + 31 * seed % 500), seed);
    for (const Update how : {Update::automatic, Update::refit, Update::rebuild}) {
      MovingTree tree = build_tree(scene.view());
      for (const float distance : {0.0f, 1.0f, 300.0f}) {
        move_shapes(scene, seed, distance);
        tree = updated(tree, scene.view(), how);
        ASSERT_EQ(problem_of(tree.bvh, scene.view()), "") << "seed " << seed;
      }
    }
  }
}

TEST(MovingTree, AreaIsOfAllBoxes) {
  Scene scene;
  EXPECT_EQ(bvh_area(build_tree(scene.view()).bvh), 0);
  scene.add_aabb({{0, 0, 0}, {1, 2, 3}});
  EXPECT_EQ(bvh_area(build_tree(scene.view()).bvh), 11);
  scene.add_aabb({{7, 0, 0}, {8, 1, 1}});
  EXPECT_EQ(bvh_area(build_tree(scene.view()).bvh), 14);
}

TEST(MovingTree, BytesAreThoseThatAreAllocated) {
  const Scene scene = make_scene(SceneFamily::city, 3000, 1);
  const std::uint32_t n = scene.view().bounded();
  const MovingTree tree = build_tree(scene.view());
  const std::uint64_t wide = tree.bvh.nodes.size();
  EXPECT_EQ(detail::widening_bytes(n - 1, wide).kept, wide * 224);
  // The nodes beside another order of them; then beside their costs, or choices, numbers and the
  // tree.
  EXPECT_EQ(detail::bvh_bytes(n).kept, (n - 1) * 64u);
  EXPECT_EQ(detail::widening_bytes(n - 1, wide).peak, (n - 1) * 8u + wide * 224);
  EXPECT_EQ(detail::bvh_bytes(n).peak, (n - 1) * 132u);
  EXPECT_EQ(detail::bvh_bytes(1).peak, 64u + 64u);
}

}  // namespace
}  // namespace sightline::testing
