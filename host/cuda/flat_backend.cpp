// A set of 2D shapes on a CUDA device.
#include "host/backend/flat_backend.hpp"
#include "host/cuda/device/use_device.hpp"
#include "host/cuda/queries/flat.hpp"
#include "host/flat/flat_set.hpp"

#include <algorithm>
#include <iterator>

namespace sightline::cuda {
namespace {

/// Calls f with each array of both views and its number of elements; what stands by id is left out.
template <class F>
void for_each_array(F&& f, const FlatShapesView& from, FlatShapesView& to) {
  const auto count = [&](FlatKind kind) -> std::uint64_t {
    const int k = static_cast<int>(kind);
    return from.begin[k + 1] - from.begin[k];
  };
  const std::uint64_t polygons = count(FlatKind::polygon);
  f(from.circle, to.circle, count(FlatKind::circle));
  f(from.capsule, to.capsule, count(FlatKind::capsule));
  f(from.sector, to.sector, count(FlatKind::sector));
  f(from.polygon_end, to.polygon_end, polygons);
  f(from.corner, to.corner, polygons == 0 ? 0 : from.polygon_end[polygons - 1]);
  f(from.aabb, to.aabb, count(FlatKind::aabb));
  f(from.obb, to.obb, count(FlatKind::obb));
}

/// The view of the set in memory of the device; bytes in memory.end().
FlatShapesView cut_set(const FlatShapesView& shapes, Cutter& memory) {
  FlatShapesView view;
  std::copy(std::begin(shapes.begin), std::end(shapes.begin), std::begin(view.begin));
  for_each_array(
      [&](const auto* from, auto& to, std::uint64_t n) {
        if (n != 0) to = memory.take<std::remove_cvref_t<decltype(*from)>>(n);
      },
      shapes, view);
  return view;
}

/// The shapes, and a tree over their bounds where one pays, on the current device.
class DeviceFlatSet {
 public:
  /// Waits. Throws as DeviceScene does.
  DeviceFlatSet(const FlatShapesView& shapes, const SceneOptions& options)
      : boxes_(detail::boxes_of(shapes), options) {
    Cutter size;
    cut_set(shapes, size);
    memory_ = DeviceMemory(size.end());
    Cutter memory(memory_.data());
    view_ = cut_set(shapes, memory);
    const OwnStream stream;
    for_each_array(
        [&](const auto* from, auto& to, std::uint64_t n) {
          if (n == 0) return;
          auto* const out = const_cast<std::remove_cvref_t<decltype(*from)>*>(to);
          check(cudaMemcpyAsync(out, from, n * sizeof(*from), cudaMemcpyHostToDevice, stream.get()),
                "cudaMemcpyAsync");
        },
        shapes, view_);
    stream.synchronize();
    const ShapesView boxes = boxes_.view().shapes;
    view_.low = boxes.aabb_min;
    view_.high = boxes.aabb_max;
    view_.mask = boxes.mask;
  }

  kernels::FlatDeviceScene view() const { return {boxes_.view(), view_}; }
  std::string how() const { return boxes_.how(); }
  std::uint64_t device_bytes() const { return memory_.bytes() + boxes_.device_bytes(); }

 private:
  DeviceScene boxes_;
  DeviceMemory memory_;
  FlatShapesView view_;
};

class CudaFlatBackend final : public detail::FlatBackend {
 public:
  CudaFlatBackend(const FlatShapesView& shapes, const CasterOptions& options)
      : device_(usable_device(options.device)), chunk_(options.chunk) {
    const DeviceGuard guard(device_.index);
    set_.emplace(shapes, scene_options(options));
  }
  ~CudaFlatBackend() override {
    end_on(device_.index, [&] {
      pool_.trim();
      set_.reset();
    });
  }

  OverlapReport overlap_any(const CirclesView& circles, std::uint64_t* bits) const override {
    return answer([&] { return flat_overlap_any(pool_, set_->view(), circles, bits, chunk_); });
  }
  OverlapReport overlap_count(const CirclesView& circles, std::uint32_t* counts) const override {
    return answer([&] { return flat_overlap_count(pool_, set_->view(), circles, counts, chunk_); });
  }
  OverlapRows overlap_all(const CirclesView& circles) const override {
    return answer([&] { return flat_overlap_all(pool_, set_->view(), circles, chunk_); });
  }
  std::uint64_t cast(const SegmentsView& segments, const HitsView& hits,
                     Inside inside) const override {
    return answer([&] { return flat_cast(pool_, set_->view(), segments, hits, inside, chunk_); });
  }

  std::string description() const override {
    return "cuda: " + device_.name + " (sm_" + std::to_string(device_.major) +
           std::to_string(device_.minor) + "), " + set_->how();
  }
  std::uint64_t memory_bytes() const override {
    return set_->device_bytes() + pool_.device_bytes();
  }

 private:
  template <class Query>
  std::invoke_result_t<Query> answer(Query&& query) const {
    return answer_on(device_.index, pool_, query);
  }

  CudaDevice device_;
  std::uint64_t chunk_;
  std::optional<DeviceFlatSet> set_;
  mutable WorkspacePool pool_;
};

}  // namespace
}  // namespace sightline::cuda

namespace sightline {

std::unique_ptr<detail::FlatBackend> detail::make_cuda_flat_backend(const FlatShapesView& shapes,
                                                                    const CasterOptions& options) {
  return std::make_unique<cuda::CudaFlatBackend>(shapes, options);
}

}  // namespace sightline
