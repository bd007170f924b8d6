// A ray against a shape of a leaf, gate included.
#pragma once

#include "kernels/traverse/records.cuh"

#include <sightline/geometry/queries/line_of_sight.hpp>

namespace sightline::kernels {

/// The gate of a shape; an unbounded one has none, so the ray's interval.
template <class Shape>
SIGHTLINE_HD SlabInterval gate_of(const ScaledRay& ray, const Shape& shape) {
  if constexpr (is_bounded<Shape>) {
    return slab(ray.line, ray.t_min, ray.t_max, bounds(shape));
  } else {
    return {ray.t_min, ray.t_max};
  }
}

/// Leaves open what neither floats nor doubles are sure of: `open` is then set, and the answer
/// means nothing. Where doubles are slow two-floats take their place, so that these stay.
struct DeferExact {
  bool open = false;

  template <class F, class Shape>
  SIGHTLINE_HD IntervalT<F> whole(const LineT<F>&, const Shape&) {
    open = true;
    return {};
  }
  template <class F, class Shape>
  SIGHTLINE_HD IntervalT<F> ahead(const LineT<F>& line, const Shape& s, F t_min, Inside inside,
                                  bool may, bool met) {
    if constexpr (!quick_doubles) return exact_ahead(line, s, t_min, inside, may, met);
    return whole(line, s);
  }
  template <class F>
  SIGHTLINE_HD F face(const LineT<F>& line, const Vec3T<F>& center, const Vec3T<F>& axis, F half) {
    if constexpr (!quick_doubles) return face_crossing(line, center, axis, half);
    open = true;
    return half;
  }
};

/// Kinds without a stage of floats here: it would take registers from rays that meet none of them.
/// test_exactly() has all of it.
template <class Shape>
inline constexpr bool is_left_open =
    std::is_same_v<Shape, Triangle> || std::is_same_v<Shape, Cylinder>;

/// The shape's answer; a hit further than `nearest` may be left out.
template <class Shape, class Fallback>
SIGHTLINE_HD Found cast_gated(const Query& q, const Shape& shape, float nearest,
                              Fallback& fallback) {
  const SlabInterval gate = gate_of(q.ray, shape);
  if (is_empty(gate) || gate.t_near > nearest) return {};
  if constexpr (is_left_open<Shape>) {
    const Interval i = fallback.whole(q.ray.line, shape);
    return apply_policy(q, shape, i, gate.t_near);
  }
  return cast_certainly_first(q, shape, gate.t_near, nearest, fallback);
}

/// What floats are sure of; where they are not, what answer(interval, gate_near) makes of the
/// settled interval, if the gate is open: no sure hit has a closed one
/// (docs/project/proofs/traversal.md, "Gates"). `both_ends`: see certainly().
template <class Shape, class Fallback, class Answer>
SIGHTLINE_HD bool hits_gated(const Query& q, const Shape& shape, bool both_ends, Fallback& fallback,
                             Answer&& answer) {
  const ScaledRay& ray = q.ray;
  if constexpr (!is_left_open<Shape>) {
    const Certain sure = certainly(ray.line, shape, ray.t_min, ray.t_max, q.policy, both_ends);
    if (sure.hit || sure.miss) return sure.hit;
  }
  const SlabInterval gate = gate_of(ray, shape);
  if (is_empty(gate)) return false;
  if constexpr (is_bounded<Shape>) {
    return answer(fallback.whole(ray.line, shape), gate.t_near);
  } else {
    return answer(interval(ray.line, shape), gate.t_near);  // cheap, and never in doubt
  }
}

/// Whether the ray hits the shape.
template <class Shape, class Fallback>
SIGHTLINE_HD bool hits_gated(const Query& q, const Shape& shape, Fallback& fallback) {
  return hits_gated(q, shape, false, fallback, [&](const Interval& i, float gate_near) {
    return apply_policy(q, shape, i, gate_near).hit;
  });
}
/// Whether the shape blocks the sight along the ray.
template <class Shape, class Fallback>
SIGHTLINE_HD bool blocks_gated(const Query& q, const Shape& shape, Fallback& fallback) {
  return hits_gated(q, shape, true, fallback,
                    [&](const Interval& i, float gate_near) { return blocks(q, i, gate_near); });
}

/// A shape's answer where floats are in doubt, which few rays need.
template <class Rays>
SIGHTLINE_SELDOM Found test_exactly(SIGHTLINE_SELDOM_PARAMETER(Query) query,
                                    const RecordUnit* record, Kind kind, float nearest) {
  Found found{};
  ExactFallback fallback;
  visit_record(record, kind,
               [&](const auto& shape) { found = Rays::test(query, shape, nearest, fallback); });
  return found;
}

/// Calls f() while the value lies in memory: what lives across a call takes registers that a call
/// keeps, of which there are few, and the compiler would rather have all of a kernel hold more.
template <class T, class F>
SIGHTLINE_HD void set_aside([[maybe_unused]] T& value, F&& f) {
#if defined(__CUDA_ARCH__)
  T kept = value;
  T* at = &kept;
  asm volatile("" : "+l"(at)::"memory");  // nobody knows any more what lies there
  __builtin_assume(__isLocal(at));        // only that it is local memory
  f();
  value = *at;
#else
  f();
#endif
}

}  // namespace sightline::kernels
