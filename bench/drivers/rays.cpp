// Rays and lines of sight: closest/city/100000/incoherent/avx2/threads:1.
#include "bench/harness/benchmarks.hpp"

namespace sightline::bench {
namespace {

void add_question(const SceneName& scene, const Place& place, const std::string& ask,
                  const std::string& of) {
  const std::string file = of.substr(of.find_last_of('/') + 1);
  const std::string key = ask + "/" + scene.text() + (of.empty() ? "" : "/" + file);
  add(key + "/" + place.name, [=](benchmark::State& state) {
    World& world = World::of(scene.scene, scene.shapes, options().load);
    measure_question(state, key, world, place,
                     of.empty() ? sight_question(world, ask) : ray_question(world, ask, of));
  });
}

/// Rays along a row of spheres, all of which they hit: equal rates of rows of any length say that
/// the cost grows with the hits alone.
void add_row_of_spheres(std::uint64_t spheres, const Place& place, const std::string& how,
                        const HitRowsOptions& keep) {
  const std::string name = "hits_of_row/" + std::to_string(spheres) + "/" + how;
  add(name + "/" + place.name, [=](benchmark::State& state) {
    Scene scene;
    for (std::uint64_t i = 0; i < spheres; ++i) {
      scene.add_sphere({{0.25f * static_cast<float>(i), 0, 0}, 1});
    }
    const std::uint64_t n = std::max<std::uint64_t>(1, 4 * options().load.count / spheres);
    std::vector<Vec3> origins;
    for (std::uint64_t i = 0; i < n; ++i) {
      origins.push_back({-10, 0.5f * static_cast<float>(i) / static_cast<float>(n), 0});
    }
    RaysView rays;
    rays.origin = Vec3Column::rows(origins);
    rays.direction = Vec3{1, 0, 0};
    const Caster caster(std::move(scene), place.options);
    std::vector<std::uint32_t> counts(n);
    HitRowsReport report;
    const auto ask = [&] {
      report =
          how == "counted" ? caster.count_hits(rays, counts) : caster.all_hits(rays, keep).report;
    };
    if (!measure(state, [&] { return place.timing.seconds(taken_by(ask)); })) return;
    if (report.hits != n * spheres) return fail(state, "not every sphere was hit");
    count_rate(state, "hits", static_cast<double>(report.hits));
  });
}

}  // namespace

void add_rays() {
  for (const Place& place : places()) {
    if (place.is<ReferenceOptions>()) continue;
    for (const std::uint64_t spheres : {250u, 1000u, 4000u, 16000u}) {
      add_row_of_spheres(spheres, place, "counted", {});
      add_row_of_spheres(spheres, place, "all", {});
      add_row_of_spheres(spheres, place, "all_with_t_out", {.t_out = true});
      add_row_of_spheres(spheres, place, "first_8", {.first = 8});
    }
  }
  for (const SceneName& scene : scenes()) {
    for (const Place& place : places()) {
      if (!options().rays.empty()) {
        for (const char* ask : {"closest", "any"}) add_question(scene, place, ask, options().rays);
        continue;
      }
      add_question(scene, place, "closest", "coherent");
      add_question(scene, place, "closest", "incoherent");
      add_question(scene, place, "any", "los");
      add_question(scene, place, "any", "matrix");
      for (const char* ask : {"visibility", "self", "fields", "pairs"}) {
        add_question(scene, place, ask, "");
      }
      for (const char* ask : {"thick", "thick_0", "count_hits", "all_hits"}) {
        add_question(scene, place, ask, "incoherent");
      }
    }
  }
}

}  // namespace sightline::bench
