// Axis-aligned box: the closed set min <= x <= max.
#pragma once

#include <sightline/vec.hpp>

namespace sightline {

template <class F>
struct AabbT {
  Vec3T<F> min, max;
};
/// min <= max per axis; flat boxes (min == max) are legal and can be hit.
using Aabb = AabbT<float>;

/// The float box that contains the shape: itself.
SIGHTLINE_HD Aabb bounds(const Aabb& s) { return s; }

/// Whether the closed box contains the point; exact.
template <class F>
SIGHTLINE_HD MaskOf<F> contains(const AabbT<F>& s, const Vec3T<F>& p) {
  return (s.min.x <= p.x) & (p.x <= s.max.x) & (s.min.y <= p.y) & (p.y <= s.max.y) &
         (s.min.z <= p.z) & (p.z <= s.max.z);
}

}  // namespace sightline
