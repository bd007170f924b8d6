// Rates of the cpu backend that `sightline bench` does not tell, over the standard scenes, and of
// the builder.
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

/// Rays of a radius: of 0 they are the thin rays of closest_hit, and take their time.
void thick(benchmark::State& state, SceneKind kind, std::uint64_t shapes, float radius) {
  const Scene& scene = scene_of(kind, shapes);
  const Caster caster(scene, Backend::cpu);
  const gen::RaySet rays = gen::make_rays(RayKind::incoherent, scene, kind, 65536, 2);
  const std::vector<float> radii(rays.size(), radius);
  std::vector<float> t(rays.size());
  std::vector<std::uint32_t> id(rays.size());
  std::vector<std::uint8_t> flags(rays.size());
  const HitArrays out = {t, id, flags, {}};
  for (auto _ : state) {
    benchmark::DoNotOptimize(caster.closest_hit(rays.view(), radii, out));
  }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(rays.size()));
  state.SetLabel(caster.description());
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

/// Line of sight between the ends of los rays within sectors of 60 degrees, a sixth of the pairs or
/// less; items are all pairs.
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
      named("fields/cpu/" + where, fields, scene, shapes);
      for (const float radius : {0.0f, 0.1f}) {
        named("thick/cpu/" + where + (radius == 0 ? "/radius_0" : "/radius_0.1"), thick, scene,
              shapes, radius);
      }
    }
  }
  return true;
}();

}  // namespace
}  // namespace sightline
