// A SIMD vector of floats as a lane type of the arithmetic (sightline/geometry/base/lane.hpp).
//
// Included by one translation unit per instruction set, which is compiled for that set as a whole;
// HWY_NAMESPACE names the set, so that no two of them define the same function. Each operation is
// one IEEE 754 operation per lane, or a comparison in the contract's operand order: lanes have the
// bits of scalar code.
#pragma once

#include <sightline/geometry/base/lane.hpp>

// Under sanitizers Highway would check its own arguments, for which it wants its library, and the
// compiler minutes more.
#define HWY_IS_DEBUG_BUILD 0
#include <hwy/highway.h>

namespace sightline::detail::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

template <int N>
using FloatTag = hn::FixedTag<float, N>;
template <int N>
using WordTag = hn::FixedTag<std::uint32_t, N>;

/// As many lanes as the instruction set has.
inline constexpr int native_lanes = static_cast<int>(HWY_MAX_BYTES / sizeof(float));

template <int N>
struct LaneMask {
  hn::Mask<FloatTag<N>> m;

  LaneMask() = default;
  HWY_INLINE LaneMask(hn::Mask<FloatTag<N>> mask) : m(mask) {}
  HWY_INLINE explicit LaneMask(bool all)
      : m(hn::RebindMask(FloatTag<N>(),
                         hn::Ne(hn::Set(WordTag<N>(), all ? 1u : 0u), hn::Zero(WordTag<N>())))) {}
};

template <int N>
struct FloatVec {
  hn::Vec<FloatTag<N>> v;

  FloatVec() = default;
  HWY_INLINE FloatVec(hn::Vec<FloatTag<N>> lanes) : v(lanes) {}
  HWY_INLINE explicit FloatVec(float all) : v(hn::Set(FloatTag<N>(), all)) {}
};

#define SIGHTLINE_LANE \
  template <int N>     \
  HWY_INLINE
SIGHTLINE_LANE FloatVec<N> operator+(FloatVec<N> a, FloatVec<N> b) { return hn::Add(a.v, b.v); }
SIGHTLINE_LANE FloatVec<N> operator-(FloatVec<N> a, FloatVec<N> b) { return hn::Sub(a.v, b.v); }
SIGHTLINE_LANE FloatVec<N> operator*(FloatVec<N> a, FloatVec<N> b) { return hn::Mul(a.v, b.v); }
SIGHTLINE_LANE FloatVec<N> operator/(FloatVec<N> a, FloatVec<N> b) { return hn::Div(a.v, b.v); }
SIGHTLINE_LANE FloatVec<N> operator-(FloatVec<N> a) { return hn::Neg(a.v); }
SIGHTLINE_LANE LaneMask<N> operator<(FloatVec<N> a, FloatVec<N> b) { return hn::Lt(a.v, b.v); }
SIGHTLINE_LANE LaneMask<N> operator>(FloatVec<N> a, FloatVec<N> b) { return hn::Gt(a.v, b.v); }
SIGHTLINE_LANE LaneMask<N> operator<=(FloatVec<N> a, FloatVec<N> b) { return hn::Le(a.v, b.v); }
SIGHTLINE_LANE LaneMask<N> operator>=(FloatVec<N> a, FloatVec<N> b) { return hn::Ge(a.v, b.v); }
SIGHTLINE_LANE LaneMask<N> operator==(FloatVec<N> a, FloatVec<N> b) { return hn::Eq(a.v, b.v); }

SIGHTLINE_LANE LaneMask<N> operator&(LaneMask<N> a, LaneMask<N> b) { return hn::And(a.m, b.m); }
SIGHTLINE_LANE LaneMask<N> operator|(LaneMask<N> a, LaneMask<N> b) { return hn::Or(a.m, b.m); }
SIGHTLINE_LANE LaneMask<N> operator!(LaneMask<N> a) { return hn::Not(a.m); }

