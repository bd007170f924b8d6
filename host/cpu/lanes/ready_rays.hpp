// Rays as the caller gave them, by lanes, and made ready: the same bits as scale() of line.hpp.
#pragma once

#include "host/cpu/lanes/gather.hpp"
#include "host/cpu/lanes/ray_source.hpp"

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

/// Rays scaled as scale() does it; everything but `good` is arbitrary where a ray is bad.
template <int N>
struct ReadyRays {
  Vec3T<Lanes<N>> direction;
  Lanes<N> t_min, t_max;
  Ints<N> exponent;
  LaneMask<N> good, is_point;
};

template <int N>
HWY_INLINE ReadyRays<N> make_ready(const RawRays<N>& ray) {
  using F = Lanes<N>;
  const auto within = [](const Vec3T<F>& v, float limit) HWY_ATTR {
    return (abs(v.x) <= F(limit)) & (abs(v.y) <= F(limit)) & (abs(v.z) <= F(limit));
  };
  ReadyRays<N> r;
  r.good = within(ray.origin, domain_limit) & within(ray.direction, largest_float) &
           (F(0) <= ray.t_min) & (ray.t_min <= ray.t_max);
  const F largest = max_abs(ray.direction);
  r.is_point = largest == F(0);
  r.exponent = hn::IfThenZeroElse(hn::RebindMask(IntTag<N>(), r.is_point.m), exponent_of(largest));
  const auto component = [&](F x) HWY_ATTR {
    const F c = times_power_of_two(x, hn::Neg(r.exponent));
    return select(abs(c) < F(0x1p-126f), F(0), c);  // -0 too becomes +0
  };
  r.direction = {component(ray.direction.x), component(ray.direction.y),
                 component(ray.direction.z)};
  r.t_min = times_power_of_two(ray.t_min, r.exponent);
  r.t_max = times_power_of_two(ray.t_max, r.exponent);
  return r;
}

/// 1 / x; +inf where x is 0.
template <int N>
HWY_INLINE Lanes<N> inverse_of(Lanes<N> x) {
  return select(x == Lanes<N>(0), Lanes<N>(infinity), Lanes<N>(1) / x);
}

/// Elements [first, first + count) of a column; lanes beyond are 0.
template <int N>
HWY_INLINE Lanes<N> column_lanes(const Column<float>& column, std::uint64_t first, int count) {
  const FloatTag<N> d;
  if (column.data == nullptr) return Lanes<N>(column.common);
  if (column.stride == sizeof(float) && count == N) return hn::LoadU(d, column.data + first);
  HWY_ALIGN float lanes[N] = {};
  for (int i = 0; i < count; ++i) lanes[i] = column[first + static_cast<std::uint64_t>(i)];
  return hn::Load(d, lanes);
}
/// Whether x, y and z lie side by side in rows without gaps.
HWY_INLINE bool are_rows(const Vec3Column& c) {
  constexpr std::ptrdiff_t row = sizeof(Vec3);
  return c.x.data != nullptr && c.y.data == c.x.data + 1 && c.z.data == c.x.data + 2 &&
         c.x.stride == row && c.y.stride == row && c.z.stride == row;
}

template <int N>
HWY_INLINE Vec3T<Lanes<N>> column_lanes(const Vec3Column& c, std::uint64_t first, int count) {
  if (count == N && are_rows(c)) {
    const FloatTag<N> d;
    hn::Vec<FloatTag<N>> x, y, z;
    hn::LoadInterleaved3(d, c.x.data + 3 * first, x, y, z);
    return {x, y, z};
  }
  return {column_lanes<N>(c.x, first, count), column_lanes<N>(c.y, first, count),
          column_lanes<N>(c.z, first, count)};
}

/// Bytes of elements [first, first + count) of rows, or of a column, come nearer; they may lie
/// beyond the end.
HWY_INLINE void prefetch_column(const Vec3Column& c, std::uint64_t first, int count) {
  if (!are_rows(c)) return;
  const auto* bytes = reinterpret_cast<const char*>(c.x.data) + first * sizeof(Vec3);
  for (int i = 0; i < count * static_cast<int>(sizeof(Vec3)); i += 64)
    __builtin_prefetch(bytes + i);
}
HWY_INLINE void prefetch_rays(const RaysView& rays, std::uint64_t first, int count) {
  prefetch_column(rays.origin, first, count);
  prefetch_column(rays.direction, first, count);
}
HWY_INLINE void prefetch_rays(const Sights& sights, std::uint64_t first, int count) {
  prefetch_column(sights.from.position, first, count);
  prefetch_column(sights.to.position, first, count);
}

/// Rays [first, first + count) of the source.
template <int N>
HWY_INLINE RawRays<N> raw_lanes(const RaysView& rays, std::uint64_t first, int count) {
  return {column_lanes<N>(rays.origin, first, count), column_lanes<N>(rays.direction, first, count),
          column_lanes<N>(rays.t_min, first, count), column_lanes<N>(rays.t_max, first, count)};
}
/// The segments between from[i] and to[i]: sight_ray() and sight_query() of line_of_sight.hpp.
/// Null columns, as of one viewpoint for many targets, are no loads.
template <int N>
HWY_INLINE RawRays<N> raw_lanes(const Sights& sights, std::uint64_t first, int count) {
  using F = Lanes<N>;
  const Vec3T<F> p = column_lanes<N>(sights.from.position, first, count),
                 q = column_lanes<N>(sights.to.position, first, count);
  const auto swap = (q.x < p.x) | ((q.x == p.x) & ((q.y < p.y) | ((q.y == p.y) & (q.z < p.z))));
  const Vec3T<F> start = select<F>(swap, q, p), end = select<F>(swap, p, q);
  const Vec3T<F> d = {end.x - start.x, end.y - start.y, end.z - start.z};
  const SightOptions& options = sights.options;
  const auto in_range = fma(d.x, d.x, fma(d.y, d.y, d.z * d.z)) <= F(options.range * options.range);
  // A bad start makes a bad ray as it is; a bad end, or one out of range, is made to.
  const auto end_is_good = (abs(end.x) <= F(domain_limit)) & (abs(end.y) <= F(domain_limit)) &
                           (abs(end.z) <= F(domain_limit));
  const F t_max = select(in_range & end_is_good, F(1.0f - options.margin), F(-1));
  return {start, d, F(options.margin), t_max};
}

}  // namespace sightline::detail::HWY_NAMESPACE
