// H-PLOC: every tree a good one, the same bytes whichever warp comes first, and what it costs.
#include "host/gen/rays.hpp"
#include "host/gen/scenes.hpp"
#include "host/tree/refit.hpp"
#include "tests/kernels/tree/awkward.hpp"
#include "tests/kernels/tree/check_tree.hpp"
#include "tests/kernels/tree/visits.hpp"
#include "tests/support/random_scene.hpp"

#include <sightline/error.hpp>
#include <sightline/geometry/shapes/shapes_view.hpp>

#include <gtest/gtest.h>

#include <cstdio>

namespace sightline::testing {
namespace {

using standin::LaneOrder;

/// Too much for the limits on the way: many shapes in three chains of 60 levels each.
bool is_too_deep(const std::string& name) {
  return name == "three_progressions" || name == "three_progressions of 6000";
}

/// Checks the tree, and builds it with warps and lanes in other
/// orders, and by several threads.
Tree check(const Scene& scene, const std::string& name) {
  Tree tree = check_trees(scene, name);
  EXPECT_EQ(tree.was_too_deep, is_too_deep(name)) << name;
  const ShapesView shapes = scene.view();
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    const LaneOrder lanes = seed == 1 ? LaneOrder::downwards : LaneOrder::upwards;
    const int threads = seed == 3 ? 3 : 1;
    EXPECT_TRUE(same_tree(tree, build_tree(shapes, {{nullptr, lanes}, {seed, threads}})))
        << name << ", order of warps " << seed;
  }
  return tree;
}

TEST(Hploc, OfNoneToSeventyShapes) {
  check(Scene(), "empty");
  for (std::uint32_t n = 1; n <= 70; ++n) {
    const std::string name = std::to_string(n) + " shapes";
    check(gen::make_scene(gen::SceneKind::mixed, n, 7), name + " at random");
    check(make_scene(every_awkward()[0], n), name + " of one place");
  }
  Scene plane;
  plane.add_plane({{0, 0, 1}, 0});
  EXPECT_EQ(check(plane, "plane").rounds.count, 0);
}

TEST(Hploc, EveryFamily) {
  for (const SceneFamily family : ray_families) {
    for (std::uint64_t seed = 1; seed <= std::max<std::uint64_t>(2, scaled(16)); ++seed) {
      const int shapes = static_cast<int>(1 + seed * 97 % 700);
      check(make_scene(family, shapes, seed),
            name_of(family) + std::string(", seed ") + std::to_string(seed));
    }
  }
}

TEST(Hploc, EveryKindOfScene) {
  for (const gen::SceneKind kind :
       {gen::SceneKind::city, gen::SceneKind::cloud, gen::SceneKind::mixed, gen::SceneKind::lattice,
        gen::SceneKind::adversarial}) {
    // A hundred thousand adversarial shapes are too deep a tree.
    const bool shallow = kind != gen::SceneKind::adversarial;
    check(gen::make_scene(kind, shallow ? some(100000, 5000) : 5000, 3),
          std::string(gen::name_of(kind)));
  }
}

TEST(Hploc, AwkwardInputs) {
  for (const Awkward& awkward : every_awkward()) {
    for (const std::uint32_t n : {33u, 1000u, 6000u}) {
      check(make_scene(awkward, n), awkward.name + std::string(" of ") + std::to_string(n));
    }
  }
}

TEST(Hploc, SaysWhichTreesWouldBeTooDeep) {
  int found = 0;
  for (const Awkward& awkward : every_awkward()) {
    const Tree tree = build_tree(make_scene(awkward, 20000).view());
    EXPECT_EQ(tree.was_too_deep, is_too_deep(awkward.name)) << awkward.name;
    found += tree.was_too_deep;
  }
  EXPECT_EQ(found, 1);
}

TEST(Hploc, EqualBoxesMakeAnEvenTree) {
  for (const std::uint32_t n : {2u, 16u, 17u, 64u, 1024u, 4096u}) {
    const Tree tree = build_tree(make_scene(every_awkward()[0], n).view());
    int levels = 0;
    while ((1u << levels) < n) ++levels;
    EXPECT_LE(tree.rounds.count, levels + 1) << n;
  }
}

TEST(Hploc, TakesNoMoreMemoryThanItSays) {
  const Scene scene = gen::make_scene(gen::SceneKind::cloud, 20000, 5);
  CountedScratch scratch;
  packaged_thrust.build_tree(System::cpp, scene.view(), scratch.get(), {});
  EXPECT_LE(scratch.peak_bytes(), 124 * 20000u + 4096);
}

TEST(Hploc, AFailingAllocationComesThroughAndKeepsNothing) {
  const Scene scene = gen::make_scene(gen::SceneKind::mixed, 500, 5);
  const auto run = [&](CountedScratch& scratch) {
    packaged_thrust.build_tree(System::cpp, scene.view(), scratch.get(), {});
  };
  CountedScratch all;
  run(all);
  ASSERT_GT(all.calls(), 8u);
  for (std::uint64_t n = 1; n <= all.calls(); ++n) {
    CountedScratch scratch(n);
    EXPECT_THROW(run(scratch), Error) << n;
    EXPECT_EQ(scratch.bytes(), 0u) << n;
  }
}

/// What it costs to build, and how good the tree is beside that of rounds.
struct Figures {
  double climbs, climb_lanes;  ///< of a warp for 32 shapes; lanes that go on after one
  double rounds, clusters;     ///< of a warp for 32 shapes; clusters at the beginning of one
  double area;                 ///< sum of the boxes' areas, against the tree of rounds
  double closest, any;         ///< nodes visited by incoherent rays and by los, against it
};

double visits(const Tree& tree, const ShapesView& shapes, const RaysView& rays, bool any) {
  double sum = 0;
  for (std::uint64_t i = 0; i < rays.count; ++i) {
    const Query query = make_query(rays[i], Inside::solid);
    sum += static_cast<double>(nodes_visited(tree.bvh.view(), shapes, query, any));
  }
  return sum;
}

Figures measure(gen::SceneKind kind, std::uint32_t shapes, std::uint64_t rays) {
  const Scene scene = gen::make_scene(kind, shapes, 1);
  const ShapesView view = scene.view();
  standin::Steps steps;
  const Tree hploc = build_tree(view, {{&steps}});
  const Tree ploc = build_by_rounds(view);
  const auto per = [](std::uint64_t a, double b) { return static_cast<double>(a) / b; };
  const double warps = shapes / 32.0;
  const auto visited = [&](gen::RayKind ray_kind, bool any) {
    const gen::RaySet set = gen::make_rays(ray_kind, scene, kind, rays, 5);
    return visits(hploc, view, set.view(), any) / visits(ploc, view, set.view(), any);
  };
  const Figures f = {per(steps.climbs, warps),
                     per(steps.climb_lanes, static_cast<double>(steps.climbs)),
                     per(steps.rounds, warps),
                     per(steps.round_clusters, static_cast<double>(steps.rounds)),
                     detail::bvh_area(hploc.bvh) / detail::bvh_area(ploc.bvh),
                     visited(gen::RayKind::incoherent, false),
                     visited(gen::RayKind::los, true)};
  std::printf("%s of %u: {%.2f, %.2f, %.2f, %.2f, %.4f, %.4f, %.4f}, %d levels, %d by rounds\n",
              gen::name_of(kind).data(), shapes, f.climbs, f.climb_lanes, f.rounds, f.clusters,
              f.area, f.closest, f.any, hploc.rounds.count, ploc.rounds.count);
  return f;
}

void expect(gen::SceneKind kind, const Figures& was) {
  const Figures is = measure(kind, 20000, 4000);
  const auto near = [&](double a, double b, const char* what) {
    EXPECT_NEAR(a, b, 0.01 * b) << what << ", " << gen::name_of(kind);
  };
  near(is.climbs, was.climbs, "climbs");
  near(is.climb_lanes, was.climb_lanes, "lanes that climb");
  near(is.rounds, was.rounds, "rounds");
  near(is.clusters, was.clusters, "clusters of a round");
  near(is.area, was.area, "area");
  near(is.closest, was.closest, "nodes visited, closest hit");
  near(is.any, was.any, "nodes visited, any hit");
}

TEST(HplocFigures, OfTheCity) {
  expect(gen::SceneKind::city, {7.90, 4.05, 5.93, 22.52, 1.0028, 1.0040, 1.0010});
}
TEST(HplocFigures, OfTheCloud) {
  expect(gen::SceneKind::cloud, {7.52, 4.26, 5.06, 22.59, 1.0003, 1.0009, 1.0012});
}
TEST(HplocFigures, OfTheMixedScene) {
  expect(gen::SceneKind::mixed, {8.03, 3.98, 6.43, 22.28, 1.0007, 1.0006, 1.0002});
}

// Where clusters meet moves with the size: 1.2 % were seen in the city of 60,000, 1.1 % in the
// cloud of 90,000, and less than nothing in others.
TEST(HplocFigures, TreesAreAsGoodAsThoseOfRounds) {
  for (const gen::SceneKind kind :
       {gen::SceneKind::city, gen::SceneKind::cloud, gen::SceneKind::mixed}) {
    const Figures f = measure(kind, some(300000, 30000), 20000);
    EXPECT_LT(f.closest, 1.02) << gen::name_of(kind);
    EXPECT_LT(f.any, 1.02) << gen::name_of(kind);
  }
}

}  // namespace
}  // namespace sightline::testing
