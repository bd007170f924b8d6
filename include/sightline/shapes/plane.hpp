// Plane: the closed half-space below it.
#pragma once

#include <sightline/detail/two_float.hpp>
#include <sightline/shapes/shape_traits.hpp>

namespace sightline {

template <class F>
struct PlaneT {
  Vec3T<F> normal;
  F offset;
};
/// The half-space dot(normal, x) <= offset of the stored floats; |normal| is 1 within 1e-4, and
/// only the reported normal is normalised. A plane has no bounds.
using Plane = PlaneT<float>;

/// dot(normal, p) - offset as a two-float.
template <class F>
SIGHTLINE_HD Two<F> signed_excess(const PlaneT<F>& s, const Vec3T<F>& p) {
  return two_dot(s.normal, p) + (-s.offset);
}

/// Whether the closed half-space contains the point.
template <class F>
SIGHTLINE_HD MaskOf<F> contains(const PlaneT<F>& s, const Vec3T<F>& p) {
  return rounded(signed_excess(s, p)) <= F(0);
}

template <>
struct ShapeTraits<Plane> {
  using Given = Plane;
  static constexpr const char* name = "plane";
  static constexpr bool is_bounded = false;
  template <template <class> class C>
  struct Columns {
    C<Vec3> normal;
    C<float> offset;
  };
  template <class F, class... S>
  SIGHTLINE_HD static void fields(F&& f, S&&... s) {
    f("normal", s.normal...), f("offset", s.offset...);
  }
  static const char* reason_to_refuse(const Plane& s) {
    if (!detail::finite(s.normal) || !detail::finite(s.offset)) return detail::not_finite;
    if (abs(s.offset) > domain_limit) return detail::out_of_domain;
    const double x = s.normal.x, y = s.normal.y, z = s.normal.z;
    return detail::is_unit(x * x + y * y + z * z) ? nullptr : "the normal is not of unit length";
  }
};

}  // namespace sightline
