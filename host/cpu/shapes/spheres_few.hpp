// Overlaps of spheres, or of bodies of spheres, with few shapes: a vector of spheres at a time
// against every shape.
#pragma once

#include "host/cpu/shapes/shape_kernels.hpp"
#include "host/cpu/shapes/sphere_lanes.hpp"

namespace sightline::detail::HWY_NAMESPACE {

/// Sphere k and those behind it, N in all, of which those from n on are arbitrary but finite.
template <int N>
HWY_INLINE SphereLanes<N> spheres_from(const Vec3* center, const float* radius, std::uint32_t k,
                                       std::uint32_t n) {
  const FloatTag<N> d;
  if (k + N <= n) return load_spheres<N>(center + k, hn::LoadU(d, radius + k));
  HWY_ALIGN float x[N] = {}, y[N] = {}, z[N] = {}, r[N] = {};
  for (std::uint32_t i = 0; k + i < n; ++i) {
    x[i] = center[k + i].x, y[i] = center[k + i].y, z[i] = center[k + i].z, r[i] = radius[k + i];
  }
  return {hn::Load(d, x), hn::Load(d, y), hn::Load(d, z), hn::Load(d, r)};
}

/// Some spheres in columns, and their places among the queries.
template <int N>
class OpenSpheres {
 public:
  /// A bit of the place of a sphere of which floats were not sure.
  static constexpr std::uint32_t doubt = 1u << 30;
  using Words = hn::Vec<WordTag<N>>;

  /// Only what is read is written.
  HWY_INLINE OpenSpheres(const Vec3* center, const float* radius, std::uint32_t n) : count_(n) {
    for (std::uint32_t k = 0; k < n; k += N) {
      put(k, spheres_from<N>(center, radius, k, n), hn::Iota(WordTag<N>(), k));
    }
  }
  HWY_INLINE std::uint32_t count() const { return count_; }
  HWY_INLINE std::uint32_t place(std::uint32_t k) const { return place_[k]; }

  /// Drops the spheres for which drops(spheres, places), a mask, holds; it may change the places.
  template <class Drops>
  HWY_INLINE void drop(const Drops& drops) {
    const FloatTag<N> d;
    std::uint32_t kept = 0;
    for (std::uint32_t k = 0; k < count_; k += N) {
      const SphereLanes<N> q = {hn::Load(d, x_ + k), hn::Load(d, y_ + k), hn::Load(d, z_ + k),
                                hn::Load(d, radius_ + k)};
      Words places = hn::Load(WordTag<N>(), place_ + k);
      LaneMask<N> open = !drops(q, places);
      if (k + N > count_) open = open & LaneMask<N>(hn::FirstN(d, count_ - k));
      const Compress<N> compress(open);
      put(kept, {compress(q.x.v), compress(q.y.v), compress(q.z.v), compress(q.radius.v)},
          compress(places));
      kept += static_cast<std::uint32_t>(compress.count());
    }
    count_ = kept;
  }

 private:
  HWY_INLINE void put(std::uint32_t k, const SphereLanes<N>& q, Words places) {
    const FloatTag<N> d;
    hn::StoreU(q.x.v, d, x_ + k);
    hn::StoreU(q.y.v, d, y_ + k);
    hn::StoreU(q.z.v, d, z_ + k);
    hn::StoreU(q.radius.v, d, radius_ + k);
    hn::StoreU(places, WordTag<N>(), place_ + k);
  }

