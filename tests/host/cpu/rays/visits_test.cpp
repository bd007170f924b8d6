// How often rays visit nodes, which says how the next ones are ordered.
#include "tests/host/cpu/rays/expected_record.hpp"
#include "tests/host/tree/built_scene.hpp"
#include "tests/support/random_scene.hpp"

#include <gtest/gtest.h>

#include <numeric>

namespace sightline::testing {
namespace {

using detail::RayFilter;
using detail::RayQuery;
using detail::RayRecord;
using detail::SimdKernels;

constexpr RayQuery every_ask[] = {RayQuery::closest, RayQuery::any, RayQuery::sight};

/// Rays that all run into octant 0 from around the scene.
std::vector<Ray> rays_of_one_octant(const Scene& scene, std::size_t count, std::uint64_t seed) {
  Random r(seed);
  const Aabb all = scene.bounds();
  std::vector<Ray> rays(count);
  for (Ray& ray : rays) {
    const Vec3 u = r.vec(0, 1), size = minus(all.max, all.min);
    ray.origin = {all.min.x + u.x * size.x, all.min.y + u.y * size.y, all.min.z + u.z * size.z};
    ray.direction = r.vec(0.01f, 1);
    ray.origin = minus(ray.origin, times(ray.direction, 0.5f * max_abs(size)));
  }
  return rays;
}

/// The visits of rays [first, first + count) as one batch; `hidden`: to them no shape counts.
std::uint64_t visits_of(const SimdKernels& simd, const Built& built, const std::vector<Ray>& rays,
                        std::uint32_t first, std::uint32_t count, RayQuery query, bool hidden) {
  const Collected collected(simd, rows_of(rays));
  std::vector<std::uint32_t> index(count);
  std::iota(index.begin(), index.end(), first);
  std::vector<RayRecord> records = collected.records(simd, index);
  const std::vector<RayFilter> filters(count, {hidden ? 0u : ~0u, {none, none}, {none, none}});
  const int n = static_cast<int>(count);
  detail::PageVector<std::byte> scratch(simd.scratch_bytes(built.tree.bvh.depth, n));
  return simd.trace(built.trace_scene(), {records.data(), filters.data(), n, 0}, query,
                    Inside::solid, scratch.data());
}

// Alone, few together, and many together, which are different code.
TEST(Visits, OfATreeOfOneNodeAreOneARay) {
  Scene scene;
  for (int k = 0; k < 5; ++k) scene.add_sphere({{static_cast<float>(3 * k), 0, 0}, 1});
  const Built built(std::move(scene));
  ASSERT_EQ(built.tree.bvh.nodes.size(), 1u);
  for_each_simd([&](const SimdKernels& simd) {
    for (const std::uint32_t n : {1u, 4u, 5u, 6u, 63u, 64u, 300u}) {
      auto rays = rays_of_one_octant(built.scene, n, n);
      for (const RayQuery query : every_ask) {
        EXPECT_EQ(visits_of(simd, built, rays, 0, n, query, false), n) << simd.name;
      }
      for (std::uint32_t i = 0; i < n; i += 2) rays[i].t_min = -1;
      EXPECT_EQ(visits_of(simd, built, rays, 0, n, RayQuery::closest, false), n / 2) << simd.name;
      for (Ray& ray : rays) ray.t_min = -1;
      EXPECT_EQ(visits_of(simd, built, rays, 0, n, RayQuery::any, false), 0u) << simd.name;
    }
  });
}

// A ray that hits nothing visits the same nodes whichever others are in its batch.
TEST(Visits, OfABatchAreThoseOfItsRays) {
  const Built built(make_scene(SceneFamily::city, 2000, 2));
  const auto rays = rays_of_one_octant(built.scene, 300, 3);
  for_each_simd([&](const SimdKernels& simd) {
    for (const RayQuery query : every_ask) {
      std::uint64_t alone = 0;
      for (std::uint32_t i = 0; i < 300; ++i) {
        alone += visits_of(simd, built, rays, i, 1, query, true);
      }
      EXPECT_EQ(visits_of(simd, built, rays, 0, 300, query, true), alone) << simd.name;
      EXPECT_GT(alone, 600u) << simd.name;
      const std::uint64_t hits = visits_of(simd, built, rays, 0, 300, query, false);
      EXPECT_GE(hits, 300u) << simd.name;
      EXPECT_LT(hits, alone) << simd.name << ": hits cut rays short";
    }
  });
}

}  // namespace
}  // namespace sightline::testing
