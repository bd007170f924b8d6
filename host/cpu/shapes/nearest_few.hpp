// Lower bounds of the distances of up to sixteen points to few shapes, a vector of points at a
// time.
#pragma once

#include "host/cpu/shapes/shape_kernels.hpp"
#include "host/cpu/shapes/sphere_lanes.hpp"

namespace sightline::detail::HWY_NAMESPACE {

template <int N>
void bound_distances(const FormLists& shapes, const PointGroup& points, DistanceBounds& bounds) {
  using F = FloatVec<N>;
  const FloatTag<N> d;
  for (std::uint32_t k = 0; k < PointGroup::most; k += N) {
    if ((points.given >> k & ((1u << N) - 1)) == 0) continue;
    const SphereLanes<N> p = {hn::Load(d, points.x + k), hn::Load(d, points.y + k),
                              hn::Load(d, points.z + k), F(0)};
    F nearest(infinity), nearest_number(-1), number(0);
    float* to = &bounds.least[0][k];
    for_each_form(shapes, [&](const auto& s) SIGHTLINE_LAMBDA {
      const F least = distance_at_least(p, s);
      nearest_number = select(least < nearest, number, nearest_number);
      nearest = min(least, nearest);
      number = number + F(1);
      hn::Store(least.v, d, to);
      to += PointGroup::most;
    });
    hn::Store(nearest.v, d, bounds.nearest + k);
    hn::Store(nearest_number.v, d, bounds.nearest_number + k);
  }
}

template <int N>
std::uint32_t bounds_within(const DistanceBounds& bounds, std::uint32_t given, const float* limit,
                            std::uint32_t begin, std::uint32_t end, std::uint16_t* found) {
  const FloatTag<N> d;
  std::uint32_t count = 0;
  for (std::uint32_t number = begin; number < end; ++number) {
    std::uint32_t near = 0;
    for (std::uint32_t k = 0; k < PointGroup::most; k += N) {
      const FloatVec<N> least = hn::Load(d, &bounds.least[number][k]);
      near |= bits_of_mask(least <= FloatVec<N>(hn::Load(d, limit + k))) << k;
    }
    for (near &= given; near != 0; near &= near - 1) {
      found[count++] = static_cast<std::uint16_t>(PointGroup::most * number +
                                                  static_cast<std::uint32_t>(__builtin_ctz(near)));
    }
  }
  return count;
}

}  // namespace sightline::detail::HWY_NAMESPACE
