// Compress: moves the lanes of a mask to the front. Every list of rays and leaves is made by it.
//
// AVX-512 has an instruction for it. AVX2 and less use tables of permutations. Highway 1.0.3 has
// such tables too, but as non-static local arrays: g++ 12 copies a kilobyte of them to the stack
// for every vector, which took two thirds of the time of AVX2 lanes.
#pragma once

#include "host/cpu/simd/lanes.hpp"

namespace sightline::detail::HWY_NAMESPACE {

/// One bit a lane.
template <int N>
HWY_INLINE std::uint32_t bits_of_mask(LaneMask<N> m) {
#if HWY_TARGET == HWY_AVX2
  // The compiler does not know that a mask of eight has no other bits than Highway's bytes.
  if constexpr (N == 8) return static_cast<std::uint32_t>(_mm256_movemask_ps(m.m.raw));
#endif
  std::uint8_t bytes[8] = {};
  hn::StoreMaskBits(FloatTag<N>(), m.m, bytes);
  return bytes[0] | static_cast<std::uint32_t>(bytes[1]) << 8;
}

/// Row b: for each lane whose bit is set in b, in order, the indices of its `parts`. The rest of
/// the row is 0.
template <int N, class Index, int parts>
struct CompressTable {
  alignas(64) Index row[1 << N][N * parts] = {};

  constexpr CompressTable() {
    for (int bits = 0; bits < 1 << N; ++bits) {
      int at = 0;
      for (int lane = 0; lane < N; ++lane) {
        if ((bits >> lane & 1) == 0) continue;
        for (int j = 0; j < parts; ++j) row[bits][at++] = static_cast<Index>(lane * parts + j);
      }
    }
  }
};
/// Byte shuffles for vectors of 16 bytes; 256 bytes in all.
static constexpr CompressTable<4, std::uint8_t, 4> shuffles_of_four;
/// Lanes of vectors of 32 bytes; 8 KB in all.
static constexpr CompressTable<8, std::uint32_t, 1> indices_of_eight;

/// Moves the lanes of a mask to the front; the lanes behind them are arbitrary.
template <int N>
class Compress {
 public:
#if HWY_TARGET <= HWY_AVX3
  HWY_INLINE explicit Compress(LaneMask<N> m) : mask_(m) {}
  HWY_INLINE int count() const { return static_cast<int>(hn::CountTrue(FloatTag<N>(), mask_.m)); }
  template <class V>
  HWY_INLINE V operator()(V v) const {
    return hn::Compress(v, hn::RebindMask(hn::DFromV<V>(), mask_.m));
  }

 private:
  LaneMask<N> mask_;
#else
  HWY_INLINE explicit Compress(LaneMask<N> m) : bits_(bits_of_mask(m)) {}
  HWY_INLINE int count() const { return __builtin_popcount(bits_); }
  template <class V>
  HWY_INLINE V operator()(V v) const {
    const hn::DFromV<V> d;
    if constexpr (N == 8) {
      const auto lanes = hn::Load(WordTag<N>(), indices_of_eight.row[bits_]);
      return hn::TableLookupLanes(v, hn::IndicesFromVec(d, lanes));
    } else {
      static_assert(N == 4);
      const hn::FixedTag<std::uint8_t, 4 * N> bytes;
      const auto shuffle = hn::Load(bytes, shuffles_of_four.row[bits_]);
      return hn::BitCast(d, hn::TableLookupBytes(hn::BitCast(bytes, v), shuffle));
    }
  }

 private:
  std::uint32_t bits_;
#endif
};

}  // namespace sightline::detail::HWY_NAMESPACE
