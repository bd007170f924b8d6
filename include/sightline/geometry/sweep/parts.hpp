// Moving shapes, and the parts of each shape grown by them.
#pragma once

#include <sightline/geometry/sweep/box_part.hpp>
#include <sightline/geometry/sweep/face_part.hpp>
#include <sightline/geometry/sweep/round_part.hpp>
#include <sightline/geometry/sweep/triangle_part.hpp>

namespace sightline {

/// A ball around the ray's point: a thick ray. 0 <= radius <= 2^40.
///
/// The other moving shape is a Capsule, whose end a is the ray's origin.
struct MovingSphere {
  float radius;
};

/// The origin of parts.
SIGHTLINE_HD Vec3 reference_point(const Sphere& s) { return s.center; }
SIGHTLINE_HD Vec3 reference_point(const Capsule& s) { return s.a; }
SIGHTLINE_HD Vec3 reference_point(const Cylinder& s) { return s.a; }
SIGHTLINE_HD Vec3 reference_point(const Triangle& s) { return s.a; }

/// Calls visit(part) with each part of the shape grown by the ball: there is one.
template <class Visit>
SIGHTLINE_HD void each_part(const LocalLine& line, const MovingSphere& m, const Sphere& s,
                            Visit&& visit) {
  const WideVec3 center = {0, 0, 0};
  visit(RoundPart{line, center, wide_axis(line, center), widened(m.radius) + s.radius});
}
template <class Visit>
SIGHTLINE_HD void each_part(const LocalLine& line, const MovingSphere& m, const Capsule& s,
                            Visit&& visit) {
  const WideAxis axis = wide_axis(line, wide_diff(s.b, s.a));
  visit(RoundPart{line, {0, 0, 0}, axis, widened(m.radius) + s.radius});
}
template <class Visit>
SIGHTLINE_HD void each_part(const LocalLine& line, const MovingSphere& m, const Aabb& s,
                            Visit&& visit) {
  visit(BoxPart(line, slab_box(s), m.radius));
}
template <class Visit>
SIGHTLINE_HD void each_part(const LocalLine& line, const MovingSphere& m, const ObbFrame& s,
                            Visit&& visit) {
  visit(BoxPart(line, slab_box(s), m.radius));
}

/// The same for a moving capsule: for its end a the shape is extended along `back` = a - b.
template <class Visit>
SIGHTLINE_HD void each_part(const LocalLine& line, const Capsule& m, const Sphere& s,
                            Visit&& visit) {
  const WideAxis back = wide_axis(line, wide_diff(m.a, m.b));
  visit(RoundPart{line, {0, 0, 0}, back, widened(m.radius) + s.radius});
}
/// A parallelogram: four edges and a face.
template <class Visit>
SIGHTLINE_HD void each_part(const LocalLine& line, const Capsule& m, const Capsule& s,
                            Visit&& visit) {
  const WideVec3 zero = {0, 0, 0};
  const WideAxis back = wide_axis(line, wide_diff(m.a, m.b));
  const WideAxis axis = wide_axis(line, wide_diff(s.b, s.a));
  const double radius = widened(m.radius) + s.radius;
  visit(RoundPart{line, zero, axis, radius});
  visit(RoundPart{line, back.e, axis, radius});
  visit(RoundPart{line, zero, back, radius});
  visit(RoundPart{line, axis.e, back, radius});
  visit(FacePart{line, zero, wide_face(line, axis.e, back.e, radius)});
}
/// The box for each end of the capsule, and what its corners and edges sweep between them.
template <class Basis, class Visit>
SIGHTLINE_HD void each_part(const LocalLine& line, const Capsule& m, const SlabBox<Basis>& box,
                            Visit&& visit) {
  const WideAxis back = wide_axis(line, wide_diff(m.a, m.b));
  const double radius = m.radius;
  LocalLine of_b = line;
  of_b.origin = line.origin - back.e;
  visit(BoxPart(line, box, radius));
  visit(BoxPart(of_b, box, radius));
  for (int k = 0; k < 8; ++k) visit(RoundPart{line, box.corner(k), back, radius});
  for (int i = 0; i < 3; ++i) {
    const WideFace face = wide_face(line, box.edge(i), back.e, radius);
    for (int k = 0; k < 8; ++k) {
      if ((k >> i & 1) == 0) visit(FacePart{line, box.corner(k), face});
    }
  }
}
template <class Visit>
SIGHTLINE_HD void each_part(const LocalLine& line, const Capsule& m, const Aabb& s, Visit&& visit) {
  each_part(line, m, slab_box(s), visit);
}
template <class Visit>
SIGHTLINE_HD void each_part(const LocalLine& line, const Capsule& m, const ObbFrame& s,
                            Visit&& visit) {
  each_part(line, m, slab_box(s), visit);
}

/// A surface: its face on both sides, and its edges.
template <class Visit>
SIGHTLINE_HD void each_part(const LocalLine& line, const MovingSphere& m, const Triangle& s,
                            Visit&& visit) {
  const WideTriangle t = wide_triangle(s);
  const double radius = m.radius;
  for (int k = 0; k < 3; ++k) {
    const WideVec3 begin = wide_diff(t.corner[k], s.a);
    visit(RoundPart{line, begin, wide_axis(line, t.edge[k]), radius});
  }
  visit(TrianglePart{line, {0, 0, 0}, wide_face(line, t, radius)});
}
/// A prism: the triangle for each end of the capsule, and what its corners and edges sweep between
/// them.
template <class Visit>
SIGHTLINE_HD void each_part(const LocalLine& line, const Capsule& m, const Triangle& s,
                            Visit&& visit) {
  const WideTriangle t = wide_triangle(s);
  const WideAxis back = wide_axis(line, wide_diff(m.a, m.b));
  const double radius = m.radius;
  for (int k = 0; k < 3; ++k) {
    const WideVec3 begin = wide_diff(t.corner[k], s.a);
    const WideAxis axis = wide_axis(line, t.edge[k]);
    visit(RoundPart{line, begin, axis, radius});
    visit(RoundPart{line, begin + back.e, axis, radius});
    visit(RoundPart{line, begin, back, radius});
    visit(FacePart{line, begin, wide_face(line, axis.e, back.e, radius)});
  }
  const WideTriangleFace face = wide_face(line, t, radius);
  visit(TrianglePart{line, {0, 0, 0}, face});
  visit(TrianglePart{line, back.e, face});
}

template <class Mover, RaysAlone Shape, class Visit>
SIGHTLINE_HD void each_part(const LocalLine&, const Mover&, const Shape&, Visit&&) {
  end_unknown_query();
}

}  // namespace sightline
