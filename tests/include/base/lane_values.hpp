// The arithmetic of a ray against a shape, by as many lanes as a lane type has: what comes out is
// plain floats, so that each lane can be held to scalar code, whoever compiled it.
//
// `Access` names the lane type, `Access::Floats` of `Access::lanes` lanes, and how floats get in
// and out of it: load(const float*), store(Floats, float*) and store(mask, bool*).
#pragma once

#include <sightline/geometry/intersect/certain_boxes.hpp>
#include <sightline/geometry/intersect/certain_rounds.hpp>
#include <sightline/geometry/queries/cast.hpp>

namespace sightline::testing {

inline constexpr int most_lanes = 16;

/// What up to 16 pairs of a ray and a shape give, each in its place.
struct PairValues {
  struct Answer {
    bool hit[most_lanes], started_inside[most_lanes];
    float t[most_lanes];
  };
  bool may[most_lanes], contains[most_lanes], hit[most_lanes];
  float t_in[most_lanes], t_out[most_lanes];
  Answer answer[3];  ///< by Inside
  Answer ahead[3];   ///< by interval_ahead(), of lanes whose exit is asked for
  bool certain_hit[3][most_lanes],
      certain_miss[3][most_lanes];  ///< by Inside, as of a line of sight
  float normal[3][most_lanes];      ///< by axis
  float gate_near[most_lanes], gate_far[most_lanes];
  bool gate_empty[most_lanes];
};

template <class Access, class Struct, class Member>
auto floats_of(const Struct* s, const Member& member) {
  float lanes[Access::lanes];
  for (int i = 0; i < Access::lanes; ++i) lanes[i] = member(s[i]);
  return Access::load(lanes);
}
template <class Access, class Struct, class Member>
auto vectors_of(const Struct* s, const Member& member) {
  return Vec3T<typename Access::Floats>{
      floats_of<Access>(s, [&](const Struct& one) { return member(one).x; }),
      floats_of<Access>(s, [&](const Struct& one) { return member(one).y; }),
      floats_of<Access>(s, [&](const Struct& one) { return member(one).z; })};
}

template <class Access>
AabbT<typename Access::Floats> lanes_of(const Aabb* s) {
  return {vectors_of<Access>(s, [](const Aabb& a) { return a.min; }),
          vectors_of<Access>(s, [](const Aabb& a) { return a.max; })};
}
template <class Access>
ObbFrameT<typename Access::Floats> lanes_of(const ObbFrame* s) {
  return {vectors_of<Access>(s, [](const ObbFrame& o) { return o.center; }),
          vectors_of<Access>(s, [](const ObbFrame& o) { return o.half_extents; }),
          {vectors_of<Access>(s, [](const ObbFrame& o) { return o.axis[0]; }),
           vectors_of<Access>(s, [](const ObbFrame& o) { return o.axis[1]; }),
           vectors_of<Access>(s, [](const ObbFrame& o) { return o.axis[2]; })}};
}
template <class Access>
SphereT<typename Access::Floats> lanes_of(const Sphere* s) {
  return {vectors_of<Access>(s, [](const Sphere& a) { return a.center; }),
          floats_of<Access>(s, [](const Sphere& a) { return a.radius; })};
}
template <class Access>
CapsuleT<typename Access::Floats> lanes_of(const Capsule* s) {
  return {vectors_of<Access>(s, [](const Capsule& c) { return c.a; }),
          vectors_of<Access>(s, [](const Capsule& c) { return c.b; }),
          floats_of<Access>(s, [](const Capsule& c) { return c.radius; })};
}
template <class Access>
CylinderT<typename Access::Floats> lanes_of(const Cylinder* s) {
  return {vectors_of<Access>(s, [](const Cylinder& c) { return c.a; }),
          vectors_of<Access>(s, [](const Cylinder& c) { return c.b; }),
          floats_of<Access>(s, [](const Cylinder& c) { return c.radius; })};
}
template <class Access>
TriangleT<typename Access::Floats> lanes_of(const Triangle* s) {
  return {vectors_of<Access>(s, [](const Triangle& t) { return t.a; }),
          vectors_of<Access>(s, [](const Triangle& t) { return t.b; }),
          vectors_of<Access>(s, [](const Triangle& t) { return t.c; })};
}
template <class Access>
PlaneT<typename Access::Floats> lanes_of(const Plane* s) {
  return {vectors_of<Access>(s, [](const Plane& p) { return p.normal; }),
          floats_of<Access>(s, [](const Plane& p) { return p.offset; })};
}
template <class Access>
LineT<typename Access::Floats> lanes_of(const ScaledRay* s) {
  LineT<typename Access::Floats> r;
  r.origin = vectors_of<Access>(s, [](const ScaledRay& q) { return q.line.origin; });
  r.direction = vectors_of<Access>(s, [](const ScaledRay& q) { return q.line.direction; });
  r.inverse = vectors_of<Access>(s, [](const ScaledRay& q) { return q.line.inverse; });
  r.dd.hi = floats_of<Access>(s, [](const ScaledRay& q) { return q.line.dd.hi; });
  r.dd.lo = floats_of<Access>(s, [](const ScaledRay& q) { return q.line.dd.lo; });
  const auto point =
      floats_of<Access>(s, [](const ScaledRay& q) { return q.line.is_point ? 1.0f : 0.0f; });
  r.is_point = point > typename Access::Floats(0);
  return r;
}

template <class Access, class F>
void store(const FoundT<F>& found, PairValues::Answer& out) {
  Access::store(found.hit, out.hit);
  Access::store(found.started_inside, out.started_inside);
  Access::store(found.t, out.t);
}

/// What floats are sure of.
template <class Access, class Shape, class F>
void evaluate_certain(const LineT<F>& line, const Shape& shape, F t_min, F t_max,
                      const MaskOf<F>& wanted, PairValues& out) {
  for (int policy = 0; policy < 3; ++policy) {
    const Inside inside = static_cast<Inside>(policy);
    const CertainT<F> sure = certainly(line, shape, t_min, t_max, inside, true);
    Access::store(sure.hit, out.certain_hit[policy]);
    Access::store(sure.miss, out.certain_miss[policy]);
    const IntervalT<F> i = interval_ahead(line, shape, t_min, t_max, inside, wanted);
    store<Access>(apply_policy(i, t_min, t_max, t_min, inside), out.ahead[policy]);
  }
}

/// Writes the values of Access::lanes pairs. `boxes` are the shapes' bounds, `exits` says which
/// surface's normal is asked for: 1 the far one's.
template <class Access, class Shape>
void evaluate(const Shape* shapes, const ScaledRay* rays, const Aabb* boxes, const float* exits,
              PairValues& out) {
  using F = typename Access::Floats;
  const LineT<F> line = lanes_of<Access>(rays);
  const auto shape = lanes_of<Access>(shapes);
  const F t_min = floats_of<Access>(rays, [](const ScaledRay& q) { return q.t_min; });
  const F t_max = floats_of<Access>(rays, [](const ScaledRay& q) { return q.t_max; });
  const IntervalT<F> i = interval(line, shape);
  Access::store(may_hit(line, shape), out.may);
  Access::store(contains(shape, line.origin), out.contains);
  Access::store(i.hit, out.hit);
  Access::store(i.t_in, out.t_in);
  Access::store(i.t_out, out.t_out);
  for (int policy = 0; policy < 3; ++policy) {
    store<Access>(apply_policy(i, t_min, t_max, t_min, static_cast<Inside>(policy)),
                  out.answer[policy]);
  }
  const auto exit_asked = Access::load(exits) > F(0);
  evaluate_certain<Access>(line, shape, t_min, t_max, exit_asked, out);
  const Vec3T<F> normal = surface_normal(line, shape, exit_asked);
  Access::store(normal.x, out.normal[0]);
  Access::store(normal.y, out.normal[1]);
  Access::store(normal.z, out.normal[2]);
  const SlabIntervalT<F> gate = slab(line, t_min, t_max, lanes_of<Access>(boxes));
  Access::store(gate.t_near, out.gate_near);
  Access::store(gate.t_far, out.gate_far);
  Access::store(is_empty(gate), out.gate_empty);
}

}  // namespace sightline::testing
