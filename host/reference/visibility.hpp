// Visibility, its pairs and its report, put together from one segment at a time.
#pragma once

#include "host/backend/backend.hpp"

#include <functional>

namespace sightline::detail {

/// Does the elements [begin, end) of a job.
using RangeTask = std::function<void(std::uint64_t begin, std::uint64_t end)>;

/// A backend that judges one segment at a time, on the host.
class PairwiseBackend : public CastBackend {
 public:
  VisibilityReport visibility(const PointsView& viewpoints, const PointsView& targets,
                              std::uint64_t* bits, const SightOptions& options) const final;
  VisibilityReport visibility(const PointsView& viewpoints, const FieldsView& fields,
                              const PointsView& targets, std::uint64_t* bits,
                              const SightOptions& options) const final;
  VisibilityReport visibility(const PointsView& points, std::uint64_t* bits,
                              const SightOptions& options) const final;
  VisibilityReport visibility_pairs(const PointsView& from, const PointsView& to,
                                    std::uint64_t* bits, const SightOptions& options) const final;

 protected:
  virtual bool sees(const SightPoint& p, const SightPoint& q,
                    const SightOptions& options) const = 0;
  /// Whether a good point lies in or touches a shape that its mask and exclusions let it see.
  virtual bool touches(const SightPoint& p) const = 0;
  /// Cuts [0, n) into ranges and has each done once, possibly at the same time; each in the
  /// floating-point environment of the arithmetic.
  virtual void for_each_range(std::uint64_t n, const RangeTask& task) const = 0;

 private:
  struct PointCounts {
    std::uint64_t bad = 0, touching = 0;
  };
  PointCounts count_points(const PointsView& points) const;
  /// Null fields: all around.
  VisibilityReport matrix(const PointsView& viewpoints, const FieldsView* fields,
                          const PointsView& targets, std::uint64_t* bits,
                          const SightOptions& options) const;
};

}  // namespace sightline::detail
