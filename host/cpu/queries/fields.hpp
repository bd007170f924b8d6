// The targets of a row of the matrix that lie in its viewpoint's field, brought together: rays are
// made for these alone.
#pragma once

#include <sightline/queries/field_of_view.hpp>

#include <vector>

namespace sightline::detail {

/// Those of some targets that a viewpoint looks at.
class FieldTargets {
 public:
  explicit FieldTargets(const PointsView& targets);

  /// The targets in a viewpoint's field, in their order; valid until the next call.
  PointsView in(const FieldTest& field, const SightPoint& viewpoint);
  /// Which target the k-th of them is.
  std::uint32_t operator[](std::uint64_t k) const { return index_[k]; }
  /// Sets the bits of those of them whose bits are set.
  void spread(const std::vector<std::uint64_t>& bits, std::uint64_t* to) const;

 private:
  PointsView targets_;
  std::vector<float> x_, y_, z_;  ///< to a multiple of 64; NaN, which is in no field, of bad ones
  std::vector<std::uint32_t> index_;
  std::vector<Vec3> position_;
  std::vector<std::uint32_t> mask_, exclude_, exclude_group_;
};

}  // namespace sightline::detail
