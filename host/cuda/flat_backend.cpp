// A set of 2D shapes on a CUDA device.
#include "host/backend/flat_backend.hpp"
#include "host/cuda/queries/queries.hpp"
#include "host/cuda/use_device.hpp"
#include "host/flat/flat_set.hpp"

#include <algorithm>
#include <iterator>

namespace sightline::cuda {
namespace {

/// Calls f with each array of both views and its number of elements, except arrays by id.
template <class F>
void for_each_array(F&& f, const FlatShapesView& from, FlatShapesView& to) {
  FlatKinds::for_each([&]<class S>(ShapeTag<S>) {
    f(array_of<S>(from), array_of<S>(to), std::uint64_t{from.count(flat_kind_for<S>)});
  });
  const std::uint32_t polygons = from.count(FlatKind::polygon);
  f(from.corner, to.corner, polygons == 0 ? 0 : from.polygon_end[polygons - 1]);
}

/// The shapes, and a tree over their bounds where that is faster, on the current device.
class ResidentFlatSet {
 public:
  /// Waits. Throws as ResidentScene does.
  ResidentFlatSet(const FlatShapesView& shapes, const SceneOptions& options, const MemoryPool& pool)
      : boxes_(detail::boxes_of(shapes), options, pool) {
    const OwnStream stream;
    std::copy(std::begin(shapes.begin), std::end(shapes.begin), std::begin(view_.begin));
    const auto take_arrays = [&](BumpLayout& memory) {
      for_each_array(
          [&](const auto* from, auto& to, std::uint64_t n) { upload(stream, from, n, memory, to); },
          shapes, view_);
    };
    with_room(pool, [&] { lay_out_in(memory_, take_arrays); });  // what the tree's build took
    stream.synchronize();
    const ShapesView boxes = boxes_.view().shapes;
    view_.low = boxes.of<Aabb>().min;
    view_.high = boxes.of<Aabb>().max;
    view_.mask = boxes.mask;
  }

  kernels::FlatDeviceScene view() const { return {boxes_.view(), view_}; }
  std::string description() const { return boxes_.description(); }
  std::uint64_t device_bytes() const { return memory_.bytes() + boxes_.device_bytes(); }

 private:
  ResidentScene boxes_;
  DeviceMemory memory_;
  FlatShapesView view_;
};

class CudaFlatBackend final : public detail::FlatBackend {
 public:
  CudaFlatBackend(const FlatShapesView& shapes, const CudaOptions& options)
      : device_(usable_device(options.device)), chunk_(options.chunk) {
    const DeviceGuard guard(device_.index);
    pool_.emplace(device_.index);
    set_.emplace(shapes, scene_options(options), pool_->memory());
  }
  ~CudaFlatBackend() override {
    end_on(device_.index, [&] {
      set_.reset();
      pool_.reset();
    });
  }

#define SIGHTLINE_ANSWER(Query)                                                    \
  detail::Query::Report answer(const detail::Query& query) const override {        \
    return answer_on(device_.index, *pool_, [&] {                                  \
      return cuda::answer_query(FlatContext{*pool_, set_->view(), chunk_}, query); \
    });                                                                            \
  }
  SIGHTLINE_FOR_EACH_FLAT_QUERY(SIGHTLINE_ANSWER)
#undef SIGHTLINE_ANSWER

  std::string description() const override {
    return "cuda: " + device_.name + " (sm_" + std::to_string(device_.major) +
           std::to_string(device_.minor) + "), " + set_->description();
  }
  std::uint64_t memory_bytes() const override {
    return set_->device_bytes() + pool_->device_bytes();
  }

 private:
  CudaDevice device_;
  std::uint64_t chunk_;
  mutable std::optional<WorkspacePool> pool_;
  std::optional<ResidentFlatSet> set_;
};

}  // namespace
}  // namespace sightline::cuda

namespace sightline {

std::unique_ptr<detail::FlatBackend> detail::make_cuda_flat_backend(const FlatShapesView& shapes,
                                                                    const CudaOptions& options) {
  return std::make_unique<cuda::CudaFlatBackend>(shapes, options);
}

}  // namespace sightline
