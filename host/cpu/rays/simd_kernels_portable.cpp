// The kernels for any processor: four lanes.
#define HWY_COMPILE_ONLY_STATIC 1
#define SIGHTLINE_ALWAYS_INLINE
#include "host/cpu/rays/simd_kernels.inl"

namespace sightline::detail {

const SimdKernels& simd_portable() {
  static constexpr SimdKernels simd = HWY_NAMESPACE::make_simd_kernels("portable");
  return simd;
}

}  // namespace sightline::detail
