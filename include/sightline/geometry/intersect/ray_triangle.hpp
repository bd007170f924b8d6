// Ray against triangle: exact for every legal input, also where plane, edges and corners are
// touched. Proofs: docs/project/proofs/triangles.md.
#pragma once

#include <sightline/geometry/intersect/certain_entry.hpp>
#include <sightline/geometry/intersect/triangle_edges.hpp>

namespace sightline {

/// How a line meets a triangle: not at all, in one point of a side, or within its plane, where it
/// may meet it too. The corners a, b, c run clockwise seen along a line that meets its back.
enum class Meeting : std::uint8_t { miss, front, back, in_plane };

/// By the signs of the edge functions.
SIGHTLINE_HD Meeting meeting_of(int ab, int bc, int ca) {
  const bool up = ab > 0 || bc > 0 || ca > 0, down = ab < 0 || bc < 0 || ca < 0;
  if (up && down) return Meeting::miss;
  return up ? Meeting::back : down ? Meeting::front : Meeting::in_plane;
}

/// Of a line with a direction: by floats where they are sure, else exactly.
SIGHTLINE_HD Meeting meeting(const Line& line, const Triangle& s) {
  const TriangleSidesT<float> sides = sides_of(s);
  const Edges quick = quick_edges(line, sides, difference(line.origin, s.a));
  const Certain sure = signs_agree_within(quick, quick.doubt_ab);
  if (sure.miss) return Meeting::miss;
  if (sure.hit) return quick.ab > 0 ? Meeting::back : Meeting::front;
  const Edges e = careful_edges(line, sides, two_diff(line.origin, s.a));
  if (signs_agree(e).miss) return Meeting::miss;
  const Vec3 corner[4] = {s.a, s.b, s.c, s.a};
  const float value[3] = {e.ab, e.bc, e.ca};
  const float doubt[3] = {e.doubt_ab, e.doubt_bc, e.doubt_ca};
  int sign[3];
  for (int k = 0; k < 3; ++k) {
    sign[k] = abs(value[k]) > doubt[k]
                  ? sign_of(value[k])
                  : edge_sign(line.origin, line.direction, corner[k], corner[k + 1]);
  }
  return meeting_of(sign[0], sign[1], sign[2]);
}

/// Where a line that meets a triangle off its plane does: n . (a - o) / n . d in doubles.
template <class F>
SIGHTLINE_HD WideEntryT<F> plane_crossing(const LineT<F>& line, const TriangleT<F>& s) {
  using D = DoubleOf<F>;
  const Vec3T<D> n = wide_cross(wide_difference(s.b, s.a), wide_difference(s.c, s.a));
  const D distance = wide_dot(n, wide_difference(s.a, line.origin));
  const D speed = wide_dot(n, widened(line.direction));
  const D t = distance / speed;

  // The sizes of the terms, which the errors are in proportion to; floats are enough for these.
  const Vec3T<F> u = difference(s.b, s.a), v = difference(s.c, s.a);
  const auto product_sizes = [](const F& uj, const F& vk, const F& uk, const F& vj)
                                 SIGHTLINE_LAMBDA { return abs(uj * vk) + abs(uk * vj); };
  const Vec3T<F> sizes = {product_sizes(u.y, v.z, u.z, v.y), product_sizes(u.z, v.x, u.x, v.z),
                          product_sizes(u.x, v.y, u.y, v.x)};
  const F distance_size = dot_of_sizes(sizes, difference(s.a, line.origin)) + F(0x1p-90f);
  const F speed_size = dot_of_sizes(sizes, line.direction) + F(0x1p-90f);
  const F size = abs(narrowed(speed)), late = abs(narrowed(t));
  const MaskOf<F> is_tame = (size >= F(0x1p-60f)) & (speed_size * F(0x1p-46f) <= size);
  const F error = fma(fma(late, speed_size, distance_size), F(0x1p-48f) / size,
                      fma(late, F(0x1p-50f), F(0x1p-110f)));  // more than these floats underflow
  return {t, error, is_tame};
}

/// The same exactly, rounded once.
template <class F>
SIGHTLINE_APART F exact_crossing(SIGHTLINE_SELDOM_PARAMETER(Vec3T<F>) o,
                                 SIGHTLINE_SELDOM_PARAMETER(Vec3T<F>) d,
                                 SIGHTLINE_SELDOM_PARAMETER(TriangleT<F>) s) {
  const SplitVec3 u = split_difference(s.b, s.a), v = split_difference(s.c, s.a);
  return rounded_quotient(exact_determinant(split_difference(s.a, o), u, v),
                          exact_determinant(split(d), u, v));
}

/// On which sides of a line the corners of a triangle in its plane are, seen along an axis along
/// which not all of them are on the line, if there is one. All such axes agree but for a common
/// sign.
struct CornerSides {
  int side[3];
  int i, j;  ///< the other two axes
};
SIGHTLINE_HD CornerSides corner_sides(const Vec3& d, const SplitVec3 (&to)[3]) {
  CornerSides r = {{0, 0, 0}, 0, 1};
  const SplitVec3 along = split(d);
  for (int axis = 0; axis < 3; ++axis) {
    r.i = (axis + 1) % 3, r.j = (axis + 2) % 3;
    if (along.high[r.i] == 0 && along.high[r.j] == 0) continue;
    for (int k = 0; k < 3; ++k) r.side[k] = minor_sign(along, to[k], r.i, r.j);
    if (r.side[0] != 0 || r.side[1] != 0 || r.side[2] != 0) break;
  }
  return r;
}

/// The axis along which the line moves most.
SIGHTLINE_HD int fastest_axis(const Vec3& d) {
  const float x = abs(d.x), y = abs(d.y), z = abs(d.z);
  return x >= y && x >= z ? 0 : y >= z ? 1 : 2;
}

/// Where the line passes a corner that is on it.
SIGHTLINE_HD float corner_time(const Vec3& d, const SplitVec3& to) {
  const int axis = fastest_axis(d);
  const double speed = split(d).high[axis];
  float t;
  const Bounded way = bounded(to.high[axis], wide_abs(to.high[axis]), to.low[axis]);
  if (sure_quotient(way, {speed, 0}, t)) return t;
  Expansion n, by;
  add(n, to.low[axis]), add(n, to.high[axis]), add(by, speed);
  return rounded_quotient(n, by);
}
/// The interval of a line within the plane of the corners: from the first to the last common point,
/// the exact quotients rounded once.
template <class F>
SIGHTLINE_APART IntervalT<F> interval_in_plane(SIGHTLINE_SELDOM_PARAMETER(Vec3T<F>) o,
                                               SIGHTLINE_SELDOM_PARAMETER(Vec3T<F>) d,
                                               SIGHTLINE_SELDOM_PARAMETER(TriangleT<F>) s) {
  const SplitVec3 to[3] = {split_difference(s.a, o), split_difference(s.b, o),
                           split_difference(s.c, o)};
  const SplitVec3 edge[3] = {split_difference(s.b, s.a), split_difference(s.c, s.b),
                             split_difference(s.a, s.c)};
  const CornerSides r = corner_sides(d, to);
  IntervalT<F> found = {false, infinity, -infinity};
  for (int k = 0; k < 6; ++k) {  // three corners, three edges
    const bool is_corner = k < 3;
    const int from = k % 3, side = r.side[from], other = r.side[(from + 1) % 3];
    if (is_corner ? side != 0 : side * other >= 0) continue;
    const float t = is_corner
                        ? corner_time(d, to[from])
                        : minor_quotient(to[from], edge[from], split(d), edge[from], r.i, r.j);
    found = {true, min(t, found.t_in), max(t, found.t_out)};
  }
  return found;
}

/// The interval of one line: of a line that is a point, see contains().
template <class F>
SIGHTLINE_APART IntervalT<F> exact_interval(SIGHTLINE_SELDOM_PARAMETER(LineT<F>) line,
                                            SIGHTLINE_SELDOM_PARAMETER(TriangleT<F>) s) {
  if (max_abs(line.direction) == 0) return point_interval<F>(contains(s, line.origin));
  const Meeting m = meeting(line, s);
  if (m == Meeting::miss) return {false, infinity, -infinity};
  if (m == Meeting::in_plane) return interval_in_plane<F>(line.origin, line.direction, s);
  const CertainEntryT<F> t = rounded(plane_crossing(line, s));
  const float at = t.sure ? t.t : exact_crossing<F>(line.origin, line.direction, s);
  return {true, at, at};
}

/// One line and triangle of several lanes.
template <class F>
struct TriangleLanes {
  LaneVectors<F, 5> v;

