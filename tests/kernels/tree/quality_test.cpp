// How good the device's tree is: nodes visited, against the host's careful tree.
#include "host/gen/rays.hpp"
#include "tests/kernels/tree/systems.hpp"
#include "tests/kernels/tree/visits.hpp"
#include "tests/support/scale.hpp"

#include <sightline/geometry/shapes/shapes_view.hpp>

#include <gtest/gtest.h>

#include <cstdio>

namespace sightline::testing {
namespace {

/// Nodes that the rays visit: those from afar for their closest hit, those of line of sight for
/// any.
double visits(const BvhView& bvh, const ShapesView& shapes, const RaysView& rays, bool any) {
  double sum = 0;
  for (std::uint64_t i = 0; i < rays.count; ++i) {
    sum += static_cast<double>(nodes_visited(bvh, shapes, make_query(rays[i], Inside::solid), any));
  }
  return sum / static_cast<double>(rays.count);
}

/// The careful tree has its large shapes moved to better places, which gains a quarter to a half
/// where sizes differ as they do here, and nothing elsewhere.
double allowed(gen::SceneKind kind) { return kind == gen::SceneKind::mixed ? 1.35 : 1.15; }

void expect_as_good(gen::SceneKind kind, std::uint64_t shapes, std::uint64_t rays) {
  const Scene scene = gen::make_scene(kind, shapes, 1);
  const ShapesView view = scene.view();
  const detail::Bvh careful = detail::build_bvh(view);
  const Tree tree = build_tree(view);
  for (const gen::RayKind ray_kind : {gen::RayKind::incoherent, gen::RayKind::los}) {
    const bool any = ray_kind == gen::RayKind::los;
    const gen::RaySet set = gen::make_rays(ray_kind, scene, kind, rays, 5);
    const double of_careful = visits(careful.view(), view, set.view(), any);
    const double of_tree = visits(tree.bvh.view(), view, set.view(), any);
    std::printf("%s of %llu, %s: %.1f nodes a ray, %.1f in the careful tree, ratio %.3f\n",
                gen::name_of(kind).data(), static_cast<unsigned long long>(shapes),
                gen::name_of(ray_kind).data(), of_tree, of_careful, of_tree / of_careful);
    EXPECT_LE(of_tree, allowed(kind) * of_careful)
        << gen::name_of(kind) << " " << gen::name_of(ray_kind);
  }
}

class TreeQuality : public ::testing::TestWithParam<gen::SceneKind> {};

TEST_P(TreeQuality, NodesVisitedAreNotManyMoreThanInTheCarefulTree) {
  expect_as_good(GetParam(), std::max<std::uint64_t>(20000, scaled(100000)),
                 std::max<std::uint64_t>(5000, scaled(40000)));
}
TEST_P(TreeQuality, AndOfAMillionShapes) {
  expect_as_good(GetParam(), std::max<std::uint64_t>(30000, scaled(1000000)),
                 std::max<std::uint64_t>(1000, scaled(10000)));
}

INSTANTIATE_TEST_SUITE_P(Scenes, TreeQuality,
                         ::testing::Values(gen::SceneKind::city, gen::SceneKind::cloud,
                                           gen::SceneKind::mixed),
                         [](const auto& test) { return std::string(gen::name_of(test.param)); });

}  // namespace
}  // namespace sightline::testing
