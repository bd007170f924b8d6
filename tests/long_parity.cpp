// A long run of what tests/host/door/parity_test.cpp does in a short one: random small scenes, the
// reference against the tree, byte by byte. tests/long_parity.sh runs it and keeps the result.
//
//   long_parity PAIRS [SEED [MOST_SHAPES]]      scenes have 1 to MOST_SHAPES shapes, 100 by default
//
// Prints one line of JSON; exit code 0 when nothing differs, 1 when something does, 2 for usage.
#include "tests/support/adversarial_rays.hpp"
#include "tests/support/answers.hpp"
#include "tests/support/random_scene.hpp"

#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <thread>

namespace sightline::testing {
namespace {

constexpr std::uint64_t rays_per_scene = 20'000;

/// What all threads add to.
struct Totals {
  std::atomic<std::uint64_t> next_scene{0}, pairs{0}, hits{0}, shapes{0}, differing{0};
  std::mutex output;
};

void complain(Totals& totals, const Ray& ray, std::uint64_t seed, Inside inside) {
  if (totals.differing++ >= 10) return;
  const std::lock_guard lock(totals.output);
  std::fprintf(stderr, "differs: scene seed %llu, policy %d, %s\n",
               static_cast<unsigned long long>(seed), static_cast<int>(inside), text(ray).c_str());
}

/// One scene, in every policy; the seed gives all of it.
void run_scene(Totals& totals, std::uint64_t seed, int most_shapes) {
  Random r(seed);
  const SceneFamily family = every_family[r.below(4)];
  const Caster reference(make_scene(family, r.between(1, most_shapes), seed), Backend::reference);
  const Caster cpu(reference.scene(), Backend::cpu, {1});
  std::vector<Ray> rays = random_rays(reference.scene(), rays_per_scene / 2, seed + 1);
  const std::vector<Ray> more = adversarial_rays(reference.scene(), rays_per_scene / 2, seed + 2);
  rays.insert(rays.end(), more.begin(), more.end());
  for (const Inside inside : every_policy) {
    const Answers truth = answers_of(reference, rows_of(rays), inside);
    const Answers tree = answers_of(cpu, rows_of(rays), inside);
    const std::uint64_t i = first_difference(truth, tree);
    if (i != rays.size()) complain(totals, rays[i], seed, inside);
    if (!any_is_closest(truth)) complain(totals, rays[0], seed, inside);
    for (std::uint64_t k = 0; k < rays.size(); ++k) totals.hits += truth.hit(k);
    totals.pairs += rays.size();
  }
  totals.shapes += reference.scene().size();
}

int run(std::uint64_t pairs, std::uint64_t seed, int most_shapes) {
  const std::uint64_t per_scene = 3 * rays_per_scene;
  const std::uint64_t scenes = (pairs + per_scene - 1) / per_scene;
  const auto start = std::chrono::steady_clock::now();
  Totals totals;
  std::vector<std::thread> threads;
  for (unsigned k = 0; k < std::max(1u, std::thread::hardware_concurrency()); ++k) {
    threads.emplace_back([&] {
      for (std::uint64_t i; (i = totals.next_scene++) < scenes;) {
        run_scene(totals, seed * 1'000'003 + i, most_shapes);
      }
    });
  }
  for (std::thread& t : threads) t.join();
  const double seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  const auto number = [](std::uint64_t n) { return static_cast<unsigned long long>(n); };
  std::printf(
      "{\"seed\": %llu, \"scenes\": %llu, \"shapes\": %llu, \"pairs\": %llu, \"hits\": %llu, "
      "\"calls_differing\": %llu, \"threads\": %zu, \"seconds\": %.0f, \"answers_version\": %u}\n",
      number(seed), number(scenes), number(totals.shapes), number(totals.pairs),
      number(totals.hits), number(totals.differing), threads.size(), seconds, answers_version);
  return totals.differing == 0 ? 0 : 1;
}

}  // namespace
}  // namespace sightline::testing

int main(int argc, char** argv) {
  const std::uint64_t pairs = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 0;
  const std::uint64_t seed = argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 1;
  const int most_shapes = argc > 3 ? std::atoi(argv[3]) : 100;
  if (pairs == 0 || most_shapes < 1 || argc > 4) {
    std::fprintf(stderr, "usage: long_parity PAIRS [SEED [MOST_SHAPES]]\n");
    return 2;
  }
  return sightline::testing::run(pairs, seed, most_shapes);
}
