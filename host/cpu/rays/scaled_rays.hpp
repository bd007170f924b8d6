// Loads the caller's rays to lanes and scales them: the same bits as scale() of line.hpp.
#pragma once

#include "host/cpu/rays/ray_record.hpp"
#include "host/cpu/simd/gather.hpp"

namespace sightline::detail::HWY_NAMESPACE {

template <int N>
using IntTag = hn::FixedTag<std::int32_t, N>;
template <int N>
using Ints = hn::Vec<IntTag<N>>;

/// 2^n, a normal number.
template <int N>
HWY_INLINE FloatVec<N> power_of_two(Ints<N> n) {
  const auto biased = hn::Add(n, hn::Set(IntTag<N>(), 127));
  return hn::BitCast(FloatTag<N>(), hn::ShiftLeft<23>(biased));
}
/// See times_power_of_two() of line.hpp.
template <int N>
HWY_INLINE FloatVec<N> times_power_of_two(FloatVec<N> x, Ints<N> n) {
  const auto half = hn::ShiftRight<1>(hn::Sub(n, hn::ShiftRight<31>(n)));  // towards zero
  return (x * power_of_two<N>(half)) * power_of_two<N>(hn::Sub(n, half));
}

/// See exponent_of() of line.hpp.
template <int N>
HWY_INLINE Ints<N> exponent_of(FloatVec<N> x) {
  const IntTag<N> d;
  const auto biased = [&](FloatVec<N> v)
                          HWY_ATTR { return hn::ShiftRight<23>(hn::BitCast(d, v.v)); };
  const auto normal = biased(x), subnormal = biased(x * FloatVec<N>(0x1p24f));
  return hn::IfThenElse(hn::Gt(normal, hn::Zero(d)), hn::Sub(normal, hn::Set(d, 127)),
                        hn::Sub(subnormal, hn::Set(d, 151)));
}

/// N rays as the caller gave them.
template <int N>
struct RawRays {
  Vec3T<FloatVec<N>> origin, direction;
  FloatVec<N> t_min, t_max;
};

/// Rays scaled as by scale(); everything but `good` is arbitrary for a bad ray.
template <int N>
struct ReadyRays {
  Vec3T<FloatVec<N>> direction;
  FloatVec<N> t_min, t_max;
  Ints<N> exponent;
  LaneMask<N> good, is_point;
};

/// The absolute value of v's largest component; NaN where one is, whose bits compare greater than
/// any number's.
template <int N>
HWY_INLINE FloatVec<N> largest_component(const Vec3T<FloatVec<N>>& v) {
  const IntTag<N> d;
  const auto size = [&](FloatVec<N> x) HWY_ATTR { return hn::BitCast(d, abs(x).v); };
  return hn::BitCast(FloatTag<N>(), hn::Max(hn::Max(size(v.x), size(v.y)), size(v.z)));
}

template <int N>
HWY_INLINE ReadyRays<N> make_ready(const RawRays<N>& ray) {
  using F = FloatVec<N>;
  const IntTag<N> d;
  const F largest = largest_component(ray.direction);
  ReadyRays<N> r;
  r.good = (largest_component(ray.origin) <= F(domain_limit)) & (largest <= F(largest_float)) &
           (F(0) <= ray.t_min) & (ray.t_min <= ray.t_max);
  const auto scale_by = [&](const auto& down, const auto& up) HWY_ATTR {
    const auto component = [&](F x) HWY_ATTR {
      const F c = down(x);
      return F(hn::IfThenElseZero((abs(c) >= F(0x1p-126f)).m, c.v));  // -0 too becomes +0
    };
    r.direction = {component(ray.direction.x), component(ray.direction.y),
                   component(ray.direction.z)};
    r.t_min = up(ray.t_min);
    r.t_max = up(ray.t_max);
  };
  // Where no factor leaves the normal numbers and t is at most halved, one multiplication has the
  // bits of two: only the last can round.
  if (!any(!((largest >= F(0.5f)) & (largest < F(0x1p127f))))) {
    r.is_point = LaneMask<N>(false);
    const auto power = hn::And(hn::BitCast(d, largest.v), hn::Set(d, 0x7f800000));
    r.exponent = hn::Sub(hn::ShiftRight<23>(power), hn::Set(d, 127));
    const F up = hn::BitCast(FloatTag<N>(), power), down = normalising_power(largest);
    scale_by([&](F x) HWY_ATTR { return x * down; }, [&](F t) HWY_ATTR { return t * up; });
  } else {
    r.is_point = largest == F(0);
    r.exponent = hn::IfThenZeroElse(hn::RebindMask(d, r.is_point.m), exponent_of(largest));
    scale_by([&](F x) HWY_ATTR { return times_power_of_two(x, hn::Neg(r.exponent)); },
             [&](F t) HWY_ATTR { return times_power_of_two(t, r.exponent); });
  }
  return r;
}

/// 1 / x; +inf where x is 0.
template <int N>
HWY_INLINE FloatVec<N> inverse_of(FloatVec<N> x) {
  return select(x == FloatVec<N>(0), FloatVec<N>(infinity), FloatVec<N>(1) / x);
}

/// Elements [first, first + count) of a column; lanes beyond are 0.
template <int N>
HWY_INLINE FloatVec<N> column_lanes(const Column<float>& column, std::uint64_t first, int count) {
  const FloatTag<N> d;
  if (column.data == nullptr) return FloatVec<N>(column.common);
  if (column.stride == sizeof(float) && count == N) return hn::LoadU(d, column.data + first);
  HWY_ALIGN float lanes[N] = {};
  for (int i = 0; i < count; ++i) lanes[i] = column[first + static_cast<std::uint64_t>(i)];
  return hn::Load(d, lanes);
}
/// Whether x, y and z are interleaved without gaps.
HWY_INLINE bool are_rows(const Vec3Column& c) {
  constexpr std::ptrdiff_t row = sizeof(Vec3);
  return c.x.data != nullptr && c.y.data == c.x.data + 1 && c.z.data == c.x.data + 2 &&
         c.x.stride == row && c.y.stride == row && c.z.stride == row;
}

/// The same of a source's two columns, looked at once for many rays.
struct Rows {
  bool first, second;
};
HWY_INLINE Rows rows_of(const RaysView& rays) {
  return {are_rows(rays.origin), are_rows(rays.direction)};
}
HWY_INLINE Rows rows_of(const Sights& sights) {
  return {are_rows(sights.from.position), are_rows(sights.to.position)};
}

template <int N>
HWY_INLINE Vec3T<FloatVec<N>> column_lanes(const Vec3Column& c, std::uint64_t first, int count,
                                           bool rows) {
  if (rows && count == N) {
    const FloatTag<N> d;
    hn::Vec<FloatTag<N>> x, y, z;
    hn::LoadInterleaved3(d, c.x.data + 3 * first, x, y, z);
    return {x, y, z};
  }
  return {column_lanes<N>(c.x, first, count), column_lanes<N>(c.y, first, count),
          column_lanes<N>(c.z, first, count)};
}

/// Prefetches elements [first, first + count) of rows; they may be beyond the end.
HWY_INLINE void prefetch_column(const Vec3Column& c, std::uint64_t first, int count, bool rows) {
  if (!rows) return;
  const auto* bytes = reinterpret_cast<const char*>(c.x.data) + first * sizeof(Vec3);
  for (int i = 0; i < count * static_cast<int>(sizeof(Vec3)); i += 64)
    __builtin_prefetch(bytes + i);
}
HWY_INLINE void prefetch_rays(const RaysView& rays, std::uint64_t first, int count, Rows rows) {
  prefetch_column(rays.origin, first, count, rows.first);
  prefetch_column(rays.direction, first, count, rows.second);
}
HWY_INLINE void prefetch_rays(const Sights& sights, std::uint64_t first, int count, Rows rows) {
  prefetch_column(sights.from.position, first, count, rows.first);
  prefetch_column(sights.to.position, first, count, rows.second);
}

/// Rays [first, first + count) of the source.
template <int N>
HWY_INLINE RawRays<N> raw_lanes(const RaysView& rays, std::uint64_t first, int count, Rows rows) {
  return {column_lanes<N>(rays.origin, first, count, rows.first),
          column_lanes<N>(rays.direction, first, count, rows.second),
          column_lanes<N>(rays.t_min, first, count), column_lanes<N>(rays.t_max, first, count)};
}
/// The segments between p and q: sight_ray() and sight_query() of line_of_sight.hpp.
template <int N>
HWY_INLINE RawRays<N> sight_lanes(const Vec3T<FloatVec<N>>& p, const Vec3T<FloatVec<N>>& q,
                                  const SightOptions& options) {
  using F = FloatVec<N>;
  const auto swap = (q.x < p.x) | ((q.x == p.x) & ((q.y < p.y) | ((q.y == p.y) & (q.z < p.z))));
  const Vec3T<F> start = select<F>(swap, q, p), end = select<F>(swap, p, q);
  const Vec3T<F> d = {end.x - start.x, end.y - start.y, end.z - start.z};
  const auto in_range = fma(d.x, d.x, fma(d.y, d.y, d.z * d.z)) <= F(options.range * options.range);
  // A bad start makes a bad ray by itself; a bad end, or one out of range, is turned into one.
  const auto end_is_good = (abs(end.x) <= F(domain_limit)) & (abs(end.y) <= F(domain_limit)) &
                           (abs(end.z) <= F(domain_limit));
  const F t_max = select(in_range & end_is_good, F(1.0f - options.margin), F(-1));
  return {start, d, F(options.margin), t_max};
}
/// The segments between from[i] and to[i]. Columns without data, such as one viewpoint's for many
/// targets, need no loads.
template <int N>
HWY_INLINE RawRays<N> raw_lanes(const Sights& sights, std::uint64_t first, int count, Rows rows) {
  return sight_lanes<N>(column_lanes<N>(sights.from.position, first, count, rows.first),
                        column_lanes<N>(sights.to.position, first, count, rows.second),
                        sights.options);
}

}  // namespace sightline::detail::HWY_NAMESPACE