SIGHTLINE_LANE bool any(LaneMask<N> m) { return !hn::AllFalse(FloatTag<N>(), m.m); }
SIGHTLINE_LANE float least_lane(FloatVec<N> x) {
  return hn::GetLane(hn::MinOfLanes(FloatTag<N>(), x.v));
}
SIGHTLINE_LANE FloatVec<N> select(LaneMask<N> m, FloatVec<N> if_true, FloatVec<N> if_false) {
  return hn::IfThenElse(m.m, if_true.v, if_false.v);
}
SIGHTLINE_LANE LaneMask<N> select(LaneMask<N> m, LaneMask<N> if_true, LaneMask<N> if_false) {
  return hn::Or(hn::And(m.m, if_true.m), hn::AndNot(m.m, if_false.m));
}
SIGHTLINE_LANE FloatVec<N> fma(FloatVec<N> a, FloatVec<N> b, FloatVec<N> c) {
#if defined(SIGHTLINE_EXPAND_FMA)  // see sightline/geometry/base/lane.hpp
  return a * b + c;
#elif !HWY_NATIVE_FMA  // MulAdd would round twice
  HWY_ALIGN float x[N], y[N], z[N];
  const FloatTag<N> d;
  hn::Store(a.v, d, x);
  hn::Store(b.v, d, y);
  hn::Store(c.v, d, z);
  for (int i = 0; i < N; ++i) x[i] = sightline::fma(x[i], y[i], z[i]);
  return hn::Load(d, x);
#else
  return hn::MulAdd(a.v, b.v, c.v);
#endif
}
SIGHTLINE_LANE FloatVec<N> sqrt(FloatVec<N> x) { return hn::Sqrt(x.v); }
SIGHTLINE_LANE FloatVec<N> abs(FloatVec<N> x) { return hn::Abs(x.v); }
/// a < b ? a : b, which is what x86's minimum computes.
SIGHTLINE_LANE FloatVec<N> min(FloatVec<N> a, FloatVec<N> b) {
#if HWY_ARCH_X86
  return hn::Min(a.v, b.v);
#else
  return select(a < b, a, b);
#endif
}
SIGHTLINE_LANE FloatVec<N> max(FloatVec<N> a, FloatVec<N> b) {
#if HWY_ARCH_X86
  return hn::Max(a.v, b.v);
#else
  return select(a > b, a, b);
#endif
}
SIGHTLINE_LANE hn::Vec<WordTag<N>> bits_of(FloatVec<N> x) { return hn::BitCast(WordTag<N>(), x.v); }
SIGHTLINE_LANE FloatVec<N> normalising_power(FloatVec<N> x) {
  const WordTag<N> d;
  const auto exponent = hn::And(bits_of(x), hn::Set(d, 0x7f800000u));
  return hn::BitCast(FloatTag<N>(), hn::Sub(hn::Set(d, 0x7f000000u), exponent));
}

/// One double a lane, in two vectors.
template <int N>
using DoubleTag = hn::FixedTag<double, N / 2>;
template <int N>
struct DoubleLanes {
  hn::Vec<DoubleTag<N>> low, high;
};
SIGHTLINE_LANE DoubleLanes<N> operator+(DoubleLanes<N> a, DoubleLanes<N> b) {
  return {hn::Add(a.low, b.low), hn::Add(a.high, b.high)};
}
SIGHTLINE_LANE DoubleLanes<N> operator-(DoubleLanes<N> a, DoubleLanes<N> b) {
  return {hn::Sub(a.low, b.low), hn::Sub(a.high, b.high)};
}
SIGHTLINE_LANE DoubleLanes<N> operator*(DoubleLanes<N> a, DoubleLanes<N> b) {
  return {hn::Mul(a.low, b.low), hn::Mul(a.high, b.high)};
}
SIGHTLINE_LANE DoubleLanes<N> operator/(DoubleLanes<N> a, DoubleLanes<N> b) {
  return {hn::Div(a.low, b.low), hn::Div(a.high, b.high)};
}
SIGHTLINE_LANE DoubleLanes<N> operator-(DoubleLanes<N> a) {
  return {hn::Neg(a.low), hn::Neg(a.high)};
}
SIGHTLINE_LANE DoubleLanes<N> wide_sqrt(DoubleLanes<N> x) {
  return {hn::Sqrt(x.low), hn::Sqrt(x.high)};
}
SIGHTLINE_LANE DoubleLanes<N> widened(FloatVec<N> x) {
  const FloatTag<N / 2> half;
  const DoubleTag<N> d;
  return {hn::PromoteTo(d, hn::LowerHalf(half, x.v)), hn::PromoteTo(d, hn::UpperHalf(half, x.v))};
}
SIGHTLINE_LANE FloatVec<N> narrowed(DoubleLanes<N> x) {
  const FloatTag<N / 2> half;
  return hn::Combine(FloatTag<N>(), hn::DemoteTo(half, x.high), hn::DemoteTo(half, x.low));
}
#undef SIGHTLINE_LANE

}  // namespace sightline::detail::HWY_NAMESPACE

namespace sightline {
template <int N>
struct LaneTraits<detail::HWY_NAMESPACE::FloatVec<N>> {
  using Mask = detail::HWY_NAMESPACE::LaneMask<N>;
  using Double = detail::HWY_NAMESPACE::DoubleLanes<N>;
  static constexpr int lanes = N;
  static HWY_INLINE void store(detail::HWY_NAMESPACE::FloatVec<N> x, float* to) {
    hwy::HWY_NAMESPACE::StoreU(x.v, detail::HWY_NAMESPACE::FloatTag<N>(), to);
  }
  static HWY_INLINE detail::HWY_NAMESPACE::FloatVec<N> load(const float* from) {
    return hwy::HWY_NAMESPACE::LoadU(detail::HWY_NAMESPACE::FloatTag<N>(), from);
  }
};
}  // namespace sightline
