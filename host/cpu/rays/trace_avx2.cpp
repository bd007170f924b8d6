// The tracer for AVX2.
#define HWY_COMPILE_ONLY_STATIC 1
#define SIGHTLINE_ALWAYS_INLINE
#include "host/cpu/rays/trace.inl"

namespace sightline::detail {

const Tracer& tracer_avx2() {
  static constexpr Tracer tracer = HWY_NAMESPACE::make_tracer("avx2");
  return tracer;
}

}  // namespace sightline::detail
