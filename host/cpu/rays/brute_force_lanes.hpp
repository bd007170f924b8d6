// One ray against many shapes, a vector of shapes at a time, without a tree.
#pragma once

#include "host/cpu/rays/leaf_tests.hpp"
#include "host/cpu/rays/simd_kernels.hpp"

#include <sightline/geometry/intersect/certain_intervals.hpp>

namespace sightline::detail::HWY_NAMESPACE {

// See SimdKernels.
inline std::uint32_t gates(const BoundsColumns& bounds, const ScaledRay& ray, std::uint32_t begin,
                           std::uint32_t end, std::uint32_t* ids, float* gate_near) {
  constexpr int n = native_lanes;
  using F = FloatVec<n>;
  const FloatTag<n> d;
  const WordTag<n> words;
  const Line& line = ray.line;
  const F origin[3] = {F(line.origin.x), F(line.origin.y), F(line.origin.z)};
  const F inverse[3] = {F(line.inverse.x), F(line.inverse.y), F(line.inverse.z)};
  const float direction[3] = {line.direction.x, line.direction.y, line.direction.z};
  const float *nearer[3], *further[3];
  for (int axis = 0; axis < 3; ++axis) {
    const bool backward = direction[axis] < 0;
    nearer[axis] = (backward ? bounds.high : bounds.low)[axis];
    further[axis] = (backward ? bounds.low : bounds.high)[axis];
  }
  std::uint32_t found = 0;
  for (std::uint32_t id = begin; id < end; id += n) {
    LaneSlab<n> gate = {F(ray.t_min), F(ray.t_max)};
    for (int axis = 0; axis < 3; ++axis) {
      gate.cut(hn::LoadU(d, nearer[axis] + id), hn::LoadU(d, further[axis] + id), origin[axis],
               inverse[axis]);
    }
    const LaneMask<n> enters = gate.enters() & LaneMask<n>(hn::FirstN(d, std::size_t{end - id}));
    if (!any(enters)) continue;
    const Compress<n> compress(enters);
    hn::StoreU(compress(hn::Iota(words, id)), words, ids + found);
    hn::StoreU(compress(gate.t_near.v), d, gate_near + found);
    found += static_cast<std::uint32_t>(compress.count());
  }
  return found;
}

/// The intervals of a line in shapes of a kind with these indices within it.
template <class Shape>
HWY_NOINLINE void intervals_in(const ShapesView& shapes, const Line& line,
                               const std::uint32_t* index, std::uint32_t count, Interval* out) {
  constexpr int n = native_lanes;
  using F = FloatVec<n>;
  const FloatTag<n> d;
  LineT<F> lines;
  lines.origin = broadcast<n>(line.origin);
  lines.direction = broadcast<n>(line.direction);
  lines.inverse = broadcast<n>(line.inverse);
  lines.dd = {F(line.dd.hi), F(line.dd.lo)};
  lines.is_point = LaneMask<n>(line.is_point);
  for (std::uint32_t first = 0; first < count; first += n) {
    IntervalT<F> i;
    exact_whole<n>(lines, gather_shapes<Shape, n>(shapes, index + first), LaneMask<n>(true), i);
    const std::uint32_t hit = bits_of_mask(i.hit);
    HWY_ALIGN float t_in[n], t_out[n];
    hn::Store(i.t_in.v, d, t_in);
    hn::Store(i.t_out.v, d, t_out);
    for (std::uint32_t k = 0; k < n && first + k < count; ++k) {
      out[first + k] = {(hit >> k & 1) != 0, t_in[k], t_out[k]};
    }
  }
}

// See SimdKernels.
inline void intervals(const ShapesView& shapes, const Line& line, Kind kind,
                      const std::uint32_t* ids, std::uint32_t count, Interval* out) {
  constexpr std::uint32_t n = native_lanes, most = 64;
  std::uint32_t index[most + n];
  for (std::uint32_t first = 0; first < count; first += most) {
    const std::uint32_t here = count - first < most ? count - first : most;
    for (std::uint32_t k = 0; k < here + n; ++k) {  // the last vector repeats its last shape
      index[k] = ids[first + (k < here ? k : here - 1)] - shapes.begin[static_cast<int>(kind)];
    }
    with_bounded_kind(kind, [&]<class S>(ShapeTag<S>) {
      intervals_in<S>(shapes, line, index, here, out + first);
    });
  }
}

}  // namespace sightline::detail::HWY_NAMESPACE
