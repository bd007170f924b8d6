#include "tests/host/cuda/jobs.hpp"

#include "tests/support/random_scene.hpp"
#include "tests/support/rigid_motion.hpp"

#include <algorithm>

namespace sightline::testing {
namespace {

Scene scene_of(std::uint64_t seed) { return make_scene(SceneFamily::random, 60, seed); }

const EveryQuery& query_of(std::string_view name) {
  const auto all = every_query();
  return *std::find_if(all.begin(), all.end(), [&](const auto& q) { return name == q.name; });
}

}  // namespace

Bytes cast_all(const Caster& caster) {
  return query_of("rays").ask(caster, default_options(caster.backend()), 150, 6);
}

Job query_job(std::string_view name, const CudaOptions& options, std::uint64_t n) {
  const EveryQuery& query = query_of(name);
  const auto work = [ask = query.ask, n](const CasterOptions& with, const Caster& caster) {
    return ask(caster, with, n, 8);
  };
  return {query.name, scene_of(4), options, work};
}

Job update_job(const CudaOptions& options) {
  const Scene before = scene_of(3), larger = scene_of(5);
  Scene after = before;
  move_shapes(after, 4, 20);
  const auto work = [=](const CasterOptions&, Caster& caster) {
    Bytes bytes;
    const auto cast = [&] {
      const Bytes more = cast_all(caster);
      bytes.insert(bytes.end(), more.begin(), more.end());
    };
    caster.update(before, Update::rebuild);
    caster.update(after, Update::refit);
    cast();
    caster.update(before, Update::automatic);
    cast();
    caster.update(larger, Update::automatic);
    cast();
    return bytes;
  };
  return {"update", before, options, work};
}

}  // namespace sightline::testing
