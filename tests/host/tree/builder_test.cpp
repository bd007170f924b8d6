#include "host/tree/builder.hpp"

#include "host/gen/scenes.hpp"
#include "tests/support/random_scene.hpp"
#include "tests/support/scale.hpp"
#include "tests/support/validate_bvh.hpp"

#include <gtest/gtest.h>

#include <tbb/global_control.h>
#include <tbb/task_arena.h>

#include <sightline/error.hpp>
#include <sightline/geometry/shapes/shapes_view.hpp>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <functional>

namespace sightline::testing {
namespace {

using detail::build_bvh;
using detail::Bvh;
using detail::problem_of;

Bvh build_with(int threads, const ShapesView& shapes) {
  const tbb::global_control allow(tbb::global_control::max_allowed_parallelism, 8);
  Bvh bvh;
  tbb::task_arena(threads).execute([&] { bvh = build_bvh(shapes); });
  return bvh;
}

bool same_built_nodes(const Bvh& a, const Bvh& b) {
  return a.nodes.size() == b.nodes.size() &&
         std::memcmp(a.nodes.data(), b.nodes.data(), a.nodes.size() * sizeof(BvhNode)) == 0;
}

int depth_of(const Bvh& bvh, std::uint32_t node = 0) {
  int below = 0;
  for (int k = 0; k < 2; ++k) {
    const BvhChild child = bvh.nodes[node].child[k];
    if (!(child & bvh_leaf_bit)) below = std::max(below, depth_of(bvh, child));
  }
  return below + 1;
}

TEST(Builder, TheTreeDoesNotDependOnThreads) {
  for (const gen::SceneKind kind : {gen::SceneKind::cloud, gen::SceneKind::city,
                                    gen::SceneKind::lattice, gen::SceneKind::adversarial}) {
    const Scene scene = gen::make_scene(kind, std::max<std::uint64_t>(9000, scaled(60000)), 3);
    const Bvh one = build_with(1, scene.view());
    EXPECT_EQ(problem_of(one.view(), scene.view()), "") << gen::name_of(kind);
    for (const int threads : {2, 7}) {
      EXPECT_TRUE(same_built_nodes(one, build_with(threads, scene.view())))
          << gen::name_of(kind) << ", " << threads << " threads";
    }
  }
}

// So many that the first ranges are cut by several threads.
TEST(Builder, ALargeTreeDoesNotDependOnThreads) {
  const Scene scene = gen::make_scene(gen::SceneKind::city, 300000, 4);
  const Bvh one = build_with(1, scene.view());
  EXPECT_EQ(problem_of(one.view(), scene.view()), "");
  EXPECT_TRUE(same_built_nodes(one, build_with(5, scene.view())));
}

TEST(Builder, LeavesKeepTheSignsOfZeros) {
  Scene scene;
  for (int i = 0; i < 30; ++i) {
    const float x = static_cast<float>(i % 5), zero = i % 2 == 0 ? -0.0f : 0.0f;
    scene.add_aabb({{-x, -1, zero}, {zero, 1, -zero}});
  }
  EXPECT_EQ(problem_of(build_bvh(scene.view()).view(), scene.view()), "");
}

TEST(Builder, NoneOneTwoThreeShapes) {
  Scene scene;
  EXPECT_EQ(build_bvh(scene.view()).nodes.size(), 0u);
  scene.add_plane({{0, 0, 1}, 0});
  EXPECT_EQ(build_bvh(scene.view()).nodes.size(), 0u);
  for (const std::size_t nodes : {1u, 1u, 2u, 3u}) {
    scene.add_sphere({{static_cast<float>(scene.size()), 0, 0}, 1});
    const Bvh bvh = build_bvh(scene.view());
    EXPECT_EQ(bvh.nodes.size(), nodes);
    EXPECT_EQ(problem_of(bvh.view(), scene.view()), "");
  }
}

using Place = std::function<Sphere(int i)>;

struct Awkward {
  const char* name;
  int deepest;  ///< that the tree may be
  Place place;
};

// Inputs on which a builder without a bound goes deep, or goes on for ever.
class AwkwardInput : public ::testing::TestWithParam<Awkward> {};

TEST_P(AwkwardInput, GivesAGoodTree) {
  const int n = static_cast<int>(std::max<std::uint64_t>(3000, scaled(30000)));
  Scene scene;
  for (int i = 0; i < n; ++i) scene.add_sphere(GetParam().place(i));
  const Bvh bvh = build_bvh(scene.view());
  EXPECT_EQ(problem_of(bvh.view(), scene.view()), "");
  EXPECT_LE(depth_of(bvh), GetParam().deepest);
}

INSTANTIATE_TEST_SUITE_P(
    Inputs, AwkwardInput,
    ::testing::Values(
        Awkward{"identical", 16,
                [](int) {
                  return Sphere{{1, 2, 3}, 1};
                }},
        // Halves go 15 deep; the larger a box, the nearer to the root reinsertion then moves it.
        Awkward{"concentric", 64,
                [](int i) {
                  return Sphere{{0, 0, 0}, 1 + static_cast<float>(i)};
                }},
        Awkward{"collinear", 64,
                [](int i) {
                  return Sphere{{static_cast<float>(i), 0, 0}, 0};
                }},
        Awkward{"two_places", 16,
                [](int i) {
                  return Sphere{{i % 2 == 0 ? 0.0f : 1e6f, 0, 0}, 1};
                }},
        Awkward{"exponential", 64,
                [](int i) {
                  const float x = std::ldexp(1.0f, i % 170 - 130);
                  return Sphere{{x, i % 3 == 0 ? x : 0, 0}, 0};
                }},
        // Peeled four powers of two at a time along each axis in turn: 140 levels without a bound.
        Awkward{"three_chains", 64,
                [](int i) {
                  const float x = std::ldexp(1.0f, i / 3 % 189 - 149);
                  return Sphere{{i % 3 == 0 ? x : 0, i % 3 == 1 ? x : 0, i % 3 == 2 ? x : 0}, 0};
                }},
        Awkward{"subnormal", 64,
                [](int i) {
                  return Sphere{{float_of(static_cast<std::uint32_t>(i)), 0, 0}, 0};
                }},
        Awkward{"one_far", 64,
                [](int i) {
                  return Sphere{{i == 7 ? domain_limit : 0.0f, 0, 0}, 1};
                }}),
    [](const auto& test) { return test.param.name; });

// A million shapes take seconds, not minutes: nothing is quadratic.
TEST(Builder, IsNotQuadratic) {
  const auto seconds = [](std::uint64_t n) {
    const Scene scene = gen::make_scene(gen::SceneKind::cloud, n, 1);
    scene.view();
    const auto start = std::chrono::steady_clock::now();
    build_bvh(scene.view());
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  };
  const std::uint64_t n = scaled(200000);
  EXPECT_LT(seconds(n), 20 * seconds(std::max<std::uint64_t>(1, n / 4)) + 1.0);
}

class BrokenTree : public ::testing::Test {
 protected:
  BrokenTree() {
    for (int i = 0; i < 40; ++i) scene_.add_sphere({r_.vec(-10, 10), 1});
    bvh_ = build_bvh(scene_.view());
  }
  void expect_problem(const std::string& part) {
    const std::string problem = problem_of(bvh_.view(), scene_.view());
    EXPECT_NE(problem.find(part), std::string::npos) << "'" << problem << "'";
  }
  /// The first child that is a leaf, or an inner node.
  BvhChild& first_child(bool leaf, Aabb** box) {
    for (BvhNode& node : bvh_.nodes) {
      for (int k = 0; k < 2; ++k) {
        if (((node.child[k] & bvh_leaf_bit) != 0) == leaf) {
          *box = &node.bounds[k];
          return node.child[k];
        }
      }
    }
    throw std::logic_error("no such child");
  }

