// Tests of pairs of a ray and a shape, vectors of one kind at a time.
#pragma once

#include "host/cpu/rays/ray_record.hpp"
#include "host/cpu/rays/slab.hpp"
#include "host/cpu/simd/gather.hpp"

#include <sightline/geometry/intersect/certain_boxes.hpp>
#include <sightline/geometry/intersect/certain_cylinder.hpp>
#include <sightline/geometry/intersect/certain_rounds.hpp>
#include <sightline/geometry/intersect/certain_triangle.hpp>

#include <type_traits>

namespace sightline::detail::HWY_NAMESPACE {

/// A queue of pairs to test: the shape's index within its kind, the ray, and the near end of the
/// gate. Room for `capacity` pairs and one more vector.
template <int capacity>
struct PairQueue {
  int size = 0;
  alignas(64) std::uint32_t shape[capacity + 16];
  alignas(64) std::uint32_t ray[capacity + 16];
  alignas(64) float gate_near[capacity + 16];
};

template <class Shape, int N>
struct InLanes;
template <template <class> class S, int N>
struct InLanes<S<float>, N> {
  using Type = S<FloatVec<N>>;
};
/// For Sphere: SphereT<FloatVec<N>>.
template <class Shape, int N>
using ShapeLanes = typename InLanes<Shape, N>::Type;

/// The shapes with these indices within their kind.
template <class Shape, int N>
HWY_INLINE ShapeLanes<Shape, N> gather_shapes(const ShapesView& s, const std::uint32_t* i) {
  ShapeLanes<Shape, N> shapes;
  ShapeTraits<Shape>::fields([i](const char*, auto& field, const auto* column)
                                 SIGHTLINE_LAMBDA { field = gather<N>(column, i); },
                             shapes, s.of<Shape>());
  return shapes;
}

template <int N>
HWY_INLINE Vec3T<FloatVec<N>> broadcast(const Vec3& v) {
  return {FloatVec<N>(v.x), FloatVec<N>(v.y), FloatVec<N>(v.z)};
}
template <int N>
HWY_INLINE FloatVec<N> broadcast(float v) {
  return FloatVec<N>(v);
}
/// The shape with this index within its kind, in every lane.
template <class Shape, int N>
HWY_INLINE ShapeLanes<Shape, N> broadcast_shape(const ShapesView& s, std::uint32_t i) {
  ShapeLanes<Shape, N> shape;
  ShapeTraits<Shape>::fields([i](const char*, auto& field, const auto* column)
                                 SIGHTLINE_LAMBDA { field = broadcast<N>(column[i]); },
                             shape, s.of<Shape>());
  return shape;
}

/// What the leaf tests need of N rays.
template <int N>
struct RayLanes {
  LineT<FloatVec<N>> line;
  FloatVec<N> t_min, t_max, reach;
};

template <int N>
HWY_INLINE RayLanes<N> gather_rays(const RayRecord* rays, const std::uint32_t* index) {
  const FloatTag<4> d;
  const auto row = [&](int k) HWY_ATTR {
    return transposed<N>([&, k](int i)
                             HWY_ATTR { return hn::Load(d, words_of(rays[index[i]]) + 4 * k); });
  };
  const Quads<N> o = row(0), inverse = row(1), v = row(2), rest = row(3);
  RayLanes<N> r;
  r.line.origin = {o.x, o.y, o.z};
  r.line.direction = {v.x, v.y, v.z};
  r.line.inverse = {inverse.x, inverse.y, inverse.z};
  r.line.dd = {rest.x, rest.y};
  const WordTag<N> words;
  const auto point = hn::And(bits_of(rest.w), hn::Set(words, record_flags::is_point));
  r.line.is_point = hn::RebindMask(FloatTag<N>(), hn::Ne(point, hn::Zero(words)));
  r.t_min = o.w;
  r.t_max = v.w;
  r.reach = inverse.w;
  return r;
}

// The exact stage is out of line: few pairs need it, its code is long, and all callers share it. It
// writes to a reference, as what it returns would be there as well.

/// As staged_interval() in the lanes that are `wanted`; others miss, or have any interval.
template <int N, class Shapes>
HWY_NOINLINE void exact_whole(const LineT<FloatVec<N>>& line, const Shapes& s, LaneMask<N> wanted,
                              IntervalT<FloatVec<N>>& out) {
  const LaneMask<N> may = may_hit(line, s);
  out = {LaneMask<N>(false), FloatVec<N>(infinity), FloatVec<N>(infinity)};
  if (!any(may & wanted)) return;
  out = interval(line, s);
  out.hit = out.hit & may;
}
/// As exact_ahead().
template <int N, class Shapes>
HWY_NOINLINE void exact_entry(const LineT<FloatVec<N>>& line, const Shapes& s, FloatVec<N> t_min,
                              Inside inside, LaneMask<N> may, LaneMask<N> met,
                              IntervalT<FloatVec<N>>& out) {
  out = exact_ahead(line, s, t_min, inside, may, met);
}

/// As Exactly, out of line, but for AABBs, whose exact stage is short: what a call reads is in
/// memory from the start, which costs a camera's rays more than the stage.
struct ExactlyElsewhere : ExactFallback {
  template <int N, class Shapes>
  HWY_INLINE IntervalT<FloatVec<N>> whole(const LineT<FloatVec<N>>& line, const Shapes& s) const {
    if constexpr (std::is_same_v<Shapes, AabbT<FloatVec<N>>>) return staged_interval(line, s);
    IntervalT<FloatVec<N>> i;
    exact_whole<N>(line, s, LaneMask<N>(true), i);
    return i;
  }
  template <int N, class Shapes>
  HWY_INLINE IntervalT<FloatVec<N>> ahead(const LineT<FloatVec<N>>& line, const Shapes& s,
                                          FloatVec<N> t_min, Inside inside, LaneMask<N> may,
                                          LaneMask<N> met) const {
    IntervalT<FloatVec<N>> i;
    exact_entry<N>(line, s, t_min, inside, may, met, i);
    return i;
  }
};

/// Which of the `may_count` lanes hit: floats decide nearly all, the exact stage the rest.
template <RayQuery query, int N, class Shapes>
HWY_INLINE LaneMask<N> find_any(const RayLanes<N>& r, const Shapes& shape, FloatVec<N> gate_near,
                                LaneMask<N> may_count, RayPolicy policy) {
  constexpr bool both_ends = query == RayQuery::sight;
  const CertainT<FloatVec<N>> sure = certainly(r.line, shape, r.t_min, r.t_max, policy, both_ends);
  const LaneMask<N> hit = may_count & sure.hit;
  LaneMask<N> open = may_count & !(sure.hit | sure.miss);
  if (!any(open)) return hit;
  IntervalT<FloatVec<N>> i;
  exact_whole<N>(r.line, shape, open, i);
  if (!any(open & i.hit)) return hit;
  open = open & apply_policy(i, r.t_min, r.t_max, gate_near, policy).hit;
  if (both_ends && policy == Inside::ignore) open = open & (i.t_out <= r.t_max);
  return hit | open;
}

/// The answer of each lane's shape to the lane's ray, in the lanes of `may_count`, whose gates are
/// not empty. Any hit has no t; closest hit skips what surely begins beyond the ray's reach.
template <RayQuery query, int N, class Shapes>
HWY_INLINE FoundT<FloatVec<N>> find_hit(const RayLanes<N>& r, const Shapes& shape,
                                        FloatVec<N> gate_near, LaneMask<N> may_count,
                                        RayPolicy policy) {
  FoundT<FloatVec<N>> found{};
  if constexpr (query == RayQuery::closest) {
    const IntervalT<FloatVec<N>> i =
        interval_ahead(r.line, shape, r.t_min, r.reach, policy, may_count, ExactlyElsewhere());
    found = apply_policy(i, r.t_min, r.t_max, gate_near, policy);
    found.hit = found.hit & may_count;
  } else {
    found.hit = find_any<query>(r, shape, gate_near, may_count, policy);
  }
  if constexpr (query != RayQuery::sight) {
    found.hit = on_side(r.line, shape, found.hit, policy.side);
  }
  return found;
}

/// The lanes whose best hits, of these ids, are on the backs of triangles.
template <int N>
HWY_INLINE LaneMask<N> find_backs(const ShapesView& shapes, const LineT<FloatVec<N>>& line,
                                  const std::uint32_t* best) {
  constexpr int kind = static_cast<int>(Kind::triangle);
  const WordTag<N> words;
  const std::uint32_t begin = shapes.begin[kind], end = shapes.begin[kind + 1];
  const auto index = hn::Sub(hn::LoadU(words, best), hn::Set(words, begin));
  const auto is_triangle = hn::Lt(index, hn::Set(words, end - begin));
  const LaneMask<N> met = hn::RebindMask(FloatTag<N>(), is_triangle);
  if (!any(met)) return met;
  alignas(64) std::uint32_t at[N];
  hn::Store(hn::IfThenElseZero(is_triangle, index), words, at);
  return met_side(line, gather_shapes<Triangle, N>(shapes, at), met, Side::back);
}

/// Fills up the last vector.
template <int N, int capacity>
HWY_INLINE void pad(PairQueue<capacity>& q) {
  for (int i = q.size; i % N != 0; ++i) {
    q.shape[i] = q.shape[0];
    q.ray[i] = q.ray[0];
    q.gate_near[i] = 0;
  }
}

/// Removes pairs that floats prove to miss, so that the exact stage gets full vectors.
template <class Shape, int N, int capacity>
HWY_INLINE void drop_misses(const ShapesView& shapes, const RayRecord* rays,
                            PairQueue<capacity>& q) {
  const FloatTag<N> d;
  const WordTag<N> words;
  int kept = 0;
  for (int i = 0; i < q.size; i += N) {
    const RayLanes<N> r = gather_rays<N>(rays, q.ray + i);
    const auto shape = gather_shapes<Shape, N>(shapes, q.shape + i);
    const FloatVec<N> gate_near = hn::Load(d, q.gate_near + i);
    const CertainT<FloatVec<N>> sure =
        certainly(r.line, shape, r.t_min, r.reach, Inside::solid, false);
    const LaneMask<N> there = hn::FirstN(d, static_cast<std::size_t>(q.size - i));
    const LaneMask<N> may = there & (gate_near <= r.reach) & !sure.miss;
    const Compress<N> compress(may);
    const auto shape_ids = hn::Load(words, q.shape + i), ray_ids = hn::Load(words, q.ray + i);
    hn::StoreU(compress(shape_ids), words, q.shape + kept);
    hn::StoreU(compress(ray_ids), words, q.ray + kept);
    hn::StoreU(compress(gate_near.v), d, q.gate_near + kept);
    kept += compress.count();
  }
  q.size = kept;
}

/// The answers of N pairs: hits as bits, and their t.
template <int N>
struct PairAnswers {
  std::uint32_t hits = 0, started_inside = 0;
  alignas(64) float t[N];
};

/// Tests `count` of N pairs.
template <class Shape, RayQuery query, int N>
HWY_INLINE PairAnswers<N> test_pairs(const ShapesView& shapes, const RayRecord* rays,
                                     const std::uint32_t* shape_index, const std::uint32_t* ray,
                                     const float* gates, int count, RayPolicy policy) {
  using F = FloatVec<N>;
  PairAnswers<N> answers;
  const RayLanes<N> r = gather_rays<N>(rays, ray);
  const F gate_near = hn::Load(FloatTag<N>(), gates);
  const LaneMask<N> there = hn::FirstN(FloatTag<N>(), static_cast<std::size_t>(count));
  const auto shape = gather_shapes<Shape, N>(shapes, shape_index);
  const FoundT<F> found =
      find_hit<query>(r, shape, gate_near, there & (gate_near <= r.reach), policy);
  answers.hits = bits_of_mask(found.hit);
  if (query == RayQuery::closest) {
    answers.started_inside = bits_of_mask(found.started_inside);
    hn::Store(found.t.v, FloatTag<N>(), answers.t);
  }
  return answers;
}

}  // namespace sightline::detail::HWY_NAMESPACE
