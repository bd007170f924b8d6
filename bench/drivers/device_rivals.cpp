// NVIDIA's cuBQL, its two builders and its own walks, rays as they come or sorted first, which is
// timed too: closest/city/1000000/incoherent/cuda:device/cubql:area/sorted. The counter `differ`
// says how many answers are not ours, which a rival's arithmetic may.
#include "bench/drivers/device.hpp"

#include "bench/harness/device_timing.hpp"
#include "bench/rivals/device_ray_sort.hpp"

#include <sightline/geometry/shapes/shapes_view.hpp>

namespace sightline::bench {
namespace {

using rivals::CubqlRays;
using rivals::CubqlScene;
using rivals::CubqlTree;
using rivals::CubqlWalk;

Aabb box_of(const ShapesView& shapes) {
  Aabb all = empty_aabb();
  for (std::uint32_t id = 0; id < shapes.bounded(); ++id) all = unite(all, shapes.bounds[id]);
  return all;
}

/// Rays on the device as cuBQL takes them.
class RivalRays {
 public:
  RivalRays(World& world, const std::string& of, bool sorted) : rays_(world.ray_set(of)) {
    if (sorted) {
      sort_.emplace(static_cast<std::uint32_t>(rays_.view.count), box_of(world.scene().view()));
    }
  }
  /// Sorts them in the stream where they are to be sorted.
  CubqlRays next(cudaStream_t stream) {
    CubqlRays rays = {rays_.origin.data(), rays_.direction.data(),  nullptr,
                      rays_.view.count,    rays_.view.t_min.common, rays_.view.t_max.common};
    if (sort_) rays.order = sort_->sort(stream, rays);
    return rays;
  }

 private:
  DeviceRays rays_;
  std::optional<rivals::DeviceRaySort> sort_;
};

void add_closest(const SceneName& scene, const std::string& of, CubqlTree tree, bool sorted,
                 const std::string& name) {
  add("closest/" + scene.text() + "/" + of + "/cuda:device/" + name, [=](benchmark::State& state) {
    World& world = World::of(scene.scene, scene.shapes, options().load);
    const Question q = ray_question(world, "closest", of);
    Answers ours = q.room(q.count);
    q.ask(world.caster(Backend::cuda), q.count, ours);
    const cuda::OwnStream stream;
    CubqlScene cubql(world.scene().view());
    cubql.build(stream.get(), tree);
    RivalRays rays(world, of, sorted);
    const DeviceArray<float> t(q.count);
    const DeviceArray<std::uint32_t> id(q.count);
    Stopwatch watch(stream.get());
    if (!measure(state, [&] {
          return watch.seconds([&] {
            cubql.closest_hit(stream.get(), rays.next(stream.get()), t.data(), id.data());
          });
        })) {
      return;
    }
    const std::vector<std::uint32_t> ids = id.values();
    std::uint64_t differ = 0;
    for (std::uint64_t i = 0; i < q.count; ++i) differ += ids[i] != ours.id[i];
    state.counters["differ"] = static_cast<double>(differ);
    count_rate(state, "rays", static_cast<double>(q.count));
  });
}

void add_any(const SceneName& scene, CubqlTree tree, CubqlWalk walk, bool sorted,
             const std::string& name) {
  add("any/" + scene.text() + "/los/cuda:device/" + name, [=](benchmark::State& state) {
    World& world = World::of(scene.scene, scene.shapes, options().load);
    const Question q = ray_question(world, "any", "los");
    Answers ours = q.room(q.count);
    q.ask(world.caster(Backend::cuda), q.count, ours);
    const cuda::OwnStream stream;
    CubqlScene cubql(world.scene().view());
    cubql.build(stream.get(), tree);
    RivalRays rays(world, "los", sorted);
    const DeviceArray<std::uint8_t> blocked(q.count);
    Stopwatch watch(stream.get());
    if (!measure(state, [&] {
          return watch.seconds(
              [&] { cubql.any_hit(stream.get(), rays.next(stream.get()), walk, blocked.data()); });
        })) {
      return;
    }
    const std::vector<std::uint8_t> theirs = blocked.values();
    std::uint64_t differ = 0;
    for (std::uint64_t i = 0; i < q.count; ++i) {
      differ += (ours.bits[i / 64] >> i % 64 & 1) != theirs[i];
    }
    state.counters["differ"] = static_cast<double>(differ);
    count_rate(state, "rays", static_cast<double>(q.count));
  });
}

}  // namespace

void add_device_rivals(const SceneName& scene) {
  for (const auto& [tree, by] :
       {std::pair(CubqlTree::median, "cubql:median"), std::pair(CubqlTree::sah, "cubql:area")}) {
    for (const bool sorted : {false, true}) {
      const std::string how = sorted ? "/sorted" : "";
      add_closest(scene, "incoherent", tree, sorted, by + how);
      add_closest(scene, "coherent", tree, sorted, by + how);
      add_any(scene, tree, CubqlWalk::fixed, sorted, by + ("/fixed" + how));
      add_any(scene, tree, CubqlWalk::shrinking, sorted, by + ("/shrinking" + how));
    }
    add("build_tree/" + scene.text() + "/cuda:device/" + by, [=](benchmark::State& state) {
      World& world = World::of(scene.scene, scene.shapes, options().load);
      const cuda::OwnStream stream;
      CubqlScene cubql(world.scene().view());
      if (!measure(state, [&] {
            cubql.clear();
            return taken_by([&] { cubql.build(stream.get(), tree); }).wall;
          })) {
        return;
      }
      count_rate(state, "shapes", static_cast<double>(world.scene().size()));
    });
  }
}

}  // namespace sightline::bench
