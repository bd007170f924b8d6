// Spheres in lanes against one shape, in plain floats that say when they are sure
// (docs/project/proofs/overlap-distance-sweep.md, "Certain balls").
#pragma once

#include "host/cpu/shapes/few_shapes.hpp"
#include "host/cpu/simd/compress.hpp"

namespace sightline::detail::HWY_NAMESPACE {

template <int N>
struct SphereLanes {
  FloatVec<N> x, y, z, radius;
};

/// N points x0 y0 z0 x1 ... as columns.
template <int N>
HWY_INLINE SphereLanes<N> load_spheres(const Vec3* center, FloatVec<N> radius) {
  SphereLanes<N> q;
  hn::LoadInterleaved3(FloatTag<N>(), &center->x, q.x.v, q.y.v, q.z.v);
  q.radius = radius;
  return q;
}

/// a * b + c, rounded once or twice: floats are sure either way.
template <int N>
HWY_INLINE FloatVec<N> multiply_add(FloatVec<N> a, FloatVec<N> b, FloatVec<N> c) {
#if defined(SIGHTLINE_EXPAND_FMA)
  return a * b + c;
#else
  return hn::MulAdd(a.v, b.v, c.v);
#endif
}
/// c - a * b.
template <int N>
HWY_INLINE FloatVec<N> subtract_product(FloatVec<N> c, FloatVec<N> a, FloatVec<N> b) {
#if defined(SIGHTLINE_EXPAND_FMA)
  return c - a * b;
#else
  return hn::NegMulAdd(a.v, b.v, c.v);
#endif
}
template <int N>
HWY_INLINE FloatVec<N> dot_lanes(FloatVec<N> x, FloatVec<N> y, FloatVec<N> z, const Vec3& v) {
  using F = FloatVec<N>;
  return multiply_add(z, F(v.z), multiply_add(y, F(v.y), x * F(v.x)));
}
template <int N>
HWY_INLINE FloatVec<N> square_lanes(FloatVec<N> x, FloatVec<N> y, FloatVec<N> z) {
  return multiply_add(z, z, multiply_add(y, y, x * x));
}

// squared_gap(): the squared distance of the spheres' centres from the shape's core, which is a
// point, a segment or a box.

template <int N>
HWY_INLINE FloatVec<N> squared_gap(const SphereLanes<N>& q, const Sphere& s) {
  using F = FloatVec<N>;
  return square_lanes(q.x - F(s.center.x), q.y - F(s.center.y), q.z - F(s.center.z));
}
template <int N>
HWY_INLINE FloatVec<N> squared_gap(const SphereLanes<N>& q, const CapsuleAxis& s) {
  using F = FloatVec<N>;
  const F x = q.x - F(s.a.x), y = q.y - F(s.a.y), z = q.z - F(s.a.z);
  const F t = min(max(dot_lanes(x, y, z, s.way) * F(s.inverse), F(0)), F(1));
  return square_lanes(subtract_product(x, t, F(s.way.x)), subtract_product(y, t, F(s.way.y)),
                      subtract_product(z, t, F(s.way.z)));
}
template <int N>
HWY_INLINE FloatVec<N> axis_gap(FloatVec<N> p, float low, float high) {
  using F = FloatVec<N>;
  return max(max(F(low) - p, p - F(high)), F(0));
}
template <int N>
HWY_INLINE FloatVec<N> squared_gap(const SphereLanes<N>& q, const Aabb& s) {
  return square_lanes(axis_gap(q.x, s.min.x, s.max.x), axis_gap(q.y, s.min.y, s.max.y),
                      axis_gap(q.z, s.min.z, s.max.z));
}
template <int N>
HWY_INLINE FloatVec<N> squared_gap(const SphereLanes<N>& q, const ObbFrame& s) {
  using F = FloatVec<N>;
  const F x = q.x - F(s.center.x), y = q.y - F(s.center.y), z = q.z - F(s.center.z);
  const F u = abs(dot_lanes(x, y, z, s.axis[0])), v = abs(dot_lanes(x, y, z, s.axis[1])),
          w = abs(dot_lanes(x, y, z, s.axis[2]));
  return square_lanes(max(u - F(s.half_extents.x), F(0)), max(v - F(s.half_extents.y), F(0)),
                      max(w - F(s.half_extents.z), F(0)));
}

/// squared_gap() less the square of both radii: at most 0 where they overlap. It is 0, and so
/// within every margin, for shapes that lanes do not decide.
template <int N>
HWY_INLINE FloatVec<N> excess(const SphereLanes<N>&, const NeverCertain&) {
  return FloatVec<N>(0);
}
template <int N>
HWY_INLINE FloatVec<N> excess(const SphereLanes<N>&, const TriangleForm&) {
  return FloatVec<N>(0);
}
template <int N, class Form>
HWY_INLINE FloatVec<N> excess(const SphereLanes<N>& q, const Form& s) {
  FloatVec<N> reach = q.radius;
  if constexpr (requires { s.radius; }) reach = reach + FloatVec<N>(s.radius);
  return subtract_product(squared_gap(q, s), reach, reach);
}
/// An excess beyond the margin is surely above 0, one below minus the margin surely under it.
template <int N>
HWY_INLINE FloatVec<N> margin_of(const SphereLanes<N>& q, const SphereMargin& m) {
  using F = FloatVec<N>;
  const F reach = q.radius + F(m.radius);
  return (reach + F(m.length)) * (reach + F(0x1p-16f * m.length)) * F(0x1p-16f) + F(0x1p-100f);
}

/// Lower bounds of nearest()'s signed distances of points, whose radii are not read; -inf in a box
/// or next to it.
template <int N>
HWY_INLINE FloatVec<N> distance_at_least(const SphereLanes<N>&, const NeverCertain&) {
  return FloatVec<N>(-infinity);
}
template <int N>
HWY_INLINE FloatVec<N> distance_at_least(const SphereLanes<N>& points, const TriangleForm& s) {
  return detail::distance_at_least(Vec3T<FloatVec<N>>{points.x, points.y, points.z}, s);
}
template <int N, class Form>
HWY_INLINE FloatVec<N> distance_at_least(const SphereLanes<N>& points, const Form& s) {
  using F = FloatVec<N>;
  const F gap = sqrt(squared_gap(points, s)), err = F(0x1p-16f);
  constexpr float tiny = 0x1p-60f;
  if constexpr (std::is_same_v<Form, Sphere>) {
    return gap - F(s.radius) - (gap + F(s.radius)) * err - F(tiny);
  } else if constexpr (std::is_same_v<Form, CapsuleAxis>) {
    const float length =
        (sightline::abs(s.way.x) + sightline::abs(s.way.y)) + sightline::abs(s.way.z);
    // A segment whose squared length underflows is taken for its begin.
    const float moved = s.inverse == 0 ? length : 0;
    return gap - F(s.radius) - (gap + F(s.radius + length)) * err - F(moved + tiny);
  } else {
    float length = 0;
    if constexpr (std::is_same_v<Form, ObbFrame>) {
      length = (s.half_extents.x + s.half_extents.y) + s.half_extents.z;
    }
    const F least = gap - (gap + F(length)) * err - F(tiny);
    return select(least > F(0), least, F(-infinity));
  }
}

/// Calls use(shape) for each shape, kind by kind.
template <class Use>
HWY_INLINE void for_each_form(const FormLists& shapes, const Use& use) {
  ShapeKinds::for_each([&]<class S>(ShapeTag<S> kind) SIGHTLINE_LAMBDA {
    if constexpr (is_bounded<S>) {
      const auto& list = shapes.of(kind);
      for (const auto* s = list.begin; s != list.end; ++s) use(*s);
    }
  });
}
template <int N>
HWY_INLINE FloatVec<N> least_excess(const SphereLanes<N>& q, const FormLists& shapes) {
  FloatVec<N> least(infinity);
  for_each_form(shapes, [&](const auto& s) SIGHTLINE_LAMBDA { least = min(excess(q, s), least); });
  return least;
}

}  // namespace sightline::detail::HWY_NAMESPACE
