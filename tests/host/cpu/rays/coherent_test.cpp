// Rays that run close together through the cpu backend as callers use it, against the reference:
// packets, what is left between them, and where their answers go.
#include "tests/support/answers.hpp"
#include "tests/support/random_points.hpp"
#include "tests/support/scale.hpp"

#include <gtest/gtest.h>

#include <numeric>

namespace sightline::testing {
namespace {

constexpr std::uint64_t largest_packet = 256;

Caster with(const Scene& scene, Lanes lanes) {
  return Caster(scene, CpuOptions{.threads = 1, .lanes = lanes});
}

/// Shapes so large beside the rays' width that packets are taken; some behind one another.
Scene large_shapes(std::uint64_t seed) {
  Random r(seed);
  Scene scene;
  for (int k = 0; k < 30; ++k) {
    const Vec3 at = r.vec(-10, 10);
    scene.add_aabb(random_shape<Aabb>(r, at, 3));
    scene.add_sphere(random_shape<Sphere>(r, plus(at, r.vec(-2, 2)), 3));
    scene.add_capsule(random_shape<Capsule>(r, r.vec(-10, 10), 3));
  }
  if (r.one_in(2)) scene.add_plane({{0, 0, 1}, -8});
  return scene;
}

/// Whole packets of rays around a middle one each; the largest component of the middle one's
/// direction is `length`. Some packets have a stray ray, which no packet takes.
std::vector<Ray> packets(Random& r, std::uint64_t count, float length) {
  std::vector<Ray> rays;
  for (std::uint64_t k = 0; k < count; ++k) {
    const Vec3 origin = r.vec(-14, 14), target = r.vec(-8, 8);
    const Vec3 to = {target.x - origin.x, target.y - origin.y, target.z - origin.z};
    const Vec3 middle = times(to, length / max_abs(to));
    const bool stray = r.one_in(3), ends = r.one_in(2);
    for (std::uint64_t i = 0; i < largest_packet; ++i) {
      Ray ray;
      ray.origin = origin;
      ray.direction = plus(middle, times(r.vec(-1, 1), 0.02f * length));
      if (ends) ray.t_max = r.uniform(0, 30) / length;
      if (stray && i == 77) ray.t_min = -1;
      rays.push_back(ray);
    }
  }
  return rays;
}

void expect_same(const Scene& scene, const std::vector<Ray>& rays, Inside inside,
                 const std::string& what) {
  const Caster reference(scene, ReferenceOptions{});
  const CastOptions options{inside};
  const std::uint64_t n = rays.size();
  Answers expected(n);
  const CastReport report = reference.closest_hit(rows_of(rays), expected.view(), options);
  reference.any_hit(rows_of(rays), expected.blocked, options);
  for (const Lanes lanes : {Lanes::automatic, Lanes::avx2, Lanes::portable}) {
    const Caster cpu = with(scene, lanes);
    Answers got(n);
    const CastReport closest = cpu.closest_hit(rows_of(rays), got.view(), options);
    const CastReport any = cpu.any_hit(rows_of(rays), got.blocked, options);
    const std::uint64_t k = first_difference(expected, got);
    ASSERT_EQ(k, n) << what << ", " << cpu.description() << ": " << text(rays[k < n ? k : 0]);
    ASSERT_EQ(closest, report) << what;
    ASSERT_EQ(any, report) << what;
  }
}

TEST(Coherent, RaysAndTheirNormals) {
  for (std::uint64_t seed = 1; seed <= std::max<std::uint64_t>(10, scaled(60)); ++seed) {
    Random r(seed);
    const auto rays =
        packets(r, static_cast<std::uint64_t>(r.between(1, 9)), r.uniform(1.1f, 1.9f));
    expect_same(large_shapes(seed), rays, every_policy[seed % 3], "seed " + std::to_string(seed));
    if (HasFatalFailure()) return;
  }
}

// A camera's directions have one length, and their largest components lie around a power of two.
TEST(Coherent, RaysOfTwoScalings) {
  for (std::uint64_t seed = 1; seed <= std::max<std::uint64_t>(10, scaled(60)); ++seed) {
    Random r(seed);
    const auto rays = packets(r, 6, r.power_of_two(-30, 30));
    expect_same(large_shapes(seed), rays, every_policy[seed % 3], "seed " + std::to_string(seed));
    if (HasFatalFailure()) return;
  }
}

// There doubling is not exact: both planes round to one t of the ray, and to two of its double.
TEST(Coherent, SubnormalTimesOfTwoScalings) {
  Scene scene;
  scene.add_sphere({{3 * 0x1p-149f, 0, 0}, 0});
  std::vector<Ray> rays(4 * largest_packet);
  for (std::size_t i = 0; i < rays.size(); ++i) {
    rays[i].direction = {1.43f, i % 2 == 0 ? 2.01f : 1.99f, 0.1f};
  }
  Answers answers(rays.size());
  const Caster reference(scene, ReferenceOptions{});
  ASSERT_GT(reference.closest_hit(rows_of(rays), answers.view()).hits, 0u);
  expect_same(scene, rays, Inside::solid, "a point next to the origin");
  for (std::uint64_t seed = 1; seed <= std::max<std::uint64_t>(40, scaled(300)); ++seed) {
    Random r(seed);
    const float size = r.power_of_two(-149, -143);
    Scene points;
    for (int k = 0; k < 20; ++k) {
      points.add_sphere({times(r.lattice(-8, 8), size), r.one_in(2) ? size : 0});
      points.add_aabb({times(r.lattice(-8, 0), size), times(r.lattice(1, 8), size)});
    }
    auto close = packets(r, 4, 2);
    for (Ray& ray : close) ray.origin = times(r.lattice(-9, 9), size);
    expect_same(points, close, every_policy[seed % 3], "seed " + std::to_string(seed));
    if (HasFatalFailure()) return;
  }
}

// Few viewpoints that look at clusters: rows with packets in them, and pairs without sight between.
TEST(Coherent, SightsOfClusters) {
  for (std::uint64_t seed = 1; seed <= std::max<std::uint64_t>(10, scaled(60)); ++seed) {
    Random r(seed);
    const Scene scene = large_shapes(seed);
    const auto n = static_cast<std::uint64_t>(r.between(900, 1500));
    const Vec3 middle = r.vec(-14, 14);
    std::vector<SightPoint> from(3), to(n), ends(n);
    for (SightPoint& p : from) p.position = r.vec(-14, 14);
    for (SightPoint& p : to) p.position = plus(middle, r.vec(-0.3f, 0.3f));
    for (std::uint64_t i = 0; i < n; ++i) {
      if (r.one_in(600)) to[i].position.x = infinity;
      if (r.one_in(600)) to[i] = from[0];
      ends[i] = from[i / 512 % 3];
    }
    VisibilityOptions options;
    options.inside = every_policy[seed % 3];
    if (r.one_in(2)) options.margin = r.uniform(0, 0.4f);
    if (r.one_in(3)) options.range = r.uniform(5, 30);
    const Caster reference(scene, ReferenceOptions{});
    const std::uint64_t words = (n + 63) / 64;
    std::vector<std::uint64_t> matrix(3 * words, ~0ull), pairs(words, ~0ull);
    const auto expected = reference.visibility(rows_of(from), rows_of(to), matrix, options);
    reference.visibility_pairs(rows_of(ends), rows_of(to), pairs, options);
    for (const Lanes lanes : {Lanes::automatic, Lanes::avx2, Lanes::portable}) {
      const Caster cpu = with(scene, lanes);
      std::vector<std::uint64_t> a(3 * words, ~0ull), b(words, ~0ull);
      const auto report = cpu.visibility(rows_of(from), rows_of(to), a, options);
      const auto of_pairs = cpu.visibility_pairs(rows_of(ends), rows_of(to), b, options);
      const std::string what = cpu.description() + ", seed " + std::to_string(seed);
      ASSERT_EQ(a, matrix) << what;
      ASSERT_EQ(b, pairs) << what;
      ASSERT_EQ(report.visible, expected.visible) << what;
      ASSERT_EQ(of_pairs.visible,
                static_cast<std::uint64_t>(std::accumulate(
                    pairs.begin(), pairs.end(), 0,
                    [](int sum, std::uint64_t w) { return sum + __builtin_popcountll(w); })))
          << what;
    }
  }
}

}  // namespace
}  // namespace sightline::testing
