// Rates of the backends that need no device, over the standard scenes and rays, and of the builder.
#include "host/gen/rays.hpp"
#include "host/tree/builder.hpp"

#include <benchmark/benchmark.h>

#include <cstdlib>
#include <map>

namespace sightline {
namespace {

using gen::RayKind;
using gen::SceneKind;

/// One scene, made when a benchmark first asks for it.
const Scene& scene_of(SceneKind kind, std::uint64_t shapes) {
  static std::map<std::pair<SceneKind, std::uint64_t>, Scene> scenes;
  const auto [at, is_new] = scenes.try_emplace({kind, shapes});
  if (is_new) {
    at->second = gen::make_scene(kind, shapes, 1);
    at->second.view();
  }
  return at->second;
}

/// The reference passes every shape for every ray, so it gets fewer of them.
std::uint64_t ray_count(Backend backend, std::uint64_t shapes) {
  return backend == Backend::reference ? 20'000'000 / shapes : 200'000;
}

struct Case {
  Backend backend;
  SceneKind scene;
  std::uint64_t shapes;
  RayKind rays;
};

void report(benchmark::State& state, const Caster& caster, std::uint64_t rays,
            std::uint64_t bytes_a_ray) {
  const auto done = static_cast<std::int64_t>(rays) * state.iterations();
  state.SetItemsProcessed(done);
  state.SetBytesProcessed(done * static_cast<std::int64_t>(bytes_a_ray));
  state.SetLabel(caster.description());
}

/// Bytes a ray: origin and direction in, t, id and flags out.
void closest_hit(benchmark::State& state, Case c) {
  const Scene& scene = scene_of(c.scene, c.shapes);
  const Caster caster(scene, c.backend);
  const gen::RaySet rays =
      gen::make_rays(c.rays, scene, c.scene, ray_count(c.backend, c.shapes), 2);
  std::vector<float> t(rays.size());
  std::vector<std::uint32_t> id(rays.size());
  std::vector<std::uint8_t> flags(rays.size());
  std::uint64_t hits = 0;
  for (auto _ : state) {
    hits = caster.closest_hit(rays.view(), {t, id, flags, {}}).hits;
  }
  report(state, caster, rays.size(), 2 * sizeof(Vec3) + 4 + 4 + 1);
  state.counters["hit_share"] = static_cast<double>(hits) / static_cast<double>(rays.size());
}

/// Rays of a radius: of 0 they are the thin rays of closest_hit, and take their time.
void thick(benchmark::State& state, Case c, float radius) {
  const Scene& scene = scene_of(c.scene, c.shapes);
  const Caster caster(scene, c.backend);
  const gen::RaySet rays = gen::make_rays(c.rays, scene, c.scene, 65536, 2);
  const std::vector<float> radii(rays.size(), radius);
  std::vector<float> t(rays.size());
  std::vector<std::uint32_t> id(rays.size());
  std::vector<std::uint8_t> flags(rays.size());
  const HitArrays out = {t, id, flags, {}};
  for (auto _ : state) {
    benchmark::DoNotOptimize(caster.closest_hit(rays.view(), radii, out));
  }
  report(state, caster, rays.size(), 2 * sizeof(Vec3) + 4 + 4 + 4 + 1);
}

/// Rays along a row of spheres, all of which they hit; items are hits, so that equal rates of rows
/// of any length say that the cost grows with the hits alone.
void all_hits(benchmark::State& state, std::uint32_t spheres) {
  Scene scene;
  for (std::uint32_t i = 0; i < spheres; ++i) {
    scene.add_sphere({{static_cast<float>(i) * 0.25f, 0, 0}, 1});
  }
  const Caster caster(std::move(scene), Backend::cpu);
  const std::uint64_t n = 4'000'000 / spheres;
  std::vector<Vec3> origins(n, {-10, 0, 0});
  for (std::uint64_t i = 0; i < n; ++i) {
    origins[i].y = static_cast<float>(i) / static_cast<float>(2 * n);
  }
  RaysView rays;
  rays.count = n;
  rays.origin = Vec3Column::rows(origins);
  rays.direction.x.common = 1;
  HitRows rows;
  std::uint64_t hits = 0;
  for (auto _ : state) hits = caster.all_hits(rays, rows).hits;
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(hits));
  state.SetLabel(caster.description());
  state.counters["hits_a_ray"] = static_cast<double>(hits) / static_cast<double>(n);
}

/// Bytes a ray: origin and direction in, a bit out (left out of the sum).
void any_hit(benchmark::State& state, Case c) {
  const Scene& scene = scene_of(c.scene, c.shapes);
  const Caster caster(scene, c.backend);
  const gen::RaySet rays =
      gen::make_rays(c.rays, scene, c.scene, ray_count(c.backend, c.shapes), 2);
  std::vector<std::uint64_t> blocked(bit_words(rays.size()));
  std::uint64_t hits = 0;
  for (auto _ : state) hits = caster.any_hit(rays.view(), blocked).hits;
  report(state, caster, rays.size(), 2 * sizeof(Vec3));
  state.counters["hit_share"] = static_cast<double>(hits) / static_cast<double>(rays.size());
}

/// Line of sight between the ends of los rays; bytes a pair: none but the bit.
void visibility(benchmark::State& state, SceneKind kind, std::uint64_t shapes) {
  const Scene& scene = scene_of(kind, shapes);
  const Caster caster(scene, Backend::cpu);
  const gen::RaySet rays = gen::make_rays(RayKind::los, scene, kind, 512, 3);
  PointsView points;
  points.count = rays.size();
  points.position = Vec3Column::rows(rays.origin);
  std::vector<std::uint64_t> bits(512 * 8);
  for (auto _ : state) benchmark::DoNotOptimize(caster.visibility(points, points, bits));
  state.SetItemsProcessed(state.iterations() * 512 * 512);
  state.SetLabel(caster.description());
}

/// The same within sectors of 60 degrees, a sixth of the pairs or less; items are all pairs.
void fields(benchmark::State& state, SceneKind kind, std::uint64_t shapes) {
  const Scene& scene = scene_of(kind, shapes);
  const Caster caster(scene, Backend::cpu);
  const gen::RaySet rays = gen::make_rays(RayKind::los, scene, kind, 512, 3);
  PointsView points;
  points.count = rays.size();
  points.position = Vec3Column::rows(rays.origin);
  FieldsView looking;  // each along its own line of sight
  looking.shape = FieldShape::sector;
  looking.direction = Vec3Column::rows(rays.direction);
  looking.cosine.common = 0.8660254f, looking.sine.common = 0.5f;
  std::vector<std::uint64_t> bits(512 * 8);
  std::uint64_t in_field = 0;
  for (auto _ : state) in_field = caster.visibility(points, looking, points, bits).in_field;
  state.SetItemsProcessed(state.iterations() * 512 * 512);
  state.SetLabel(caster.description());
  state.counters["in_field"] = static_cast<double>(in_field) / (512 * 512);
}

/// Items are shapes; bytes are those of the tree.
void build(benchmark::State& state, SceneKind kind, std::uint64_t shapes) {
  const ShapesView view = scene_of(kind, shapes).view();
  std::uint64_t bytes = 0;
  for (auto _ : state) {
    const detail::Bvh bvh = detail::build_bvh(view);
    bytes = bvh.nodes.size() * sizeof(BvhNode);
  }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(shapes));
  state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(bytes));
}

