// The lanes of AVX-512.
#define HWY_COMPILE_ONLY_STATIC 1
#define SIGHTLINE_ALWAYS_INLINE
#include "tests/host/cpu/rays/lane_probe.inl"

namespace sightline::testing {

const LaneProbe* probes_avx512() {
  using namespace HWY_NAMESPACE;
  static constexpr LaneProbe probes[] = {
      probe<4>("avx512"), probe<8>("avx512"), probe<16>("avx512"), {}};
  return probes;
}

}  // namespace sightline::testing
