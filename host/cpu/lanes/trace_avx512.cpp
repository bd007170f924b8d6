// The tracer for AVX-512.
#define HWY_COMPILE_ONLY_STATIC 1
#define SIGHTLINE_ALWAYS_INLINE
#include "host/cpu/lanes/trace.inl"

namespace sightline::detail {

const Tracer& tracer_avx512() {
  static constexpr Tracer tracer = {"avx512", HWY_NAMESPACE::scratch_bytes, HWY_NAMESPACE::set_up,
                                    HWY_NAMESPACE::set_up_sights, HWY_NAMESPACE::trace};
  return tracer;
}

}  // namespace sightline::detail