  SIGHTLINE_HD TriangleLanes(const LineT<F>& line, const TriangleT<F>& s) {
    v.store(0, line.origin), v.store(1, line.direction);
    v.store(2, s.a), v.store(3, s.b), v.store(4, s.c);
  }
  SIGHTLINE_HD Line line(int lane) const {
    Line r = {};
    r.origin = v.vector(0, lane), r.direction = v.vector(1, lane);
    return r;
  }
  SIGHTLINE_HD Triangle triangle(int lane) const {
    return {v.vector(2, lane), v.vector(3, lane), v.vector(4, lane)};
  }
};

/// exact_interval() in the lanes of `wanted`; the others miss.
template <class F>
SIGHTLINE_HD IntervalT<F> interval_by_lane(const LineT<F>& line, const TriangleT<F>& s,
                                           const MaskOf<F>& wanted) {
  if constexpr (LaneTraits<F>::lanes == 1) {
    if (!wanted) return {false, infinity, -infinity};
    return exact_interval<F>(line, s);
  } else {
    constexpr int lanes = LaneTraits<F>::lanes;
    const TriangleLanes<F> each(line, s);
    float asked[lanes], hit[lanes], t_in[lanes], t_out[lanes];
    LaneTraits<F>::store(select(wanted, F(1), F(0)), asked);
    for (int i = 0; i < lanes; ++i) {
      Interval one = {false, infinity, -infinity};
      if (asked[i] > 0) one = exact_interval<float>(each.line(i), each.triangle(i));
      hit[i] = one.hit ? 1.0f : 0.0f, t_in[i] = one.t_in, t_out[i] = one.t_out;
    }
    return {mask_of<F>(hit), LaneTraits<F>::load(t_in), LaneTraits<F>::load(t_out)};
  }
}

/// Stage 1 is part of interval().
template <class F>
SIGHTLINE_HD MaskOf<F> may_hit(const LineT<F>&, const TriangleT<F>&) {
  return MaskOf<F>(true);
}

/// The common part of line and triangle: mostly a point, whose t is both ends.
template <class F>
SIGHTLINE_HD IntervalT<F> interval(const LineT<F>& line, const TriangleT<F>& s) {
  return interval_by_lane(line, s, MaskOf<F>(true));
}

/// The unit normal on the side that a line which meets the triangle comes from; against the
/// direction within the plane, or where there is no plane.
SIGHTLINE_HD Vec3 normal_towards_origin(const Line& line, const Triangle& s) {
  const Meeting m = meeting(line, s);
  if (m != Meeting::front && m != Meeting::back) return -unit(line.direction);
  const SplitVec3 u = split_difference(s.b, s.a), v = split_difference(s.c, s.a);
  double n[3], largest = 0, error = 0;
  for (int i = 0; i < 3; ++i) {
    const Bounded b = bounded_minor(u, v, (i + 1) % 3, (i + 2) % 3);
    n[i] = b.value;
    largest = wide_abs(n[i]) > largest ? wide_abs(n[i]) : largest;
    error = b.error > error ? b.error : error;
  }
  if (!(error * 0x1p30 <= largest)) {  // a needle
    for (int i = 0; i < 3; ++i) n[i] = exact_minor(u, v, (i + 1) % 3, (i + 2) % 3).estimate();
  }
  const double length = wide_sqrt((n[0] * n[0] + n[1] * n[1]) + n[2] * n[2]);
  const double side = m == Meeting::back ? -length : length;
  return {narrowed(n[0] / side), narrowed(n[1] / side), narrowed(n[2] / side)};
}
template <class F>
SIGHTLINE_HD Vec3T<F> surface_normal(const LineT<F>& line, const TriangleT<F>& s,
                                     const MaskOf<F>&) {
  constexpr int lanes = LaneTraits<F>::lanes;
  const TriangleLanes<F> each(line, s);
  float x[lanes], y[lanes], z[lanes];
  for (int i = 0; i < lanes; ++i) {
    const Vec3 n = normal_towards_origin(each.line(i), each.triangle(i));
    x[i] = n.x, y[i] = n.y, z[i] = n.z;
  }
  return {LaneTraits<F>::load(x), LaneTraits<F>::load(y), LaneTraits<F>::load(z)};
}

/// Whether a line meets this side of the triangle, the front or the back.
template <class F>
SIGHTLINE_APART bool meets_side(SIGHTLINE_SELDOM_PARAMETER(LineT<F>) line,
                                SIGHTLINE_SELDOM_PARAMETER(TriangleT<F>) s, Side side) {
  return meeting(line, s) == (side == Side::back ? Meeting::back : Meeting::front);
}

/// meets_side() in the lanes of `wanted`; false in the others.
template <class F>
SIGHTLINE_SELDOM MaskOf<F> sides_by_lane(SIGHTLINE_SELDOM_PARAMETER(LineT<F>) line,
                                         SIGHTLINE_SELDOM_PARAMETER(TriangleT<F>) s,
                                         MaskOf<F> wanted, Side side) {
  constexpr int lanes = LaneTraits<F>::lanes;
  const TriangleLanes<F> each(line, s);
  float is[lanes];
  LaneTraits<F>::store(select(wanted, F(1), F(0)), is);
  for (int i = 0; i < lanes; ++i) {
    if (is[i] > 0 && !meets_side<float>(each.line(i), each.triangle(i), side)) is[i] = 0;
  }
  return mask_of<F>(is);
}

/// The lanes of `met`, in which lines meet triangles, where they meet this side, the front or the
/// back.
template <class F>
SIGHTLINE_HD MaskOf<F> met_side(const LineT<F>& line, const TriangleT<F>& s, const MaskOf<F>& met,
                                Side side) {
  if constexpr (LaneTraits<F>::lanes == 1) {
    return met && meets_side<F>(line, s, side);
  } else {
    if (!any(met)) return met;
    const EdgesT<F> e = quick_edges(line, sides_of(s), difference(line.origin, s.a));
    const CertainT<F> sure = signs_agree_within(e, e.doubt_ab);
    const MaskOf<F> is_side = side == Side::back ? e.ab > F(0) : e.ab < F(0);
    const MaskOf<F> found = met & sure.hit & is_side, open = met & !sure.hit;
    if (!any(open)) return found;
    return found | sides_by_lane<F>(line, s, open, side);
  }
}

/// The lanes of `hit` that the side filter lets through.
template <class F, class Shape>
SIGHTLINE_HD MaskOf<F> on_side(const LineT<F>& line, const Shape& s, const MaskOf<F>& hit,
                               Side side) {
  if constexpr (std::is_same_v<Shape, TriangleT<F>>) {
    if (side != Side::both) return met_side(line, s, hit, side);
  }
  return hit;
}

}  // namespace sightline
