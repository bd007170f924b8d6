// Copies of points as dense columns, for loops over vectors.
#pragma once

#include <sightline/points.hpp>

#include <vector>

namespace sightline::detail {

/// Copies of some points, in the order of their indices.
class PointCopies {
 public:
  /// Valid until the next call.
  PointsView take(const PointsView& points, const std::uint32_t* index, std::uint64_t count) {
    x_.resize(count), y_.resize(count), z_.resize(count);
    for (std::uint64_t k = 0; k < count; ++k) {
      const Vec3 p = points.position[index[k]];
      x_[k] = p.x, y_[k] = p.y, z_[k] = p.z;
    }
    PointsView some;
    some.count = count;
    some.position.x = x_, some.position.y = y_, some.position.z = z_;
    copy(points.mask, index, count, mask_, some.mask);
    copy(points.exclude, index, count, exclude_, some.exclude);
    copy(points.exclude_group, index, count, exclude_group_, some.exclude_group);
    return some;
  }

 private:
  static void copy(const Column<std::uint32_t>& from, const std::uint32_t* index,
                   std::uint64_t count, std::vector<std::uint32_t>& values,
                   Column<std::uint32_t>& to) {
    to = from;
    if (from.data == nullptr) return;
    values.resize(count);
    for (std::uint64_t k = 0; k < count; ++k) values[k] = from[index[k]];
    to = values;
  }

  std::vector<float> x_, y_, z_;
  std::vector<std::uint32_t> mask_, exclude_, exclude_group_;
};

}  // namespace sightline::detail
