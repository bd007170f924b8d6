// Few shapes for AVX2.
#define HWY_COMPILE_ONLY_STATIC 1
#define SIGHTLINE_ALWAYS_INLINE
#include "host/cpu/shapes/shape_kernels.inl"

namespace sightline::detail {

constexpr ShapeKernels shape_kernels_avx2 = HWY_NAMESPACE::make_shape_kernels();

}  // namespace sightline::detail
