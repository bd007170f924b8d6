// Overlaps, nearest shapes and motions: overlap_any/city/1000/spheres/avx2/threads:1.
#include "bench/harness/benchmarks.hpp"

namespace sightline::bench {
namespace {

struct Asked {
  const char *name, *ask, *of;
};
constexpr Asked every[] = {
    {"overlap_any", "any", "spheres"},      {"overlap_any", "any", "rakes"},
    {"overlap_any", "any", "capsules"},     {"overlap_any", "any", "aabbs"},
    {"overlap_any", "any", "obbs"},         {"overlap_count", "count", "spheres"},
    {"overlap_count", "count", "capsules"}, {"overlap_count", "count", "aabbs"},
    {"overlap_count", "count", "obbs"},     {"overlap_all", "all", "spheres"},
    {"overlap_all", "all", "capsules"},     {"overlap_all", "all", "aabbs"},
    {"overlap_all", "all", "obbs"},         {"overlap_eights", "eights", "spheres"},
    {"overlap_eights", "eights", "rakes"},  {"nearest", "nearest", "points"},
    {"clearance", "clearance", "motions"},  {"sweep_any", "blocked", "motions"}};

}  // namespace

void add_queries() {
  for (const SceneName& scene : scenes()) {
    for (const Place& place : places()) {
      for (const Asked& asked : every) {
        const std::string key = std::string(asked.name) + "/" + scene.text() + "/" + asked.of;
        add(key + "/" + place.name, [=](benchmark::State& state) {
          World& world = World::of(scene.scene, scene.shapes, options().load);
          measure_question(state, key, world, place,
                           query_question(world.queries(asked.of), asked.ask));
        });
      }
    }
  }
}

}  // namespace sightline::bench
