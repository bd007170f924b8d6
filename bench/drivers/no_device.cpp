// A build without CUDA, and no stand-in for a device.
#include "bench/harness/benchmarks.hpp"

namespace sightline::bench {

void add_device() {}

}  // namespace sightline::bench
