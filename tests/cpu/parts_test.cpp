// Jobs so large that the cpu backend cuts them into many parts, on several threads, against the
// reference: answers, padding and reports.
#include "tests/support/answers.hpp"
#include "tests/support/random_points.hpp"

#include <gtest/gtest.h>

namespace sightline::testing {
namespace {

Caster on_threads(const Scene& scene) {
  CasterOptions options;
  options.threads = 3;
  return Caster(scene, Backend::cpu, options);
}

TEST(Parts, OfRays) {
  const Scene scene = make_scene(SceneFamily::random, 12, 3);
  const Caster cpu = on_threads(scene), reference(scene, Backend::reference);
  for (const std::uint64_t n : {4095u, 4097u, 40001u}) {
    const std::vector<Ray> rays = random_rays(scene, n, n);
    Answers a(n), b(n);
    const CastReport expected = reference.closest_hit(rows_of(rays), a.view());
    const CastReport closest = cpu.closest_hit(rows_of(rays), b.view());
    reference.any_hit(rows_of(rays), a.blocked);
    const CastReport any = cpu.any_hit(rows_of(rays), b.blocked);
    ASSERT_EQ(first_difference(a, b), n);
    for (const CastReport& report : {closest, any}) {
      EXPECT_EQ(report.hits, expected.hits);
      EXPECT_EQ(report.bad_rays, expected.bad_rays);
      EXPECT_EQ(report.first_bad_ray, expected.first_bad_ray);
    }
  }
}

// Rays of many octants, so that the first is not the first to be traced.
TEST(Parts, TheFirstBadRayIsTheLeast) {
  Scene scene;
  scene.add_sphere({{0, 0, 0}, 1});
  const Caster cpu = on_threads(scene);
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    Random r(seed);
    std::vector<Ray> rays(30000);
    for (Ray& ray : rays) ray.direction = r.vec(-1, 1);
    std::uint64_t first = rays.size(), count = 0;
    for (std::uint64_t i = static_cast<std::uint64_t>(r.below(20000)); i < rays.size();
         i += static_cast<std::uint64_t>(r.between(1, 3000))) {
      rays[i].t_min = -1;
      first = std::min(first, i);
      ++count;
    }
    Answers a(rays.size());
    const CastReport report = cpu.any_hit(rows_of(rays), a.blocked);
    EXPECT_EQ(report.first_bad_ray, first) << "seed " << seed;
    EXPECT_EQ(report.bad_rays, count) << "seed " << seed;
  }
}

using Bits = std::vector<std::uint64_t>;

void expect_equal(const VisibilityReport& a, const VisibilityReport& b) {
  EXPECT_EQ(a.pairs, b.pairs);
  EXPECT_EQ(a.visible, b.visible);
  EXPECT_EQ(a.bad_viewpoints, b.bad_viewpoints);
  EXPECT_EQ(a.bad_targets, b.bad_targets);
  EXPECT_EQ(a.touching_viewpoints, b.touching_viewpoints);
  EXPECT_EQ(a.touching_targets, b.touching_targets);
}

// Wide matrices are cut across their rows, high ones between them.
TEST(Parts, OfMatrices) {
  const Scene scene = make_scene(SceneFamily::random, 12, 4);
  const Caster cpu = on_threads(scene), reference(scene, Backend::reference);
  const std::uint64_t sizes[][2] = {{5, 9001}, {9001, 5}, {70, 300}, {1, 64}, {64, 1}};
  for (const auto& [viewpoints, targets] : sizes) {
    const auto from = random_points(scene, viewpoints, viewpoints);
    const auto to = random_points(scene, targets, targets + 1);
    Bits a(viewpoints * ((targets + 63) / 64), 5), b(a.size(), 0xA5A5A5A5A5A5A5A5u);
    expect_equal(cpu.visibility(rows_of(from), rows_of(to), b),
                 reference.visibility(rows_of(from), rows_of(to), a));
    EXPECT_EQ(a, b) << viewpoints << " x " << targets;
  }
}

TEST(Parts, OfASetAgainstItself) {
  const Scene scene = make_scene(SceneFamily::lattice, 12, 5);
  const Caster cpu = on_threads(scene), reference(scene, Backend::reference);
  for (const std::uint64_t n : {1u, 63u, 64u, 65u, 129u, 400u}) {
    const auto points = random_points(scene, n, n);
    Bits a(n * ((n + 63) / 64), 5), b(a.size(), 0xA5A5A5A5A5A5A5A5u);
    expect_equal(cpu.visibility(rows_of(points), b), reference.visibility(rows_of(points), a));
    EXPECT_EQ(a, b) << n << " points";
  }
}

TEST(Parts, OfPairs) {
  const Scene scene = make_scene(SceneFamily::random, 12, 6);
  const Caster cpu = on_threads(scene), reference(scene, Backend::reference);
  for (const std::uint64_t n : {1u, 64u, 65u, 10001u}) {
    const auto from = random_points(scene, n, n), to = random_points(scene, n, n + 1);
    Bits a((n + 63) / 64, 5), b(a.size(), 0xA5A5A5A5A5A5A5A5u);
    expect_equal(cpu.visibility_pairs(rows_of(from), rows_of(to), b),
                 reference.visibility_pairs(rows_of(from), rows_of(to), a));
    EXPECT_EQ(a, b) << n << " pairs";
  }
}

}  // namespace
}  // namespace sightline::testing
