// What traversal of wide trees costs, counted: steps of a warp, and how many of its lanes work in
// them. The figures are the same on every machine; who changes them says so here.
#include "host/gen/rays.hpp"
#include "host/gen/scenes.hpp"
#include "tests/kernels/kernels_test.hpp"
#include "tests/standin/emulate_sight.hpp"

#include <sightline/geometry/shapes/shapes_view.hpp>

#include <gtest/gtest.h>

#include <cstdio>

namespace sightline::testing {
namespace {

using standin::Steps;

template <class Job>
Steps steps_of(const Job& job) {
  Steps steps;
  standin::emulate(job, {&steps});
  return steps;
}

/// Tests of a lane for each ray, and the part of the lanes that work while a warp makes them.
struct Figures {
  double nodes, node_lanes, leaves, leaf_lanes;
};

Figures measure(const TreeScene& scene, const gen::RaySet& set, bool any,
                kernels::Schedule schedule = {}) {
  kernels::DeviceScene view = scene.view(Way::tree);
  schedule.enough_batches = 1;
  view.schedule = schedule;
  const RaysView rays = set.view();
  std::vector<std::uint32_t> blocked(kernels::bit_words32(rays.count)), id(rays.count);
  HitsView hits;
  hits.id = id.data();
  const Steps s = any ? steps_of(kernels::AnyHitJob{view, rays, blocked.data()})
                      : steps_of(kernels::ClosestHitJob{view, rays, hits});
  const auto ratio = [](std::uint64_t a, std::uint64_t b) {
    return static_cast<double>(a) / static_cast<double>(b);
  };
  return {ratio(s.node_lanes, rays.count), ratio(s.node_lanes, 32 * s.nodes),
          ratio(s.leaf_lanes, rays.count), ratio(s.leaf_lanes, 32 * s.leaves)};
}

/// With the tree that the device builds.
TreeScene scene_of(gen::SceneKind kind) {
  Scene scene = gen::make_scene(kind, 20000, 1);
  detail::Bvh tree = build_tree(scene.view()).bvh;
  return TreeScene(std::move(scene), std::move(tree));
}

struct Expected {
  gen::RayKind rays;
  Figures figures;
};

void expect_figures(gen::SceneKind kind, std::initializer_list<Expected> rows) {
  const TreeScene scene = scene_of(kind);
  for (const Expected& row : rows) {
    const gen::RaySet rays = gen::make_rays(row.rays, scene.scene, kind, 4096, 5);
    const Figures f = measure(scene, rays, row.rays == gen::RayKind::los);
    std::printf("%s, %s: {%.2f, %.3f, %.2f, %.3f}\n", gen::name_of(kind).data(),
                gen::name_of(row.rays).data(), f.nodes, f.node_lanes, f.leaves, f.leaf_lanes);
    const auto near = [&](double is, double was, const char* what) {
      EXPECT_NEAR(is, was, 0.01 * was + 0.005)
          << what << ", " << gen::name_of(kind) << ", " << gen::name_of(row.rays);
    };
    near(f.nodes, row.figures.nodes, "nodes");
    near(f.node_lanes, row.figures.node_lanes, "lanes that test nodes");
    near(f.leaves, row.figures.leaves, "leaves");
    near(f.leaf_lanes, row.figures.leaf_lanes, "lanes that test leaves");
  }
}

constexpr gen::RayKind incoherent = gen::RayKind::incoherent, los = gen::RayKind::los;

TEST(Steps, OfTheCity) {
  expect_figures(gen::SceneKind::city,
                 {{incoherent, {8.99, 0.807, 1.02, 0.410}}, {los, {9.78, 0.799, 0.73, 0.412}}});
}
TEST(Steps, OfTheCloud) {
  expect_figures(gen::SceneKind::cloud,
                 {{incoherent, {22.16, 0.782, 1.34, 0.386}}, {los, {15.96, 0.805, 0.73, 0.381}}});
}
TEST(Steps, OfTheMixedScene) {
  expect_figures(gen::SceneKind::mixed,
                 {{incoherent, {25.31, 0.806, 3.09, 0.407}}, {los, {17.35, 0.823, 1.93, 0.410}}});
}

// What refill and postponing are for: without either, two thirds of the lanes stand by.
TEST(Steps, RefillAndPostponedLeavesKeepLanesBusy) {
  const TreeScene scene = scene_of(gen::SceneKind::cloud);
  const gen::RaySet rays = gen::make_rays(los, scene.scene, gen::SceneKind::cloud, 4096, 5);
  const Figures neither = measure(scene, rays, true, {32, 1});
  const Figures refill = measure(scene, rays, true, {8, 1});
  const Figures both = measure(scene, rays, true);
  EXPECT_LT(neither.node_lanes, 0.5);
  EXPECT_GT(refill.node_lanes, 0.8);
  EXPECT_GT(both.node_lanes, 0.75);
  EXPECT_LT(refill.leaf_lanes, 0.1);
  EXPECT_GT(both.leaf_lanes, 0.33);
}

/// A tree as deep as may be: every node of a chain has the next one and a bush of 16 leaves.
detail::Bvh deep_tree(const ShapesView& shapes) {
  constexpr std::uint32_t bush = 16;
  detail::Bvh tree;
  const std::uint32_t n = shapes.bounded(), links = n / bush - 1;
  // Nodes [first, first + count - 1) over shapes [shape, shape + count), halved.
  const auto build = [&](const auto& self, std::uint32_t shape, std::uint32_t count) -> BvhChild {
    if (count == 1) return shape | bvh_leaf_bit;
    const auto at = static_cast<BvhChild>(tree.nodes.size());
    tree.nodes.emplace_back();
    const BvhChild left = self(self, shape, count / 2);
    const BvhChild right = self(self, shape + count / 2, count - count / 2);
    tree.nodes[at] = {{shapes.bounds[0], shapes.bounds[0]}, {left, right}};
    return at;
  };
  for (std::uint32_t k = 0; k < links; ++k) {
    const auto at = tree.nodes.size();
    tree.nodes.emplace_back();
    const BvhChild side = build(build, k * bush, bush);
    const auto next = static_cast<BvhChild>(tree.nodes.size());
    tree.nodes[at] = {{shapes.bounds[0], shapes.bounds[0]}, {next, side}};
  }
  build(build, links * bush, n - links * bush);
  return tree;
}

// Boxes that a ray sees around balls that it misses: nothing is culled, and every level leaves an
// entry.
TEST(Steps, DeepTreesFillTheStackAndAnswerAsTheReference) {
  Scene balls;
  for (int i = 0; i < 58 * 16; ++i) balls.add_sphere({{0, 0, 0}, i % 37 == 5 ? 1.4f : 1.5f});
  detail::Bvh tree = deep_tree(balls.view());
  const TreeScene scene(std::move(balls), std::move(tree));
  gen::RaySet set;
  for (int i = 0; i < 64; ++i) {
    const float x = i % 4 == 0 ? 0.5f : 1.2f + 0.001f * static_cast<float>(i);
    set.origin.push_back({x, 1.3f, -10});
    set.direction.push_back({0, 0, 1});
  }
  std::vector<std::uint32_t> expected(set.origin.size());
  HitsView hits;
  Caster(scene.scene, ReferenceOptions{}).closest_hit(set.view(), {.id = expected});
  std::vector<std::uint32_t> id(expected.size());
  hits.id = id.data();
  const Steps s = steps_of(kernels::ClosestHitJob{scene.view(Way::tree), set.view(), hits});
  EXPECT_GT(s.depth, 12);
  EXPECT_LE(s.depth, bvh_max_depth);
  EXPECT_EQ(id, expected);
}

// The same, of balls of which one alone is hit: none of the nodes that wait may be lost.
TEST(Steps, DeepTreesLoseNoEntry) {
  for (int hit = 3; hit < 58 * 16; hit += 16) {
    Scene balls;
    for (int i = 0; i < 58 * 16; ++i) balls.add_sphere({{0, 0, 0}, i == hit ? 1.5f : 1.38f});
    detail::Bvh tree = deep_tree(balls.view());
    const TreeScene scene(std::move(balls), std::move(tree));
    const gen::RaySet set{{{0.5f, 1.3f, -10}}, {{0, 0, 1}}};
    std::uint32_t id = none;
    HitsView hits;
    hits.id = &id;
    steps_of(kernels::ClosestHitJob{scene.view(Way::tree), set.view(), hits});
    EXPECT_EQ(id, static_cast<std::uint32_t>(hit));
  }
}

// From nodes that are around no target, and so deep that most of the stack is in local memory.
TEST(Steps, ClimbsFromAnyNodeMissNothing) {
  Scene balls;
  for (int i = 0; i < 58 * 16; ++i) balls.add_sphere({{0, 0, 0}, i % 37 == 5 ? 1.4f : 1.5f});
  detail::Bvh tree = deep_tree(balls.view());
  const TreeScene scene(std::move(balls), std::move(tree));
  std::vector<SightPoint> from, to;
  for (int i = 0; i < 64; ++i) {
    const float x = i % 4 == 0 ? 0.5f : 1.2f + 0.001f * static_cast<float>(i);
    from.push_back({{x, 1.3f, -10}});
    to.push_back({{x, 1.3f, 10}});
  }
  kernels::SightJob job{scene.view(Way::tree), rows_of(from), rows_of(to)};
  job.row_words = 2;
  const std::vector<std::uint32_t> expected = truth_of(scene, job, from.size());
  std::vector<std::uint32_t> nodes(to.size()), bits(expected.size());
  for (std::uint32_t k = 0; k < 64; ++k) nodes[k] = k * 5 % scene.wide.node_count;
  job.target_nodes = nodes.data();
  job.bits = bits.data();
  const Steps s = steps_of(job);
  EXPECT_EQ(bits, expected);
  EXPECT_GT(s.depth, 12);
  EXPECT_LE(s.depth, bvh_max_depth);
}

}  // namespace
}  // namespace sightline::testing
