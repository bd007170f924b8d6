// Sphere: the closed ball.
#pragma once

#include <sightline/detail/two_float.hpp>
#include <sightline/shapes/aabb.hpp>

namespace sightline {

template <class F>
struct SphereT {
  Vec3T<F> center;
  F radius;
};
/// radius >= 0; a sphere of radius 0 is a point and can be hit.
using Sphere = SphereT<float>;

/// A float box that contains the ball: one float outward of the rounded ends.
SIGHTLINE_HD Aabb bounds(const Sphere& s) {
  const Vec3 c = s.center;
  const float r = s.radius;
  return {{next_down(c.x - r), next_down(c.y - r), next_down(c.z - r)},
          {next_up(c.x + r), next_up(c.y + r), next_up(c.z + r)}};
}

/// Whether the closed ball contains the point, in two-floats.
template <class F>
SIGHTLINE_HD MaskOf<F> contains(const SphereT<F>& s, const Vec3T<F>& p) {
  const TwoVec3<F> w = two_diff(p, s.center);
  return rounded(dot(w, w) - two_prod(s.radius, s.radius)) <= F(0);
}

template <>
struct ShapeTraits<Sphere> {
  using Given = Sphere;
  static constexpr const char* name = "sphere";
  static constexpr bool is_bounded = true;
  template <template <class> class C>
  struct Columns {
    C<Vec3> center;
    C<float> radius;
  };
  template <class F, class... S>
  SIGHTLINE_HD static void fields(F&& f, S&&... s) {
    f("center", s.center...), f("radius", s.radius...);
  }
  static const char* reason_to_refuse(const Sphere& s) {
    return detail::first_of(
        {detail::bad_vector(s.center), detail::bad_size(s.radius, "the radius is negative")});
  }
};

}  // namespace sightline
