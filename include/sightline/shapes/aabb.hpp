// Axis-aligned box: the closed set min <= x <= max.
#pragma once

#include <sightline/shapes/shape_traits.hpp>

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

/// The empty box: unite() with it returns the other box.
SIGHTLINE_HD Aabb empty_aabb() {
  return {{infinity, infinity, infinity}, {-infinity, -infinity, -infinity}};
}
SIGHTLINE_HD bool is_empty(const Aabb& s) {
  return s.min.x > s.max.x || s.min.y > s.max.y || s.min.z > s.max.z;
}

/// The smallest box that contains both; exact. Of zeros of both signs b's is taken.
SIGHTLINE_HD Aabb unite(const Aabb& a, const Aabb& b) {
  return {{min(a.min.x, b.min.x), min(a.min.y, b.min.y), min(a.min.z, b.min.z)},
          {max(a.max.x, b.max.x), max(a.max.y, b.max.y), max(a.max.z, b.max.z)}};
}

/// Half the surface area, for the surface area heuristic.
SIGHTLINE_HD float half_area(const Aabb& s) {
  const float x = s.max.x - s.min.x, y = s.max.y - s.min.y, z = s.max.z - s.min.z;
  return x * y + y * z + z * x;
}

template <>
struct ShapeTraits<Aabb> {
  using Given = Aabb;
  static constexpr const char* name = "aabb";
  static constexpr bool is_bounded = true;
  template <template <class> class C>
  struct Columns {
    C<Vec3> min, max;
  };
  template <class F, class... S>
  SIGHTLINE_HD static void fields(F&& f, S&&... s) {
    f("min", s.min...), f("max", s.max...);
  }
  static const char* reason_to_refuse(const Aabb& s) {
    if (const char* why =
            detail::first_of({detail::bad_vector(s.min), detail::bad_vector(s.max)})) {
      return why;
    }
    return is_empty(s) ? "min is greater than max" : nullptr;
  }
};

}  // namespace sightline
