// Compacts the targets that are in a viewpoint's field of view: rays are made for these alone.
#pragma once

#include "host/cpu/queries/point_copies.hpp"

#include <sightline/geometry/queries/field_of_view.hpp>

#include <vector>

namespace sightline::detail {

/// The targets in a viewpoint's field of view.
class FieldTargets {
 public:
  explicit FieldTargets(const PointsView& targets);

  /// Selects the targets in a viewpoint's field, in order; valid until the next call.
  PointsView select(const FieldTest& field, const SightPoint& viewpoint);
  /// The index of the k-th selected target.
  std::uint32_t operator[](std::uint64_t k) const { return index_[k]; }

 private:
  PointsView targets_;
  std::vector<float> x_, y_, z_;  ///< padded to a multiple of 64; NaN, in no field, for bad targets
  std::vector<std::uint32_t> index_;
  PointCopies copies_;
};

}  // namespace sightline::detail
