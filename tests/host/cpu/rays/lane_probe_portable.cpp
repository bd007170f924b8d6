// The lanes of any processor.
#define HWY_COMPILE_ONLY_STATIC 1
#define SIGHTLINE_ALWAYS_INLINE
#include "tests/host/cpu/rays/lane_probe.inl"

namespace sightline::testing {

const LaneProbe* probes_portable() {
  using namespace HWY_NAMESPACE;
  static constexpr LaneProbe probes[] = {probe<4>("portable"), {}};
  return probes;
}

}  // namespace sightline::testing
