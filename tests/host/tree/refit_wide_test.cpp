#include "host/tree/refit.hpp"
#include "tests/host/tree/validate_wide.hpp"
#include "tests/support/random_scene.hpp"
#include "tests/support/rigid_motion.hpp"

#include <sightline/geometry/shapes/shapes_view.hpp>

#include <gtest/gtest.h>

namespace sightline::testing {
namespace {

using detail::build_bvh;
using detail::problem_of;
using detail::WideBvh;
using detail::widen;
using detail::WideNode;

/// Zeros of both signs are equal.
bool same_planes(const WideBvh& a, const WideBvh& b) {
  if (a.nodes.size() != b.nodes.size()) return false;
  for (std::size_t i = 0; i < a.nodes.size(); ++i) {
    const WideNode &x = a.nodes[i], &y = b.nodes[i];
    for (int slot = 0; slot < detail::wide_width; ++slot) {
      if (x.child[slot] != y.child[slot]) return false;
      for (int axis = 0; axis < 3; ++axis) {
        if (x.low[axis][slot] != y.low[axis][slot]) return false;
        if (x.high[axis][slot] != y.high[axis][slot]) return false;
      }
    }
  }
  return true;
}

TEST(RefitWide, MakesExactlyTheBoxesThatFit) {
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    Scene scene = make_scene(ray_family(seed), static_cast<int>(seed * seed * 3), seed);
    const WideBvh built = widen(build_bvh(scene.view()).view());
    WideBvh tree = built;
    detail::refit_bvh(tree, scene.view());
    EXPECT_TRUE(same_planes(built, tree)) << "nothing has moved, seed " << seed;

    const Scene before = scene;
    move_shapes(scene, seed, 30);
    detail::refit_bvh(tree, scene.view());
    EXPECT_EQ(problem_of(tree, scene.view()), "") << "seed " << seed;
    // No box is larger than it must be: back again, the tree is as it was.
    detail::refit_bvh(tree, before.view());
    EXPECT_TRUE(same_planes(built, tree)) << "moved back, seed " << seed;
  }
}

TEST(RefitWide, OfNoShapesAndOfOne) {
  Scene scene;
  WideBvh none = widen(build_bvh(scene.view()).view());
  detail::refit_bvh(none, scene.view());
  EXPECT_TRUE(none.nodes.empty());
  scene.add_aabb({{0, 0, 0}, {1, 2, 3}});
  WideBvh one = widen(build_bvh(scene.view()).view());
  scene.set<Aabb>(0, {{5, 5, 5}, {6, 6, 6}});
  detail::refit_bvh(one, scene.view());
  EXPECT_EQ(problem_of(one, scene.view()), "");
}

}  // namespace
}  // namespace sightline::testing