  std::uint32_t count_;
  alignas(64) float x_[most_spheres + N], y_[most_spheres + N], z_[most_spheres + N];
  alignas(64) float radius_[most_spheres + N];
  alignas(64) std::uint32_t place_[most_spheres + N];
};

/// Writes one bit for each of n bytes that are 0 or 1; what is behind them, up to a multiple of 64,
/// can be read.
template <int N>
HWY_INLINE void pack_bits(const std::uint8_t* bytes, std::uint32_t n, std::uint64_t* bits) {
  const hn::FixedTag<std::uint8_t, 4 * N> d;
  for (std::uint32_t first = 0; first < n; first += 64) {
    std::uint8_t eighths[8];
    for (std::uint32_t k = 0; k < 64; k += 4 * N) {
      hn::StoreMaskBits(d, hn::Ne(hn::Load(d, bytes + first + k), hn::Zero(d)), eighths + k / 8);
    }
    std::uint64_t word = 0;
    for (int k = 0; k < 8; ++k) word |= std::uint64_t{eighths[k]} << 8 * k;
    bits[first / 64] = n - first < 64 ? word & ((std::uint64_t{1} << (n - first)) - 1) : word;
  }
}

template <int N>
std::uint32_t spheres_any(const ShapeBlocks& shapes, const Vec3* center, const float* radius,
                          std::uint32_t n, std::uint64_t* bits, std::uint32_t* doubts) {
  OpenSpheres<N> open(center, radius, n);
  for (std::uint32_t b = 0; b < shapes.count; ++b) {
    const ShapeBlock& block = shapes.blocks[b];
    open.drop([&](const SphereLanes<N>& q, hn::Vec<WordTag<N>>& places) SIGHTLINE_LAMBDA {
      const WordTag<N> words;
      const FloatVec<N> least = least_excess(q, block.shapes), margin = margin_of(q, block.margin);
      const auto apart = hn::RebindMask(words, (least > margin).m);
      places = hn::Or(places, hn::IfThenZeroElse(apart, hn::Set(words, OpenSpheres<N>::doubt)));
      return least < -margin;
    });
  }
  alignas(64) std::uint8_t overlapping[most_spheres];
  const hn::FixedTag<std::uint8_t, 4 * N> d;
  for (std::uint32_t k = 0; k < n; k += 64) {
    for (std::uint32_t i = 0; i < 64; i += 4 * N) {
      hn::Store(hn::Set(d, std::uint8_t{1}), d, overlapping + k + i);
    }
  }
  std::uint32_t unsure = 0;
  for (std::uint32_t k = 0; k < open.count(); ++k) {
    const std::uint32_t place = open.place(k) & ~OpenSpheres<N>::doubt;
    overlapping[place] = 0;
    doubts[unsure] = place;
    unsure += open.place(k) != place;
  }
  pack_bits<N>(overlapping, n, bits);
  return unsure;
}

template <int N>
std::uint32_t spheres_count(const ShapeBlocks& shapes, const Vec3* center, const float* radius,
                            std::uint32_t n, std::uint32_t* counts, std::uint32_t* doubts) {
  const WordTag<N> words;
  const auto all = hn::Set(words, shapes.size);
  const auto words_of = [&](LaneMask<N> m) SIGHTLINE_LAMBDA {
    return hn::VecFromMask(words, hn::RebindMask(words, m.m));
  };
  std::uint32_t unsure = 0;
  for (std::uint32_t k = 0; k < n; k += N) {
    const SphereLanes<N> q = spheres_from<N>(center, radius, k, n);
    auto overlapping = hn::Zero(words), apart = overlapping;
    for (std::uint32_t b = 0; b < shapes.count; ++b) {
      const ShapeBlock& block = shapes.blocks[b];
      const FloatVec<N> margin = margin_of(q, block.margin), under = -margin;
      for_each_form(block.shapes, [&](const auto& s) SIGHTLINE_LAMBDA {
        const FloatVec<N> by = excess(q, s);
        overlapping = hn::Sub(overlapping, words_of(by < under));
        apart = hn::Sub(apart, words_of(by > margin));
      });
    }
    const auto decided = hn::Add(overlapping, apart);
    const LaneMask<N> doubtful = hn::RebindMask(FloatTag<N>(), hn::Ne(decided, all));
    std::uint32_t bits = bits_of_mask(doubtful);
    if (k + N <= n) {
      hn::StoreU(overlapping, words, counts + k);
    } else {
      hn::BlendedStore(overlapping, hn::FirstN(words, n - k), words, counts + k);
      bits &= (1u << (n - k)) - 1;
    }
    for (; bits != 0; bits &= bits - 1) {
      doubts[unsure++] = k + static_cast<std::uint32_t>(__builtin_ctz(bits));
    }
  }
  return unsure;
}

}  // namespace sightline::detail::HWY_NAMESPACE
