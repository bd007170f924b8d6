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
      sort_.emplace(static_cast<std::uint32_t>(rays_.view.size()), box_of(world.scene().view()));
    }
  }
  /// Sorts them in the stream where they are to be sorted.
  CubqlRays next(cudaStream_t stream) {
    CubqlRays rays = {rays_.origin.data(), rays_.direction.data(),  nullptr,
                      rays_.view.size(),   rays_.view.t_min.common, rays_.view.t_max.common};
    if (sort_) rays.order = sort_->sort(stream, rays);
    return rays;
  }

 private:
  DeviceRays rays_;
  std::optional<rivals::DeviceRaySort> sort_;
};

/// Closest hits where there is no walk, else any hits by that walk.
void add_cast(const SceneName& scene, const std::string& of, CubqlTree tree,
              std::optional<CubqlWalk> walk, bool sorted, const std::string& name) {
  const std::string ask = walk ? "any" : "closest";
  add(ask + "/" + scene.text() + "/" + of + "/cuda:device/" + name, [=](benchmark::State& state) {
    World& world = World::of(scene.scene, scene.shapes, options().load);
    const Question q = ray_question(world, ask, of);
    Answers ours = q.room(q.count);
    q.ask(world.caster(CudaOptions{}), q.count, ours);
    const cuda::OwnStream stream;
    CubqlScene cubql(world.scene().view());
    cubql.build(stream.get(), tree);
    RivalRays rays(world, of, sorted);
    const DeviceArray<float> t(walk ? 0 : q.count);
    const DeviceArray<std::uint32_t> id(walk ? 0 : q.count);
    const DeviceArray<std::uint8_t> blocked(walk ? q.count : 0);
    Stopwatch watch(stream.get());
    const auto cast = [&] {
      const CubqlRays next = rays.next(stream.get());
      if (walk) return cubql.any_hit(stream.get(), next, *walk, blocked.data());
      cubql.closest_hit(stream.get(), next, t.data(), id.data());
    };
    if (!measure(state, [&] { return watch.seconds(cast); })) return;
    const std::vector<std::uint32_t> ids = id.values();
    const std::vector<std::uint8_t> theirs = blocked.values();
    std::uint64_t differ = 0;
    for (std::uint64_t i = 0; i < q.count; ++i) {
      differ += walk ? (ours.bits[i / 64] >> i % 64 & 1) != theirs[i] : ids[i] != ours.id[i];
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
      for (const char* of : {"incoherent", "coherent"}) {
        add_cast(scene, of, tree, std::nullopt, sorted, by + how);
      }
      add_cast(scene, "los", tree, CubqlWalk::fixed, sorted, by + ("/fixed" + how));
      add_cast(scene, "los", tree, CubqlWalk::shrinking, sorted, by + ("/shrinking" + how));
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
