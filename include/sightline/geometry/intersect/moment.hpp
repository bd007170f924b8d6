// The moment of a line about a point, in floats: the cheap first stage of the round shapes.
#pragma once

#include <sightline/geometry/exact/two_float.hpp>

namespace sightline {

/// w x d in 7 operations a component (differences of products by fma, and the low parts of w).
///
/// The error is at most 2u |w x d| + 8u^2 (|w_j d_k| + |w_k d_j|) a component, u = 2^-24: relative
/// to the moment itself, which near a silhouette is about size * |d| however far the origin is.
/// Proof: docs/project/proofs/rays.md.
template <class F>
SIGHTLINE_HD Vec3T<F> moment(const TwoVec3<F>& w, const Vec3T<F>& d) {
  const auto component = [](const Two<F>& wj, const Two<F>& wk, F dj, F dk) {
    const F p = wk.hi * dj;
    return fma(wj.hi, dk, -p) + (fma(-wk.hi, dj, p) + fma(wj.lo, dk, -(wk.lo * dj)));
  };
  return {component(w.y, w.z, d.y, d.z), component(w.z, w.x, d.z, d.x),
          component(w.x, w.y, d.x, d.y)};
}

template <class F>
SIGHTLINE_HD F dot(const Vec3T<F>& a, const Vec3T<F>& b) {
  return fma(a.x, b.x, fma(a.y, b.y, a.z * b.z));
}
template <class F>
SIGHTLINE_HD F sum_abs(const Vec3T<F>& v) {
  return (abs(v.x) + abs(v.y)) + abs(v.z);
}

/// Whether the line surely passes further than `radius` from the point about which `m` is the
/// moment; `reach` is the largest |w| component. Never wrongly true; may be false for a near miss.
template <class F>
SIGHTLINE_HD MaskOf<F> certainly_outside_ball(const Vec3T<F>& m, F reach, F radius, F dd) {
  return dot(m, m) * F(1.0f - 0x1p-19f) >
         fma(reach * reach, F(0x1p-60f), fma(radius * radius, dd, F(0x1p-140f)));
}

}  // namespace sightline
