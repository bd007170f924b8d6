// Matrices whose rows have an order of their own, and halves of matrices, emulated, against the
// host's functions: the same bits. What blocked a neighbour's sight is tested first.
#include "host/gen/rays.hpp"
#include "host/gen/scenes.hpp"
#include "tests/kernels/kernels_test.hpp"
#include "tests/standin/emulate_sight.hpp"
#include "tests/support/scale.hpp"

#include <gtest/gtest.h>

namespace sightline::testing {
namespace {

using kernels::box_words_of;
using kernels::LowestNodesJob;
using kernels::SelfSightJob;
using kernels::SightJob;
using standin::emulate;
using standin::Steps;

/// The nodes at which walks from the points begin.
std::vector<std::uint32_t> nodes_around(const TreeScene& scene, const PointsView& points,
                                        const std::uint32_t* order) {
  std::vector<std::uint32_t> nodes(points.count, kernels::no_ray);
  emulate(LowestNodesJob{scene.view(Way::tree), points, order, nodes.data()});
  return nodes;
}

// The node on the way down whose children no longer have the point in them.
TEST(SightRows, WalksBeginAtTheLowestNodesAroundTheirPoints) {
  const TreeScene scene(make_scene(SceneFamily::random, 400, 3));
  const auto* const all = scene.wide.nodes.data();
  const auto is_in = [](const Aabb& b, const Vec3& p) {
    return b.min.x <= p.x && p.x <= b.max.x && b.min.y <= p.y && p.y <= b.max.y && b.min.z <= p.z &&
           p.z <= b.max.z;
  };
  std::vector<SightPoint> points = random_points(scene.scene, 500, 4);
  points[7].position.z = std::nanf("");
  points[8].position = {1e30f, 0, 0};
  Random r(5);
  const std::vector<std::uint32_t> order = random_order(points.size(), r);
  const std::vector<std::uint32_t> found = nodes_around(scene, rows_of(points), order.data());
  std::uint64_t below_root = 0;
  for (std::size_t k = 0; k < points.size(); ++k) {
    const Vec3& p = points[order[k]].position;
    const QuantisedNode& node = all[found[k]];
    for (int c = 0; c < node.inner(); ++c) {
      EXPECT_FALSE(is_in(kernels::child_box(node, c), p)) << "point " << order[k];
    }
    for (std::uint32_t n = found[k]; n != 0; n = all[n].seldom.parent) {
      const QuantisedNode& parent = all[all[n].seldom.parent];
      EXPECT_TRUE(is_in(kernels::child_box(parent, static_cast<int>(n - parent.first_child)), p))
          << "point " << order[k];
    }
    below_root += found[k] != 0;
    EXPECT_TRUE(found[k] == 0 || (order[k] != 7 && order[k] != 8));
  }
  EXPECT_GT(below_root, points.size() / 4);
}

// Some rows of more viewpoints, in an order of their own, as the chunks of a sorted set are.
TEST(SightRows, SeeWhatTheHostSees) {
  constexpr std::uint64_t most = 150;
  for (std::uint64_t seed = 1; seed <= std::max<std::uint64_t>(4, scaled(16)); ++seed) {
    const TreeScene scene(make_scene(ray_family(seed), 40 + static_cast<int>(seed), seed));
    std::vector<SightPoint> from = random_points(scene.scene, most, seed + 1);
    std::vector<SightPoint> to = random_points(scene.scene, most, seed + 2);
    const auto view_of = [&](const std::vector<SightPoint>& points) {
      return seed % 2 == 0 ? positions_of(points) : rows_of(points);
    };
    from[17].position.y = to[64].position.x = std::nanf("");
    Random r(seed);
    const std::vector<std::uint32_t> row_order = random_order(most, r);
    for (const std::uint64_t v : {1u, 31u, 32u, 33u, 65u, 131u}) {
      for (const std::uint64_t t : {0u, 1u, 33u, 64u, 130u}) {
        const std::vector<std::uint32_t> order = random_order(t, r);
        const std::uint64_t row_words = kernels::bit_words32(t) + (r.one_in(4) ? 2 : 0);
        SightJob job{{}, view_of(from).slice(0, v), view_of(to).slice(0, t)};
        job.target_order = r.one_in(2) ? order.data() : nullptr;
        job.options = {seed % 5 == 0 ? 12.0f : infinity, seed % 3 == 0 ? 0.02f : 0.0f,
                       every_policy[seed % 3]};
        job.row_words = row_words;
        job.row_order = row_order.data() + r.below(static_cast<int>(most - v));
        const std::vector<std::uint32_t> expected = truth_of(scene, job, v);
        const auto row_nodes = nodes_around(scene, job.viewpoints, job.row_order);
        const auto nodes = nodes_around(scene, job.targets, job.target_order);
        if (!r.one_in(3)) job.viewpoint_nodes = row_nodes.data(), job.target_nodes = nodes.data();
        for (const Way way : every_way) {
          Guarded<std::uint32_t> bits(v * row_words), box_words(box_words_of(v, row_words));
          job.box_words = box_words.data();
          job.scene = scene.view(way, seed + v);
          job.bits = bits.data();
          emulate(job, {nullptr, every_lane_order[seed % 2]});
          ASSERT_TRUE(bits.is(expected))
              << "seed " << seed << ", " << name_of(way) << ", " << v << " x " << t;
        }
      }
    }
  }
}

// More pairs than a batch has: batches that cross the diagonal, lie above it and below it.
TEST(SightRows, TheMirroredUpperHalfIsTheWholeMatrix) {
  const TreeScene scene(make_scene(SceneFamily::random, 60, 3));
  const std::uint64_t n = 301, row_words = kernels::bit_words32(n);
  const std::vector<SightPoint> points = random_points(scene.scene, n, 4);
  for (const PointsView& view : {rows_of(points), positions_of(points)}) {
    SightJob whole{{}, view, view};
    whole.row_words = row_words;
    std::vector<std::uint32_t> expected = truth_of(scene, whole, n);
    expected.resize((n + 31) / 32 * 32 * row_words);
    Guarded<std::uint32_t> bits(expected.size()), box_words(box_words_of(n, row_words));
    const std::vector<std::uint32_t> nodes = nodes_around(scene, view, nullptr);
    SelfSightJob job{scene.view(Way::tree), view,      nullptr,          {},
                     bits.data(),           row_words, box_words.data(), nodes.data()};
    job.scene.schedule.enough_batches = job.scene.schedule.enough_tiles = 1;
    emulate(job);
    EXPECT_TRUE(bits.is(expected));
  }
}

// A wall that blocks every sight, but for viewpoints and targets that it does not count for.
TEST(SightRows, NeighboursBlockersCountOnlyWhereTheyMay) {
  Scene walls;
  walls.add_aabb({{-1, -50, -50}, {1, 50, 50}});
  for (int i = 0; i < 40; ++i) {
    const float x = 20.0f + static_cast<float>(i);
    walls.add_aabb({{x, 90, 90}, {x + 0.5f, 91, 91}});
  }
  const TreeScene scene(std::move(walls));
  std::vector<SightPoint> from, to;
  for (int i = 0; i < 32; ++i) {
    const float y = static_cast<float>(i);
    from.push_back({{-5, y, 0}, 3, i % 3 == 1 ? 0 : none});
    for (int k = 0; k < 3; ++k) {
      to.push_back({{5, y, static_cast<float>(k)}, i % 4 == 2 ? 0u : 1u, i % 5 == 3 ? 0 : none});
    }
  }
  SightJob job{{}, rows_of(from), rows_of(to)};
  job.row_words = kernels::bit_words32(to.size());
  const std::vector<std::uint32_t> expected = truth_of(scene, job, from.size());
  std::uint64_t seen = 0;
  for (const std::uint32_t word : expected) seen += count_ones(word);
  EXPECT_GT(seen, 32u * 96 / 4);
  EXPECT_LT(seen, 32u * 96 * 3 / 4);
  for (const standin::LaneOrder order : every_lane_order) {
    Guarded<std::uint32_t> bits(expected.size());
    job.scene = scene.view(Way::tree);
    job.bits = bits.data();
    emulate(job, {nullptr, order});
    EXPECT_TRUE(bits.is(expected));
  }
}

/// Lanes that test nodes and leaves, a pair, of a matrix and of rays between the same points.
struct Tested {
  double nodes, leaves, rays_nodes, rays_leaves, leaf_lanes;
};
Tested tested(const TreeScene& scene, const std::vector<Vec3>& from, const std::vector<Vec3>& to,
              bool climbs = false) {
  std::vector<SightPoint> viewpoints, targets, ray_from, ray_to;
  for (const Vec3& p : from) viewpoints.push_back({p});
  for (const Vec3& p : to) targets.push_back({p});
  for (const SightPoint& p : viewpoints) {
    for (const SightPoint& q : targets) ray_from.push_back(p), ray_to.push_back(q);
  }
  Steps steps, of_rays;
  SightJob job{scene.view(Way::tree), rows_of(viewpoints), rows_of(targets)};
  job.scene.schedule = {};
  job.scene.schedule.enough_batches = job.scene.schedule.enough_tiles = 1;
  job.row_words = kernels::bit_words32(targets.size());
  std::vector<std::uint32_t> bits(viewpoints.size() * job.row_words);
  job.bits = bits.data();
  const std::vector<std::uint32_t> nodes = nodes_around(scene, job.targets, nullptr);
  if (climbs) job.target_nodes = nodes.data();
  emulate(job, {&steps});
  std::vector<std::uint32_t> of_pairs(kernels::bit_words32(ray_from.size()));
  kernels::SightPairsJob rays{job.scene, rows_of(ray_from), rows_of(ray_to), {}, of_pairs.data()};
  emulate(rays, {&of_rays});
  const auto ratio = [](std::uint64_t a, std::uint64_t b) {
    return static_cast<double>(a) / static_cast<double>(b);
  };
  const std::uint64_t pairs = ray_from.size();
  const Tested t = {ratio(steps.node_lanes, pairs), ratio(steps.leaf_lanes, pairs),
                    ratio(of_rays.node_lanes, pairs), ratio(of_rays.leaf_lanes, pairs),
                    ratio(steps.leaf_lanes, 32 * steps.leaves)};
  std::printf("nodes %.2f, rays' %.2f; leaves %.2f, rays' %.2f; lanes at leaves %.2f\n", t.nodes,
              t.rays_nodes, t.leaves, t.rays_leaves, t.leaf_lanes);
  return t;
}

// Of viewpoints side by side most see a target hidden by the same shape; of those far apart, few
// do, and the test of it is soon given up.
TEST(SightRows, NeighboursBlockersSaveStepsOrAreGivenUp) {
  constexpr gen::SceneKind cloud = gen::SceneKind::cloud;
  const TreeScene scene(gen::make_scene(cloud, 3000, 1));
  const auto points = [&](std::uint64_t n, std::uint64_t seed) {
    return gen::make_rays(gen::RayKind::los, scene.scene, cloud, n, seed).origin;
  };
  std::vector<Vec3> side_by_side(64, points(1, 2)[0]);
  for (std::size_t i = 0; i < 64; ++i) side_by_side[i].x += 0.001f * static_cast<float>(i);
  const Tested near_by = tested(scene, side_by_side, points(256, 1));
  EXPECT_LT(near_by.nodes, 0.6 * near_by.rays_nodes);
  EXPECT_GT(near_by.leaf_lanes, 0.6);
  const Tested apart = tested(scene, points(64, 3), points(256, 1));
  EXPECT_LT(apart.nodes, 1.05 * apart.rays_nodes);
  EXPECT_LT(apart.leaves, 1.15 * apart.rays_leaves);
}

// What hides a target is mostly near it, and then hides it from the next viewpoint as well.
TEST(SightRows, WalksFromTheirTargetsAreShorter) {
  constexpr gen::SceneKind city = gen::SceneKind::city;
  const TreeScene scene(gen::make_scene(city, 20000, 1));
  const std::vector<Vec3> to = gen::make_rays(gen::RayKind::los, scene.scene, city, 256, 1).origin;
  std::vector<Vec3> from(64, gen::make_rays(gen::RayKind::los, scene.scene, city, 1, 2).origin[0]);
  for (std::size_t i = 0; i < from.size(); ++i) from[i].x += static_cast<float>(i);
  EXPECT_LT(tested(scene, from, to, true).nodes, 0.65 * tested(scene, from, to).nodes);
}

}  // namespace
}  // namespace sightline::testing
