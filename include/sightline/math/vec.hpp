// Three components; generic over the lane type.
#pragma once

#include <sightline/detail/lane.hpp>

namespace sightline {

template <class F>
struct Vec3T {
  F x, y, z;
};
using Vec3 = Vec3T<float>;

/// A rotation as a quaternion x, y, z, w (w last, as in files).
struct Quat {
  float x = 0, y = 0, z = 0, w = 1;
};

template <class F>
SIGHTLINE_HD Vec3T<F> operator-(const Vec3T<F>& v) {
  return {-v.x, -v.y, -v.z};
}

template <class F>
SIGHTLINE_HD Vec3T<F> select(const MaskOf<F>& m, const Vec3T<F>& a, const Vec3T<F>& b) {
  return {select(m, a.x, b.x), select(m, a.y, b.y), select(m, a.z, b.z)};
}

/// The largest of |x|, |y|, |z|.
template <class F>
SIGHTLINE_HD F max_abs(const Vec3T<F>& v) {
  return max(max(abs(v.x), abs(v.y)), abs(v.z));
}

}  // namespace sightline
