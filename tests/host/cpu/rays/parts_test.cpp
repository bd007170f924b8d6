// Jobs so large that the cpu backend cuts them into many parts, on several threads, against the
// reference: answers, padding and reports.
#include "tests/support/answers.hpp"
#include "tests/support/random_points.hpp"

#include <gtest/gtest.h>

namespace sightline::testing {
namespace {

Caster on_threads(const Scene& scene, int threads = 3) {
  return Caster(scene, CpuOptions{.threads = threads});
}

TEST(Parts, OfRays) {
  const Scene scene = make_scene(SceneFamily::random, 12, 3);
  const Caster cpu = on_threads(scene), reference(scene, ReferenceOptions{});
  for (const std::uint64_t n : {4095u, 4097u, 40001u}) {
    const std::vector<Ray> rays = random_rays(scene, n, n);
    Answers a(n), b(n);
    const CastReport expected = reference.closest_hit(rows_of(rays), a.view());
    const CastReport closest = cpu.closest_hit(rows_of(rays), b.view());
    reference.any_hit(rows_of(rays), a.blocked);
    const CastReport any = cpu.any_hit(rows_of(rays), b.blocked);
    ASSERT_EQ(first_difference(a, b), n);
    EXPECT_EQ(closest, expected);
    EXPECT_EQ(any, expected);
  }
}

/// A camera's rays through the scene's middle, of which some look elsewhere, or are bad.
std::vector<Ray> camera_rays(std::uint64_t n, std::uint64_t seed) {
  Random r(seed);
  std::vector<Ray> rays(n);
  for (Ray& ray : rays) {
    ray.origin = {60, 50, 40};
    ray.direction = plus({-6, -5, -4}, r.vec(-0.5f, 0.5f));
    if (r.one_in(1500)) ray.direction = r.vec(-1, 1);
    if (r.one_in(3000)) ray.t_min = -1;
  }
  return rays;
}

// Most are of packets; the others are to find their places beside them.
TEST(Parts, OfRaysSideBySide) {
  const Scene scene = make_scene(SceneFamily::random, 40, 3);
  const Caster cpu = on_threads(scene), reference(scene, ReferenceOptions{});
  for (const std::uint64_t n : {4097u, 40001u}) {
    const std::vector<Ray> rays = camera_rays(n, n);
    Answers a(n), b(n);
    const CastReport expected = reference.closest_hit(rows_of(rays), a.view());
    const CastReport closest = cpu.closest_hit(rows_of(rays), b.view());
    reference.any_hit(rows_of(rays), a.blocked);
    const CastReport any = cpu.any_hit(rows_of(rays), b.blocked);
    ASSERT_EQ(first_difference(a, b), n);
    EXPECT_GT(expected.hits, n / 100);
    EXPECT_LT(expected.hits, n);
    EXPECT_EQ(closest, expected);
    EXPECT_EQ(any, expected);
    Answers alone(n);
    cpu.closest_hit(rows_of(rays), {.normal = alone.normal});
    EXPECT_TRUE(same_bytes(alone.normal, a.normal)) << n << " rays, normals alone";
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

// Wide matrices are cut across their rows, high ones between them.
TEST(Parts, OfMatrices) {
  const Scene scene = make_scene(SceneFamily::random, 12, 4);
  const Caster cpu = on_threads(scene), reference(scene, ReferenceOptions{});
  const std::uint64_t sizes[][2] = {{5, 9001}, {9001, 5}, {70, 300}, {1, 64}, {64, 1}};
  for (const auto& [viewpoints, targets] : sizes) {
    const auto from = random_points(scene, viewpoints, viewpoints);
    const auto to = random_points(scene, targets, targets + 1);
    Bits a(viewpoints * ((targets + 63) / 64), 5), b(a.size(), 0xA5A5A5A5A5A5A5A5u);
    EXPECT_EQ(cpu.visibility(rows_of(from), rows_of(to), b),
              reference.visibility(rows_of(from), rows_of(to), a));
    EXPECT_EQ(a, b) << viewpoints << " x " << targets;
  }
}

/// Points close together, of which some are elsewhere.
std::vector<SightPoint> crowd(const Vec3& middle, std::uint64_t n, std::uint64_t seed) {
  Random r(seed);
  std::vector<SightPoint> points(n);
  for (SightPoint& p : points) {
    p.position = plus(middle, r.vec(-4, 4));
    if (r.one_in(1500)) p.position = r.vec(-50, 50);
    if (r.one_in(8)) p.mask = 1u << r.below(4);
  }
  return points;
}

// Most segments are of packets; the others are to find their places beside them.
TEST(Parts, OfCrowds) {
  const Scene scene = make_scene(SceneFamily::random, 40, 3);
  const Caster cpu = on_threads(scene), reference(scene, ReferenceOptions{});
  const std::uint64_t n = 20001;
  const auto from = crowd({60, 50, 40}, n, 1), to = crowd({-60, -50, -40}, n, 2);
  const PointsView few = rows_of(from).slice(0, 3);
  const std::uint64_t words = (n + 63) / 64;
  Bits a(3 * words, 5), b(a.size(), 0xA5A5A5A5A5A5A5A5u);
  const VisibilityReport matrix = reference.visibility(few, rows_of(to), a);
  EXPECT_EQ(cpu.visibility(few, rows_of(to), b), matrix);
  EXPECT_EQ(a, b) << "matrix";
  Bits c(words, 5), d(words, 0xA5A5A5A5A5A5A5A5u);
  const VisibilityReport pairs = reference.visibility_pairs(rows_of(from), rows_of(to), c);
  EXPECT_EQ(cpu.visibility_pairs(rows_of(from), rows_of(to), d), pairs);
  EXPECT_EQ(c, d) << "pairs";
  auto both = crowd({60, 50, 40}, 300, 3);
  const auto others = crowd({-60, -50, -40}, 400, 4);
  both.insert(both.end(), others.begin(), others.end());
  Bits e(700 * 11, 5), f(e.size(), 0xA5A5A5A5A5A5A5A5u);
  const VisibilityReport set = reference.visibility(rows_of(both), e);
  EXPECT_EQ(cpu.visibility(rows_of(both), f), set);
  EXPECT_EQ(e, f) << "a set against itself";
  for (const VisibilityReport& report : {matrix, pairs, set}) {
    EXPECT_GT(report.visible, report.pairs / 100);
    EXPECT_LT(report.visible, report.pairs - report.pairs / 100);
  }
}

TEST(Parts, OfASetAgainstItself) {
  const Scene scene = make_scene(SceneFamily::lattice, 12, 5);
  const Caster cpu = on_threads(scene), reference(scene, ReferenceOptions{});
  for (const std::uint64_t n : {1u, 63u, 64u, 65u, 129u, 400u}) {
    const auto points = random_points(scene, n, n);
    Bits a(n * ((n + 63) / 64), 5), b(a.size(), 0xA5A5A5A5A5A5A5A5u);
    EXPECT_EQ(cpu.visibility(rows_of(points), b), reference.visibility(rows_of(points), a));
    EXPECT_EQ(a, b) << n << " points";
  }
}

TEST(Parts, OfPairs) {
  const Scene scene = make_scene(SceneFamily::random, 12, 6);
  const Caster cpu = on_threads(scene), reference(scene, ReferenceOptions{});
  for (const std::uint64_t n : {1u, 64u, 65u, 10001u}) {
    const auto from = random_points(scene, n, n), to = random_points(scene, n, n + 1);
    Bits a((n + 63) / 64, 5), b(a.size(), 0xA5A5A5A5A5A5A5A5u);
    EXPECT_EQ(cpu.visibility_pairs(rows_of(from), rows_of(to), b),
              reference.visibility_pairs(rows_of(from), rows_of(to), a));
    EXPECT_EQ(a, b) << n << " pairs";
  }
}

// So many of one part that they are traced more than once: on one thread all are of one part.
TEST(Parts, ThatAreTracedMoreThanOnce) {
  const Scene scene = make_scene(SceneFamily::random, 8, 7);
  const Caster reference(scene, ReferenceOptions{});
  const auto from = random_points(scene, 600, 1), to = random_points(scene, 1001, 2);
  const auto all = random_points(scene, 1200, 3);
  const auto first = random_points(scene, 150001, 4), second = random_points(scene, 150001, 5);
  Bits matrix(600 * 16, 5), mirrored(1200 * 19, 5), pairs(150001 / 64 + 1, 5);
  const auto of_matrix = reference.visibility(rows_of(from), rows_of(to), matrix);
  const auto of_set = reference.visibility(rows_of(all), mirrored);
  const auto of_pairs = reference.visibility_pairs(rows_of(first), rows_of(second), pairs);
  for (const int threads : {1, 3}) {
    const Caster cpu = on_threads(scene, threads);
    Bits a(matrix.size(), 0xA5A5A5A5A5A5A5A5u), b(mirrored.size(), 0xA5A5A5A5A5A5A5A5u),
        c(pairs.size(), 0xA5A5A5A5A5A5A5A5u);
    EXPECT_EQ(cpu.visibility(rows_of(from), rows_of(to), a), of_matrix);
    EXPECT_EQ(cpu.visibility(rows_of(all), b), of_set);
    EXPECT_EQ(cpu.visibility_pairs(rows_of(first), rows_of(second), c), of_pairs);
    EXPECT_EQ(a, matrix) << threads << " threads, matrix";
    EXPECT_EQ(b, mirrored) << threads << " threads, a set against itself";
    EXPECT_EQ(c, pairs) << threads << " threads, pairs";
  }
}

// Beside packets too: rays and words between them, far more than are traced at a time.
TEST(Parts, OfRaysTracedMoreThanOnce) {
  const Scene scene = make_scene(SceneFamily::random, 12, 3);
  const Caster reference(scene, ReferenceOptions{});
  const std::uint64_t n = 130001;
  std::vector<Ray> rays = random_rays(scene, n, 1);
  const std::vector<Ray> close = camera_rays(n, 2);
  for (std::uint64_t i = 0; i < n; ++i) {
    if (i / 4096 % 3 == 0) rays[i] = close[i];
  }
  Answers a(n);
  const CastReport expected = reference.closest_hit(rows_of(rays), a.view());
  reference.any_hit(rows_of(rays), a.blocked);
  for (const int threads : {1, 3}) {
    const Caster cpu = on_threads(scene, threads);
    for (int time = 0; time < 2; ++time) {  // what a call leaves must not reach the next
      Answers b(n);
      const CastReport closest = cpu.closest_hit(rows_of(rays), b.view());
      const CastReport any = cpu.any_hit(rows_of(rays), b.blocked);
      ASSERT_EQ(first_difference(a, b), n) << threads << " threads";
      EXPECT_EQ(closest, expected);
      EXPECT_EQ(any, expected);
    }
  }
}

}  // namespace
}  // namespace sightline::testing
