#include "bench/gpu_rates.hpp"

#include <algorithm>
#include <future>
#include <thread>
#include <vector>

namespace sightline::bench {

gen::RaySet make_many_rays(gen::RayKind kind, const Caster& caster, gen::SceneKind scene_kind,
                           std::uint64_t count, std::uint64_t seed) {
  const std::uint64_t parts = std::max(1u, std::thread::hardware_concurrency());
  std::vector<std::future<gen::RaySet>> made;
  for (std::uint64_t k = 0; k < parts; ++k) {
    const std::uint64_t first = count * k / parts, end = count * (k + 1) / parts;
    made.push_back(std::async(std::launch::async, [=, &caster] {
      return gen::make_rays_chunk(kind, caster, scene_kind, count, seed, first, end - first);
    }));
  }
  gen::RaySet rays = made[0].get();
  for (std::uint64_t k = 1; k < parts; ++k) append_rays(rays, made[k].get());
  return rays;
}

void append_rays(gen::RaySet& to, const gen::RaySet& from) {
  to.origin.insert(to.origin.end(), from.origin.begin(), from.origin.end());
  to.direction.insert(to.direction.end(), from.direction.begin(), from.direction.end());
}

}  // namespace sightline::bench
