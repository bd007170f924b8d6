// One ray against one shape, by the functions of the headers: what a call costs beside a sphere
// test as textbooks have it.
#include "bench/harness/benchmarks.hpp"

#include <sightline/geometry/geometry.hpp>

#include <cmath>
#include <random>
#include <string>
#include <vector>

namespace sightline::bench {
namespace {

/// Rays from around a shape at the origin towards it: two in three hit a ball of radius 1.
std::vector<Ray> rays_around() {
  std::mt19937 random(1);
  std::uniform_real_distribution<float> unit(-1, 1);
  std::vector<Ray> rays(1024);
  for (Ray& ray : rays) {
    const Vec3 target = {1.2f * unit(random), 1.2f * unit(random), 1.2f * unit(random)};
    ray.origin = {5 * unit(random), 5 * unit(random), 6};
    ray.direction = {target.x - ray.origin.x, target.y - ray.origin.y, target.z - ray.origin.z};
  }
  return rays;
}

/// t of the entry, or +inf.
float textbook_sphere(const Ray& ray, const Sphere& s) {
  const Vec3 o = {ray.origin.x - s.center.x, ray.origin.y - s.center.y, ray.origin.z - s.center.z};
  const Vec3 d = ray.direction;
  const float a = d.x * d.x + d.y * d.y + d.z * d.z, b = o.x * d.x + o.y * d.y + o.z * d.z;
  const float c = o.x * o.x + o.y * o.y + o.z * o.z - s.radius * s.radius;
  const float discriminant = b * b - a * c;
  if (discriminant < 0) return infinity;
  const float t = (-b - std::sqrt(discriminant)) / a;
  return t >= ray.t_min && t <= ray.t_max ? t : infinity;
}

template <class Test>
void pairs(benchmark::State& state, const Test& test) {
  const std::vector<Ray> rays = rays_around();
  for (auto _ : state) {
    for (const Ray& ray : rays) benchmark::DoNotOptimize(test(ray));
  }
  count_rate(state, "rays", static_cast<double>(rays.size()));
}

}  // namespace

void add_pairs() {
  const auto named = [](const std::string& name, const auto& test) {
    benchmark::RegisterBenchmark(name.c_str(),
                                 [test](benchmark::State& state) { pairs(state, test); });
  };
  const Sphere ball = {{0, 0, 0}, 1};
  named("pair/textbook_sphere", [=](const Ray& r) { return textbook_sphere(r, ball); });
  const auto both = [&](const std::string& name, const auto& shape) {
    for (const bool normal : {false, true}) {
      named("pair/" + name + (normal ? "/with_normal" : ""),
            [=](const Ray& r) { return cast(r, shape, Inside::solid, normal); });
    }
  };
  both("sphere", ball);
  both("aabb", Aabb{{-1, -1, -1}, {1, 1, 1}});
  both("obb", frame(Obb{{0, 0, 0}, {1, 0.8f, 0.6f}, {0, 0, 0.6f, 0.8f}}));
  both("capsule", Capsule{{-1, 0, 0}, {1, 0, 0}, 0.6f});
  both("plane", Plane{{0, 0, 1}, 0});
}

}  // namespace sightline::bench
