#include "bench/gpu_rates.hpp"

#include "bench/device_timing.hpp"
#include "host/cuda/device/scene.hpp"
#include "tests/support/answers.hpp"

namespace sightline::bench {
namespace {

using kernels::Schedule;

/// Rays and answers on the device, cast by the launchers themselves.
class Variants {
 public:
  Variants(Table& table, gen::SceneKind kind, const Scene& scene, const gen::RaySet& incoherent,
           const gen::RaySet& los)
      : table_(table),
        kind_(kind),
        shapes_(scene.size()),
        watch_(stream_.get()),
        closest_(incoherent),
        any_(los),
        t_(closest_.view.count),
        id_(closest_.view.count),
        blocked_(bit_words(any_.view.count)) {}

  /// Returns the seconds of closest hit.
  double measure(const cuda::ResidentScene& scene, const Schedule& schedule,
                 const std::string& how) {
    kernels::DeviceScene view = scene.view();
    view.schedule = schedule;
    const double seconds = measure_closest(view, closest_.view, how + ", device rays, incoherent");
    add("any hit", how + ", device rays, los", any_.view.count, [&] {
      kernels::any_hit(stream_.get(),
                       {view, any_.view, reinterpret_cast<std::uint32_t*>(blocked_.data())});
      cuda::check_launch("any_hit");
    });
    compare();
    return seconds;
  }
  /// Closest hits of other rays, no more of them.
  double measure_closest(const kernels::DeviceScene& scene, const RaysView& rays,
                         const std::string& how) {
    HitsView hits;
    hits.t = t_.data();
    hits.id = id_.data();
    return add("closest hit", how, rays.count, [&] {
      kernels::closest_hit(stream_.get(), {scene, rays, hits});
      cuda::check_launch("closest_hit");
    });
  }
  std::uint64_t differing() const { return differing_; }
  const cuda::MemoryPool& pool() const { return pool_; }

 private:
  template <class Launch>
  double add(const char* what, const std::string& how, std::uint64_t rays, Launch&& launch) {
    const std::vector<double> seconds = sample([&] { return watch_.seconds(launch); });
    table_.add({what, how, std::string(gen::name_of(kind_)), shapes_, "rays",
                static_cast<double>(rays), seconds, 0});
    return median(seconds);
  }
  void compare() {
    const std::vector<float> t = t_.values();
    const std::vector<std::uint32_t> id = id_.values();
    const std::vector<std::uint64_t> blocked = blocked_.values();
    if (first_t_.empty()) first_t_ = t, first_id_ = id, first_blocked_ = blocked;
    differing_ += !testing::same_bytes(t, first_t_) || id != first_id_ || blocked != first_blocked_;
  }

  Table& table_;
  gen::SceneKind kind_;
  std::uint64_t shapes_;
  cuda::MemoryPool pool_{0};
  cuda::OwnStream stream_;
  Stopwatch watch_;
  DeviceRays closest_, any_;
  DeviceArray<float> t_;
  DeviceArray<std::uint32_t> id_;
  DeviceArray<std::uint64_t> blocked_;
  std::vector<float> first_t_;
  std::vector<std::uint32_t> first_id_;
  std::vector<std::uint64_t> first_blocked_;
  std::uint64_t differing_ = 0;
};

cuda::SceneOptions options_of(Search search) {
  cuda::SceneOptions options;
  options.search = search;
  return options;
}

}  // namespace

std::uint64_t measure_variants(Table& table, gen::SceneKind kind, std::uint64_t shapes,
                               std::uint64_t rays) {
  const Scene scene = gen::make_scene(kind, shapes, 1);
  const auto made = [&](gen::RayKind ray_kind) {
    const Caster caster(scene, Backend::cuda);
    return make_many_rays(ray_kind, caster, kind, rays, 2);
  };
  Variants variants(table, kind, scene, made(gen::RayKind::incoherent), made(gen::RayKind::los));
  const cuda::ResidentScene device(scene.view(), options_of(Search::tree), variants.pool());
  variants.measure(device, {}, "tree");
  const auto measure = [&](const std::string& how, const Schedule& schedule) {
    variants.measure(device, schedule, "tree, " + how);
  };
  for (const std::uint32_t n : {1u, 4u, 16u, 32u}) {
    Schedule schedule;
    schedule.refill_at = n;
    measure("refill at " + std::to_string(n), schedule);
  }
  for (const std::uint32_t n : {1u, 7u, 20u}) {
    Schedule schedule;
    schedule.leaves_at = n;
    measure("leaves at " + std::to_string(n), schedule);
  }
  for (const std::uint32_t n : {128u, 512u, 1024u}) {  // 2^21 rays have 256 in each by default
    Schedule schedule;
    schedule.batch = n;
    schedule.enough_batches = 1;
    measure("batches of " + std::to_string(n), schedule);
  }
  return variants.differing();
}

void measure_once(Table& table, gen::SceneKind kind, std::uint64_t shapes, std::uint64_t rays) {
  const Scene scene = gen::make_scene(kind, shapes, 1);
  const Caster caster(scene, Backend::cuda);
  Variants variants(table, kind, scene,
                    make_many_rays(gen::RayKind::incoherent, caster, kind, rays, 2),
                    make_many_rays(gen::RayKind::los, caster, kind, rays, 2));
  const cuda::ResidentScene device(scene.view(), options_of(Search::tree), variants.pool());
  variants.measure(device, {}, "tree");
  const DeviceRays camera(make_many_rays(gen::RayKind::coherent, caster, kind, rays, 2));
  variants.measure_closest(device.view(), camera.view, "tree, device rays, coherent");
}

std::uint64_t measure_switch_over(Table& table, gen::SceneKind kind, std::uint64_t rays) {
  std::uint64_t differing = 0;
  std::uint64_t most = 0;
  for (std::uint64_t shapes = 1; shapes <= 1024; shapes *= 2) {
    const Scene scene = gen::make_scene(kind, shapes, 1);
    Variants variants(table, kind, scene,
                      gen::make_rays(gen::RayKind::incoherent, scene, kind, rays, 3),
                      gen::make_rays(gen::RayKind::los, scene, kind, rays, 3));
    double seconds[2] = {};
    for (const Search search : {Search::brute_force, Search::tree}) {
      const cuda::ResidentScene device(scene.view(), options_of(search), variants.pool());
      const bool tree = search == Search::tree;
      seconds[tree] =
          variants.measure(device, {}, tree ? "switch-over, tree" : "switch-over, brute force");
    }
    if (seconds[0] <= seconds[1]) most = shapes;
    differing += variants.differing();
  }
  table.note("switch-over: closest hit by brute force is as fast up to " + std::to_string(most) +
             " shapes, " + std::string(gen::name_of(kind)));
  return differing;
}

}  // namespace sightline::bench
