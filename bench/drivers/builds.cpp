// Casters made and updated, the copy of their scene left out:
// construct/city/1000000/avx2/threads:1.
#include "bench/harness/benchmarks.hpp"

namespace sightline::bench {
namespace {

void add_build(const SceneName& scene, const Place& place, const std::string& what,
               const std::function<double(const World&)>& seconds_of) {
  add(what + "/" + scene.text() + "/" + place.name, [=](benchmark::State& state) {
    World& world = World::of(scene.scene, scene.shapes, options().load);
    if (!measure(state, [&] { return seconds_of(world); })) return;
    const auto shapes = static_cast<double>(world.scene().size());
    count_rate(state, "shapes", shapes);
    const Caster& built = world.caster(place.options);
    state.counters["bytes/shape"] = static_cast<double>(built.memory_bytes()) / shapes;
  });
}

void add_builds_at(const SceneName& scene, const Place& place, const std::string& suffix) {
  add_build(scene, place, "construct" + suffix, [=](const World& world) {
    Scene copy = world.scene();
    std::optional<Caster> caster;
    return place.timing.seconds(taken_by([&] { caster.emplace(std::move(copy), place.options); }));
  });
}

}  // namespace

void add_builds() {
  for (const SceneName& scene : scenes()) {
    for (Place place : places()) {
      if (place.is<ReferenceOptions>()) continue;
      add_builds_at(scene, place, "");
      for (const auto& [name, how] : {std::pair("update_refit", Update::refit),
                                      std::pair("update_rebuild", Update::rebuild)}) {
        add_build(scene, place, name, [=, how = how](const World& world) {
          static auto& caster = *new std::optional<Caster>;  // one build for all iterations
          static std::string of;
          const std::string key = world.name() + std::to_string(world.scene().size()) + place.name;
          if (of != key) caster.emplace(world.scene(), place.options);
          of = key;
          Scene copy = world.scene();
          return place.timing.seconds(taken_by([&] { caster->update(std::move(copy), how); }));
        });
      }
      if (!place.is<CudaOptions>()) continue;
      place.options = CudaOptions{.tree = TreeBuild::careful};
      add_builds_at(scene, place, "_careful");
    }
  }
}

}  // namespace sightline::bench
