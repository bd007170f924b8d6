// The kernels for AVX2.
#define HWY_COMPILE_ONLY_STATIC 1
#define SIGHTLINE_ALWAYS_INLINE
#include "host/cpu/rays/simd_kernels.inl"

namespace sightline::detail {

const SimdKernels& simd_avx2() {
  static constexpr SimdKernels simd = HWY_NAMESPACE::make_simd_kernels("avx2");
  return simd;
}

}  // namespace sightline::detail
