// The code of ShapeKernels.
#pragma once

#include "host/cpu/shapes/compound_overlap.hpp"
#include "host/cpu/shapes/nearest_few.hpp"
#include "host/cpu/shapes/spheres_few.hpp"

namespace sightline::detail::HWY_NAMESPACE {

template <int N, class Shape>
void test_groups(const SphereColumns& spheres, const SphereGroup* groups, const std::uint16_t* list,
                 std::uint32_t count, const LaneForm<Shape>& shape, const SphereMargin& of,
                 EightVerdict* verdicts) {
  const FloatTag<N> d;
  const LaneForm<Shape> s = shape;
  const SphereMargin size = of;
  for (std::uint32_t j = 0; j < count; ++j) {
    std::uint32_t surely = 0, apart = 0;
    for (std::uint32_t k = 0; k < 8; k += N) {
      const std::uint32_t at = 8 * groups[list[j]].eight + k;
      const SphereLanes<N> q = {hn::Load(d, spheres.x + at), hn::Load(d, spheres.y + at),
                                hn::Load(d, spheres.z + at), hn::Load(d, spheres.radius + at)};
      const FloatVec<N> by = excess(q, s), margin = margin_of(q, size);
      surely |= bits_of_mask(by < -margin) << k;
      apart |= bits_of_mask(by > margin) << k;
    }
    verdicts[j] = {static_cast<std::uint8_t>(surely), static_cast<std::uint8_t>(~apart)};
  }
}

template <int N>
void boxes_meeting(const QueryBoxes& queries, const Aabb* boxes, std::uint32_t n,
                   std::uint64_t* bits) {
  using F = FloatVec<N>;
  const FloatTag<N> d;
  for (std::uint32_t i = 0; i < n; ++i) {
    const Aabb& box = boxes[i];
    std::uint64_t meeting = 0;
    for (std::uint32_t k = 0; k < QueryBoxes::most; k += N) {
      const auto meets = [&](int axis, float low, float high) SIGHTLINE_LAMBDA {
        return (F(high) >= F(hn::Load(d, queries.low[axis] + k))) &
               (F(low) <= F(hn::Load(d, queries.high[axis] + k)));
      };
      const LaneMask<N> both = meets(0, box.min.x, box.max.x) & meets(1, box.min.y, box.max.y) &
                               meets(2, box.min.z, box.max.z);
      meeting |= std::uint64_t{bits_of_mask(both)} << k;
    }
    bits[i] = meeting;
  }
}

template <int N, class... Shapes>
constexpr ShapeKinds::Each<std::tuple, TestGroups> all_test_groups(KindList<Shapes...>) {
  return {test_groups<N, Shapes>...};
}

constexpr ShapeKernels make_shape_kernels() {
  // As many as the instruction set has; no more than the spheres of an eight, or of a small body.
  constexpr int N = native_lanes, M = N < 8 ? N : 8;
  return {spheres_any<N>,   spheres_count<N>,   bodies_any<M>,   all_test_groups<M>(ShapeKinds()),
          boxes_meeting<N>, bound_distances<N>, bounds_within<N>};
}

}  // namespace sightline::detail::HWY_NAMESPACE
