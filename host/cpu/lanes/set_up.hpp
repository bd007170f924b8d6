// Records of rays, and the keys that put them in order, as many at a time as there are lanes.
#pragma once

#include "host/cpu/lanes/ray_record.hpp"
#include "host/cpu/lanes/ready_rays.hpp"

namespace sightline::detail::HWY_NAMESPACE {

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
  const ReadyRays<N> ready = make_ready(ray);
  const Vec3T<F>& direction = ready.direction;
  const Two<F> dd = two_dot(direction, direction);
  const auto octant =
      hn::Or(hn::Or(flag_where(direction.x < F(0), 1), flag_where(direction.y < F(0), 2)),
             flag_where(direction.z < F(0), 4));
  const auto power = hn::ShiftLeft<record_flags::exponent_shift>(hn::BitCast(
      words, hn::Add(ready.exponent, hn::Set(IntTag<N>(), record_flags::exponent_bias))));
  const auto flags =
      hn::Or(hn::Or(octant, power), hn::Or(flag_where(ready.is_point, record_flags::is_point),
                                           flag_where(!ready.good, record_flags::bad)));
  hn::StoreU(key_of(grid, ray, octant), words, keys);

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

/// Records and keys of all rays of a source; room for native_lanes more keys.
template <class Source>
void set_up(const Source& source, std::uint64_t total, const RayGrid& grid, RayRecord* out,
            std::uint32_t* keys) {
  constexpr int n = native_lanes;
  for (std::uint64_t first = 0; first < total; first += n) {
    const int count = static_cast<int>(total - first < n ? total - first : n);
    set_up_lanes(raw_lanes<n>(source, first, count), grid, count, out + first, keys + first);
  }
}

}  // namespace sightline::detail::HWY_NAMESPACE
