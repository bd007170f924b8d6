// Rates of the backends that need no device, over the standard scenes and rays, and of the builder.
#include "host/cpu/builder.hpp"
#include "host/gen/rays.hpp"

#include <benchmark/benchmark.h>

#include <cstdlib>
#include <map>
#include <memory>

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
    hits = caster.closest_hit(rays.view(), {t.data(), id.data(), flags.data(), nullptr}).hits;
  }
  report(state, caster, rays.size(), 2 * sizeof(Vec3) + 4 + 4 + 1);
  state.counters["hit_share"] = static_cast<double>(hits) / static_cast<double>(rays.size());
}

/// Bytes a ray: origin and direction in, a bit out (left out of the sum).
void any_hit(benchmark::State& state, Case c) {
  const Scene& scene = scene_of(c.scene, c.shapes);
  const Caster caster(scene, c.backend);
  const gen::RaySet rays =
      gen::make_rays(c.rays, scene, c.scene, ray_count(c.backend, c.shapes), 2);
  std::vector<std::uint64_t> blocked((rays.size() + 63) / 64);
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
  points.position = Vec3Column::rows(rays.origin.data());
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
  points.position = Vec3Column::rows(rays.origin.data());
  FieldsView looking;  // each along its own line of sight
  looking.shape = FieldShape::sector;
  looking.direction = Vec3Column::rows(rays.direction.data());
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
  for (const SceneKind scene : scenes) {
    for (const std::uint64_t shapes : sizes) {
      const std::string where = std::string(gen::name_of(scene)) + "/" + std::to_string(shapes);
      const auto named = [](const std::string& name, auto&&... arguments) {
        benchmark::RegisterBenchmark(name.c_str(), arguments...)
            ->Unit(benchmark::kMillisecond)
            ->UseRealTime();
      };
      named("build/" + where, build, scene, shapes);
      named("visibility/cpu/" + where, visibility, scene, shapes);
      named("fields/cpu/" + where, fields, scene, shapes);
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
