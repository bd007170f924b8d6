// Boxes as three slabs, with a cheaper basis for AABBs than for OBBs.
#pragma once

#include <sightline/geometry/overlap/wide_box.hpp>

namespace sightline {

/// Coordinates across the faces of an AABB, and back.
struct UprightBasis {
  SIGHTLINE_HD double across(int i, const WideVec3& v) const {
    return i == 0 ? v.x : i == 1 ? v.y : v.z;
  }
  SIGHTLINE_HD WideVec3 placed(const double (&y)[3]) const { return {y[0], y[1], y[2]}; }
  SIGHTLINE_HD WideVec3 normal(int i) const {
    return {i == 0 ? 1.0 : 0.0, i == 1 ? 1.0 : 0.0, i == 2 ? 1.0 : 0.0};
  }
};

/// The same for an OBB: its stored axes, and their dual basis.
struct TurnedBasis {
  WideVec3 axis[3], edge[3];
  SIGHTLINE_HD double across(int i, const WideVec3& v) const { return dot(axis[i], v); }
  SIGHTLINE_HD WideVec3 placed(const double (&y)[3]) const {
    return (edge[0] * y[0] + edge[1] * y[1]) + edge[2] * y[2];
  }
  SIGHTLINE_HD WideVec3 normal(int i) const { return axis[i]; }
};

/// low[i] <= across(i, x) <= high[i], x relative to reference_point() of the shape.
template <class Basis>
struct SlabBox {
  Basis basis;
  double low[3], high[3];

  /// Bit i of k selects the upper end of slab i.
  SIGHTLINE_HD WideVec3 corner(int k) const {
    double y[3];
    for (int i = 0; i < 3; ++i) y[i] = (k >> i & 1) != 0 ? high[i] : low[i];
    return basis.placed(y);
  }
  SIGHTLINE_HD WideVec3 edge(int i) const {
    double y[3] = {0, 0, 0};
    y[i] = high[i] - low[i];
    return basis.placed(y);
  }
};

SIGHTLINE_HD Vec3 reference_point(const Aabb& s) { return s.min; }
SIGHTLINE_HD SlabBox<UprightBasis> slab_box(const Aabb& s) {
  const WideVec3 size = wide_diff(s.max, s.min);
  return {{}, {0, 0, 0}, {size.x, size.y, size.z}};
}

SIGHTLINE_HD Vec3 reference_point(const ObbFrame& s) { return s.center; }
SIGHTLINE_HD SlabBox<TurnedBasis> slab_box(const ObbFrame& s) {
  const WideBox w = wide_box(s, s.center);
  const Vec3 h = s.half_extents;
  return {{{w.axis[0], w.axis[1], w.axis[2]}, {w.edge[0], w.edge[1], w.edge[2]}},
          {-h.x, -h.y, -h.z},
          {h.x, h.y, h.z}};
}

}  // namespace sightline
