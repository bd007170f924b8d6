// Matrices whose points and bits are on the device: sight/city/100000/boxes/targets/cuda:device.
// The first is what a caster does over many shapes; the others do without boxes of targets, or
// begin at the root.
#include "bench/drivers/device.hpp"

#include "bench/harness/device_timing.hpp"
#include "host/cuda/device/pool.hpp"
#include "kernels/launch/launch.hpp"

namespace sightline::bench {
namespace {

std::vector<std::uint32_t> morton_order(const DeviceArray<Vec3>& places, std::uint64_t count) {
  const cuda::OwnStream stream;
  const cuda::MemoryPool pool(0);
  cuda::StreamMemory scratch(pool, stream.get());
  const DeviceArray<std::uint32_t> order(count), rank(count);
  PointsView view;
  view.count = count;
  view.position = std::span<const Vec3>(places.data(), count);
  const int error =
      kernels::morton_order(stream.get(), view, order.data(), rank.data(), scratch.allocator());
  cuda::check(static_cast<cudaError_t>(error), "morton_order");
  return order.values();
}

/// Points against themselves, rows and columns in Morton order.
class PointsOnDevice {
 public:
  PointsOnDevice(const kernels::DeviceScene& scene, const std::vector<Vec3>& points, bool boxes,
                 bool from_targets)
      : places_(points),
        order_(morton_order(places_, points.size())),
        nodes_(points.size()),
        bits_(points.size() * bit_words(points.size())),
        boxes_(kernels::box_words_of(points.size(), 2 * bit_words(points.size()))) {
    job_.scene = scene;
    job_.viewpoints.count = points.size();
    job_.viewpoints.position = std::span<const Vec3>(places_.data(), points.size());
    job_.targets = job_.viewpoints;
    job_.row_order = job_.target_order = order_.data();
    job_.bits = reinterpret_cast<std::uint32_t*>(bits_.data());
    job_.row_words = 2 * bit_words(points.size());
    if (boxes) job_.box_words = boxes_.data();
    if (!from_targets) return;
    kernels::lowest_nodes(stream_.get(), {scene, job_.targets, order_.data(), nodes_.data()});
    cuda::check_launch("lowest_nodes");
    job_.target_nodes = job_.viewpoint_nodes = nodes_.data();
  }
  double seconds() {
    return watch_.seconds([&] {
      kernels::sight(stream_.get(), job_);
      cuda::check_launch("sight");
    });
  }
  Answers answers() const {
    Answers a;
    a.bits = bits_.values();
    return a;
  }

 private:
  DeviceArray<Vec3> places_;
  DeviceArray<std::uint32_t> order_, nodes_;
  DeviceArray<std::uint64_t> bits_;
  DeviceArray<std::uint32_t> boxes_;
  cuda::OwnStream stream_;
  Stopwatch watch_{stream_.get()};
  kernels::SightJob job_;
};

}  // namespace

void add_boxes(const SceneName& scene) {
  for (const bool from_targets : {true, false}) {
    for (const bool boxes : {true, false}) {
      const std::string key = "sight/" + scene.text();
      add(key + (boxes ? "/boxes" : "/pairs") + (from_targets ? "/targets" : "/root") +
              "/cuda:device",
          [=](benchmark::State& state) {
            World& world = World::of(scene.scene, scene.shapes, options().load);
            const std::vector<Vec3>& points = world.points().from;
            const kernels::DeviceScene view = resident(world).view();
            if (from_targets && !view.has_tree) return state.SkipWithError("no tree");
            PointsOnDevice set(view, points, boxes, from_targets);
            if (!measure(state, [&] { return set.seconds(); })) return;
            const auto n = static_cast<double>(points.size());
            count_rate(state, "pairs", n * n);
            label(state, key, set.answers().hash());
          });
    }
  }
}

}  // namespace sightline::bench
