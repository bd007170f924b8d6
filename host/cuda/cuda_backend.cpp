#include "host/cuda/cuda_backend.hpp"

#include "host/cuda/chunks/check_callers_arrays.hpp"
#include "host/cuda/device/scene.hpp"
#include "host/cuda/queries/queries.hpp"
#include "host/cuda/use_device.hpp"

#include <utility>

namespace sightline::cuda {
namespace {

class CudaBackend final : public detail::CastBackend {
 public:
  CudaBackend(const ShapesView& shapes, const CudaOptions& options, const MatrixLimits& limits)
      : device_(usable_device(options.device)), options_(options), limits_(limits) {
    const DeviceGuard guard(device_.index);
    pool_.emplace(device_.index);
    scene_ = std::make_unique<ResidentScene>(shapes, scene_options(options), pool_->memory());
  }

  ~CudaBackend() override {
    end_on(device_.index, [&] {
      scene_.reset();
      pool_.reset();
    });
  }

#define SIGHTLINE_ANSWER(Query)                                                                  \
  detail::Query::Report answer(const detail::Query& query) const override {                      \
    return answer_on(device_.index, *pool_, [&] {                                                \
      return cuda::answer_query(QueryContext{{*pool_, scene_->view(), options_.chunk}, limits_}, \
                                query);                                                          \
    });                                                                                          \
  }
  SIGHTLINE_FOR_EACH_QUERY(SIGHTLINE_ANSWER)
#undef SIGHTLINE_ANSWER

  void closest_hit_on_device(const RaysView& rays, const HitsView& hits, CudaStream stream,
                             RayPolicy policy, CastCounts* counts) const override {
    const DeviceGuard guard(device_.index);
    check_device_rays(rays, device_.index);
    check_device_hits(hits, device_.index);
    clear_counts(stream, counts);
    kernels::closest_hit(stream, {scene_->view(), rays, hits, policy, counts});
    check_launch("closest_hit");
  }

  void any_hit_on_device(const RaysView& rays, std::uint64_t* blocked, CudaStream stream,
                         RayPolicy policy, CastCounts* counts) const override {
    const DeviceGuard guard(device_.index);
    check_device_rays(rays, device_.index);
    if (rays.count > 0) check_device_blocked(blocked, device_.index);
    clear_counts(stream, counts);
    kernels::any_hit(
        stream, {scene_->view(), rays, reinterpret_cast<std::uint32_t*>(blocked), policy, counts});
    check_launch("any_hit");
  }

  void update(const ShapesView& shapes, Update how) override {
    const DeviceGuard guard(device_.index);
    try {
      bool again = false;  // what queries keep is given up before the host has to build
      scene_ =
          with_room(*pool_, [&] { return scene_after(shapes, how, std::exchange(again, true)); });
    } catch (const Error& error) {
      if (error.kind() != ErrorKind::out_of_memory) throw;
      throw Error(ErrorKind::out_of_memory,
                  std::string("there is no room for the new scene beside the present one: ") +
                      error.what());
    }
  }

  std::string description() const override {
    return "cuda: " + device_.name + " (sm_" + std::to_string(device_.major) +
           std::to_string(device_.minor) + "), " + scene_->description();
  }
  std::uint64_t memory_bytes() const override {
    return scene_->device_bytes() + pool_->device_bytes();
  }

 private:
  /// Made beside the present scene, which stays until the new one is complete.
  std::unique_ptr<ResidentScene> scene_after(const ShapesView& shapes, Update how,
                                             bool host_if_short) const {
    if (how != Update::rebuild) {
      return std::make_unique<ResidentScene>(shapes, *scene_, how, host_if_short);
    }
    SceneOptions options = scene_options(options_);
    options.host_if_short = host_if_short;
    return std::make_unique<ResidentScene>(shapes, options, pool_->memory());
  }

  void clear_counts(CudaStream stream, CastCounts* counts) const {
    if (counts == nullptr) return;
    check_device_counts(counts, device_.index);
    check(cudaMemsetAsync(counts, 0, sizeof(CastCounts), stream), "cudaMemsetAsync");
    check(cudaMemsetAsync(&counts->first_bad_ray, 0xFF, sizeof(std::uint64_t), stream),
          "cudaMemsetAsync");
  }

  CudaDevice device_;
  CudaOptions options_;
  MatrixLimits limits_;
  mutable std::optional<WorkspacePool> pool_;
  std::unique_ptr<ResidentScene> scene_;  ///< whose builders take memory from the pool
};

}  // namespace

std::unique_ptr<detail::CastBackend> make_backend(const ShapesView& shapes,
                                                  const CudaOptions& options,
                                                  const MatrixLimits& limits) {
  return std::make_unique<CudaBackend>(shapes, options, limits);
}

}  // namespace sightline::cuda

namespace sightline {

std::unique_ptr<detail::CastBackend> detail::make_cuda_backend(const ShapesView& shapes,
                                                               const CudaOptions& options) {
  return cuda::make_backend(shapes, options, {});
}

}  // namespace sightline