/// SIGHTLINE_BENCH_ALL asks for the scenes that take minutes, too.
const bool registered = [] {
  std::vector<SceneKind> scenes = {SceneKind::city, SceneKind::cloud};
  std::vector<std::uint64_t> sizes = {1'000, 100'000};
  if (std::getenv("SIGHTLINE_BENCH_ALL") != nullptr) {
    scenes.push_back(SceneKind::mixed);
    sizes.push_back(1'000'000);
  }
  const auto named = [](const std::string& name, auto&&... arguments) {
    benchmark::RegisterBenchmark(name.c_str(), arguments...)
        ->Unit(benchmark::kMillisecond)
        ->UseRealTime();
  };
  for (const std::uint32_t spheres : {250u, 1'000u, 4'000u, 16'000u}) {
    named("all_hits/cpu/row/" + std::to_string(spheres), all_hits, spheres);
  }
  for (const SceneKind scene : scenes) {
    for (const std::uint64_t shapes : sizes) {
      const std::string where = std::string(gen::name_of(scene)) + "/" + std::to_string(shapes);
      named("build/" + where, build, scene, shapes);
      named("visibility/cpu/" + where, visibility, scene, shapes);
      named("fields/cpu/" + where, fields, scene, shapes);
      for (const float radius : {0.0f, 0.1f}) {
        named("thick/cpu/" + where + (radius == 0 ? "/radius_0" : "/radius_0.1"), thick,
              Case{Backend::cpu, scene, shapes, RayKind::incoherent}, radius);
      }
      for (const Backend backend : {Backend::reference, Backend::cpu}) {
        const std::string who = backend == Backend::cpu ? "cpu/" : "reference/";
        for (const RayKind rays : {RayKind::coherent, RayKind::incoherent}) {
          named("closest/" + who + where + "/" + std::string(gen::name_of(rays)), closest_hit,
                Case{backend, scene, shapes, rays});
        }
        named("any/" + who + where + "/los", any_hit, Case{backend, scene, shapes, RayKind::los});
      }
    }
  }
  return true;
}();

}  // namespace
}  // namespace sightline
