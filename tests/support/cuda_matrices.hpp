// Visibility by the cuda backend with limits of its matrices that no caster chooses, so that small
// scenes go the ways of large ones.
#pragma once

#include "host/cuda/cuda_backend.hpp"

#include <span>
#include <string>
#include <utility>

namespace sightline::testing {

/// Boxes of targets and walks that begin around their points, however small the scene.
inline constexpr cuda::MatrixLimits no_limits = {0, 0};

/// The calls of Caster, of the same bits and reports.
class CudaMatrices {
 public:
  CudaMatrices(Scene scene, const CudaOptions& options,
               const cuda::MatrixLimits& limits = no_limits)
      : scene_(std::move(scene)),
        backend_(cuda::make_backend(scene_.view_without_bounds(), options, limits)) {}

  VisibilityReport visibility(const PointsView& from, const PointsView& to,
                              std::span<std::uint64_t> bits,
                              const VisibilityOptions& options) const {
    return all_around(
        backend_->answer(detail::VisibilityMatrix{from, nullptr, to, bits.data(), sight(options)}));
  }
  VisibilityReport visibility(const PointsView& points, std::span<std::uint64_t> bits,
                              const VisibilityOptions& options) const {
    return all_around(
        backend_->answer(detail::SelfVisibility{points, bits.data(), sight(options)}));
  }
  VisibilityReport visibility_pairs(const PointsView& from, const PointsView& to,
                                    std::span<std::uint64_t> bits,
                                    const VisibilityOptions& options) const {
    return all_around(
        backend_->answer(detail::VisibilityPairs{from, to, bits.data(), sight(options)}));
  }
  void update(Scene scene, Update how) {
    backend_->update(scene.view_without_bounds(), how);
    scene_ = std::move(scene);  // moves its columns, so that the view still holds
  }
  std::string description() const { return backend_->description(); }

 private:
  static SightOptions sight(const VisibilityOptions& options) {
    return {options.range, options.margin, options.inside};
  }
  static VisibilityReport all_around(VisibilityReport report) {
    report.in_field = report.pairs;
    return report;
  }

  Scene scene_;
  std::unique_ptr<detail::CastBackend> backend_;
};

}  // namespace sightline::testing