  Random r_{1};
  Scene scene_;
  Bvh bvh_;
  Aabb* box_ = nullptr;
};

TEST_F(BrokenTree, TheWholeOneIsGood) { EXPECT_EQ(problem_of(bvh_.view(), scene_.view()), ""); }
TEST_F(BrokenTree, AShapeTwice) {
  BvhChild& leaf = first_child(true, &box_);
  leaf = (leaf & ~bvh_leaf_bit) == 0 ? bvh_leaf_bit | 1u : leaf - 1;
  *box_ = scene_.view().bounds[leaf & ~bvh_leaf_bit];
  EXPECT_NE(problem_of(bvh_.view(), scene_.view()), "");
}
TEST_F(BrokenTree, AMissingShape) {
  BvhChild& leaf = first_child(true, &box_);
  *box_ = {{infinity, infinity, infinity}, {-infinity, -infinity, -infinity}};
  expect_problem("shape " + std::to_string(leaf & ~bvh_leaf_bit) + " is in no leaf");
}
TEST_F(BrokenTree, AShapePastTheEnd) {
  first_child(true, &box_) = bvh_leaf_bit | 40u;
  expect_problem("shape 40 is past the end");
}
TEST_F(BrokenTree, ALooseLeaf) {
  Scene scene;  // below the root, so that no box is there to reach out of
  for (int i = 0; i < 2; ++i) scene.add_sphere({r_.vec(-10, 10), 1});
  Bvh bvh = build_bvh(scene.view());
  bvh.nodes[0].bounds[0].max.x = next_up(bvh.nodes[0].bounds[0].max.x);
  EXPECT_NE(problem_of(bvh.view(), scene.view()).find("has not its bounds"), std::string::npos);
}
TEST_F(BrokenTree, ABoxTooSmallByAFloat) {
  first_child(false, &box_);
  box_->max.x = next_down(box_->max.x);
  expect_problem("reaches out of its box");
}
TEST_F(BrokenTree, ANaN) {
  first_child(false, &box_);
  box_->min.y = std::nanf("");
  expect_problem("reaches out of its box");
}
TEST_F(BrokenTree, ACycle) {
  first_child(false, &box_) = 0;
  expect_problem("node 0 is reached twice");
}
TEST_F(BrokenTree, ANodePastTheEnd) {
  first_child(false, &box_) = 39;
  expect_problem("node 39 is past the end");
}
TEST_F(BrokenTree, ANodeToSpare) {
  bvh_.nodes.push_back(bvh_.nodes.back());
  expect_problem("node 39 is not reached");
}
TEST_F(BrokenTree, AChainTooDeep) {
  Scene scene;
  for (int i = 0; i < 70; ++i) scene.add_aabb({{0, 0, 0}, {1, 1, 1}});
  const ShapesView shapes = scene.view();
  std::vector<BvhNode> nodes(69);
  for (std::uint32_t i = 0; i < 69; ++i) {
    nodes[i] = {{shapes.bounds[i], shapes.bounds[i]}, {i | bvh_leaf_bit, i + 1}};
  }
  nodes[68].child[1] = 69 | bvh_leaf_bit;
  EXPECT_NE(problem_of({nodes.data(), 69}, shapes).find("too deep"), std::string::npos);
}

}  // namespace
}  // namespace sightline::testing
