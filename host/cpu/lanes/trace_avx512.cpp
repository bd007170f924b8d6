// The tracer for avx512.
#define HWY_COMPILE_ONLY_STATIC 1
#define SIGHTLINE_ALWAYS_INLINE
#include "host/cpu/lanes/trace.inl"

namespace sightline::detail {

const Tracer& tracer_avx512() {
  static constexpr Tracer tracer = {"avx512", HWY_NAMESPACE::scratch_bytes, HWY_NAMESPACE::trace};
  return tracer;
}

}  // namespace sightline::detail
namespace sightline::detail::N_AVX3 { long g_steps, g_cands, g_rays, g_flush;
struct Rep { ~Rep() { __builtin_printf("steps/ray %.2f cands/ray %.2f cands/flush %.1f\n", double(g_steps)/g_rays, double(g_cands)/g_rays, double(g_cands)/g_flush);} } rep; }
