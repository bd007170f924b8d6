// Gathers records to lanes: loads of four floats a record, transposed.
#pragma once

#include "host/cpu/simd/compress.hpp"

namespace sightline::detail::HWY_NAMESPACE {

/// Four floats of each of N records, by component.
template <int N>
struct Quads {
  FloatVec<N> x, y, z, w;
};

/// Block b of the result is load(4 * b + k).
template <int N, class Load>
HWY_INLINE hn::Vec<FloatTag<N>> every_fourth(int k, const Load& load) {
  if constexpr (N == 4) {
    return load(k);
  } else {
    return hn::Combine(FloatTag<N>(), every_fourth<N / 2>(k + N / 2, load),
                       every_fourth<N / 2>(k, load));
  }
}

/// Transposes load(0) .. load(N - 1), each four floats.
template <int N, class Load>
HWY_INLINE Quads<N> transposed(const Load& load) {
  const FloatTag<N> d;
  const hn::Repartition<std::uint64_t, FloatTag<N>> pairs;
  const auto r0 = every_fourth<N>(0, load), r1 = every_fourth<N>(1, load);
  const auto r2 = every_fourth<N>(2, load), r3 = every_fourth<N>(3, load);
  const auto xy01 = hn::BitCast(pairs, hn::InterleaveLower(d, r0, r1));
  const auto xy23 = hn::BitCast(pairs, hn::InterleaveLower(d, r2, r3));
  const auto zw01 = hn::BitCast(pairs, hn::InterleaveUpper(d, r0, r1));
  const auto zw23 = hn::BitCast(pairs, hn::InterleaveUpper(d, r2, r3));
  return {hn::BitCast(d, hn::InterleaveLower(pairs, xy01, xy23)),
          hn::BitCast(d, hn::InterleaveUpper(pairs, xy01, xy23)),
          hn::BitCast(d, hn::InterleaveLower(pairs, zw01, zw23)),
          hn::BitCast(d, hn::InterleaveUpper(pairs, zw01, zw23))};
}

/// v and an arbitrary fourth float; reads nothing behind v.
HWY_INLINE hn::Vec<FloatTag<4>> three_of(const Vec3& v) {
  const FloatTag<4> d;
#if HWY_TARGET <= HWY_AVX2
  return hn::MaskedLoad(hn::FirstN(d, 3), d, &v.x);
#else  // Highway's masked load reads a whole aligned vector there
  const FloatTag<2> half;
  return hn::Combine(d, hn::Set(half, v.z), hn::LoadU(half, &v.x));
#endif
}

/// column[index[i]]; reads only the three floats, since a column may end there.
template <int N>
HWY_INLINE Vec3T<FloatVec<N>> gather(const Vec3* column, const std::uint32_t* index) {
  const Quads<N> q = transposed<N>([&](int i) HWY_ATTR { return three_of(column[index[i]]); });
  return {q.x, q.y, q.z};
}
template <int N>
HWY_INLINE FloatVec<N> gather(const float* column, const std::uint32_t* index) {
  HWY_ALIGN float lanes[N];
  for (int i = 0; i < N; ++i) lanes[i] = column[index[i]];
  return hn::Load(FloatTag<N>(), lanes);
}

template <int N>
HWY_INLINE hn::Vec<WordTag<N>> flag_where(LaneMask<N> m, std::uint32_t flag) {
  const WordTag<N> words;
  return hn::IfThenElseZero(hn::RebindMask(words, m.m), hn::Set(words, flag));
}

template <int N>
HWY_INLINE LaneMask<N> mask_of_bits(std::uint32_t bits) {
  const std::uint8_t bytes[8] = {static_cast<std::uint8_t>(bits),
                                 static_cast<std::uint8_t>(bits >> 8)};
  return hn::LoadMaskBits(FloatTag<N>(), bytes);
}

}  // namespace sightline::detail::HWY_NAMESPACE
