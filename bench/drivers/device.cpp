// Rays and answers that are on the device already: closest/city/1000000/incoherent/cuda:device.
#include "bench/drivers/device.hpp"

#include "bench/harness/device_timing.hpp"
#include "host/cuda/device/pool.hpp"
#include "host/cuda/device/scene.hpp"
#include "kernels/launch/launch.hpp"

#include <sightline/caster.hpp>

namespace sightline::bench {
namespace {

constexpr std::uint64_t most_shapes_by_brute_force = 1024, most_shapes_of_careful_tree = 1'000'000;

/// Where a kernel puts what it finds.
struct DeviceHits {
  DeviceArray<float> t;
  DeviceArray<std::uint32_t> id;
  DeviceArray<std::uint8_t> flags;
  explicit DeviceHits(std::uint64_t n) : t(n), id(n), flags(n), count(n) {}
  HitArrays arrays() const {
    return {{t.data(), count}, {id.data(), count}, {flags.data(), count}, {}};
  }
  HitsView view() const {
    HitsView v;
    v.t = t.data(), v.id = id.data(), v.flags = flags.data();
    return v;
  }
  std::uint64_t count;
};

/// Puts a query into the stream: closest hits where `hits`, else any hits.
using Cast = std::function<void(World&, const RaysView&, const DeviceHits*,
                                const DeviceArray<std::uint64_t>*, cudaStream_t)>;

void add_cast(const SceneName& scene, const std::string& of, const std::string& how, Cast cast) {
  const bool closest = of == "coherent" || of == "incoherent";
  const std::string key = (closest ? "closest/" : "any/") + scene.text() + "/" + of;
  add(key + "/cuda:device" + how, [=](benchmark::State& state) {
    World& world = World::of(scene.scene, scene.shapes, options().load);
    const Question q = ray_question(world, closest ? "closest" : "any", of);
    const DeviceRays rays(world.ray_set(of));
    const cuda::OwnStream stream;
    Stopwatch watch(stream.get());
    const DeviceHits hits(closest ? q.count : 0);
    const DeviceArray<std::uint64_t> bits(closest ? 0 : bit_words(q.count));
    if (!measure(state, [&] {
          return watch.seconds(
              [&] { cast(world, rays.view, closest ? &hits : nullptr, &bits, stream.get()); });
        })) {
      return;
    }
    const auto n = static_cast<double>(q.count);
    count_rate(state, q.unit, n);
    count_rate(state, "bytes", n * q.bytes);
    Answers answers;
    if (closest) {
      answers.t = hits.t.values(), answers.id = hits.id.values(),
      answers.flags = hits.flags.values();
    } else {
      answers.bits = bits.values();
    }
    judge(state, key, world, q, answers, q.count);
  });
}

void by_caster(const SceneName& scene, const std::string& how, const CudaOptions& options,
               bool with_matrix) {
  for (const char* of : {"coherent", "incoherent", "los", "matrix"}) {
    if (of == std::string("matrix") && !with_matrix) continue;
    add_cast(scene, of, how,
             [=](World& world, const RaysView& rays, const DeviceHits* hits,
                 const DeviceArray<std::uint64_t>* bits, cudaStream_t stream) {
               const Caster& caster = world.caster(options);
               if (hits != nullptr)
                 return caster.closest_hit_on_device(rays, hits->arrays(), stream);
               caster.any_hit_on_device(rays, {bits->data(), bit_words(rays.size())}, stream);
             });
  }
}

/// The launchers by another schedule than the casters'.
void by_schedule(const SceneName& scene, const std::string& how,
                 const kernels::Schedule& schedule) {
  for (const char* of : {"incoherent", "los"}) {
    add_cast(
        scene, of, how,
        [=](World& world, const RaysView& rays, const DeviceHits* hits,
            const DeviceArray<std::uint64_t>* bits, cudaStream_t stream) {
          kernels::DeviceScene view = resident(world).view();
          view.schedule = schedule;
          if (hits != nullptr) {
            kernels::closest_hit(stream, {view, rays, hits->view()});
          } else {
            kernels::any_hit(stream, {view, rays, reinterpret_cast<std::uint32_t*>(bits->data())});
          }
          cuda::check_launch("a query");
        });
  }
}

void add_schedules(const SceneName& scene) {
  for (const std::uint32_t n : {1u, 4u, 16u, 32u}) {
    by_schedule(scene, "/refill:" + std::to_string(n), {.refill_at = n});
  }
  for (const std::uint32_t n : {1u, 7u, 20u}) {
    by_schedule(scene, "/leaves:" + std::to_string(n), {.leaves_at = n});
  }
  for (const std::uint32_t n : {128u, 512u}) {
    by_schedule(scene, "/batch:" + std::to_string(n), {.batch = n, .enough_batches = 1});
  }
}

/// Rays of the host, where the bus sets the rate.
void add_chunks(const SceneName& scene) {
  for (const std::uint64_t megabytes : {4u, 16u, 64u, 128u, 256u}) {
    const std::string key = "closest/" + scene.text() + "/incoherent";
    add(key + "/cuda/chunk:" + std::to_string(megabytes) + "MB", [=](benchmark::State& state) {
      World& world = World::of(scene.scene, scene.shapes, options().load);
      const Question q = ray_question(world, "closest", "incoherent");
      const CudaOptions chunked = {
          .chunk = static_cast<std::uint64_t>(static_cast<double>(megabytes << 20) / q.bytes)};
      const Place place{"", chunked, {Clock::wall, 1}};
      measure_question(state, key, world, place, q);
    });
  }
}

CudaOptions searching(Search search, TreeBuild tree = TreeBuild::fast) {
  return {.search = search, .tree = tree};
}

}  // namespace

const cuda::ResidentScene& resident(World& world) {
  static const cuda::MemoryPool& pool = *new cuda::MemoryPool(0);  // see World::of
  static auto& scene = *new std::optional<cuda::ResidentScene>;
  static std::string of;  // worlds come one after another to one address
  const std::string asked = world.name() + "/" + std::to_string(world.scene().size());
  if (!scene || of != asked) {
    scene.reset();
    cuda::SceneOptions options;
    options.search = Search::tree;
    scene.emplace(world.scene().view(), options, pool);
    of = asked;
  }
  return *scene;
}

void add_device() {
  if (!cuda_devices().problem.empty()) return;
  add_first_calls();
  add_ceilings();
  for (const SceneName& scene : scenes()) {
    by_caster(scene, "", searching(Search::tree), true);
    if (scene.shapes <= most_shapes_of_careful_tree) {
      by_caster(scene, "/careful", searching(Search::tree, TreeBuild::careful), false);
    }
    if (scene.shapes >= 1000) add_schedules(scene), add_chunks(scene);
    add_device_builds(scene);
    add_boxes(scene);
    add_device_rivals(scene);
  }
  if (!options().scene.empty()) return;
  // Where the tree overtakes brute force.
  const std::uint64_t most = std::min(options().largest, most_shapes_by_brute_force);
  for (std::uint64_t shapes = 1; shapes <= most; shapes *= 2) {
    for (const char* kind : {"city", "cloud", "mixed"}) {
      by_caster({kind, shapes}, "/tree", searching(Search::tree), false);
      by_caster({kind, shapes}, "/brute_force", searching(Search::brute_force), false);
    }
  }
}

}  // namespace sightline::bench
