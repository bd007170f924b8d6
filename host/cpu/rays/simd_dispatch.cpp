#include "host/cpu/rays/simd_dispatch.hpp"

#include <algorithm>

namespace sightline::detail {
namespace {

const SimdKernels& simd_of(Lanes lanes) {
  switch (lanes) {
#if defined(SIGHTLINE_LANES_avx512)
    case Lanes::avx512:
      return simd_avx512();
#endif
#if defined(SIGHTLINE_LANES_avx2)
    case Lanes::avx2:
      return simd_avx2();
#endif
#if defined(SIGHTLINE_LANES_portable)
    case Lanes::portable:
      return simd_portable();
#endif
    default:
      throw Error(ErrorKind::usage, "this build has no lanes of that kind");
  }
}

}  // namespace

std::vector<Lanes> usable_lanes() {
  std::vector<Lanes> usable;
#if defined(SIGHTLINE_LANES_avx512)
  // The features of x86-64-v4 beyond v3, which is the baseline.
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
      __builtin_cpu_supports("avx512cd") && __builtin_cpu_supports("avx512dq") &&
      __builtin_cpu_supports("avx512vl")) {
    usable.push_back(Lanes::avx512);
  }
#endif
#if defined(SIGHTLINE_LANES_avx2)
  usable.push_back(Lanes::avx2);
#endif
#if defined(SIGHTLINE_LANES_portable)
  usable.push_back(Lanes::portable);
#endif
  return usable;
}

const SimdKernels& choose_simd(Lanes lanes) {
  const std::vector<Lanes> usable = usable_lanes();
  if (usable.empty()) {
    throw Error(ErrorKind::usage,
                "this build is for processors with AVX-512 alone, which this one lacks: build with "
                "-DSIGHTLINE_LANES=all");
  }
  if (lanes == Lanes::automatic) return simd_of(usable.front());
  if (std::find(usable.begin(), usable.end(), lanes) == usable.end()) {
    throw Error(ErrorKind::usage, "this processor, or this build, has no lanes of that kind");
  }
  return simd_of(lanes);
}

}  // namespace sightline::detail
