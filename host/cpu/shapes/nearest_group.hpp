// Nearest shapes among few: lanes give lower bounds of the distances, and the caller decides
// exactly what they leave. The few are all shapes of a small scene, or the shapes near a group of
// close points, which one traversal collects.
#pragma once

#include "host/cpu/shapes/leaf_shapes.hpp"
#include "host/cpu/shapes/nearest_walk.hpp"
#include "host/cpu/shapes/shape_kernels.hpp"

namespace sightline::detail {

/// Calls offer(point, number) for every one of `size` shapes, as DistanceBounds numbers
/// them, that may be within the limit of a given point; offer may lower the limit. What is likely
/// the nearest comes first. Limits are as many as a group has points, aligned to 64.
template <class Offer>
void search_few(const ShapeKernels& kernels, const FormLists& shapes, std::uint32_t size,
                const PointGroup& points, const float* limit, const Offer& offer) {
  constexpr std::uint32_t some = 32;
  DistanceBounds bounds;
  kernels.bound_distances(shapes, points, bounds);
  for (std::uint32_t rest = points.given; rest != 0; rest &= rest - 1) {
    const auto k = static_cast<std::uint32_t>(__builtin_ctz(rest));
    if (bounds.nearest_number[k] >= 0 && bounds.nearest[k] <= limit[k]) {
      offer(k, static_cast<std::uint32_t>(bounds.nearest_number[k]));
    }
  }
  for (std::uint32_t begin = 0; begin < size; begin += some) {
    std::uint16_t found[some * PointGroup::most];
    const std::uint32_t end = std::min(begin + some, size);
    const std::uint32_t count =
        kernels.bounds_within(bounds, points.given, limit, begin, end, found);
    for (std::uint32_t i = 0; i < count; ++i) {
      const std::uint32_t k = found[i] % PointGroup::most, number = found[i] / PointGroup::most;
      const bool is_first = bounds.nearest_number[k] == static_cast<float>(number);
      if (!is_first && bounds.least[number][k] <= limit[k]) offer(k, number);
    }
  }
}

class NearestGroup {
 public:
  static constexpr std::uint32_t most_shapes = DistanceBounds::most_shapes;

  /// Collects the shapes whose bounds overlap the box; false where there are more than `most`.
  bool collect(const LeafShapes& leaves, const Aabb& box, std::uint32_t most = most_shapes) {
    box_ = box;
    std::uint32_t places[most_shapes], count = 0;
    bool all = true;
    walk_all(leaves.bvh, InBox{box}, [&](const WideNode& node, int c, const auto&) {
      all = count < most;
      if (all) places[count++] = leaves.prefetch_leaf(node, c);
      return !all;
    });
    if (!all) return false;
    few_.clear();
    for (auto& of_kind : places_) of_kind.clear();
    for (std::uint32_t k = 0; k < count; ++k) {
      leaves.visit_at(places[k], [&]<class S>(const S& s, std::uint32_t) {
        few_.add(s);
        places_[static_cast<int>(kind_for<S>)].push_back(places[k]);
      });
    }
    size_ = count;
    return true;
  }

  /// search_few() of what is collected: offer(point, place).
  template <class Offer>
  void search(const ShapeKernels& kernels, const PointGroup& points, const float* limit,
              const Offer& offer) const {
    search_few(kernels, few_.lists(), size_, points, limit,
               [&](std::uint32_t k, std::uint32_t number) {
                 const auto* of_kind = places_;
                 for (; number >= of_kind->size(); ++of_kind) {
                   number -= static_cast<std::uint32_t>(of_kind->size());
                 }
                 offer(k, (*of_kind)[number]);
               });
  }

  /// Whether no other shape can be within the limit of this point.
  bool holds_all(const Vec3& p, float limit) const {
    const float x = min(p.x - box_.min.x, box_.max.x - p.x);
    const float y = min(p.y - box_.min.y, box_.max.y - p.y);
    const float z = min(p.z - box_.min.z, box_.max.z - p.z);
    const float clear = min(min(x, y), z);
    return clear > 0 && clear * clear > squared_limit(limit);
  }

 private:
  Aabb box_;
  FewShapes few_;
  std::uint32_t size_ = 0;
  std::vector<std::uint32_t> places_[ShapeKinds::bounded];  ///< of the shapes of each kind
};

}  // namespace sightline::detail
