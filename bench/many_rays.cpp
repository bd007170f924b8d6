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
  for (std::uint64_t k = 1; k < parts; ++k) {
    const gen::RaySet more = made[k].get();
    rays.origin.insert(rays.origin.end(), more.origin.begin(), more.origin.end());
    rays.direction.insert(rays.direction.end(), more.direction.begin(), more.direction.end());
  }
  return rays;
}

}  // namespace sightline::bench
