// Collects rays with their sort keys, and makes their records, a vector at a time.
#pragma once

#include "host/cpu/rays/ray_record.hpp"
#include "host/cpu/rays/scaled_rays.hpp"

namespace sightline::detail::HWY_NAMESPACE {

/// Spreads the lowest 10 bits of v, with two zeros between them.
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

/// The Morton code of a ray in the grid.
template <int N>
HWY_INLINE hn::Vec<WordTag<N>> place_of(const RayGrid& grid, const RawRays<N>& ray) {
  using F = FloatVec<N>;
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
  return hn::Or(hn::Or(x, hn::ShiftLeft<1>(y)), hn::ShiftLeft<2>(z));
}

/// The octants of scaled directions.
template <int N>
HWY_INLINE hn::Vec<WordTag<N>> octant_of(const Vec3T<FloatVec<N>>& direction) {
  const FloatVec<N> zero(0);
  return hn::Or(hn::Or(flag_where(direction.x < zero, 1), flag_where(direction.y < zero, 2)),
                flag_where(direction.z < zero, 4));
}

/// Writes the fours of v, the k-th at place(first + 4 * k).
template <int N, class Place>
HWY_INLINE void store_fours(hn::Vec<FloatTag<N>> v, int first, const Place& place) {
  if constexpr (N == 4) {
    hn::Store(v, FloatTag<4>(), place(first));
  } else {
    const FloatTag<N / 2> half;
    store_fours<N / 2>(hn::LowerHalf(half, v), first, place);
    store_fours<N / 2>(hn::UpperHalf(half, v), first + N / 2, place);
  }
}

/// Writes four floats to each of `count` elements, the i-th at place(i).
template <int N, class Place>
HWY_INLINE void store_quads(const FloatVec<N>* c, int count, const Place& place) {
  const FloatTag<N> d;
  const hn::Repartition<std::uint64_t, FloatTag<N>> pairs;
  const auto xy01 = hn::BitCast(pairs, hn::InterleaveLower(d, c[0].v, c[1].v));
  const auto xy23 = hn::BitCast(pairs, hn::InterleaveUpper(d, c[0].v, c[1].v));
  const auto zw01 = hn::BitCast(pairs, hn::InterleaveLower(d, c[2].v, c[3].v));
  const auto zw23 = hn::BitCast(pairs, hn::InterleaveUpper(d, c[2].v, c[3].v));
  const auto store = [&](const auto& to) SIGHTLINE_LAMBDA {
    store_fours<N>(hn::BitCast(d, hn::InterleaveLower(pairs, xy01, zw01)), 0, to);
    store_fours<N>(hn::BitCast(d, hn::InterleaveUpper(pairs, xy01, zw01)), 1, to);
    store_fours<N>(hn::BitCast(d, hn::InterleaveLower(pairs, xy23, zw23)), 2, to);
    store_fours<N>(hn::BitCast(d, hn::InterleaveUpper(pairs, xy23, zw23)), 3, to);
  };
  if (count == N) return store(place);
  HWY_ALIGN float beyond[4];
  store([&](int i) SIGHTLINE_LAMBDA { return i < count ? place(i) : beyond; });
}

/// Writes the records of the first `count` of N rays; a bad ray's is flagged, and otherwise
/// arbitrary.
template <int N>
HWY_INLINE void set_up_lanes(const RawRays<N>& ray, int count, RayRecord* out) {
  using F = FloatVec<N>;
  const FloatTag<N> d;
  const WordTag<N> words;
  const ReadyRays<N> ready = make_ready(ray);
  const Vec3T<F>& direction = ready.direction;
  const Two<F> dd = two_dot(direction, direction);
  const auto power = hn::ShiftLeft<record_flags::exponent_shift>(hn::BitCast(
      words, hn::Add(ready.exponent, hn::Set(IntTag<N>(), record_flags::exponent_bias))));
  const auto flags = hn::Or(hn::Or(octant_of<N>(direction), power),
                            hn::Or(flag_where(ready.is_point, record_flags::is_point),
                                   flag_where(!ready.good, record_flags::bad)));

  const F columns[16] = {ray.origin.x,
                         ray.origin.y,
                         ray.origin.z,
                         ready.t_min,
                         inverse_of(direction.x),
                         inverse_of(direction.y),
                         inverse_of(direction.z),
                         min(ready.t_max, F(largest_float)),  // a hit's t is finite
                         direction.x,
                         direction.y,
                         direction.z,
                         ready.t_max,
                         dd.hi,
                         dd.lo,
                         F(hn::BitCast(d, hn::Set(words, none))),
                         F(hn::BitCast(d, flags))};
  for (int row = 0; row < 4; ++row) {
    store_quads<N>(columns + 4 * row, count, [&](int i) { return words_of(out[i]) + 4 * row; });
  }
}

/// Writes the first `count` of N rays, the i-th to at(i).
template <int N, class At>
HWY_INLINE void store_rays(const RawRays<N>& ray, int count, const At& at) {
  using F = FloatVec<N>;
  const F origin[4] = {ray.origin.x, ray.origin.y, ray.origin.z, ray.t_min};
  const F direction[4] = {ray.direction.x, ray.direction.y, ray.direction.z, ray.t_max};
  store_quads<N>(origin, count, [&](int i) SIGHTLINE_LAMBDA { return at(i).origin; });
  store_quads<N>(direction, count, [&](int i) SIGHTLINE_LAMBDA { return at(i).direction; });
}

// See SourceKernels.
template <class Source>
void collect(const Source& source, std::uint64_t total, const RayGrid* grid, std::uint32_t* keys,
             RawRay* copy) {
  constexpr int n = native_lanes;
  const Rows rows = rows_of(source);
  for (std::uint64_t first = 0; first < total; first += n) {
    const int count = static_cast<int>(total - first < n ? total - first : n);
    const RawRays<n> ray = raw_lanes<n>(source, first, count, rows);
    const auto octant = octant_of<n>(make_ready(ray).direction);
    auto key = hn::ShiftLeft<3 * grid_bits>(octant);
    if (grid != nullptr) key = hn::Or(key, place_of(*grid, ray));
    hn::StoreU(key, WordTag<n>(), keys + first);
    if (copy == nullptr) continue;
    RawRay* const here = copy + first;
    store_rays(ray, count, [here](int i) SIGHTLINE_LAMBDA -> RawRay& { return here[i]; });
  }
}

// See SourceKernels.
template <class Source>
void place(const Source& source, std::uint64_t total, int shift, std::uint32_t* next,
           std::uint32_t* keys, RawRay* to) {
  constexpr int n = native_lanes;
  constexpr std::uint64_t ahead = 16;  // rays whose positions are fetched early
  const Rows rows = rows_of(source);
  for (std::uint64_t first = 0; first < total; first += n) {
    const int count = static_cast<int>(total - first < n ? total - first : n);
    std::uint32_t* const here = keys + first;
    for (int i = 0; i < count; ++i) here[i] = next[here[i] >> shift]++;
    for (std::uint64_t i = ahead; first + ahead + n <= total && i < ahead + n; ++i) {
      __builtin_prefetch(to + next[here[i] >> shift], 1);
    }
    store_rays(raw_lanes<n>(source, first, count, rows), count,
               [to, here](int i) SIGHTLINE_LAMBDA -> RawRay& { return to[here[i]]; });
  }
}

// See SimdKernels.
inline void set_up(const RawRay* rays, int total, RayRecord* out) {
  constexpr int n = native_lanes;
  const FloatTag<4> quad;
  for (int first = 0; first < total; first += n) {
    const int count = total - first < n ? total - first : n;
    const auto ray = [&](int i) -> const RawRay& { return rays[first + (i < count ? i : 0)]; };
    const Quads<n> o = transposed<n>([&](int i) HWY_ATTR { return hn::Load(quad, ray(i).origin); });
    const Quads<n> d =
        transposed<n>([&](int i) HWY_ATTR { return hn::Load(quad, ray(i).direction); });
    set_up_lanes<n>({{o.x, o.y, o.z}, {d.x, d.y, d.z}, o.w, d.w}, count, out + first);
  }
}

}  // namespace sightline::detail::HWY_NAMESPACE
