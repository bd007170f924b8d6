// Trees over shapes that are on the device already: build_whole/city/10000000/cuda:device is from
// bounds to nodes of four.
#include "bench/drivers/device.hpp"

#include "bench/harness/device_timing.hpp"
#include "host/cuda/device/pool.hpp"
#include "host/cuda/device/upload.hpp"
#include "kernels/launch/launch.hpp"

namespace sightline::bench {
namespace {

/// Shapes on the device, and room for a tree.
class TreeRoom {
 public:
  explicit TreeRoom(const ShapesView& host)
      : shapes_(cuda::upload(stream_, host)),
        nodes_(kernels::tree_nodes(host.bounded())),
        wide_(kernels::most_wide_nodes(host.bounded())),
        records_(kernels::record_units(host)),
        ids_(kernels::record_units(host)) {}

  void build() {
    bool too_deep = false;
    const int error = kernels::build_tree(stream_.get(), shapes_.view, nodes_.data(), &rounds_,
                                          &too_deep, scratch_.allocator());
    cuda::check(static_cast<cudaError_t>(error), "build_tree");
    if (too_deep) throw Error(ErrorKind::internal, "the tree is too deep for the device's builder");
  }
  void widen() {
    std::uint32_t count = 0;
    const kernels::WidenJob job = {shapes_.view,
                                   {nodes_.data(), kernels::tree_nodes(shapes_.view.bounded())},
                                   wide_.data(),
                                   records_.data(),
                                   ids_.data()};
    const int error = kernels::widen_tree(stream_.get(), job, &count, scratch_.allocator());
    cuda::check(static_cast<cudaError_t>(error), "widen_tree");
  }
  void refit() {
    kernels::refit_tree(stream_.get(), shapes_.view, nodes_.data(), rounds_);
    cuda::check_launch("refit_tree");
  }
  void wait() { stream_.synchronize(); }

 private:
  cuda::OwnStream stream_;
  cuda::DeviceShapes shapes_;
  cuda::MemoryPool pool_{0};
  cuda::StreamMemory scratch_{pool_, stream_.get()};
  DeviceArray<BvhNode> nodes_;
  DeviceArray<QuantisedNode> wide_;
  DeviceArray<kernels::RecordUnit> records_;
  DeviceArray<std::uint32_t> ids_;
  kernels::TreeRounds rounds_;
};

}  // namespace

void add_device_builds(const SceneName& scene) {
  const auto row = [&](const char* name, void (*work)(TreeRoom&)) {
    add(std::string(name) + "/" + scene.text() + "/cuda:device", [=](benchmark::State& state) {
      World& world = World::of(scene.scene, scene.shapes, options().load);
      TreeRoom room(world.scene().view());
      room.build(), room.widen();
      if (!measure(state, [&] { return taken_by([&] { work(room), room.wait(); }).wall; })) return;
      count_rate(state, "shapes", static_cast<double>(world.scene().size()));
    });
  };
  row("build_whole", [](TreeRoom& room) { room.build(), room.widen(); });
  row("build_tree", [](TreeRoom& room) { room.build(); });
  row("widen_tree", [](TreeRoom& room) { room.widen(); });
  row("refit_tree", [](TreeRoom& room) { room.refit(); });
}

}  // namespace sightline::bench
