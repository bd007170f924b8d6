// The lanes of AVX2.
#define HWY_COMPILE_ONLY_STATIC 1
#define SIGHTLINE_ALWAYS_INLINE
#include "tests/host/cpu/rays/lane_probe.inl"

namespace sightline::testing {

const LaneProbe* probes_avx2() {
  using namespace HWY_NAMESPACE;
  static constexpr LaneProbe probes[] = {probe<4>("avx2"), probe<8>("avx2"), {}};
  return probes;
}

}  // namespace sightline::testing
