// What is in a field of view, by other ways than field_of_view.hpp: integers and angles.
#pragma once

#include <sightline/points.hpp>

#include <cmath>

namespace sightline::oracle {

using WideInt = __int128;

/// A vector of small integers, as a field of this shape sees it.
struct IntVec {
  WideInt x, y, z;

  IntVec(const Vec3& v, FieldShape shape)
      : x(static_cast<long>(v.x)),
        y(shape == FieldShape::sector_y_up ? 0 : static_cast<long>(v.y)),
        z(shape == FieldShape::sector ? 0 : static_cast<long>(v.z)) {}
  friend WideInt dot(const IntVec& a, const IntVec& b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
};

inline WideInt signed_square(WideInt x) { return x < 0 ? -x * x : x * x; }

/// Of numbers that are all integers, the range too or infinite: cos angle >= cos half.
inline bool sees_on_lattice(const Field& f, FieldShape shape, const Vec3& offset) {
  const IntVec v(offset, shape), d(f.direction, shape);
  const WideInt vv = dot(v, v), dd = dot(d, d);
  const auto c = static_cast<WideInt>(f.cosine), s = static_cast<WideInt>(f.sine);
  if (f.range != infinity && vv > signed_square(static_cast<WideInt>(f.range))) return false;
  return vv == 0 || signed_square(dot(v, d)) * (c * c + s * s) >= signed_square(c) * vv * dd;
}

using Real = long double;

/// By how many radians a point is inside of a field's edge; negative: outside.
inline Real radians_inside(const Field& f, FieldShape shape, const Vec3& from, const Vec3& to) {
  const Real axes[] = {1, shape == FieldShape::sector_y_up ? 0.0L : 1.0L,
                       shape == FieldShape::sector ? 0.0L : 1.0L};
  const Real v[] = {(Real{to.x} - from.x) * axes[0], (Real{to.y} - from.y) * axes[1],
                    (Real{to.z} - from.z) * axes[2]};
  const Real d[] = {f.direction.x * axes[0], f.direction.y * axes[1], f.direction.z * axes[2]};
  const Real x = d[1] * v[2] - d[2] * v[1], y = d[2] * v[0] - d[0] * v[2],
             z = d[0] * v[1] - d[1] * v[0];
  const Real along = d[0] * v[0] + d[1] * v[1] + d[2] * v[2];
  if (v[0] == 0 && v[1] == 0 && v[2] == 0) return INFINITY;
  const Real angle = std::atan2(std::sqrt(x * x + y * y + z * z), along);
  return std::atan2(f.sine > 0 ? Real{f.sine} : 0.0L, Real{f.cosine}) - angle;
}

}  // namespace sightline::oracle
