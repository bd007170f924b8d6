// Rays made ready, as many at a time as there are lanes: the same bits as scale() of line.hpp.
#pragma once

#include "host/cpu/lanes/gather.hpp"
#include "host/cpu/lanes/ray_record.hpp"

namespace sightline::detail::HWY_NAMESPACE {

template <int N>
using IntTag = hn::FixedTag<std::int32_t, N>;
template <int N>
using Ints = hn::Vec<IntTag<N>>;

/// See times_power_of_two() of line.hpp.
template <int N>
HWY_INLINE Lanes<N> times_power_of_two(Lanes<N> x, Ints<N> n) {
  const IntTag<N> d;
  const auto half = hn::ShiftRight<1>(hn::Sub(n, hn::ShiftRight<31>(n)));  // towards zero
  const auto power = [&](Ints<N> k) HWY_ATTR {
    return Lanes<N>(hn::BitCast(FloatTag<N>(), hn::ShiftLeft<23>(hn::Add(k, hn::Set(d, 127)))));
  };
  return (x * power(half)) * power(hn::Sub(n, half));
}

/// See exponent_of() of line.hpp.
template <int N>
HWY_INLINE Ints<N> exponent_of(Lanes<N> x) {
  const IntTag<N> d;
  const auto biased = [&](Lanes<N> v) HWY_ATTR { return hn::ShiftRight<23>(hn::BitCast(d, v.v)); };
  const auto normal = biased(x), subnormal = biased(x * Lanes<N>(0x1p24f));
  return hn::IfThenElse(hn::Gt(normal, hn::Zero(d)), hn::Sub(normal, hn::Set(d, 127)),
                        hn::Sub(subnormal, hn::Set(d, 151)));
}

/// N rays as the caller gave them.
template <int N>
struct RawRays {
  Vec3T<Lanes<N>> origin, direction;
  Lanes<N> t_min, t_max;
};

template <int N>
HWY_INLINE hn::Vec<WordTag<N>> flag_where(LaneMask<N> m, std::uint32_t flag) {
  const WordTag<N> words;
  return hn::IfThenElseZero(hn::RebindMask(words, m.m), hn::Set(words, flag));
}

/// v's bits, three apart; 10 of them.
template <int N>
HWY_INLINE hn::Vec<WordTag<N>> spread(hn::Vec<WordTag<N>> v) {
  const WordTag<N> d;
  const auto apart = [&](auto x, auto moved, std::uint32_t mask)
                         HWY_ATTR { return hn::And(hn::Or(x, moved), hn::Set(d, mask)); };
  v = apart(v, hn::ShiftLeft<16>(v), 0x030000ffu);
  v = apart(v, hn::ShiftLeft<8>(v), 0x0300f00fu);
  v = apart(v, hn::ShiftLeft<4>(v), 0x030c30c3u);
  return apart(v, hn::ShiftLeft<2>(v), 0x09249249u);
}

/// Where along the curve a ray belongs: its octant, then its place in the grid.
template <int N>
HWY_INLINE hn::Vec<WordTag<N>> key_of(const RayGrid& grid, const RawRays<N>& ray,
                                      hn::Vec<WordTag<N>> octant) {
  using F = Lanes<N>;
  const WordTag<N> words;
  const F half = F(0.5f) * ray.t_max;
  const F middle = select(LaneMask<N>(grid.by_midpoint) & (half <= F(largest_float)), half, F(0));
  const auto cell = [&](F o, F d, float low) HWY_ATTR {
    const F c = (fma(middle, d, o) - F(low)) * F(grid.scale);
    const F inside = min(max(c, F(0)), F(grid_cells - 1));  // NaN becomes 0
    return spread<N>(hn::BitCast(words, hn::ConvertTo(IntTag<N>(), inside.v)));
  };
  const auto x = cell(ray.origin.x, ray.direction.x, grid.low.x);
  const auto y = cell(ray.origin.y, ray.direction.y, grid.low.y);
  const auto z = cell(ray.origin.z, ray.direction.z, grid.low.z);
  const auto place = hn::Or(hn::Or(x, hn::ShiftLeft<1>(y)), hn::ShiftLeft<2>(z));
  return hn::Or(hn::ShiftLeft<3 * grid_bits>(octant), place);
}

/// Writes the records of `count` of N rays, and their keys; the record of a bad ray is marked, and
/// otherwise arbitrary.
template <int N>
HWY_INLINE void set_up_lanes(const RawRays<N>& ray, const RayGrid& grid, int count, RayRecord* out,
                             std::uint32_t* keys) {
  using F = Lanes<N>;
  const FloatTag<N> d;
  const WordTag<N> words;
  const auto within = [](const Vec3T<F>& v, float limit) HWY_ATTR {
    return (abs(v.x) <= F(limit)) & (abs(v.y) <= F(limit)) & (abs(v.z) <= F(limit));
  };
  const LaneMask<N> good = within(ray.origin, domain_limit) & within(ray.direction, largest_float) &
                           (F(0) <= ray.t_min) & (ray.t_min <= ray.t_max);
  const F largest = max_abs(ray.direction);
  const LaneMask<N> is_point = largest == F(0);
  const Ints<N> exponent =
      hn::IfThenZeroElse(hn::RebindMask(IntTag<N>(), is_point.m), exponent_of(largest));
  const auto component = [&](F x) HWY_ATTR {
    const F c = times_power_of_two(x, hn::Neg(exponent));
    return select(abs(c) < F(0x1p-126f), F(0), c);  // -0 too becomes +0
  };
  const auto inverse = [](F x) HWY_ATTR { return select(x == F(0), F(infinity), F(1) / x); };
  const Vec3T<F> direction = {component(ray.direction.x), component(ray.direction.y),
                              component(ray.direction.z)};
  const Two<F> dd = two_dot(direction, direction);
  const F t_min = times_power_of_two(ray.t_min, exponent);
  const F t_max = times_power_of_two(ray.t_max, exponent);
  const auto octant =
      hn::Or(hn::Or(flag_where(direction.x < F(0), 1), flag_where(direction.y < F(0), 2)),
             flag_where(direction.z < F(0), 4));
  const auto power = hn::ShiftLeft<record_flags::exponent_shift>(
      hn::BitCast(words, hn::Add(exponent, hn::Set(IntTag<N>(), record_flags::exponent_bias))));
  const auto flags = hn::Or(
      hn::Or(octant, power),
      hn::Or(flag_where(is_point, record_flags::is_point), flag_where(!good, record_flags::bad)));
  const auto regular =
      good & !(min(min(abs(direction.x), abs(direction.y)), abs(direction.z)) == F(0));
  hn::StoreU(hn::Or(key_of(grid, ray, octant), flag_where(!regular, irregular_key)), words, keys);

  const F columns[16] = {ray.origin.x,
                         ray.origin.y,
                         ray.origin.z,
                         t_min,
                         inverse(direction.x),
                         inverse(direction.y),
                         inverse(direction.z),
                         min(t_max, F(largest_float)),  // a hit's t is finite
                         direction.x,
                         direction.y,
                         direction.z,
                         t_max,
                         dd.hi,
                         dd.lo,
                         F(hn::BitCast(d, hn::Set(words, none))),
                         F(hn::BitCast(d, flags))};
  for (int row = 0; row < 4; ++row) {
    HWY_ALIGN float quads[4][N];
    const F* c = columns + 4 * row;
    const hn::Repartition<std::uint64_t, FloatTag<N>> pairs;
    const auto xy01 = hn::BitCast(pairs, hn::InterleaveLower(d, c[0].v, c[1].v));
    const auto xy23 = hn::BitCast(pairs, hn::InterleaveUpper(d, c[0].v, c[1].v));
    const auto zw01 = hn::BitCast(pairs, hn::InterleaveLower(d, c[2].v, c[3].v));
    const auto zw23 = hn::BitCast(pairs, hn::InterleaveUpper(d, c[2].v, c[3].v));
    hn::Store(hn::BitCast(d, hn::InterleaveLower(pairs, xy01, zw01)), d, quads[0]);
    hn::Store(hn::BitCast(d, hn::InterleaveUpper(pairs, xy01, zw01)), d, quads[1]);
    hn::Store(hn::BitCast(d, hn::InterleaveLower(pairs, xy23, zw23)), d, quads[2]);
    hn::Store(hn::BitCast(d, hn::InterleaveUpper(pairs, xy23, zw23)), d, quads[3]);
    const FloatTag<4> quad;
    for (int i = 0; i < count; ++i) {
      hn::Store(hn::Load(quad, quads[i % 4] + i / 4 * 4), quad, out[i].origin + 4 * row);
    }
  }
}

/// Elements [first, first + count) of a column; lanes beyond are 0.
template <int N>
HWY_INLINE Lanes<N> column_lanes(const Column<float>& column, std::uint64_t first, int count) {
  const FloatTag<N> d;
  if (column.data == nullptr) return Lanes<N>(column.common);
  HWY_ALIGN float lanes[N] = {};
  for (int i = 0; i < count; ++i) lanes[i] = column[first + static_cast<std::uint64_t>(i)];
  return hn::Load(d, lanes);
}

/// Records and keys of all rays; room for native_lanes more keys.
inline void set_up(const RaysView& rays, const RayGrid& grid, RayRecord* out, std::uint32_t* keys) {
  constexpr int n = native_lanes;
  for (std::uint64_t first = 0; first < rays.count; first += n) {
    const int count = static_cast<int>(rays.count - first < n ? rays.count - first : n);
    const auto lanes = [&](const Column<float>& column)
                           HWY_ATTR { return column_lanes<n>(column, first, count); };
    const RawRays<n> raw = {
        {lanes(rays.origin.x), lanes(rays.origin.y), lanes(rays.origin.z)},
        {lanes(rays.direction.x), lanes(rays.direction.y), lanes(rays.direction.z)},
        lanes(rays.t_min),
        lanes(rays.t_max)};
    set_up_lanes(raw, grid, count, out + first, keys + first);
  }
}

/// Records and keys of the segments between from[i] and to[i]: sight_ray() and sight_query() of
/// line_of_sight.hpp. Null columns, as of one viewpoint for many targets, are no loads.
inline void set_up_sights(const PointsView& from, const PointsView& to, const SightOptions& options,
                          const RayGrid& grid, RayRecord* out, std::uint32_t* keys) {
  constexpr int n = native_lanes;
  using F = Lanes<n>;
  for (std::uint64_t first = 0; first < from.count; first += n) {
    const int count = static_cast<int>(from.count - first < n ? from.count - first : n);
    const auto points = [&](const Vec3Column& p) HWY_ATTR {
      return Vec3T<F>{column_lanes<n>(p.x, first, count), column_lanes<n>(p.y, first, count),
                      column_lanes<n>(p.z, first, count)};
    };
    const Vec3T<F> p = points(from.position), q = points(to.position);
    const auto swap = (q.x < p.x) | ((q.x == p.x) & ((q.y < p.y) | ((q.y == p.y) & (q.z < p.z))));
    const Vec3T<F> start = select<F>(swap, q, p), end = select<F>(swap, p, q);
    const Vec3T<F> d = {end.x - start.x, end.y - start.y, end.z - start.z};
    const auto in_range =
        fma(d.x, d.x, fma(d.y, d.y, d.z * d.z)) <= F(options.range * options.range);
    // A bad start makes a bad ray as it is; a bad end, or one out of range, is made to.
    const auto end_is_good = (abs(end.x) <= F(domain_limit)) & (abs(end.y) <= F(domain_limit)) &
                             (abs(end.z) <= F(domain_limit));
    const F t_max = select(in_range & end_is_good, F(1.0f - options.margin), F(-1));
    const RawRays<n> raw = {start, d, F(options.margin), t_max};
    set_up_lanes(raw, grid, count, out + first, keys + first);
  }
}

}  // namespace sightline::detail::HWY_NAMESPACE
