#include "tests/parity/runs.hpp"

#include "host/gen/rays.hpp"
#include "tests/support/adversarial_rays.hpp"
#include "tests/support/random_points.hpp"
#include "tests/support/rigid_motion.hpp"

#include <cmath>

namespace sightline::testing {
namespace {

// So many that a device spends its time on them, not on the memory of another scene.
constexpr std::uint64_t rays_per_scene = 60'000, points_per_scene = 400, asked_per_scene = 200;

// The cpu's ways for many that ask begin at 256 of them, and at four times as many as shapes.
constexpr std::uint64_t some_asked = 400, many_asked = 2'500;

/// The reference passes every shape for each that asks.
constexpr std::uint64_t most_shapes_asked_about = 100'000;

VisibilityOptions random_options(Random& r, Inside inside) {
  VisibilityOptions options;
  options.inside = inside;
  if (r.one_in(3)) options.margin = r.uniform(0, 0.4f);
  if (r.one_in(3)) options.range = r.power_of_two(-2, 6);
  return options;
}

}  // namespace

bool run_standard_scene(std::uint64_t index, std::uint64_t largest, std::uint64_t rays_of_a_kind,
                        Backend tested, Totals& totals) {
  constexpr gen::SceneKind kinds[] = {gen::SceneKind::city, gen::SceneKind::cloud,
                                      gen::SceneKind::mixed};
  std::uint64_t shapes = 1'000;
  for (std::uint64_t k = 0; k < index / 3; ++k) shapes *= 10;
  if (shapes > largest) return false;
  const gen::SceneKind kind = kinds[index % 3];
  const Scene scene = gen::make_scene(kind, shapes, index + 1);
  const std::string name = std::string(gen::name_of(kind)) + " of " + std::to_string(shapes) +
                           " shapes, seed " + std::to_string(index + 1);
  Panel panel(scene, name, tested, 0, 0, totals);
  const Caster maker(scene, CpuOptions{});
  int policy = static_cast<int>(index);
  // The reference passes every shape for every ray.
  const std::uint64_t sample = 1 + 2 * rays_of_a_kind / shapes;
  for (const gen::RayKind rays :
       {gen::RayKind::coherent, gen::RayKind::incoherent, gen::RayKind::los}) {
    const gen::RaySet set =
        gen::make_rays_chunk(rays, maker, kind, rays_of_a_kind, index + 2, 0, rays_of_a_kind);
    const Inside inside = every_policy[policy++ % 3];
    panel.cast(set.view(), inside, sample);
    if (rays != gen::RayKind::los) continue;
    PointsView from, to;
    from.count = to.count = static_cast<std::uint64_t>(std::sqrt(static_cast<double>(set.size())));
    from.position = std::span(set.origin).first(from.count);
    to.position = std::span(set.origin).last(to.count);
    panel.see(from, to, {infinity, 0, inside}, sample);
    if (shapes <= most_shapes_asked_about) panel.ask(asked_per_scene, index + 3);
  }
  return true;
}

void run_small_scene(std::uint64_t seed, Backend tested, Totals& totals) {
  Random r(seed);
  const SceneFamily family = ray_family(r.bits());
  const bool cpu = tested == Backend::cpu;
  const Scene scene =
      make_scene(family, cpu && r.one_in(4) ? r.between(101, 600) : r.between(1, 100), seed);
  const std::uint64_t chunk = r.one_in(2) ? 0 : static_cast<std::uint64_t>(r.between(1'000, 9'000));
  const std::uint64_t asked = !cpu ? asked_per_scene : r.one_in(8) ? many_asked : some_asked;
  Panel panel(scene, std::string(name_of(family)) + ", scene seed " + std::to_string(seed), tested,
              1, chunk, totals);
  const auto question = [&](const Scene& at, std::uint64_t part, std::uint64_t salt) {
    const std::vector<Ray> rays = trouble(at, rays_per_scene / part, seed + salt);
    // Filtered points, and those that the cpu traces as fans.
    constexpr std::vector<SightPoint> (*kinds[])(const Scene&, std::uint64_t, std::uint64_t) = {
        random_points, plain_points, points_on_grid};
    const auto kind = kinds[r.below(3)];
    const auto some = [&](std::uint64_t k) {
      return kind(at, points_per_scene / part + r.bits() % 64, seed + salt + k);
    };
    const std::vector<SightPoint> from = some(2), to = some(3);
    const PointsView viewpoints = kind == random_points ? rows_of(from) : positions_of(from);
    const PointsView targets = kind == random_points ? rows_of(to) : positions_of(to);
    for (const Inside inside : every_policy) {
      panel.cast(rows_of(rays), {inside, every_side[r.below(3)]}, 200);
      panel.see(viewpoints, targets, random_options(r, inside), 200);
    }
    panel.ask(asked / part, seed + salt);
  };
  question(scene, 1, 1);
  Scene other = scene;
  move_shapes(other, seed, r.power_of_two(-6, 2));
  panel.update(other, r.one_in(2) ? Update::refit : Update::rebuild);
  question(other, 4, 1'000'000'007);
}

}  // namespace sightline::testing
