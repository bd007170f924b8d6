// The standard rays: in any pieces the same bytes, none from inside a shape, hit rates as stated.
#include "host/gen/rays.hpp"

#include "tests/host/gen/golden.hpp"
#include "tests/support/adversarial_rays.hpp"
#include "tests/support/random_scene.hpp"
#include "tests/support/scale.hpp"

#include <sightline/geometry/shapes/shapes_view.hpp>

#include <gtest/gtest.h>

#include <cstdio>

namespace sightline::gen {
namespace {

std::string hash_of(const RaySet& rays) {
  std::vector<float> numbers;
  for (std::uint64_t i = 0; i < rays.size(); ++i) {
    put(numbers, rays.origin[i]), put(numbers, rays.direction[i]);
  }
  return hash_numbers(numbers);
}

TEST(Rays, KeepTheirBytes) {
  struct Golden {
    SceneKind scene;
    RayKind kind;
    const char* hash;
  };
  const Golden golden[] = {
      {SceneKind::cloud, RayKind::coherent, "c70390c7584ce8e90cc7ff655a89fe8d"},
      {SceneKind::cloud, RayKind::incoherent, "fff224aa8e7af881c0b0062181f0e853"},
      {SceneKind::cloud, RayKind::los, "bda9f8c5696e2fdbd63c4352cf34eee8"},
      {SceneKind::city, RayKind::coherent, "ea9e13eb0a11a0f910e0aaec17a550c8"},
      {SceneKind::city, RayKind::incoherent, "67cfaa830f712ed8d7f4f2a0c7fe09f6"},
      {SceneKind::city, RayKind::los, "a23ab3cb65713267467f27a74a504b3e"},
      {SceneKind::mixed, RayKind::los, "76eae2d08d94878780a66b1be605dcd9"},
      {SceneKind::lattice, RayKind::incoherent, "02f276b0d4209730f10f601c87c6a17e"},
      {SceneKind::adversarial, RayKind::incoherent, "8fc016bd8883c9f5a15fb180f30f193e"}};
  for (const Golden& g : golden) {
    const RaySet rays = make_rays(g.kind, make_scene(g.scene, 2000, 1), g.scene, 5000, 1);
    EXPECT_EQ(hash_of(rays), g.hash) << name_of(g.scene) << " " << name_of(g.kind);
    EXPECT_EQ(rays.kept_inside, 0u) << name_of(g.scene) << " " << name_of(g.kind);
  }
}

TEST(Rays, AreTheSameInAnyPiecesAndFromEveryBackend) {
  const Scene scene = make_scene(SceneKind::city, 500, 1);
  const Caster caster(scene, ReferenceOptions{});
  for (const RayKind kind : {RayKind::coherent, RayKind::incoherent, RayKind::los}) {
    const RaySet whole = make_rays(kind, scene, SceneKind::city, 1000, 4);
    RaySet pieces;
    std::uint64_t candidates = 0;
    for (std::uint64_t first = 0; first < 1000; first += 300) {
      const RaySet piece = make_rays_chunk(kind, caster, SceneKind::city, 1000, 4, first,
                                           std::min<std::uint64_t>(300, 1000 - first));
      pieces.origin.insert(pieces.origin.end(), piece.origin.begin(), piece.origin.end());
      pieces.direction.insert(pieces.direction.end(), piece.direction.begin(),
                              piece.direction.end());
      candidates += piece.candidates;
    }
    EXPECT_EQ(hash_of(whole), hash_of(pieces)) << name_of(kind);
    EXPECT_EQ(whole.candidates, candidates) << name_of(kind);
    EXPECT_EQ(ray_kind(name_of(kind)), kind);
  }
}

TEST(Rays, BeginAndEndOutsideEveryShape) {
  for (const SceneKind kind :
       {SceneKind::city, SceneKind::cloud, SceneKind::mixed, SceneKind::lattice}) {
    const Scene scene = make_scene(kind, 300, 1);
    const RaySet rays = make_rays(RayKind::los, scene, kind, 500, 2);
    const ShapesView shapes = scene.view();
    for (std::uint64_t i = 0; i < rays.size(); ++i) {
      const Vec3 p = rays.origin[i], d = rays.direction[i];
      const Vec3 q{p.x + d.x, p.y + d.y, p.z + d.z};
      for (std::uint32_t id = 0; id < shapes.size(); ++id) {
        const bool inside =
            shapes.visit(id, [&](const auto& s) { return contains(s, p) || contains(s, q); });
        ASSERT_FALSE(inside) << name_of(kind) << " ray " << i << " shape " << id;
      }
    }
  }
}

TEST(Rays, HitAsOftenAsStated) {
  struct Expected {
    SceneKind scene;
    RayKind kind;
    double hits, redrawn;
  };
  // docs/reference/scenes.md, at 1e5 shapes.
  const Expected table[] = {{SceneKind::cloud, RayKind::coherent, 0.52, 0},
                            {SceneKind::cloud, RayKind::incoherent, 0.59, 0.01},
                            {SceneKind::cloud, RayKind::los, 0.37, 0.015},
                            {SceneKind::city, RayKind::coherent, 0.81, 0},
                            {SceneKind::city, RayKind::incoherent, 0.64, 0.09},
                            {SceneKind::city, RayKind::los, 0.67, 0.44}};
  const std::uint64_t count = 65536;
  for (const SceneKind kind : {SceneKind::cloud, SceneKind::city}) {
    const Caster caster(make_scene(kind, 100000, 1), CpuOptions{});
    for (const Expected& e : table) {
      if (e.scene != kind) continue;
      const RaySet rays = make_rays_chunk(e.kind, caster, kind, count, 1, 0, count);
      std::vector<std::uint64_t> blocked(count / 64);
      const CastReport report = caster.any_hit(rays.view(), blocked);
      const double hits = static_cast<double>(report.hits) / static_cast<double>(count);
      std::printf("%s %s: %.3f hit, %.3f drawn again\n", std::string(name_of(kind)).c_str(),
                  std::string(name_of(e.kind)).c_str(), hits, rays.redrawn_share());
      EXPECT_NEAR(hits, e.hits, 0.02) << name_of(kind) << " " << name_of(e.kind);
      EXPECT_NEAR(rays.redrawn_share(), e.redrawn, 0.02) << name_of(kind) << " " << name_of(e.kind);
    }
  }
}

TEST(AdversarialRays, ReachEveryCorner) {
  const Scene scene = make_scene(SceneKind::adversarial, 320, 1);
  const std::vector<Ray> rays = testing::adversarial_rays(scene, 20000, 1);
  const RaysView view = testing::rows_of(rays);
  std::vector<std::uint64_t> blocked(rays.size() / 64 + 1);
  const Caster caster(scene, ReferenceOptions{});
  const CastReport report = caster.any_hit(view, std::span(blocked).first((rays.size() + 63) / 64));
  EXPECT_EQ(report.bad_rays, rays.size() / 256);
  EXPECT_EQ(report.first_bad_ray, 255u);
  EXPECT_GT(report.hits, rays.size() / 4);
  EXPECT_LT(report.hits, rays.size() * 9 / 10);
  int zero = 0, tiny = 0, huge = 0, filtered = 0, closed = 0;
  for (std::uint64_t i = 0; i < rays.size(); ++i) {
    const Ray r = view[i];
    const float size = max_abs(r.direction);
    zero += size == 0;
    tiny += size > 0 && size < 1e-30f;
    huge += size > 1e30f && size < infinity;
    filtered += r.mask != 0xFFFFFFFFu || r.exclude[0] != none || r.exclude_group[0] != none;
    closed += r.t_min == r.t_max;
  }
  for (const int n : {zero, tiny, huge, filtered, closed}) EXPECT_GT(n, 100);
}

}  // namespace
}  // namespace sightline::gen
