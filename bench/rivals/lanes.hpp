// One, eight or sixteen floats under the same names, so that a callback's formula is written once.
// For files that are compiled for one instruction set each: all of it has internal linkage, or is
// inlined, or is of a type that has the instruction set in its name. On a GPU a lane is a thread.
#pragma once

#include <cmath>
#ifndef __CUDACC__
#include <experimental/simd>
#endif

namespace sightline::rivals {
namespace {

#ifdef __CUDACC__
#define SIGHTLINE_LANES [[maybe_unused]] __device__ inline
#else
#define SIGHTLINE_LANES [[maybe_unused]] inline __attribute__((always_inline))
#endif

// Of one ray: the language's own.
SIGHTLINE_LANES float select(bool m, float a, float b) { return m ? a : b; }
SIGHTLINE_LANES float min(float a, float b) { return a < b ? a : b; }
SIGHTLINE_LANES float max(float a, float b) { return a > b ? a : b; }
SIGHTLINE_LANES float sqrt(float a) { return std::sqrt(a); }
SIGHTLINE_LANES bool none_of(bool m) { return !m; }

#ifndef __CUDACC__
/// Of n rays. min, max, sqrt and none_of are the library's own.
template <int n>
using FloatLanes = std::experimental::simd<float, std::experimental::simd_abi::deduce_t<float, n>>;

template <class F>
SIGHTLINE_LANES F select(const typename F::mask_type& m, const F& a, F b) {
  where(m, b) = a;
  return b;
}
template <class F>
SIGHTLINE_LANES F load(const float* from) {
  return F(from, std::experimental::element_aligned);
}
template <>
SIGHTLINE_LANES float load<float>(const float* from) {
  return *from;
}
template <class F>
SIGHTLINE_LANES void store(float* to, const typename F::mask_type& m, const F& a) {
  where(m, a).copy_to(to, std::experimental::element_aligned);
}
SIGHTLINE_LANES void store(float* to, bool, float value) { *to = value; }
#endif

}  // namespace
}  // namespace sightline::rivals
